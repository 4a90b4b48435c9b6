"""Methods of the user's classes that Python calls by itself, converted while JAX traces.

    p = Point(x, y)          the class is met: its properties and operators are converted
    p.norm, p + q            their branches are staged
    model.loss(x)            so is the class whose method is called
    if x > 0: ...            and those of all objects that the branch can reach

JAX does not say when it begins and ends to trace a function.  A class is given its own methods
again when the backend next finds that nothing is being traced in the thread that met the class;
until then the converted ones mean the same on plain values.
"""

import threading
from collections.abc import Iterable
from typing import Any

from autograph.staging.dunder_methods import ConvertedClasses


class _OfThread(threading.local):
    met: ConvertedClasses | None = None


_thread = _OfThread()


def _classes() -> ConvertedClasses:
    if _thread.met is None:
        _thread.met = ConvertedClasses()
        _thread.met.open()
    return _thread.met


def meet_callee(function: Any) -> None:
    """Converts the methods of the class that is called, or whose object or method is called."""
    classes = _classes()
    classes.meet_callee(function)
    classes.meet(type(function))


def meet_all(values: Iterable[Any]) -> None:
    """Converts the methods of the classes of some values."""
    _classes().meet_all(values)


def forget() -> None:
    """Gives all classes their own methods again: the thread traces no function."""
    met = _thread.met
    if met is not None:
        _thread.met = None
        met.close()
