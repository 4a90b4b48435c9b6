"""`item in container`: a call of the `__contains__` of a class, or a comparison with each element.

    2.0 in [1.0, x]        1.0 == 2.0 or x == 2.0

Python takes no element after the one that is equal.  What taking further ones changes is undone in
the runs that have found the element before (`taken_elements.py`).
"""

from collections.abc import ItemsView
from functools import partial
from types import FunctionType
from typing import Any

from autograph.backend import Backend
from autograph.functions.bytecode import global_names
from autograph.functions.calls import converted_call
from autograph.functions.policy import is_users_class
from autograph.staging.dunder_methods import original_method
from runtime.ir.types import BOOL, PythonType, Type
from runtime.staging.calls.dict_keys import has_key
from runtime.staging.calls.first_elements import is_among
from runtime.staging.calls.iteration import StagedCombined
from runtime.staging.comparisons import is_equal
from runtime.staging.generators import is_consumable
from runtime.staging.outside_iterators import note_left, refuse_outside_iterator
from runtime.staging.staged_values import KNOWN, holds_staged
from runtime.staging.truth import truth
from runtime.tracing.conversion import cast
from runtime.tracing.tensor import Tensor, is_staged

SEARCHED = frozenset({dict, list, tuple})  # exactly these, whose elements Python compares itself
HASHING = (dict, set, frozenset)  # classes that ask an item for its hash


def is_in(backend: Backend, item: Any, container: Any) -> Any:
    """`item in container`, where the item or an element may be staged."""
    kind = type(container)
    if kind in SEARCHED and type(item) in KNOWN and _are_known(container):
        return item in container
    if isinstance(item, tuple) and isinstance(container, HASHING):
        return has_key(container, item) if is_staged(item) else item in container
    owner = next((base for base in kind.__mro__ if "__contains__" in vars(base)), None)
    asked = owner and vars(owner)["__contains__"]  # None if the class forbids the question
    if asked is not None and is_users_class(owner):
        found = truth(converted_call(_bound(asked, container))(item))
        return cast(found, BOOL) if isinstance(found, Tensor) else bool(found)
    is_forbidden = owner is not None and asked is None
    is_unhashable = isinstance(container, HASHING) and _has_no_hash(item)
    is_iterable = hasattr(kind, "__iter__") or hasattr(kind, "__getitem__")
    is_another_kind = isinstance(item, (list, tuple, dict)) and isinstance(container, (str, bytes))
    if is_forbidden or is_unhashable or is_another_kind or not is_iterable:
        return item in container  # which raises Python's exception
    return is_one_of(backend, item, _compared_by_python(item, container))


def _compared_by_python(item: Any, container: Any) -> Any:
    """The elements that Python compares with an item: of a dict or set those that have its hash.

    An object whose hash is staged is compared with all of them: its class has to give equal objects
    equal hashes, as Python demands.
    """
    number = _hash_of(item) if isinstance(container, HASHING) else None
    if number is not None:
        return [one for one in container if holds_staged(one) or hash(one) == number]
    is_pair = isinstance(container, ItemsView) and type(item) is tuple and len(item) == 2
    if is_pair and not holds_staged(item[0]):
        number = hash(item[0])
        return [one for one in container if holds_staged(one[0]) or hash(one[0]) == number]
    return container


def _is_python_int(kind: Type) -> bool:
    """Whether a staged value is a Python int or bool, which no NumPy scalar is."""
    return isinstance(kind, PythonType) and issubclass(kind.kind, int)


def _hash_of(item: Any) -> int | None:
    """The hash of an item; None if it is staged, as that of an object with staged parts may be."""
    if not holds_staged(item):
        return hash(item)
    method = original_method(type(item), "__hash__")
    if type(method) is not FunctionType or not is_users_class(type(item)):
        return None
    if "hash" in global_names(method.__code__):  # `hash(x)` of a staged value is not known
        return None
    number = converted_call(method)(item)
    if isinstance(number, int):
        return hash(int(number))  # Python reduces it
    if isinstance(number, Tensor) and _is_python_int(number.type):
        return None
    raise TypeError("__hash__ method should return an integer")


def _are_known(container: Any) -> bool:
    """Whether no element of a list or tuple, and no key of a dict, needs a look."""
    return all(type(one) in KNOWN for one in container)


def _has_no_hash(item: Any) -> bool:
    """Whether Python refuses to look an item up: a list, or an object that has `__eq__` only."""
    kind = type(item)
    return isinstance(item, (list, dict)) or is_users_class(kind) and kind.__hash__ is None


def _bound(method: Any, container: Any) -> Any:
    """A special method of a class, bound to an object as Python binds it: by the method's own rule,
    which static methods, partial methods and callable objects have, too."""
    bind = getattr(type(method), "__get__", None)
    return method if bind is None else bind(method, container, type(container))


def is_one_of(backend: Backend, item: Any, container: Any) -> Any:
    """Whether an item is, or equals, one of the elements."""
    found: Any = False
    refuse_outside_iterator(container)
    if is_consumable(container):
        return is_among(partial(is_equal, backend), item, container)
    elements = iter(container)
    taken = None
    try:
        for element in elements:
            if taken is not None:
                taken.after()
            found = backend.or_(found, partial(is_equal, backend, element, item))
            if found is True:
                break
            if isinstance(found, Tensor):
                note_left(container)  # now, while it holds what it takes its elements from
                taken = taken or backend.taken_elements(elements)
                if taken is not None:
                    taken.before(backend.not_(found))
        else:
            if taken is not None:
                taken.after()
        if taken is not None:
            taken.end()
    except Exception as error:
        if taken is None or not taken.raised(error):
            raise
    finally:
        if taken is not None:
            taken.close()
    if isinstance(container, StagedCombined):
        note_left(container)
    return cast(found, BOOL) if isinstance(found, Tensor) else found
