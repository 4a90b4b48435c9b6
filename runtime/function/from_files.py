"""Functions of files, as commands name them: `FILE.py:FUNCTION`, and the arguments of a call.

The file is run, as `import` does it.
"""

import difflib
import importlib.util
import inspect
import os
import sys
import traceback
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from runtime.function.function import Function

WRONG_CALL, FAILED = 2, 1
MOST_NAMES = 20  # of a file, in a message


class Failure(Exception):
    """Ends the command with a message and an exit status."""

    def __init__(self, status: int, text: str):
        super().__init__(text)
        self.status = status


def loaded(path: str) -> ModuleType:
    """The module of a file, which is run."""
    if not os.path.isfile(path):
        raise Failure(WRONG_CALL, f"{path} is not a file")
    path = os.path.abspath(path)
    stem = os.path.splitext(os.path.basename(path))[0]
    name = f"_{stem}" if stem in sys.modules else stem
    specification = importlib.util.spec_from_file_location(name, path)
    if specification is None or specification.loader is None:
        raise Failure(WRONG_CALL, f"{path} is not a Python file")
    module = importlib.util.module_from_spec(specification)
    sys.path.insert(0, os.path.dirname(path))
    sys.modules[name] = module
    try:
        specification.loader.exec_module(module)
    except Exception as error:
        raise raised(error, path, path) from None
    return module


def raised(error: Exception, path: str, name: str) -> Failure:
    """The failure of a file that raises an exception, whose traceback is printed.

    The traceback starts in the file: the frames of the command are left out.
    """
    own = os.path.abspath(path)
    start = error.__traceback__
    while start is not None and start.tb_frame.f_code.co_filename != own:
        start = start.tb_next
    traceback.print_exception(type(error), error, start or error.__traceback__)
    return Failure(FAILED, f"{name} has raised {type(error).__name__}")


def chosen(module: ModuleType, name: str, path: str) -> tuple[str, Callable[..., Any]]:
    """The function with a name; without a name the only `rt.function` of the file."""
    if not name:
        found = {n: one for n, one in vars(module).items() if isinstance(one, Function)}
        if len(found) != 1:
            some = ", ".join(found) or "none"
            raise Failure(WRONG_CALL, f"name a function: {path}:NAME; its rt.functions: {some}")
        return next(iter(found.items()))
    value: Any = module
    for part in name.split("."):
        if not hasattr(value, part):
            known = [n for n, one in vars(module).items() if isinstance(one, Function)]
            near = difflib.get_close_matches(name, known, 3) or known[:5]
            hint = f"; did you mean {' or '.join(near)}?" if near else "; it has no rt.functions"
            raise Failure(WRONG_CALL, f"there is no {name} in {path}{hint}")
        value = getattr(value, part)
    if not callable(value) or isinstance(value, type):
        raise Failure(WRONG_CALL, f"{name} is not a function: its type is {type(value).__name__}")
    return name, value


def arguments(text: str, module: ModuleType, **known: Any) -> tuple[tuple, dict[str, Any]]:
    """The arguments of a call that are written as an expression, with the names of the file, `np`,
    and those that are `known`."""

    def given(*args: Any, **kwargs: Any) -> tuple[tuple, dict[str, Any]]:
        return args, kwargs

    try:
        found: tuple[tuple, dict[str, Any]] = eval(
            f"__given__({text}\n)", {"np": np, **known, **vars(module), "__given__": given}
        )
    except Exception as error:
        shown = f"{type(error).__name__}: {error}"
        if isinstance(error, NameError):
            shown += f"; {_available(module, known)}"
        raise Failure(WRONG_CALL, f"--args cannot be evaluated: {shown}") from None
    return found


def check_call(name: str, function: Callable[..., Any], args: tuple, kwargs: dict) -> None:
    """Ends the command if a function cannot be called with these arguments."""
    if not (args or kwargs) and getattr(function, "input_signature", None) is not None:
        return
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # the class of the callable has none
        return
    try:
        signature.bind(*args, **kwargs)
    except TypeError as error:
        example = ", ".join(map(_example, signature.parameters.values()))
        raise Failure(
            WRONG_CALL,
            f"--args does not fit {name}{signature}: {error}.\n"
            f'Write the arguments of a call, such as --args "{example}".',
        ) from None


def _example(parameter: inspect.Parameter) -> str:
    """An argument for a parameter, as the message about missing ones shows it."""
    keyword = f"{parameter.name}=" if parameter.kind is parameter.KEYWORD_ONLY else ""
    return f"{keyword}np.ones(3)"


def _available(module: ModuleType, known: dict[str, Any]) -> str:
    """The names that an expression of arguments may use, without those that Python adds."""
    given = ["np", *known]
    own = [name for name in vars(module) if not name.startswith("__") and name not in given]
    shown = [*own[:MOST_NAMES], "..."] if len(own) > MOST_NAMES else own
    of_file = f" and, in the file, {', '.join(shown)}" if own else ""
    return f"the names are the builtins, {', '.join(given)}{of_file}"
