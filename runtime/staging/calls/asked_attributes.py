"""Attributes of objects that each run changes: code that reads them later asks them in the run.

    if x > limit:
        parser.add_argument("--big")        each run that gets here changes the parser
    n = len(parser._actions)                each run reads the attribute

Such a read is no call that could be rewritten.  So the class of the object looks attributes up
through this module until the graph has been recorded; for all other code and objects nothing
changes.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import MethodType
from typing import Any

from autograph.functions.policy import is_users_class
from autograph.functions.rebuild import MADE
from runtime.staging.calls.host_values import asked
from runtime.tracing import trace

_IMMUTABLE, _HEAP = 1 << 8, 1 << 9  # Py_TPFLAGS of types: static ones, and those of statements
_OWN = ("autograph", "runtime", "builtins", "numpy")


class AskedObjects:
    """The objects of which runs read the attributes, and the classes that know of it."""

    def __init__(self) -> None:
        self.objects: dict[int, Any] = {}
        self._originals: dict[type, Any] | None = None  # None unless a function is recorded

    @contextmanager
    def open(self) -> Iterator[None]:
        """Until it ends, the classes of objects that are noted know of it."""
        self._originals = {}
        try:
            yield
        finally:
            for kind, original in self._originals.items():
                if original is None:
                    type.__delattr__(kind, "__getattribute__")
                else:
                    type.__setattr__(kind, "__getattribute__", original)
            self._originals = None

    def add(self, value: Any) -> None:
        """Notes an object that each run changes."""
        kind = type(value)
        is_python = kind.__flags__ & _HEAP and not kind.__flags__ & _IMMUTABLE
        is_ours = kind.__module__.partition(".")[0] in _OWN
        if self._originals is None or not is_python or is_ours or is_users_class(kind):
            return
        self.objects[id(value)] = value
        if kind not in self._originals:
            self._originals[kind] = vars(kind).get("__getattribute__")
            type.__setattr__(kind, "__getattribute__", _asking(kind.__getattribute__))


def _asking(original: Callable[[Any, str], Any]) -> Callable[[Any, str], Any]:
    def __getattribute__(self: Any, name: str) -> Any:
        value = original(self, name)
        if sys._getframe(1).f_code not in MADE or name.startswith("__"):
            return value
        recorder = trace.current()
        is_asked = recorder is not None and id(self) in recorder.state(AskedObjects).objects
        if not is_asked or isinstance(value, (MethodType, type)) or callable(value):
            return value
        return asked(getattr, self, name)

    return __getattribute__
