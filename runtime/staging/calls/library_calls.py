"""Calls of functions of installed packages that are given staged values.

    y = scipy.linalg.expm(x)                         a node: `ops/library_call.py`
    rot = Rotation.from_rotvec(x)                    an object of Python, with a recipe
    m = rot.as_matrix()                              its type is known from the recipe

The types of the results of a pure function come from calls of it (`ops/library_types.py`).  If they
cannot be known, or if nothing is known about the function, the result is an object (`HostValue`).
"""

from functools import partial
from types import FunctionType, MethodType
from typing import Any

from autograph.functions.policy import is_users_function
from runtime.errors import users_location
from runtime.ir.graph import Value, operand_type
from runtime.ir.host import (
    Called,
    Host,
    Kept,
    Made,
    MadeFunction,
    Method,
    Watched,
    described,
    hosts,
)
from runtime.ir.op import find
from runtime.ir.pytree import flatten
from runtime.ir.slot import Slot
from runtime.ir.types import OBJECT, Type, is_array
from runtime.ops.library_call import checked, public_name, template_of
from runtime.ops.library_types import Question, library_example, library_types
from runtime.staging.calls.given_arguments import GivenArguments
from runtime.staging.calls.host_arguments import Arguments, closure_of
from runtime.staging.calls.host_calls import record_host_call, type_like
from runtime.staging.calls.host_values import HostValue
from runtime.staging.calls.made_objects import MadeObjects
from runtime.staging.calls.natures import nature_of
from runtime.staging.calls.package_objects import is_package_object, note_used, state_of
from runtime.staging.calls.recorded_effects import RecordedEffects
from runtime.staging.calls.shared_memory import ObjectResults
from runtime.staging.calls.written_arguments import is_target, written_places
from runtime.staging.lists.trace_list import TraceList
from runtime.staging.staged_values import holds_staged
from runtime.tracing import trace
from runtime.tracing.call_values import CallValues
from runtime.tracing.tensor import Tensor, apply, operand


class Recipes:
    """How objects of a run are computed from arrays, by the values of the graph that they are."""

    def __init__(self) -> None:
        self._known: dict[Value, tuple[Called, tuple[Tensor, ...]]] = {}
        self._related: dict[Value, list[Value]] = {}

    def note(
        self, value: Any, call: Called, operands: tuple[Tensor, ...], objects: list[Any]
    ) -> None:
        """Notes how an object is computed; `objects`: those of the run that the call was given."""
        self._known[value._value] = call, operands
        for one in objects:
            self._related.setdefault(one._value, []).append(value._value)
            self._related.setdefault(value._value, []).append(one._value)

    def of(self, value: Any) -> tuple[Called, tuple[Tensor, ...]] | None:
        """The call that makes an object, and its operands; None if that is not known."""
        return self._known.get(value._value)

    def example(self, value: Any) -> Any:
        """An object like this one, built from examples; None if there is none."""
        known = self.of(value)
        if known is None:
            return None
        call, operands = known
        recorder = trace.current()
        inputs = tuple(operand(base, recorder) for base in operands)
        kinds, known = tuple(map(operand_type, inputs)), tuple(map(_known, operands))
        question = Question(_key(call), partial(_called, call), kinds, known)
        is_first = not recorder.depends_on_run
        actual = recorder.state(CallValues).of(inputs, recorder) if is_first else None
        with trace.suspended():
            return library_example(question, actual)

    def forget(self, value: Any) -> None:
        """Notes that an object may have changed, with those that show its memory."""
        pending = [value._value]
        while pending:
            one = pending.pop()
            known = self._known.pop(one, None)
            if known is not None:
                note_changed(known[0])
            pending += self._related.pop(one, ())


def note_changed(call: Called) -> None:
    """Notes that each run changes the objects of packages that a call is given."""
    recorder = trace.current()
    for one in objects_of(call):
        root = recorder.state(MadeObjects).root_of(one)
        recorder.state(RecordedEffects).add(None, root)


def objects_of(call: Called) -> list[Any]:
    """The objects of packages that are the same in all runs, and those whose methods a call
    is."""
    held = (one.__self__ if type(one) is MethodType else one for one in hosts(call))
    return [one for one in held if is_package_object(one)]


class LibraryArguments(Arguments):
    """The operands of a library call, and the templates of its arguments."""

    def kept(self, value: Any) -> Any:
        if isinstance(value, FunctionType) and is_users_function(value):
            held = closure_of(value)
            if any(map(holds_staged, held)) and len(held) == len(value.__closure__ or ()):
                return MadeFunction(Host(value), tuple(map(self.part, held)))
        return self.made_partial(value) if type(value) is partial else super().kept(value)


