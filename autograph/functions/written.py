"""The function that the user has written, inside of the objects that hold it.

    rt.function(f), rt.grad(f), functools.partial(f, 1), f.cache_info.__self__        f
    model.step, Model.step, property(step)                                            step
    model                                                                             its __call__

Objects of other packages show their function as `__wrapped__`, as those of `functools` do.
"""

import functools
import inspect
from types import FunctionType, MethodType

from autograph.functions.callables import functions_in
from autograph.functions.policy import is_skipped


def written_function(entity: object) -> FunctionType | None:
    """The Python function of a callable object or of a wrapper of the standard library; None if
    there is none."""
    for _ in range(100):  # wrappers may form a circle
        match entity:
            case FunctionType():
                wrapped = getattr(entity, "__wrapped__", None)
                if wrapped is None or not is_skipped(entity.__code__.co_filename):
                    return entity
                entity = wrapped
            case MethodType() | staticmethod() | classmethod():
                entity = entity.__func__
            case property():
                entity = entity.fget
            case _ if hasattr(entity, "__wrapped__"):
                entity = entity.__wrapped__
            case functools.partial() | functools.partialmethod() | functools.cached_property():
                entity = entity.func
            case type() | None:
                return None
            case _:
                entity = inspect.getattr_static(type(entity), "__call__", None)
    return None


def written_methods(kind: type) -> list[FunctionType]:
    """The functions in the members of a class, in their order."""
    found: dict[int, FunctionType] = {}
    for member in vars(kind).values():
        functions = functions_in(member) or [written_function(member)]
        found.update(
            {id(one): one for one in functions if one is not None and _is_inside(kind, one)}
        )
    return list(found.values())


def _is_inside(kind, function):
    """Whether a function is written in the class, rather than generated or stored there."""
    return function.__qualname__.startswith(f"{kind.__qualname__}.") and not (
        function.__code__.co_filename.startswith("<string>")
    )
