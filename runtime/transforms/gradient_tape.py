"""`rt.GradientTape`: what happens in a `with` block can be differentiated.

    with rt.GradientTape() as tape:
        y = v * v * v                  v is a variable, which is watched by itself
    tape.gradient(y, v)                3 v ** 2

In a function that becomes a graph, the tape remembers where the block begins; the gradient is
walked back from the target to there.  Elsewhere, operations on what is watched are computed and
recorded at once (`tracing/eager_trace.py`).
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from runtime.errors import staging_error
from runtime.ir.graph import Graph, Value
from runtime.ir.op import find
from runtime.ir.pytree import flatten, transform, unflatten
from runtime.ops.adjoints.sizes import grown
from runtime.state.trace_variables import TraceVariables
from runtime.state.variable import Variable
from runtime.tracing import trace
from runtime.tracing.eager_trace import EagerTrace
from runtime.tracing.tensor import Tensor, apply, operand, staged, unwrap_all
from runtime.transforms.inputs import pull_back, watchable
from runtime.transforms.jacobian import jacobians
from runtime.transforms.node_range import NodeRange
from runtime.transforms.reverse.activity import Activity, is_differentiable
from runtime.transforms.reverse.backward import seed
from runtime.transforms.reverse.cotangents import exactly
from runtime.transforms.user_lists import plain_lists, user_lists


class GradientTape:
    """Records what is computed in a `with` block, for gradients.

    `persistent`: the tape may be asked more than once.  Variables are watched by themselves: their
    gradient is that by the value which they had when the block was entered.  For anything else
    there is `watch`.
    """

    def __init__(self, persistent: bool = False):
        self.persistent = persistent
        self._recorder: trace.Trace | None = None
        self._marks: dict[Graph, int] = {}  # how many nodes the open regions had
        self._watched: dict[int, tuple[Any, Value]] = {}  # by identity
        self._variables: dict[int, Any] = {}  # what they were when the block was entered
        self._context: Any = None
        self._is_spent = False

    # -- the block ---------------------------------------------------------------------------------

    def __enter__(self) -> "GradientTape":
        if self._recorder is not None:
            raise staging_error(
                "a GradientTape is entered a second time",
                "A tape is about one block.",
                "Make a new one: with rt.GradientTape() as tape:",
            )
        self._recorder = trace.current()
        if self._recorder is None:
            self._recorder = EagerTrace("tape")
            self._context = trace.recording(self._recorder)
            self._context.__enter__()
        self._marks = {region: len(region.nodes) for region in self._recorder.regions}
        known = self._recorder.state(TraceVariables).inputs.items()
        self._variables = {name: found.tensor._value for name, found in known}
        return self

    def __exit__(self, *exception) -> None:
        if self._context is not None:
            self._context.__exit__(*exception)
            self._context = None

    def watch(self, x: Any) -> Any:
        """`x` as a value by which one can differentiate: an array, a number, or containers of them.

        Operations on what it returns are recorded; those on `x` itself are not.  Variables are
        watched anyway.  Raises `StagingError` for what has no derivatives.
        """
        self._check_open("watch")
        return user_lists(transform(self._watch, plain_lists(x)))

    def _watch(self, x):
        if isinstance(x, Variable):
            return x
        found = apply(find("alias"), watchable(x, "what is watched"))
        watched = Tensor(operand(found, self._recorder), self._recorder.region)
        self._watched[id(watched)] = watched, watched._value
        return watched

    def _check_open(self, name):
        if self._recorder is None:
            raise staging_error(
                f"{name} is called on a GradientTape that has not been entered",
                "A tape records what happens in its block.",
                "Write: with rt.GradientTape() as tape:",
            )

    # -- what it is asked --------------------------------------------------------------------------

    def gradient(
        self,
        target: Any,
        sources: Any,
        output_gradients: Any = None,
        unconnected_gradients: str = "none",
    ) -> Any:
        """The gradient of `target` by `sources`, in the containers of the latter.

        An array as the target counts as the sum of its elements, several targets as their sum, each
        times its part of `output_gradients`.  A source on which the target does not depend has
        None, or zeros with `unconnected_gradients="zero"`.
        """
        if unconnected_gradients not in ("none", "zero"):
            raise ValueError(
                f"unconnected_gradients is 'none' or 'zero', not {unconnected_gradients!r}"
            )
        with self._asked() as given:
            targets = flatten(plain_lists(target))[0]
            weights = None
            if output_gradients is not None:
                weights = flatten(plain_lists(output_gradients))[0]
            pairs = zip(targets, weights or [None] * len(targets), strict=True)
            leaves, structure = flatten(plain_lists(sources))
            values = [self._source(leaf) for leaf in leaves]
            results = [_pair(*pair) for pair in pairs]
            zeros = unconnected_gradients == "zero"
            found = self._pulled([pair for pair in results if pair is not None], values, zeros)
            return given(user_lists(unflatten(structure, map(_like, found, leaves))))

    def jacobian(self, target: Any, sources: Any) -> Any:
        """The derivatives of an array by sources: of shape `target.shape + source.shape` each."""
        with self._asked() as given:
            leaves, structure = flatten(plain_lists(sources))
            values = [self._source(leaf) for leaf in leaves]

            def pulled(result, cotangent):
                return self._pulled([(result, cotangent)], values, zeros=True)

            found = jacobians(staged(target), values, pulled)
            return given(user_lists(unflatten(structure, found)))

    def _pulled(self, pairs, sources, zeros):
        ranges = [
            NodeRange(region, region.nodes[self._marks.get(region, 0) :])
            for region in self._recorder.regions
        ]
        self._check_turns(pairs, sources, ranges)
        return pull_back(self._recorder, ranges, pairs, sources, zeros)

    def _check_turns(self, pairs, sources, ranges):
        """Raises `StagingError` where a gradient would go through turns that are being recorded."""
        inner = [region for region in self._recorder.regions if region not in self._marks]
        given = {value for region in inner for value in region.inputs} - set(sources)
        crossing = Activity(given)
        for one in ranges:
            crossing.visit(one.nodes)
        if any(result._value in crossing for result, _ in pairs):
            raise staging_error(
                "a gradient is asked for in a loop, of what earlier turns of it have computed",
                "The GradientTape was entered in front of the loop, which is being recorded.",
                "Enter the tape in the loop, or ask it behind the loop.",
            )

    def _source(self, leaf):
        """The value that a source stands for."""
        if isinstance(leaf, Variable):
            leaf.staged_value()
            first = self._recorder.state(TraceVariables).inputs[id(leaf)].value
            return self._variables.get(id(leaf), first)
        watched = self._watched.get(id(leaf))
        if watched is not None:
            return watched[1]
        if isinstance(leaf, Tensor):
            return watchable(leaf, "a source")._value
        raise staging_error(
            f"a gradient is asked for by {leaf!r}, which the tape does not know",
            "An array remembers no operations.",
            "Watch it, and compute with what that returns: x = tape.watch(x)",
        )

    def _asked(self) -> AbstractContextManager[Callable[[Any], Any]]:
        """Lets the gradient be recorded where operations are, or else where the tape's were; gives
        what makes of it what the user gets."""
        self._check_open("gradient")
        if self._is_spent and not self.persistent:
            raise staging_error(
                "a GradientTape is asked a second time",
                "It forgets what it has recorded once it was asked.",
                "Make it with rt.GradientTape(persistent=True).",
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
                "a GradientTape is asked elsewhere than where it was entered",
                "What it has recorded belongs to code that is recorded already.",
                "Ask it in the function, branch or turn of the loop that has its block.",
            )


def _like(gradient, source):
    """A gradient by a variable without dimensions is a number, as what the variable gives is."""
    is_box = isinstance(source, Variable) and not source.shape
    return gradient[()] if is_box and gradient is not None else gradient


def _pair(target, weight):
    """A target and its cotangent; None for a target that has none."""
    target = staged(target)
    if not isinstance(target._value, Value) or not is_differentiable(target.type):
        return None
    if weight is not None:
        return target, exactly(staged(weight), target.type)
    if not target.type.shape:
        return target, seed(target)
    return target, exactly(grown(staged(target.dtype.type(1)), target.shape), target.type)
