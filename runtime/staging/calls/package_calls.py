"""Calls of functions of packages that are converted: `convert_packages=["scipy"]`.

    y = linalg.expm(x)      converted at first: graphs see its operations, and differentiate them
                            a call of each run, if graphs cannot record what it does: the whole
                            function is recorded again then (`function/recorded_again.py`)

Only functions that are known to be pure are called instead; the result has the same bits.  Of
nested calls the outermost one counts, which the user's code makes.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from types import FunctionType, MethodType
from typing import Any

from autograph.staging.dunder_methods import ConvertedClasses
from runtime.errors import StagingError, unsupported
from runtime.ir.pytree import flatten
from runtime.ops.library_call import public_name
from runtime.staging.calls import gate
from runtime.staging.calls.host_values import HostValue
from runtime.staging.calls.library_gate import gated, needs_run
from runtime.staging.calls.natures import nature_of
from runtime.staging.calls.package_depth import PackageDepth
from runtime.staging.staged_values import holds_staged
from runtime.tracing import trace
from runtime.tracing.tensor import Tensor

gate.FILES.add(__file__)

MOST_CALLED = 100  # more are of functions that each recording creates again


@dataclass
class PackageCalls:
    """The functions of converted packages that the code being recorded has called."""

    called: tuple[Any, ...] = ()  # each run calls these: they are not converted
    converted: list[Any] = field(default_factory=list)
    failed: list[Any] = field(default_factory=list)  # the ones that raised something
    made: list[tuple[Any, Any]] = field(default_factory=list)  # objects, and what has made them

    def note(self, function: Any) -> None:
        """Notes a function that is converted."""
        if not is_in(function, self.converted):
            self.converted.append(function)

    def note_made(self, function: Any, result: Any) -> None:
        """Notes objects of packages that a converted function has made."""
        self.made += [(one, function) for one in _objects(result)]

    def note_failed(self, function: Any, given: Any) -> None:
        """Notes a function that has failed, or that is to be called, with the functions that have
        made the objects it is given: each run must make them, too."""
        makers = [maker for one in _objects(given) for made, maker in self.made if made is one]
        self.failed += [function, *makers]

    def again(self) -> "PackageCalls | None":
        """Those of another recording, since this one has failed; None if it would be the same."""
        wanted = self.failed or self.converted
        new = [one for one in wanted if not is_in(one, self.called)]
        is_possible = new and len(self.called) < MOST_CALLED
        return PackageCalls((*self.called, *new)) if is_possible else None


def makes_plain_objects(function: Any, recorder: Any) -> bool:
    """Whether a callable is a class of the user's whose objects hold attributes and nothing else.

    The methods of the class are converted from now on, until the recording ends.
    """
    classes = recorder.state(ConvertedClasses)
    classes.meet_callee(function)
    return classes.makes_plain_objects(function) and not nature_of(function).is_library


def package_call(function: Any, converted: Callable) -> Callable:
    """The callable to use for a function of a package that is converted, given its conversion."""
    nature = nature_of(function)
    if nature.is_library or nature.is_marked:
        return PackageCall(function, converted, nature.is_library)
    return converted


class PackageCall:
    """A function, class or method of a package, which is converted if it is pure, and if that is
    possible."""

    __slots__ = ("converted", "function", "is_pure")

    def __init__(self, function: Any, converted: Callable, is_pure: bool):
        self.function, self.converted, self.is_pure = function, converted, is_pure

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        recorder = trace.current()
        if recorder is None or recorder.is_eager:
            return self.converted(*args, **kwargs)
        depth = recorder.state(PackageDepth)
        if depth.count and self.is_pure:
            return self.converted(*args, **kwargs)
        calls, known = recorder.state(PackageCalls), identity(self.function)
        given = (getattr(self.function, "__self__", self.function), args, kwargs)
        objects = _objects(given)
        is_called = is_in(known, calls.called) or not self.is_pure
        if is_called and (objects or depth.count):
            calls.note_failed(known, given)
            raise unsupported(f"{public_name(self.function)}, in converted code of a package,")
        if is_called or not (objects or needs_run(args, kwargs)):
            return gated(self.function, self.function)(*args, **kwargs)
        return self._converted(calls, depth, known, given)

    def _converted(self, calls, depth, known, given):
        _, args, kwargs = given
        calls.note(known)
        depth.count += 1
        try:
            result = self.converted(*args, **kwargs)
        except BaseException as error:
            calls.note_failed(known, given)
            if isinstance(error, StagingError) or not isinstance(error, Exception):
                raise
            # It may come from what graphs make of values; a call raises it if Python does.
            raise unsupported(f"{public_name(self.function)}, which raises {error!r},") from error
        finally:
            depth.count -= 1
        calls.note_made(known, result)
        return result


def identity(function: Any) -> Any:
    """The code of a function, or the class of a method: the same for all calls and recordings."""
    if isinstance(function, MethodType):
        function = function.__func__
    if isinstance(function, type):
        return function
    written = function if isinstance(function, FunctionType) else type(function).__call__
    return getattr(written, "__code__", written)


def _objects(value: Any) -> list[Any]:
    """The objects of packages in a value whose attributes are staged."""
    kept = (one for one in flatten(value)[0] if not isinstance(one, (Tensor, HostValue, type)))
    known = [one for one in kept if nature_of(type(one)).is_library]
    return [one for one in known if holds_staged(vars(one) if hasattr(one, "__dict__") else one)]


def is_in(function: Any, functions: Any) -> bool:
    return any(function is one for one in functions)
