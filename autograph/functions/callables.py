"""Callables other than plain functions: their kind is preserved around a converted function.

method                         bound to the same object
staticmethod, property, ...    the same wrapper around the converted function
functools.lru_cache            the same wrapper with an empty cache
class                          itself, its methods converted in place
object with `__call__`         its `__call__`, bound to it
"""

import functools
import inspect
from collections.abc import Callable
from types import FunctionType, MethodType

from autograph.errors import ConversionError, NoSource
from autograph.functions.origin import origin
from autograph.functions.policy import is_left_alone, is_users_function
from autograph.syntax import sources


def converted_callable(entity: object, convert: Callable[[Callable], Callable]) -> object:
    """A callable of the same kind, with the results of `convert` for its functions.

    Raises `TypeError` if it is neither callable nor a descriptor that contains functions.
    """
    match entity:
        case MethodType():
            return MethodType(convert(entity.__func__), entity.__self__)
        case staticmethod() | classmethod():
            return type(entity)(convert(entity.__func__))
        case property():
            accessors = (entity.fget, entity.fset, entity.fdel)
            converted = (accessor and convert(accessor) for accessor in accessors)
            return type(entity)(*converted, entity.__doc__)
        case functools.cached_property():
            made = type(entity)(convert(entity.func))
            made.attrname = entity.attrname
            return made
        case functools.partialmethod():
            return type(entity)(convert(entity.func), *entity.args, **entity.keywords)
        case functools.partial() if _is_left_alone(entity.func):
            return entity
        case functools.partial():
            return type(entity)(convert(entity.func), *entity.args, **entity.keywords)
        case functools._lru_cache_wrapper():
            return functools.lru_cache(**entity.cache_parameters())(convert(entity.__wrapped__))
        case type():
            return _converted_class(entity, convert)
    if not callable(entity):
        raise TypeError(f"to_graph takes a callable, not {entity!r}")
    call = inspect.getattr_static(type(entity), "__call__", None)
    is_written = isinstance(call, FunctionType) and not _is_left_alone(call)
    return MethodType(convert(call), entity) if is_written else entity


def _is_left_alone(function):
    code = getattr(function, "__code__", None)
    return code is not None and is_left_alone(code.co_filename)


def functions_in(entity: object) -> list[FunctionType]:
    """The Python functions directly in a member of a class."""
    match entity:
        case FunctionType():
            return [entity]
        case staticmethod() | classmethod() | MethodType():
            return functions_in(entity.__func__)
        case property():
            accessors = (entity.fget, entity.fset, entity.fdel)
            return [function for accessor in accessors for function in functions_in(accessor)]
        case functools.cached_property() | functools.partialmethod() | functools.partial():
            return functions_in(entity.func)
        case functools._lru_cache_wrapper():
            return functions_in(entity.__wrapped__)
    return []


def _converted_class(kind, convert):
    """The class itself, with its own methods converted; those without source are unchanged."""
    for name, member in list(vars(kind).items()):
        functions = functions_in(member)
        if functions and all(map(_is_written, functions)):
            new = convert(member) if isinstance(member, FunctionType) else None
            setattr(kind, name, new or converted_callable(member, convert))
    return kind


def _is_written(function):
    """Whether a function has source of its own; those that `dataclass` generates have none."""
    if not is_users_function(function):
        return False
    for lines in sources.texts_of(function):
        try:
            return bool(origin(function, lines))
        except NoSource:
            return False
        except ConversionError:
            continue
    # Else the file was edited, and the conversion raises the error.
    return bool(sources.file_of(function)) and not function.__code__.co_filename.startswith("<")
