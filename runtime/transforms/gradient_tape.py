"""`rt.GradientTape`: the operations in a `with` block can be differentiated.

    with rt.GradientTape() as tape:
        y = v * v * v                  v is a variable, which is watched automatically
    tape.gradient(y, v)                3 v ** 2

In a function that becomes a graph, the tape remembers where the block begins; gradients are
propagated from the target back to that place.  Elsewhere, operations on watched values run
immediately, and the tape records them (`tracing/eager_trace.py`).
"""

import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from autograph.staging.refusals import Extent
from runtime.errors import TapeError, staging_error
from runtime.ir.graph import Graph, Value
from runtime.ir.op import find
from runtime.ir.pytree import flatten, transform, unflatten
from runtime.ir.types import type_of
from runtime.ops.adjoints.sizes import grown
from runtime.spellings import members, options
from runtime.spellings.options import AnswersOptions
from runtime.state.trace_variables import TraceVariables
from runtime.state.variable import Variable
from runtime.tracing import trace
from runtime.tracing.eager_trace import EagerTrace
from runtime.tracing.eager_values import unwrap_all
from runtime.tracing.exits import Exits
from runtime.tracing.tensor import Tensor, apply, operand, staged
from runtime.tracing.unions import Unions
from runtime.transforms.inputs import differentiable_tensor, pull_back
from runtime.transforms.jacobian import jacobians
from runtime.transforms.node_range import NodeRange
from runtime.transforms.reverse.activity import ActiveValues, is_differentiable
from runtime.transforms.reverse.backward import seed
from runtime.transforms.reverse.cotangents import exactly
from runtime.transforms.user_lists import plain_lists, user_lists


