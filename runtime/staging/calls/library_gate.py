"""Decides which calls of foreign code become library calls, besides what `gate.py` decides.

scipy.linalg.expm(x)      pure, and an argument is staged: a library call
package.fetch(x)          not known: each run calls it, in order; its result is an object
rot.as_matrix()           a method of an object that only a run has, which is pure: a library
                          call, whose type is known if it is known how the object was made
"""

import operator
import sys
from functools import partial
from types import FunctionType, MethodType
from typing import Any

from autograph.functions.policy import is_users_function
from autograph.staging.held_objects import leads_to_user
from runtime.errors import unsupported
from runtime.ir.host import described
from runtime.ir.pytree import flatten
from runtime.ir.slot import Slot
from runtime.ir.types import OBJECT, Type
from runtime.ops.library_call import public_name, public_path
from runtime.staging.calls import gate
from runtime.staging.calls.asked_objects import AskedObjects
from runtime.staging.calls.frame_names import reads_names, with_names
from runtime.staging.calls.gate import Gate
from runtime.staging.calls.host_arguments import closure_of
from runtime.staging.calls.host_calls import record_host_call
from runtime.staging.calls.host_iteration import unpacked
from runtime.staging.calls.host_values import RECORDERS, HostValue
from runtime.staging.calls.library_calls import LibraryCall, Recipes, record_library_call
from runtime.staging.calls.made_objects import MadeObjects, made_now
from runtime.staging.calls.natures import OWN, UNKNOWN, nature_of
from runtime.staging.calls.package_depth import PackageDepth
from runtime.staging.calls.package_functions import COMPILERS, is_of_values
from runtime.staging.calls.package_objects import is_package_object
from runtime.staging.calls.recorded_effects import RecordedEffects
from runtime.staging.calls.shared_memory import CHANGING_STATEMENTS
from runtime.staging.calls.users_functions import changes_outside, refuse_changes
from runtime.staging.calls.written_arguments import only_writes_arguments
from runtime.staging.reached_values import holds_made
from runtime.staging.staged_values import VARIABLES_TOO, holds_staged
from runtime.tracing import trace
from runtime.tracing.python_operators import BINARY, COMPARISONS, UNARY, function_of

gate.FILES.add(__file__)

READING = frozenset({getattr, operator.getitem, unpacked, len}) | {
    function_of(name) for name in (*BINARY, *COMPARISONS, *UNARY)
}


def gated(function: Any, known: Any) -> Any:
    """The callable to use in place of `function`, for which the runtime has `known`."""
    found = gate.gated(function, known)
    if type(found) is Gate and found.nature.kind in ("pure", "unknown"):
        return LibraryGate(function, known, found.nature)
    return found


class LibraryGate(Gate):
    """A function of an installed package, whose calls may be library calls."""

    __slots__ = ()

    def __call__(self, /, *args, **kwargs):
        recorder = trace.current()
        if recorder is not None and not recorder.is_eager and recorder.state(PackageDepth).count:
            self._refuse_inside_package(args, kwargs)
        if reads_names(self.function):
            kwargs = with_names(self.function, args, kwargs)
        if recorder is not None and not recorder.is_eager:
            if self._follows_changes(args, kwargs, recorder):
                return super().in_each_run(args, kwargs)
            if recorder.state(MadeObjects).is_in_runs():
                return (
                    self._called(args, kwargs) if self.is_pure else self.in_each_run(args, kwargs)
                )
        return super().__call__(*args, **kwargs)

    @property
    def is_pure(self) -> bool:
        """Whether it is a pure function of a package, with all arguments."""
        return self.nature.is_library and not self.is_replaced

    def _follows_changes(self, args, kwargs, recorder):
        """Whether it concerns objects that a run changes before, or changes some that it uses."""
        owner = getattr(self.function, "__self__", None)
        objects = [one for one in (owner, *args, *kwargs.values()) if is_package_object(one)]
        if not objects:
            return False
        made = recorder.state(MadeObjects)
        if recorder.state(RecordedEffects).change(tuple(map(made.root_of, objects))):
            return True
        is_change = not self.nature.is_library or kwargs.get("inplace")
        return is_change and any(map(made.is_handed, objects))

    def now(self, args, kwargs):
        call = super().now
        found = made_now(lambda: call(args, kwargs), *args, *kwargs.values())
        recorder = trace.current()
        if recorder is not None and not recorder.is_eager:
            for one in flatten(found)[0]:
                recorder.state(AskedObjects).watch(one)
        return found

    def _refuse_inside_package(self, args, kwargs):
        """Raises `StagingError` if a converted package gives staged values to compiled code of
        its own, which may write into them."""
        if self.nature.is_library:
            is_trusted = self.nature.is_marked or public_path(self.function) is not None
        else:
            is_unknown = self.nature.kind == "unknown" and self.is_called_as_it_is
            is_trusted = not (is_unknown and self.is_compiled)
        calls_back = any(callable(value) for value in (*args, *kwargs.values()))
        if not is_trusted and (calls_back or needs_run(args, kwargs)):
            raise unsupported(
                f"{described(self.function)}, which a converted package calls with staged values,",
                "Call the package's public function, without converting the package.",
            )

    def _pure(self, args, kwargs, recorder):
        if kwargs.get("inplace"):
            return self._unknown(args, kwargs, recorder)
        if self.nature.is_library and needs_run(args, kwargs):
            return self._called(args, kwargs)
        return super()._pure(args, kwargs, recorder)

    @property
    def is_called_as_it_is(self) -> bool:
        """Whether it is foreign code that reaches neither NumPy's protocols nor the user's code."""
        is_foreign = callable(self.function) and not self.is_replaced
        if type(self.function).__module__.partition(".")[0] in COMPILERS:
            return is_foreign
        return is_foreign and not (leads_to_user(self.function) or _is_numpys(self.function))

    @property
    def is_compiled(self) -> bool:
        """Whether it is compiled code of a package."""
        found = getattr(self.function, "__module__", None) or type(self.function).__module__
        is_python = found.partition(".")[0] in sys.stdlib_module_names or found == "__main__"
        return type(self.function) is not FunctionType and (
            not is_python or type(self.function).__name__ == "fortran"
        )

    def _unknown(self, args, kwargs, recorder):
        if not recorder.depends_on_run and only_writes_arguments(self.function, args, kwargs):
            return self.now(args, kwargs)
        if self.is_called_as_it_is and _gives_closures(args, kwargs):
            return self._called_with_closures(args, kwargs)
        if self.is_called_as_it_is and holds_staged((args, kwargs), VARIABLES_TOO):
            return self.in_each_run(args, kwargs)
        return super()._unknown(args, kwargs, recorder)

    def _called_with_closures(self, args, kwargs):
        for value in (*args, *kwargs.values()):
            if type(value) is FunctionType and changes_outside(value):
                refuse_changes(value, public_name(self.function))
        call = LibraryCall(self.function, args, kwargs)
        return call.record((OBJECT,), Slot(0), is_pure=False, trusted=False)

    def with_host_values(self, args, kwargs):
        if self.nature.is_library and not self.is_replaced:
            return self._called(args, kwargs)
        return super().with_host_values(args, kwargs)

    def _called(self, args, kwargs):
        for value in (*args, *kwargs.values()):
            if type(value) is FunctionType and is_users_function(value):
                refuse_changes(value, public_name(self.function))
        trusted = not self.nature.is_marked
        return record_library_call(self.function, args, kwargs, trusted=trusted)


