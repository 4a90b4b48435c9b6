"""Functions that call themselves under a staged condition.

    def fact(n):                      def fact(n: i64):
        if n <= 1:                        def body(n_1: i64):
            return 1                          ...
        return n * fact(n - 1)    ->              v_1: i64 = again(v, name='fact', types=(i64,))
                                              ...
                                              return v_2
                                          v_3: i64 = recursive(n, name='fact', body=body)
                                          return v_3

The depth is known only at run time, so the function becomes a region that calls itself.  It is
recorded until a fixed point is reached, as loops are.  At first, paths that call it again are left
out; the other paths give the type of the result, which later recordings use for the calls.

Arrays that it writes into become inputs and outputs, and so do the other places that it changes
(`recursive_state.py`).  A call with other Python values as arguments than the calls around it
(another node of a tree) is inlined.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from autograph.backend import Undefined
from autograph.staging.abstract_values import AbstractValue, Mismatch
from autograph.staging.blocks import Diverged
from autograph.staging.heap_diff import HeapSnapshot
from autograph.staging.mutations import MutableLocation
from runtime.ir.graph import Graph, Value
from runtime.ir.op import find
from runtime.ir.pytree import flatten, transform
from runtime.ir.types import ListType, Type
from runtime.staging.control_flow.aliasing import Reach, reach_of
from runtime.staging.control_flow.cond import run_block
from runtime.staging.control_flow.join_errors import side_text
from runtime.staging.control_flow.mutations import ArrayLocation
from runtime.staging.control_flow.phi_types import DOMAIN
from runtime.staging.control_flow.recursive_lists import RecursiveLists
from runtime.staging.control_flow.recursive_state import (
    CarriedPlaces,
    OwnContainer,
    check_aliases,
    check_containers,
    containers,
    guarded,
    parameters,
    recursion_error,
    with_containers,
    with_leaves,
    without_containers,
)
from runtime.staging.control_flow.type_widening import note_widenings
from runtime.tracing import trace
from runtime.tracing.aliases import (
    Kind,
    is_staged_array,
    is_view,
    kind_of,
    root_of,
)
from runtime.tracing.array_inputs import ArrayInputs
from runtime.tracing.conversion import cast
from runtime.tracing.leaks import leaked
from runtime.tracing.maybe import MaybeUnbound
from runtime.tracing.signature import Signature
from runtime.tracing.tensor import Tensor, handle

MOST_ATTEMPTS = 20


class FoundRecursion(BaseException):
    """Leaves a call in progress, which is to become a region that calls itself."""

    def __init__(self, call: "CallInProgress", signature: Signature):
        self.call, self.signature = call, signature


@dataclass(eq=False)
class CallInProgress:
    """A call in progress of a function that may call itself."""

    code: CodeType
    signature: Signature
    depth: int  # how many regions were open
    by_value: Signature | None = None  # with lists as leaves
    recursion: "Recursion | None" = None


class CallStack(list[CallInProgress]):
    """The calls in progress of functions that may call themselves."""


class RegionNames(Counter[str]):
    """How many recursive functions of a name the graph has."""


# -- recording -------------------------------------------------------------------------------------


@dataclass(eq=False)
class Body:
    """The region of the function, as it has been recorded."""

    region: Graph
    result: Any  # with the values that arrays had at the end
    raised: bool
    returned: list  # the leaves of the result themselves
    written: list[int] = field(default_factory=list)  # the arguments that were written into
    # What the places that it changes hold at its calls of itself, and at its end.
    found: list[dict[MutableLocation, Any]] = field(default_factory=list)


class Recursion:
    """A function that becomes a region that calls itself."""

    def __init__(self, converted: Callable, given: tuple, leaves: list, signature: Signature):
        self.recorder = trace.current()
        self.converted = converted
        self.given = given
        self.leaves = leaves
        self.signature = signature
        self.name = self._own_name(converted.__name__)
        self.abstract: AbstractValue | None = None  # the result, as far as it is known
        self.shares = False  # whether arrays of the result may be older than the call
        self.returned_lists = False  # whether lists of the result may be arguments
        self.written: list[int] = []  # arguments that are written into
        self.lists = RecursiveLists(converted)
        self.places = CarriedPlaces(converted, parameters(converted, given))
        self.outside = {id(x) for x in HeapSnapshot(roots=self._roots()).containers()}
        self.containers = list(containers(given))
        self.stand_ins = {
            id(x): OwnContainer(x)
            for x in (*self.containers, *self.places.tracker.heap.containers())
            if type(x) in (list, dict)
        }
        self.replaced: set[int] = set()  # containers of which calls pass others
        self.found_at_calls: list[dict[MutableLocation, Any]] = []  # the body may restore it later

    def _roots(self):
        """Everything that the function reaches, except arrays that are arguments themselves."""
        return (self.converted, *[x for x in self.leaves if not is_staged_array(x)])

    def _own_name(self, name):
        stem = trace.identifier(name)
        names = self.recorder.state(RegionNames)
        count = names[stem]
        names[stem] += 1
        return f"{stem}_{count}" if count else stem

    def stage(self) -> Any:
        """Records the function and the call of it; returns the result."""
        for _ in range(MOST_ATTEMPTS):
            body = self.record()
            if not self.widen(body):
                return self.finish(body)
        raise self._error(
            "the types do not settle",
            "Each time it is recorded, it returns another type or changes another array.",
            "Give the arguments their final types in the first call.",
        )

    def record(self) -> Body:
        """Records the body, with inputs for the staged arguments and the places that it changes."""
        recorder = self.recorder
        self.found_at_calls = []
        one = CallInProgress(
            self.converted.__code__, self.signature, len(recorder.regions), recursion=self
        )
        inputs, calls = recorder.state(ArrayInputs), recorder.state(CallStack)
        given = inputs.current
        calls.append(one)
        try:
            with recorder.open_region("body") as region, self.lists.recorded():
                args, kwargs = self._enter(region)
                inputs.current = self._array_inputs(region)
                result, raised = run_block(lambda: self.converted(*args, **kwargs))
                result = self.lists.opened(result)
                body = Body(region, None, raised, flatten(result)[0])
                body.result = transform(_current_value, without_containers(result, self.stand_ins))
                body.found = [*self.found_at_calls, self._changes()]
                body.written = self._written(region)
                self.lists.check(body.result, [x for one in body.found for x in one.values()])
                if self.abstract is not None and not raised:
                    self._add_outputs(body)
        finally:
            calls.pop()
            inputs.current = given
            self.places.tracker.restore()
        return body

    def _enter(self, region):
        """The arguments inside the body; the places that it changes get inputs of its region."""
        self.handles: list[Any] = []
        for leaf, key in zip(self.leaves, self.signature.keys, strict=True):
            if isinstance(key, Type):
                value = Value(key, "x")
                region.inputs.append(value)
                if _is_array(leaf):
                    leaf._at = (value, region)
                else:
                    leaf = self.lists.argument(value, region)
            self.handles.append(leaf)
        self._name_inputs(region)
        carried = [Value(type, trace.identifier(hint)) for type, hint in
                   zip(self.places.types(), self.places.hints(), strict=True)]  # fmt: skip
        region.inputs += carried
        self.filled: dict[tuple, Any] = {}
        given = with_leaves(self.given, iter(self.handles), self.filled)
        self.places.guard_arrays(self.places.write(iter(carried)), self.handles)
        return given

    def _array_inputs(self, region):
        """The arrays among the inputs of the region, by identity."""
        staged = [h for h, key in zip(self.handles, self.signature.keys, strict=True)
                  if isinstance(key, Type)]  # fmt: skip
        pairs = list(zip(staged, region.inputs, strict=False))
        pairs += [(array, array._at[0]) for array in self.places.arrays()]
        return {id(h): (h, value) for h, value in pairs if is_staged_array(h)}

    def _name_inputs(self, region):
        code = self.converted.__code__
        names = code.co_varnames[: len(self.leaves)]
        staged = [i for i, key in enumerate(self.signature.keys) if isinstance(key, Type)]
        for value, i in zip(region.inputs, staged, strict=True):
            value.hint = names[i] if i < len(names) else "x"

    def _changes(self):
        """The places that the body has changed, with their values."""
        arguments = {id(handle) for handle in self.handles}
        return {
            place: transform(_current_value, value)
            for place, value in self.places.tracker.changes().items()
            if not (isinstance(place, ArrayLocation) and id(place.array) in arguments)
            and (place in self.places.carried or value is not self.filled.get(place.key))
        }

    def _written(self, region):
        """The arguments that the body has written into."""
        inputs = iter(region.inputs)
        given = [next(inputs) if isinstance(key, Type) else None for key in self.signature.keys]
        return [
            i
            for i, (handle, value) in enumerate(zip(self.handles, given, strict=True))
            if value is not None and is_staged_array(handle) and handle._at[0] is not value
        ]

    # -- the fixed point ---------------------------------------------------------------------------

    def widen(self, body: Body) -> bool:
        """Joins the result with those of earlier recordings; returns whether the body must be
        recorded again."""
        if body.raised and not all(map(self.places.covers, body.found)):
            return self.places.widen(body.found)
        if body.raised:
            if self.abstract is None and not any(node.op.effect for node in body.region.nodes):
                raise self._error(
                    "every path through it calls it again",
                    "Python would not terminate either.",
                    "Return without a recursive call on some path.",
                )
            self.abstract = self.abstract or DOMAIN.abstract(None)
            return False
        found = self.lists.abstract(body.result)
        if any(isinstance(leaf, Undefined) for leaf in flatten(body.result)[0]):
            found = DOMAIN.abstract(None)
        try:
            wider = found if self.abstract is None else DOMAIN.join(self.abstract, found)
            changed = self.places.widen(body.found)
        except Mismatch as mismatch:
            raise self._error(
                f"it returns {side_text(mismatch.left)} on one path and "
                f"{side_text(mismatch.right)} on another",
                "The result of a call is known only at run time, so all paths must return one kind "
                "of value.",
                "Return scalars, or arrays of one rank, on every path.",
            ) from None
        new = [i for i in body.written if i not in self.written]
        self.written += new
        shares = self.shares or any(map(self._is_older, body.returned))
        now = (wider, shares, self.lists.are_returned)
        changed = changed or bool(new) or now != (self.abstract, self.shares, self.returned_lists)
        self.abstract, self.shares, self.returned_lists = now
        check_containers(self, body.result)
        return changed

    def _is_older(self, leaf):
        """Whether an array of the result may be older than the call."""
        if not is_staged_array(leaf):
            return False
        if kind_of(leaf) is Kind.SELECT:
            return any(map(self._is_older, leaf.sources))
        known = any(root_of(leaf) is handle for handle in self.handles)
        return known or reach_of(leaf) is not Reach.OWN

    def _add_outputs(self, body):
        try:
            result = DOMAIN.join(self.abstract, self.lists.abstract(body.result))
            body.region.outputs = DOMAIN.operands(result, body.result)
        except Mismatch:
            return  # which `widen` reports
        body.region.outputs += [self.handles[i]._value for i in self.written]
        if all(map(self.places.covers, body.found)):
            body.region.outputs += self.places.now()

    # -- calls -------------------------------------------------------------------------------------

    def _operands(self, leaves):
        """The arguments of a call, and the places, as operands of the region's input types."""
        found = []
        for leaf, key in zip(leaves, self.signature.keys, strict=True):
            if isinstance(key, Type):
                if isinstance(leaf, MaybeUnbound):
                    leaf.check_bound()
                    leaf = leaf.__unchecked__()
                if isinstance(leaf, Tensor) and leaf._region not in self.recorder.regions:
                    raise leaked(leaf)
                if isinstance(key, ListType):
                    found.append(self.lists.operand(leaf, key, self.places.containers()))
                else:
                    found.append(cast(leaf, key)._value)
        return [*found, *self.places.now()]

    def _result_types(self):
        types = self.abstract.types()
        types += [self.signature.keys[i] for i in self.written]
        return types + self.places.types()

    def call_again(self, given: tuple, leaves: list) -> Any:
        """A call of the function inside its own body."""
        for own, other in zip(self.containers, containers(given), strict=True):
            if own is not other:
                self.replaced |= {id(own), id(other)}
        if self.abstract is None:
            raise Diverged  # the type of the result is not known yet; the other paths determine it
        check_aliases(self, leaves)
        self.found_at_calls.append(self._changes())
        if not self.places.covers(self.found_at_calls[-1]):
            raise Diverged  # the body is recorded again, with wider types
        outputs = self.recorder.record(
            find("again"),
            tuple(self._operands(leaves)),
            {"name": self.name, "types": tuple(self._result_types())},
        )
        return self._unpacked(outputs, leaves)

    def finish(self, body: Body) -> Any:
        """Records the node and returns the result of the call."""
        for place, abstract in self.places.carried.items():
            note_widenings(place.path, abstract, [place.before])
        note_widenings("", self.abstract, [body.result])
        if body.raised:
            with self.recorder.reopened(body.region):
                body.region.outputs = [
                    self.recorder.record(find("unreachable"), (), {"type": type})[0]
                    for type in self._result_types()
                ]
        outputs = self.recorder.record(
            find("recursive"),
            tuple(self._operands(self.leaves)),
            {"name": self.name},
            {"body": body.region},
        )
        return self._unpacked(outputs, self.leaves)

    def _unpacked(self, outputs, leaves):
        region, values = self.recorder.region, iter(outputs)
        result = self.lists.result(DOMAIN.value(self.abstract, values, "the result"), leaves)
        for i in self.written:
            leaves[i]._assign(Tensor(next(values), region))
        self.places.guard_arrays(self.places.write(values), leaves)
        if self.shares:
            arrays = [root_of(leaf) for leaf in leaves if is_staged_array(leaf)]
            sources = arrays + self.places.arrays()
            result = transform(lambda leaf: guarded(leaf, sources, "the result"), result)
        return with_containers(result)

    def _error(self, what, why, remedy):
        return recursion_error(self.converted, what, why, remedy)


def _current_value(leaf):
    """A new handle of the current value of a leaf, in the region of the body."""
    shares = isinstance(leaf, Tensor) and not isinstance(leaf, MaybeUnbound)
    return handle(*leaf._at) if shares else leaf


def _is_array(leaf):
    """Whether an argument is an array of its own, whose handle the body may keep."""
    return is_staged_array(leaf) and not (is_view(leaf) or isinstance(leaf, MaybeUnbound))
