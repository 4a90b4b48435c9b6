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

Arrays that it writes into become inputs and outputs, whether they are arguments or not.  A call
with other Python values as arguments than the calls around it (another node of a tree) is inlined.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from autograph.backend import Undefined
from autograph.errors import SourceLocation, message
from autograph.staging.abstract_values import AbstractValue, Mismatch
from autograph.staging.blocks import Diverged
from autograph.staging.heap_diff import HeapSnapshot
from runtime.errors import StagingError
from runtime.ir.graph import Graph, Value
from runtime.ir.op import find
from runtime.ir.pytree import flatten, transform, unflatten
from runtime.ir.types import Type
from runtime.staging.control_flow.cond import run_block
from runtime.staging.control_flow.phi_types import DOMAIN
from runtime.staging.variables import restore_variables, saved_variables, written_variables
from runtime.tracing import trace
from runtime.tracing.aliases import is_staged_array, is_view, is_view_of
from runtime.tracing.array_inputs import ArrayInputs
from runtime.tracing.conversion import cast
from runtime.tracing.maybe import MaybeUnbound
from runtime.tracing.signature import Signature
from runtime.tracing.tensor import Tensor, handle, leaked

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
    result: Any
    raised: bool
    written: list[Tensor] = field(default_factory=list)


class Recursion:
    """A function that becomes a region that calls itself."""

    def __init__(self, converted: Callable, leaves: list, signature: Signature):
        self.recorder = trace.current()
        self.converted = converted
        self.leaves = leaves
        self.signature = signature
        self.name = self._own_name(converted.__name__)
        self.abstract: AbstractValue | None = None  # the result, as far as it is known
        self.places: list[Tensor] = []  # arrays that are written into and are not arguments
        self.written: list[int | Tensor] = []  # arguments and places that are written into

    def _own_name(self, name):
        stem = trace.identifier(name)
        names = self.recorder.state(RegionNames)
        count = names[stem]
        names[stem] += 1
        return f"{stem}_{count}" if count else stem

    @property
    def _types(self) -> list[Type]:
        """The types of the staged arguments."""
        return [key for key in self.signature.keys if isinstance(key, Type)]

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
        """Records the body, with inputs for the staged arguments."""
        recorder = self.recorder
        heap, held = HeapSnapshot(roots=(self.converted, self.leaves)), saved_variables()
        one = CallInProgress(self.converted.__code__, self.signature, len(recorder.regions), self)
        inputs, calls = recorder.state(ArrayInputs), recorder.state(CallStack)
        given = inputs.current
        calls.append(one)
        try:
            with recorder.open_region("body") as region:
                self.handles = self._inputs(region)
                inputs.current = self._array_inputs(region)
                args, kwargs = unflatten(self.signature.structure, self.handles)
                result, raised = run_block(lambda: self.converted(*args, **kwargs))
                body = Body(region, transform(_current_value, result), raised)
                body.written = self._written(heap, held)
                if self.abstract is not None and not raised:
                    self._add_outputs(body)
        finally:
            calls.pop()
            inputs.current = given
            heap.restore()
            restore_variables(held)
        return body

    def _inputs(self, region):
        """The arguments inside the body, and the inputs of its region."""
        handles = []
        for leaf, key in zip(self.leaves, self.signature.keys, strict=True):
            if isinstance(key, Type):
                value = Value(key, "x")
                region.inputs.append(value)
                if _is_array(leaf):
                    leaf._at = (value, region)
                else:
                    leaf = Tensor(value, region)
            handles.append(leaf)
        for place in self.places:
            value = Value(place.type, "x")
            region.inputs.append(value)
            place._at = (value, region)
        self._name_inputs(region)
        return handles

    def _array_inputs(self, region):
        """The arrays among the inputs of the region, by identity."""
        staged = [h for h, key in zip(self.handles, self.signature.keys, strict=True)
                  if isinstance(key, Type)]  # fmt: skip
        pairs = zip([*staged, *self.places], region.inputs, strict=True)
        return {id(h): (h, value) for h, value in pairs if is_staged_array(h)}

    def _name_inputs(self, region):
        code = self.converted.__code__
        names = code.co_varnames[: len(self.leaves)]
        staged = [i for i, key in enumerate(self.signature.keys) if isinstance(key, Type)]
        for value, i in zip(region.inputs, staged, strict=False):
            value.hint = names[i] if i < len(names) else "x"

    def _written(self, heap, held):
        """The arrays that the body has written into; any other side effect is an error."""
        found = []
        for slot in heap.changes():
            if not isinstance(slot.container, Tensor):
                raise self._error(
                    f"changes {slot.path or 'a variable'}",
                    "Only results and arrays are passed from call to call.",
                    "Return the value, or put it into an array.",
                )
            found.append(slot.container)
        found += [slot.container for slot in written_variables(held)]
        inputs = [h for h in self.handles if isinstance(h, Tensor) and not _is_array(h)]
        found += [h for h in inputs if isinstance(h, Tensor) and _was_assigned(h)]
        return found

    def widen(self, body: Body) -> bool:
        """Joins the result with those of earlier recordings; returns whether the body must be
        recorded again."""
        if body.raised:
            if self.abstract is None and not any(node.op.effect for node in body.region.nodes):
                raise self._error(
                    "every path through it calls it again",
                    "Python would not terminate either.",
                    "Return without a recursive call on some path.",
                )
            self.abstract = self.abstract or DOMAIN.abstract(None)
            return False
        changed = self._add_written(body.written)
        found = DOMAIN.abstract(body.result)
        if any(isinstance(leaf, Undefined) for leaf in flatten(body.result)[0]):
            found = DOMAIN.abstract(None)
        try:
            wider = found if self.abstract is None else DOMAIN.join(self.abstract, found)
        except Mismatch as mismatch:
            raise self._error(
                f"it returns {mismatch.left} on one path and {mismatch.right} on another",
                "The result of a call is known only at run time, so all paths must return one kind "
                "of value.",
                "Return scalars, or arrays of one rank, on every path.",
            ) from None
        changed = changed or wider != self.abstract
        self.abstract = wider
        return changed

    def _add_written(self, written):
        before = len(self.written)
        for tensor in written:
            at = [i for i, leaf in enumerate(self.leaves) if leaf is tensor]
            at += [i for i, handle in enumerate(self.handles) if handle is tensor and not at]
            if at:
                if not any(at[0] is known for known in self.written):
                    self.written.append(at[0])
            elif not any(tensor is place for place in self.places):
                self.places.append(tensor)
                self.written.append(tensor)
        return len(self.written) != before

    def _add_outputs(self, body):
        try:
            body.region.outputs = DOMAIN.operands(
                DOMAIN.join(self.abstract, DOMAIN.abstract(body.result)), body.result
            )
        except Mismatch:
            return  # which `widen` reports
        for which in self.written:
            tensor = which if isinstance(which, Tensor) else self.handles[which]
            body.region.outputs.append(tensor._value)

    # -- calls -------------------------------------------------------------------------------------

    def _operands(self, leaves):
        """The arguments of a call as operands of the region's input types."""
        found = []
        for leaf, key in zip(leaves, self.signature.keys, strict=True):
            if isinstance(key, Type):
                if isinstance(leaf, MaybeUnbound):
                    leaf.check_bound()
                    leaf = leaf.unchecked()
                if isinstance(leaf, Tensor) and leaf._region not in self.recorder.regions:
                    raise leaked(leaf)
                found.append(cast(leaf, key)._value)
        return [*found, *(place._value for place in self.places)]

    def _result_types(self):
        types = self.abstract.types()
        types += [w.type if isinstance(w, Tensor) else self.signature.keys[w] for w in self.written]
        return types

    def call_again(self, leaves: list) -> Any:
        """A call of the function inside its own body."""
        if self.abstract is None:
            raise Diverged  # the type of the result is not known yet; the other paths determine it
        self._check_aliases(leaves)
        outputs = self.recorder.record(
            find("again"),
            tuple(self._operands(leaves)),
            {"name": self.name, "types": tuple(self._result_types())},
        )
        return self._unpacked(outputs, leaves)

    def finish(self, body: Body) -> Any:
        """Records the node and returns the result of the call."""
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
        result = DOMAIN.value(self.abstract, values, "the result")
        for which in self.written:
            array = which if isinstance(which, Tensor) else leaves[which]
            array._assign(Tensor(next(values), region))
        return result

    def _check_aliases(self, leaves):
        """Raises `StagingError` unless arrays share memory in this call exactly as in the outer
        call."""
        if not self.written:
            return
        arrays = [i for i, leaf in enumerate(self.leaves) if is_staged_array(leaf)]
        for i in arrays:
            for j in arrays:
                same = self.handles[i] is self.handles[j]
                if (
                    same is not (leaves[i] is leaves[j])
                    or i != j
                    and is_view_of(leaves[i], leaves[j])
                ):
                    raise self._aliased()
            if any(
                (self.handles[i] is place) is not (leaves[i] is place)
                or is_view_of(leaves[i], place)
                for place in self.places
            ):
                raise self._aliased()

    def _aliased(self):
        return self._error(
            "its arrays share memory in one call and not in another",
            "Which arrays are views of one another must be the same in every call.",
            "Pass the whole array, and the range that the call is about.",
        )

    def _error(self, what, why, remedy):
        code = self.converted.__code__
        place = SourceLocation(code.co_filename, code.co_firstlineno, code.co_name)
        what = f"{self.converted.__name__} calls itself under a staged condition, and {what}"
        return StagingError(message(what, place, why, remedy))


def _current_value(leaf):
    """A new handle of the current value of a leaf, in the region of the body."""
    shares = isinstance(leaf, Tensor) and not isinstance(leaf, MaybeUnbound)
    return handle(*leaf._at) if shares else leaf


def _is_array(leaf):
    """Whether an argument is an array of its own, whose handle the body may keep."""
    return is_staged_array(leaf) and not (is_view(leaf) or isinstance(leaf, MaybeUnbound))


def _was_assigned(handle):
    """Whether the handle of an input has another value than the input."""
    value, region = handle._at
    return is_staged_array(handle) and value not in region.inputs
