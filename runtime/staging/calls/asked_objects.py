"""Objects that each run changes: code that reads them later, without a call, asks in the run.

    if x > limit:
        parser.add_argument("--big")        each run that gets here changes the parser
    n = len(parser._actions)                each run reads the attribute

    if x > limit:
        scores["big"] = x                   a ChainMap
    y = scores["big"]                       each run reads the item
    first, *others = scores                 refused

Such a read is no call that could be rewritten.  So the class of the object looks attributes up
through this module, and applies operators, until the graph has been recorded; for all other code
and objects nothing changes.  Classes that cannot be changed are those of C.
"""

import operator
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType, MethodType
from typing import Any

from autograph.functions.bytecode import opname_at
from autograph.functions.frames import is_operator
from autograph.functions.policy import is_skipped, is_users_class, is_users_file
from autograph.staging.object_state import dictionary
from autograph.staging.refusals import is_refusal
from runtime.errors import ValueNeededError, staging_error
from runtime.staging.calls.host_values import asked
from runtime.staging.calls.made_objects import MadeObjects
from runtime.staging.calls.package_functions import related_classes
from runtime.staging.calls.package_objects import CODE, is_package_object, note_part
from runtime.tracing import trace
from runtime.tracing.python_operators import (
    BINARY,
    COMPARISONS,
    UNARY,
    function_of,
    in_place,
    reflected,
)

_IMMUTABLE, _HEAP = 1 << 8, 1 << 9  # Py_TPFLAGS of types: static ones, and those of statements
_OWN = ("autograph", "runtime", "builtins", "numpy")

# Records operators with a staged operand (`package_operators.py`).
STAGED_OPERANDS: list[Any] = []

# Operators whose result may be an object that only a run has, and those that need it at once.
ASKED = {"__getitem__": operator.getitem, "__reversed__": reversed}
ASKED |= {name: function_of(name) for name in (*BINARY, *COMPARISONS, *UNARY)}
SPREADING = ("DICT_UPDATE", "DICT_MERGE")  # {**d}, f(**d)
NEEDED = ("__len__", "__bool__", "__iter__", "__contains__", "__index__", "__array__", "__next__")
NEEDED += ("__int__", "__float__", "__complex__", "__bytes__", "__str__", "__repr__", "__format__")
PROTOCOLS = ("__array_ufunc__", "__array_function__")
CHANGING = {"__setitem__": operator.setitem, "__delitem__": operator.delitem}
CHANGING |= {name: function_of(name) for name in filter(None, map(in_place, BINARY))}


def is_read_by_operators(kind: type) -> bool:
    """Whether operators read the contents of objects of a class, which cannot be changed."""
    is_known = kind.__module__ == "builtins" and kind is not memoryview  # compared, or immutable
    return not is_known and not _is_changeable(kind) and hasattr(kind, "__len__")


def _is_changeable(kind: type) -> bool:
    return bool(kind.__flags__ & _HEAP) and not kind.__flags__ & _IMMUTABLE


class AskedObjects:
    """The objects that runs read, and the classes that know of it."""

    def __init__(self) -> None:
        self.objects: dict[int, Any] = {}
        self._kinds: set[type] = set()
        self._originals: list[tuple[type, str, Any]] | None = None  # None unless one is recorded

    @contextmanager
    def open(self) -> Iterator[None]:
        """Until it ends, the classes of objects that are noted know of it."""
        self._originals = []
        recorder = trace.current()
        try:
            yield
        except BaseException as error:
            if is_refusal(error):
                recorder.state(MadeObjects).close_files()
            raise
        finally:
            for kind, name, original in self._originals:
                if original is None:
                    type.__delattr__(kind, name)
                else:
                    type.__setattr__(kind, name, original)
            self._originals = None
            recorder.state(MadeObjects).close()

    def add(self, value: Any) -> None:
        """Notes an object that each run changes."""
        kind = type(value)
        is_ours = kind.__module__.partition(".")[0] in _OWN
        is_followed = is_ours or is_users_class(kind)
        if self._originals is None or is_followed or not _is_changeable(kind):
            return
        self.objects[id(value)] = value
        self._know(kind)

    def watch(self, value: Any) -> None:
        """Lets the class of an object of a package note when the code being recorded reads one."""
        if self._originals is not None and is_package_object(value) and _is_changeable(type(value)):
            self._know(type(value))
            for kind in related_classes(type(value)):
                self._know(kind)

    def _know(self, kind: type) -> None:
        if kind in self._kinds:
            return
        self._kinds.add(kind)
        for name in ("__getattribute__", "__getattr__"):  # the latter for columns of a table
            if hasattr(kind, name):
                self._replace(kind, name, _asking(getattr(kind, name)))
        for name in (*ASKED, *map(reflected, BINARY), *NEEDED, *CHANGING):
            original = getattr(kind, name, None)
            if original is not None and not _is_of_object(kind, name):
                self._replace(kind, name, _operator(name, original))
        for name in PROTOCOLS:
            if getattr(kind, name, None) is not None:
                self._replace(kind, name, _protocol(name, getattr(kind, name)))

    def _replace(self, kind: type, name: str, new: Any) -> None:
        assert self._originals is not None
        self._originals.append((kind, name, vars(kind).get(name)))
        type.__setattr__(kind, name, new)


