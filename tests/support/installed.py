"""Modules that count as installed packages, so that tests need no other packages.

`matrices` is always there: `import matrices` in a program imports a package that is not converted.
"""

import os
import sys
import sysconfig
import types

MATRICES = '''
import numpy as np


def expm(A):
    """The first terms of the exponential of a matrix."""
    A = np.asarray(A)
    return np.eye(len(A)) + A + A @ A / 2
'''


def installed_module(name: str, text: str) -> types.ModuleType:
    """A new module that counts as an installed package and is imported by its name."""
    filename = os.path.join(sysconfig.get_paths()["purelib"], f"{name}.py")
    module = types.ModuleType(name)
    module.__file__ = filename
    sys.modules[name] = module
    exec(compile(text, filename, "exec"), module.__dict__)
    return module


if "matrices" not in sys.modules:
    installed_module("matrices", MATRICES)
