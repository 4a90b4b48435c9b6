"""Finds a file of the user that hides the package `runtime`, and would be imported instead.

    ./runtime.py, ./runtime/__init__.py     found before the package, in the directory of a script

A file that hides `autograph` is reported by `runtime/shadowing.py`.
"""

import os
import sys
import warnings

HERE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FILES = ("runtime.py", os.path.join("runtime", "__init__.py"))


def file_that_hides_runtime() -> str | None:
    """The file that `import runtime` imports instead of the package beside this one; or None.

    Only folders of `sys.path` are looked at.  None as well if the package is not installed.
    """
    if not os.path.isdir(os.path.join(HERE, "runtime")):
        return None
    for folder in sys.path:
        folder = os.path.abspath(folder)
        if folder == HERE:
            return None
        for name in FILES:
            if os.path.exists(os.path.join(folder, name)):
                return os.path.join(folder, name)
    return None


def told(path: str) -> str:
    """The text about a file that hides the package."""
    return (
        f"{path} hides the package `runtime` of autograph-numpy: `import runtime` imports "
        "that file.  Rename it, or move it to another directory."
    )


def warn_of_hidden_runtime() -> None:
    """Warns if a file hides `runtime`; only a program that imports it cannot work."""
    path = file_that_hides_runtime()
    if path is not None:
        warnings.warn(told(path), stacklevel=3)
