"""Errors about staged values that are given to functions of Python or of libraries.

json.dumps({"a": x})

ArgumentError: json.dumps is given the staged value `x` (f64) in argument 1, `obj`
  model.py, line 7, in f
      return json.dumps({"a": x})
             ^^^^^^^^^^^^^^^^^^^^
It needs the value, which is known only when the graph runs.
Return x, and call json.dumps on the result of the function ...
"""

import inspect
from collections.abc import Callable
from functools import partial
from types import TracebackType
from typing import Any, NoReturn

from autograph.errors import with_article
from autograph.functions.policy import is_left_alone, is_users_file
from autograph.staging import refusals
from autograph.staging.errors import users_location
from autograph.staging.refusals import Refused
from runtime.errors import ArgumentError, ValueNeededError, staging_error
from runtime.ir.host import described
from runtime.ir.pytree import flatten
from runtime.staging.calls.remedies import remedy_for
from runtime.staging.lists.trace_list import TraceList
from runtime.staging.python_errors import in_words, is_about_staged, name_classes
from runtime.staging.staged_values import holds_staged
from runtime.staging.variables import call_with_arrays
from runtime.tracing.tensor import Tensor

# Modules that implement others.
PUBLIC = {
    "posixpath": "os.path",
    "ntpath": "os.path",
    "genericpath": "os.path",
    "posix": "os",
    "nt": "os",
    "numpy": "np",
}
UNSAID = "It needs the value, which is known only when the graph runs."


def called(function: Any, target: Callable, args: tuple, kwargs: dict) -> Any:
    """The result of `target(*args, **kwargs)`, which stands for a call of `function`.

    An exception that the function raises because an argument is staged refuses the call.
    """
    before = refusals.first()
    try:
        return target(*args, **kwargs)
    except Refused as refused:
        if refused is not before:  # which is raised again
            _explain(refused, function, args, kwargs)
        raise
    except Exception as error:
        dropped = refusals.first()
        if dropped is not None and dropped is not before:
            _explain(dropped, function, args, kwargs)
            raise dropped from None
        is_replaced = isinstance(error, TypeError) and target is not function
        if not is_replaced or _is_called_so(target, args, kwargs):
            _raise_explained(error, function, args, kwargs)
    # Outside of the handler: the context of the exception is the user's.
    if not _takes(function, args, kwargs):
        function(*args, **kwargs)  # its error names the function, that of `target` another one
    raise staging_error(
        f"{written(function)} is called with arguments that it does not take with staged values",
        "Only a part of its arguments is known to graphs.",
        "Leave out arguments that are not needed, or let each run call it: "
        f"rt.host_call({written(function)}, ...).",
        ArgumentError,
    )


def _raise_explained(error: Exception, function: Any, args: tuple, kwargs: dict) -> NoReturn:
    """Raises the exception that ended a call, or a refusal if a staged argument is its reason."""
    arguments = (*args, *kwargs.values())
    if refusals.is_refusal(error) or not is_about_staged(error, arguments, __file__):
        name_classes(error, arguments)
        raise error
    found = _staged_argument(function, args, kwargs)
    if found is None:
        raise error
    what, why, remedy = _parts(function, *found)
    raise staging_error(
        what, f"{why}  Python says: {in_words(error)}.", remedy, ArgumentError
    ) from None


def _is_called_so(target: Callable, args: tuple, kwargs: dict) -> bool:
    """Whether a function may be called with these arguments."""
    if isinstance(target, partial) and target.func is call_with_arrays:
        target = target.args[1]
    return _takes(target, args, kwargs) is not False


def _takes(function: Any, args: tuple, kwargs: dict) -> bool | None:
    """Whether a function can be called with these arguments; None if that is not known."""
    try:
        inspect.signature(function).bind(*args, **kwargs)
    except ValueError:
        return None
    except TypeError:
        return False
    return True


def refusing(function: Any, target: Callable) -> Callable:
    """`target`, which stands for `function`, with calls that may be refused."""

    def call(*args, **kwargs):
        return called(function, target, args, kwargs)

    return call


def _explain(refused: Refused, function: Any, args: tuple, kwargs: dict) -> None:
    """Makes a refusal name the function and the argument, if it called no code of the user."""
    found = _staged_argument(function, args, kwargs)
    is_known = type(refused.error) is ValueNeededError and found is not None
    if is_known and _is_direct(refused.__traceback__):
        what, why, remedy = _parts(function, *found)
        refused.error = ArgumentError.about(what, users_location(), why, remedy)
        refused.args = (str(refused.error),)


def _is_direct(entry: TracebackType | None) -> bool:
    while entry is not None:
        filename = entry.tb_frame.f_code.co_filename
        if is_users_file(filename) and not is_left_alone(filename):
            return False
        entry = entry.tb_next
    return True


def _parts(function, parameter, argument):
    name = written(function)
    leaf = _staged_leaf(argument)
    shown = getattr(leaf, "staged_value", "a staged list")
    kind = "list" if isinstance(argument, list) else type(argument).__name__
    inside = "" if leaf is argument else f"{with_article(kind)} with "
    what = f"{name} is given {inside}{shown} as {parameter}"
    value = getattr(leaf, "users_words", "") or "the value"
    return what, UNSAID, remedy_for(name, value)


def written(function):
    """The function as users write it."""
    owner = getattr(function, "__self__", None)
    if owner is not None and not inspect.ismodule(owner) and not inspect.isclass(owner):
        return f"{type(owner).__name__}.{function.__name__}"
    if hasattr(function, "__objclass__"):
        return f"{function.__objclass__.__name__}.{function.__name__}"
    if not (inspect.isclass(function) or inspect.isroutine(function)):
        return type(function).__name__
    *modules, name = described(function).removeprefix("builtins.").split(".")
    public = [part.lstrip("_") for i, part in enumerate(modules) if i == 0 or part[0] != "_"]
    module = ".".join(public)
    return f"{PUBLIC.get(module, module)}.{name}".lstrip(".").replace("openssl_", "")


def _staged_argument(function, args, kwargs):
    """The parameter that has a staged argument, in words, and the argument; None if none has."""
    try:
        names = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        names = []
    for i, value in enumerate(args):
        if holds_staged(value, objects=False):
            known = i < len(names) and names[i].kind is not inspect.Parameter.VAR_POSITIONAL
            return f"argument {i + 1}" + (f", `{names[i].name}`" if known else ""), value
    for name, value in kwargs.items():
        if holds_staged(value, objects=False):
            return f"the argument `{name}`", value
    return None


def _staged_leaf(value):
    """The first staged value in an argument."""
    if isinstance(value, Tensor):
        return value
    if isinstance(value, TraceList) and value.value is not None:
        return value
    leaves, structure = flatten(list(value) if isinstance(value, TraceList) else value)
    if structure.kind is None:
        return value
    return next((_staged_leaf(leaf) for leaf in leaves if holds_staged(leaf, objects=False)), value)
