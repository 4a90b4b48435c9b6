"""The objects that an object leads to: its attributes and elements, closures, weak references.

    log = logging.Logger("a")           a call of `log.warning` in a run writes into `text`
    log.addHandler(logging.StreamHandler(text))

No user code runs.
"""

import functools
import gc
import weakref
from collections.abc import Container, Iterator
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

from runtime.tracing.signature import is_value
from runtime.tracing.tensor import Tensor

NOT_SEARCHED = (CodeType, FrameType, ModuleType, type)
MOST = 20_000  # objects that are looked at


def reached_objects(value: Any, outside: Container[Any] = (), most: int = MOST) -> Iterator[Any]:
    """An object and those that it leads to, the nearest last, at most so many.

    `outside` are objects that are not searched.
    """
    pending, seen = [value], set()
    while pending and len(seen) < most:
        one = pending.pop()
        yield one
        if id(one) not in seen and one not in outside:
            seen.add(id(one))
            pending += _held(one)


def _held(value: Any) -> Iterator[Any]:
    match value:
        case FunctionType():
            for cell in value.__closure__ or ():
                yield from gc.get_referents(cell)
        case functools.partial():
            yield from (*value.args, *value.keywords.values())
        case Tensor():
            return
        case slice():
            yield from (value.start, value.stop, value.step)
        case weakref.ref():
            yield weakref.ref.__call__(value)
        case _ if not isinstance(value, NOT_SEARCHED) and not is_value(value):
            yield from (one for one in gc.get_referents(value) if not isinstance(one, NOT_SEARCHED))