def _is_numpys(function: Any) -> bool:
    """Whether NumPy asks staged arguments what a function does."""
    return str(getattr(function, "__module__", None)).partition(".")[0] == "numpy"


def needs_run(args: tuple, kwargs: dict) -> bool:
    """Whether a function of a package can only be called with the values of a run."""
    values = (*args, *kwargs.values())
    return holds_staged(values, VARIABLES_TOO) or _gives_closures(args, kwargs)


def _gives_closures(args: tuple, kwargs: dict) -> bool:
    """Whether a user's function among arguments holds staged values: a closure, a partial, or a
    method."""
    return any(map(_has_staged_closure, flatten((args, kwargs))[0]))


def _has_staged_closure(value: Any) -> bool:
    if type(value) is partial:
        held = (value.args, value.keywords)
        return holds_staged(held) or _has_staged_closure(value.func)
    if type(value) is MethodType:
        return holds_made(value.__self__)
    is_users = type(value) is FunctionType and is_users_function(value)
    return is_users and any(map(holds_staged, closure_of(value)))


def _record(
    function: Any, args: tuple, kwargs: dict, types: tuple[Type, ...], callers: bool = False
) -> Any:
    """Records a call on objects that only a run has: as a library call if it is known how they are
    made, and the function is pure."""
    if types == (OBJECT,) and not callers and _is_pure(function, args):
        return record_library_call(function, args, kwargs)
    if _may_change(function):
        recipes = trace.current().state(Recipes)
        for value in (function, *args):
            if isinstance(value, HostValue):
                recipes.forget(value)
    return record_host_call(function, args, kwargs, types, callers)


RECORDERS[0] = _record


def _may_change(function: Any) -> bool:
    """Whether a call of a function may change the objects that it is given."""
    if isinstance(function, HostValue):
        return True
    if any(function is one for one in READING):
        return False
    is_change = any(function is one for one in CHANGING_STATEMENTS)
    nature = nature_of(function)
    return is_change or nature.kind in (OWN, UNKNOWN) or nature.is_marked or bool(nature.changed)


def is_pure_reading(function: Any, args: tuple) -> bool:
    """Whether an operator or a function of NumPy, of objects of packages among others, changes
    nothing."""
    is_known = any(function is one for one in READING) or _is_numpys(function)
    objects = [one for one in flatten(args)[0] if is_package_object(one)]
    return is_known and all(is_of_values(type(one)) for one in objects)


def _is_pure(function: Any, args: tuple) -> bool:
    if trace.current().state(RecordedEffects).change(args):
        return False  # the result depends on what the run has done before
    recipes = trace.current().state(Recipes)
    called = recipes.example(function) if isinstance(function, HostValue) else function
    objects = [recipes.example(one) for one in args if isinstance(one, HostValue)]
    if called is None or any(one is None for one in objects):
        return False
    if any(called is one for one in READING):
        others = [one for one in args if is_package_object(one)]
        return all(is_of_values(type(one)) for one in (*objects, *others))
    nature = nature_of(called)
    return nature.kind == "pure" and nature.is_library