class GradientTape(AnswersOptions):
    """Records the operations in a `with` block, for gradients.

    With `persistent`, gradients can be taken more than once.  Variables are watched automatically:
    gradients are with respect to their value at the beginning of the block, also if the block or
    later code assigns to them.  After `v.assign(2 * v)` in the block, the gradient of `v * v` is
    eight times the first value (TensorFlow takes the value that was read: it is twice the new one
    there); after `v.assign(7.0)`, it is None.  Other values must be watched with `watch`.
    """

    _spellings, _options = members.TAPE, options.TAPE

    def __init__(self, persistent: bool = False):
        self.persistent = persistent
        self._recorder: trace.Trace | None = None
        self._marks: dict[Graph, int] = {}  # the number of nodes in each open region
        self._watched: dict[int, tuple[Any, Value]] = {}  # by identity
        self._variables: dict[int, Any] = {}  # their values when the block was entered
        self._context: Any = None
        self._is_spent = False

    def __repr__(self) -> str:
        return f"<rt.GradientTape{', persistent' * self.persistent}>"

    # -- the block ---------------------------------------------------------------------------------

    def __enter__(self) -> "GradientTape":
        if self._recorder is not None:
            raise staging_error(
                "a GradientTape is entered a second time",
                "A tape records one block.",
                "Make a new one: with rt.GradientTape() as tape:",
                TapeError,
            )
        self._recorder = trace.current()
        if self._recorder is None:
            self._recorder = EagerTrace("tape")
            self._context = trace.recording(self._recorder, Extent.BLOCK)
            self._context.__enter__()
        self._recorder.state(Unions).are_kept = False  # what it records may be differentiated
        self._marks = {region: len(region.nodes) for region in self._recorder.regions}
        known = self._recorder.state(TraceVariables).inputs.items()
        self._variables = {name: found.tensor._value for name, found in known}
        return self

    def __exit__(self, *exception) -> None:
        if self._context is not None:
            self._context.__exit__(*exception)
            self._context = None

    def watch(self, x: Any) -> Any:
        """A copy of `x` that gradients can be taken with respect to.

        `x` is an array, a scalar, or nested containers of them.  The tape records operations on the
        result, not those on `x` itself.  Variables are returned as they are.  Raises `StagingError`
        for values without derivatives.
        """
        self._check_open("watch")
        return user_lists(transform(self._watch, plain_lists(x)))

    def _watch(self, x):
        if isinstance(x, Variable):
            return x
        found = apply(find("alias"), differentiable_tensor(x, "the argument of watch"))
        watched = Tensor(operand(found, self._recorder), self._recorder.region)
        self._watched[id(watched)] = watched, watched._value
        return watched

    def _check_open(self, name):
        if self._recorder is None:
            raise staging_error(
                f"{name} is called on a GradientTape that has not been entered",
                "A tape records the operations in its block.",
                "Write: with rt.GradientTape() as tape:",
                TapeError,
            )

    # -- gradients ---------------------------------------------------------------------------------

    def gradient(
        self,
        target: Any,
        sources: Any,
        output_gradients: Any = None,
        unconnected_gradients: str = "none",
    ) -> Any:
        """The gradient of `target` with respect to `sources`, in the containers of the latter.

        The gradient of an array is that of the sum of its elements; the gradient of several targets
        is that of their sum.  Elements are weighted by `output_gradients`, if given.  The gradient
        with respect to a source that does not influence the target is None, or zeros with
        `unconnected_gradients="zero"`.  Raises `StagingError` for sources that the tape has not
        recorded, and if the tape was used before and is not persistent.
        """
        if unconnected_gradients not in ("none", "zero"):
            raise ValueError(
                f"unconnected_gradients is 'none' or 'zero', not {unconnected_gradients!r}"
            )
        with self._recording() as converted:
            targets = flatten(plain_lists(target))[0]
            self._check_recorded(targets)
            weights = None
            if output_gradients is not None:
                weights = flatten(plain_lists(output_gradients))[0]
            pairs = zip(targets, weights or [None] * len(targets), strict=True)
            leaves, structure = flatten(plain_lists(sources))
            values = [self._source(leaf) for leaf in leaves]
            results = [_pair(*pair) for pair in pairs]
            zeros = unconnected_gradients == "zero"
            found = self._pulled([pair for pair in results if pair is not None], values, zeros)
            return converted(user_lists(unflatten(structure, map(_like, found, leaves))))

    def jacobian(self, target: Any, sources: Any) -> Any:
        """The derivatives of an array with respect to sources.

        Each has the shape `target.shape + source.shape`.  Raises as `gradient` does.
        """
        with self._recording() as converted:
            leaves, structure = flatten(plain_lists(sources))
            values = [self._source(leaf) for leaf in leaves]

            def pulled(result, cotangent):
                return self._pulled([(result, cotangent)], values, zeros=True)

            found = jacobians(staged(target), values, pulled)
            return converted(user_lists(unflatten(structure, found)))

    def _check_recorded(self, targets):
        """Raises `StagingError` if all targets were computed outside of a block that computes."""
        known = (Tensor, Variable)
        if self._recorder.is_eager and not any(isinstance(one, known) for one in targets):
            raise staging_error(
                f"the tape does not know the target {', '.join(map(repr, targets))}",
                "A tape outside of functions records only the operations in its block.",
                "Compute the target inside of the `with` block, from watched values.",
                TapeError,
            )

    def _pulled(self, pairs, sources, zeros):
        ranges = [
            NodeRange(region, region.nodes[self._marks.get(region, 0) :])
            for region in self._recorder.regions
        ]
        self._check_iterations(pairs, sources, ranges)
        self._check_exits(sources, ranges)
        return pull_back(self._recorder, ranges, pairs, sources, zeros)

    def _check_exits(self, sources, ranges):
        """Raises `StagingError` if a value that depends on the sources was written into an array
        of NumPy in a block that computes, and warns where one was converted to an array."""
        active = ActiveValues(sources)
        for one in ranges:
            active.visit(one.nodes)
        for left in self._recorder.state(Exits).known:
            if left.value not in active:
                continue
            if left.is_write:
                raise staging_error(
                    "a watched value is written into an array that the tape does not watch",
                    "NumPy stores the number, so the gradient would lack this part.",
                    "Watch the array, too (z = tape.watch(np.zeros(3))), or use np.stack.",
                    TapeError,
                    where=left.location.in_message,
                )
            text = "the tape does not see the results of this conversion to a NumPy array"
            at = left.location.filename, left.location.lineno
            warnings.warn_explicit(text, trace.TracingWarning, *at)

    def _check_iterations(self, pairs, sources, ranges):
        """Raises `StagingError` if a gradient would cross iterations of a loop that is traced."""
        inner = [region for region in self._recorder.regions if region not in self._marks]
        given = {value for region in inner for value in region.inputs} - set(sources)
        crossing = ActiveValues(given)
        for one in ranges:
            crossing.visit(one.nodes)
        if any(result._value in crossing for result, _ in pairs):
            raise staging_error(
                "a GradientTape is used in a loop, for values that earlier iterations computed",
                "The tape was entered before the loop, which is still being traced.",
                "Enter the tape in the loop, or compute the gradient after the loop.",
                TapeError,
            )

    def _source(self, leaf):
        """The value in the graph for a source."""
        if isinstance(leaf, Variable):
            leaf.staged_value()
            first = self._recorder.state(TraceVariables).inputs[id(leaf)].value
            return self._variables.get(id(leaf), first)
        watched = self._watched.get(id(leaf))
        if watched is not None:
            return watched[1]
        if isinstance(leaf, Tensor):
            return differentiable_tensor(leaf, "a source")._value
        known_type = type_of(leaf)
        raise staging_error(
            f"the tape does not know the source: {known_type or repr(leaf)}",
            "A NumPy array does not record the operations on it.",
            "Watch it, and compute with the result: x = tape.watch(x)",
            TapeError,
        )

    def _recording(self) -> AbstractContextManager[Callable[[Any], Any]]:
        """A context in which the gradient is recorded; it provides a function that converts the
        gradient for the user."""
        self._check_open("gradient")
        if self._is_spent and not self.persistent:
            raise staging_error(
                "a GradientTape is used a second time",
                "It releases its recording after the first gradient.",
                "Make it with rt.GradientTape(persistent=True).",
                TapeError,
            )
        self._is_spent = True
        if trace.current() is None and self._recorder.is_eager:
            return self._computing()
        self._check_current()
        return nullcontext(lambda found: found)

    @contextmanager
    def _computing(self) -> Iterator[Callable[[Any], Any]]:
        with trace.recording(self._recorder):
            yield unwrap_all

    def _check_current(self):
        is_open = all(region in self._recorder.regions for region in self._marks)
        if trace.current() is not self._recorder or not is_open:
            raise staging_error(
                "a GradientTape is used outside of the code where it was entered",
                "Its recording belongs to code that has been traced already.",
                "Compute the gradient in the function, branch or iteration of its block.",
                TapeError,
            )


def _like(gradient, source):
    """A gradient like its source: a scalar for a 0-d variable, whose value is a scalar, too."""
    is_box = isinstance(source, Variable) and not source.shape
    return gradient[()] if is_box and gradient is not None else gradient


def _pair(target, weight):
    """A target and its cotangent; None for a target without derivatives."""
    target = staged(target)
    if not isinstance(target._value, Value) or not is_differentiable(target.type):
        return None
    if weight is not None:
        return target, exactly(staged(weight), target.type)
    if not target.type.shape:
        return target, seed(target)
    return target, exactly(grown(staged(target.dtype.type(1)), target.shape), target.type)