def _is_of_object(kind: type, name: str) -> bool:
    """Whether a method is that of `object`, and reads nothing; `!=` uses `==`."""
    used = "__eq__" if name == "__ne__" and kind.__ne__ is object.__ne__ else name
    return getattr(kind, used) is getattr(object, used, None)


def _recorder_of(frame: FrameType | None) -> Any:
    """The trace that records the user's code that a frame runs; None for other code."""
    while frame is not None and is_operator(frame):
        frame = frame.f_back
    if frame is None or not is_users_file(frame.f_code.co_filename):
        return None
    return trace.current()


def _frame_outside(frame: FrameType | None) -> FrameType | None:
    """The frame that has called the library, where it calls NumPy in place of the user's code."""
    while frame is not None and is_skipped(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def _is_asked(operands: tuple, recorder: Any) -> bool:
    """Whether the code that is recorded reads an object, among these, that each run has changed."""
    if recorder is None:
        return False
    known = recorder.state(AskedObjects).objects
    return any(id(one) in known for one in operands)


def _told(owner: Any, found: Any, recorder: Any, is_part: bool = True) -> Any:
    """A value that the code that is recorded has read from an object."""
    if recorder is not None and not recorder.is_eager and is_package_object(owner):
        note_part(owner, found)
        recorder.state(AskedObjects).watch(found)
        if is_part:
            recorder.state(MadeObjects).note_part(owner, found)
        else:
            recorder.state(MadeObjects).note(found, owner)
    return found


def _attribute_told(owner: Any, name: str, found: Any, recorder: Any) -> Any:
    """An attribute that the code that is recorded has read of an object; the guard looks at those
    that are stored in it, and methods are its class's."""
    if isinstance(found, CODE):
        return found
    if recorder is not None and name in (dictionary(owner) or ()):
        recorder.state(AskedObjects).watch(found)
        recorder.state(MadeObjects).note_part(owner, found)
        return found
    return _told(owner, found, recorder)


def _asking(original: Callable[[Any, str], Any]) -> Callable[[Any, str], Any]:
    def __getattribute__(self: Any, name: str) -> Any:
        value = original(self, name)
        if name.startswith("__") and name != "__dict__":
            return value
        recorder = _recorder_of(frame := sys._getframe(1))
        is_made_in_runs = recorder is not None and recorder.state(MadeObjects).is_in_runs()
        if not (is_made_in_runs or _is_asked((self,), recorder)):
            return _attribute_told(self, name, value, recorder)
        if name == "keys" and opname_at(frame.f_code, frame.f_lasti) in SPREADING:
            raise is_needed(self)
        is_code = isinstance(value, (MethodType, *CODE))
        if is_code or callable(value) and not is_package_object(value):
            return value
        return asked(getattr, self, name)

    return __getattribute__


def _operator(name: str, original: Callable) -> Callable:
    swapped, is_change = name in SWAPPED, name in CHANGING
    function = CHANGING.get(name) or ASKED.get(SWAPPED.get(name, name))
    is_part = name == "__getitem__"

    def apply_operator(self: Any, *others: Any, **options: Any) -> Any:
        recorder = _recorder_of(sys._getframe(1))
        if recorder is None or recorder.is_eager:
            return original(self, *others, **options)
        if function is None:
            if _is_asked((self, *others), recorder):
                raise is_needed(self)
            return _told(self, original(self, *others, **options), recorder)
        operands = (*others, self) if swapped else (self, *others)
        if is_change:
            if _is_changed_in_runs(self, others, recorder):
                return STAGED_OPERANDS[0].change(function, operands)
            return original(self, *others, **options)
        if _is_asked(operands, recorder):
            return asked(function, *operands)
        if STAGED_OPERANDS[0].is_of_run(others) or recorder.state(MadeObjects).is_in_runs():
            return STAGED_OPERANDS[0].record(function, operands, {})
        return _told(self, original(self, *others, **options), recorder, is_part)

    return apply_operator


def _is_changed_in_runs(owner: Any, others: tuple, recorder: Any) -> bool:
    """Whether each run makes a change of an object, or uses the object before it."""
    if _is_asked((owner, *others), recorder) or STAGED_OPERANDS[0].is_of_run(others):
        return True
    return recorder.state(MadeObjects).is_handed(owner)


def _protocol(name: str, original: Callable) -> Callable:
    """A method that NumPy calls, of a function or ufunc with an object among its arguments."""

    def answer(self: Any, function: Any, how: Any, *args: Any, **options: Any) -> Any:
        recorder = _recorder_of(_frame_outside(sys._getframe(1)))
        is_ufunc = name == "__array_ufunc__"
        if (
            recorder is None
            or recorder.is_eager
            or not STAGED_OPERANDS[0].is_of_run((args, options))
        ):
            return original(self, function, how, *args, **options)
        if is_ufunc:
            return STAGED_OPERANDS[0].record(getattr(function, how), args, options)
        return STAGED_OPERANDS[0].record(function, *args)

    return answer


SWAPPED = {reflected(name): name for name in BINARY}


def is_needed(value: Any) -> BaseException:
    """The error about an object whose contents are needed, which each run changes."""
    kind = type(value).__name__
    return staging_error(
        f"{'an' if kind[:1] in 'aeiou' else 'a'} {kind} is read, which each run changes before",
        "Its contents are not known while the graph is being built.",
        "Ask a function, which each run calls: len(it), list(it), rt.host_call(f, it, like=...).",
        ValueNeededError,
    )