class LibraryCall:
    """A call that is being recorded."""

    def __init__(self, function: Any, args: tuple, kwargs: dict, is_pure: bool = False):
        self.function, self.args, self.kwargs = function, args, kwargs
        self.recorder = trace.current()
        arguments = LibraryArguments(described(function))
        arguments.changes_objects = not is_pure
        callee = arguments.callee(function)
        given = tuple(map(arguments.part, args))
        named = tuple((name, arguments.part(value)) for name, value in kwargs.items())
        self.call = Called(callee, given, named)
        self.operands = arguments.operands
        self.changeable = arguments.changeable

    def recipe(self) -> tuple[Called, list[Any]] | None:
        """The call in terms of arrays only, and these; None if an object has no recipe."""
        recipes = self.recorder.state(Recipes)
        places: list[Any] = []
        bases: list[Any] = []
        for one in self.operands:
            if not isinstance(one, HostValue):
                places.append(Slot(len(bases)))
                bases.append(one.snapshot() if isinstance(one, Tensor) else one)
                continue
            known = recipes.of(one)
            if known is None:
                return None
            inner, operands = known
            moved = [Slot(len(bases) + i) for i in range(len(operands))]
            places.append(with_places(inner, moved))
            bases += operands
        return with_places(self.call, places), bases

    def types(self) -> Any:
        """The types of the results and their structure; None if the result is an object."""
        recipe = self.recipe()
        if recipe is None:
            return None
        call, bases = recipe
        inputs = tuple(operand(base, self.recorder) for base in bases)
        kinds = tuple(map(operand_type, inputs))
        actual = None
        if not self.recorder.depends_on_run:
            actual = self.recorder.state(CallValues).of(inputs, self.recorder)
        known = tuple(map(_known, bases))
        is_named = not isinstance(self.function, HostValue)
        name = public_name(self.function) if is_named else ""
        question = Question(_key(call), partial(_called, call), kinds, known, name)
        with trace.suspended():
            return library_types(question, actual)

    def record(self, types: tuple[Type, ...], structure: Any, is_pure: bool, trusted: bool) -> Any:
        """Records the call; returns its result."""
        call, operands = self.call, list(self.operands)
        keeps = OBJECT in types
        if trusted and not keeps:
            call = with_places(call, [Kept(i) for i in range(len(operands))])
        later: list[str] = []
        function = Watched(call.function, users_location(), not trusted, later)
        attributes = {
            "function": function,
            "given": call.given,
            "named": call.named,
            "types": types,
            "structure": structure,
        }
        if any(isinstance(one, HostValue) for one in operands):
            self._add_recipe(attributes, operands)
        op = find("library_call" if is_pure else "ordered_library_call")
        if not is_pure:
            self.recorder.state(RecordedEffects).add(self.function)
        is_named = trusted and not isinstance(self.function, HostValue)
        written = self._written(attributes) if is_named else ()
        found = apply(op, *operands, **attributes)
        results = found if isinstance(found, tuple) else (found,)
        for i, new in zip(written, results, strict=False):
            self.operands[i]._assign(new)
        results = results[len(written) :]
        if written and isinstance(structure, Slot) and is_target(self.kwargs):
            return self.operands[written[0]]
        self._note(results, is_pure, later)
        return _result(structure, results)

    def _written(self, attributes):
        """The places of the operands that the call writes into, which are results then."""
        written = written_places(self.function, self.args, self.kwargs, self.operands)
        if written:
            attributes["written"] = written
            kinds = (self.operands[i].type for i in written)
            attributes["types"] = (*kinds, *attributes["types"])
        return written

    def _add_recipe(self, attributes, operands):
        recipe = self.recipe()
        if recipe is not None:
            call, bases = recipe
            places = [Slot(len(operands) + i) for i in range(len(bases))]
            attributes["recipe"] = with_places(call, places)
            operands += bases

    def _note(self, results, is_pure, later):
        recipe = self.recipe() if is_pure else None
        if len(results) == 1 and isinstance(results[0], HostValue) and recipe is not None:
            objects = [one for one in self.operands if isinstance(one, HostValue)]
            self.recorder.state(Recipes).note(results[0], recipe[0], tuple(recipe[1]), objects)
        arrays = [one for one in results if isinstance(one, Tensor) and is_array(one.type)]
        self.recorder.state(GivenArguments).note([*self.changeable, *arrays], later)
        for one in results:
            if isinstance(one, HostValue):
                self.recorder.state(ObjectResults).note(one, later)


def record_library_call(
    function: Any, args: tuple, kwargs: dict, is_pure: bool = True, trusted: bool = True
) -> Any:
    """Records a call of a pure function of a package; returns its result.

    `trusted`: the function neither writes into its arguments nor keeps them.
    """
    made = LibraryCall(function, args, kwargs, is_pure)
    found = made.types()
    if found is not None:
        for one in objects_of(made.call):
            note_used(one)
    types, structure = ((OBJECT,), Slot(0)) if found is None else (found.types, found.structure)
    return made.record(types, structure, is_pure, trusted)


def library_call(function: Any, *args: Any, result: Any = None, **kwargs: Any) -> Any:
    """Calls a function of a package in each run of the graph, with plain values; returns its
    result.

    Functions of installed packages that are given staged values are called in this way without it;
    it states the type of the result, and also calls functions of the user's without converting
    them.  Staged arguments arrive as arrays, NumPy scalars and Python scalars.

    `result` is a `rt.TensorSpec` (a size may be None), an example, one of `bool`, `int`, `float`,
    `complex`, `str`, or a tuple, list or dict of these.  A run raises `LibraryResultError` if the
    function returns anything else.  Without `result`, a pure function is called with examples;
    the result of any other is an object of Python.

    Calls of pure functions (see `rt.pure`) have no order; all others happen in order with prints
    and other effects, also if the result is not used.  Where no graph is being built, the function
    is called at once.

    >>> import numpy as np
    >>> import runtime as rt
    >>> def thirds(x):
    ...     return x[::3]
    >>> f = rt.function(lambda x: 2 * rt.library_call(thirds, x, result=rt.TensorSpec((None,))))
    >>> f(np.arange(5.0))
    array([0., 6.])
    """
    if not callable(function):
        raise TypeError(f"rt.library_call takes a function, not {type(function).__name__}")
    stated = None if result is None else _stated(result)
    recorder = trace.current()
    if recorder is None:
        found = function(*args, **kwargs)
        return found if stated is None else checked(found, *stated, function)
    nature = nature_of(function)
    is_pure = nature.kind == "pure"
    if stated is None and not is_pure:
        return record_host_call(function, args, kwargs, (OBJECT,))
    trusted = is_pure and not nature.is_marked
    if stated is None:
        return record_library_call(function, args, kwargs, trusted=trusted)
    return LibraryCall(function, args, kwargs, is_pure).record(*stated, is_pure, trusted)


def _stated(result: Any) -> tuple[tuple[Type, ...], Any]:
    """The types in a result, and its structure, as the user states them."""
    leaves, structure = flatten(result)
    types = tuple(None if leaf is None else type_like(leaf) for leaf in leaves)
    return tuple(one for one in types if one is not None), template_of(structure, types)


def _known(base: Any) -> Any:
    """The value of an operand that is probably the same in all calls; None for others."""
    if not isinstance(base, Tensor):
        return base
    captured = trace.current().state(CallValues).captured
    return captured.get(base._value) if isinstance(base._value, Value) else None


def _called(call: Called, *operands: Any) -> Any:
    return call.filled(operands)


def _key(call: Called) -> Any:
    states = tuple(map(state_of, objects_of(call)))  # on which types may depend
    return repr(call), tuple(map(id, hosts(call))), states


def with_places(template: Any, places: list[Any]) -> Any:
    """A template with other parts in place of its operands."""
    match template:
        case Slot(index) | Kept(index):
            return places[index]
        case tuple():
            return tuple(with_places(part, places) for part in template)
        case Called(function, given, named):
            parts = (with_places(part, places) for part in (function, given, named))
            return Called(*parts)
        case Made(kind, keys, parts):
            return Made(kind, with_places(keys, places), with_places(parts, places))
        case Method(owner, name):
            return Method(with_places(owner, places), name)
        case MadeFunction(function, cells):
            return MadeFunction(function, with_places(cells, places))
    return template


def _result(structure: Any, results: tuple[Any, ...]) -> Any:
    """The result of a call, in the structure that the function returns."""
    if isinstance(structure, Slot):
        return results[structure.index]
    if not isinstance(structure, Made):
        return structure
    parts = [_result(part, results) for part in structure.parts]
    if structure.kind is dict:
        return dict(zip(structure.keys, parts, strict=True))
    if structure.kind is list:
        return TraceList(parts)
    return structure.kind(*parts) if hasattr(structure.kind, "_fields") else structure.kind(parts)
