"""Trials: recordings of which it is not known at first whether they can be kept.

    why = attempt(make, True)       stages the loop that `make()` returns, or leaves everything as
                                    it was and returns the reason

Undone are the nodes, the state of the trace, what handles of arrays remember, and everything that
the user's code has changed.
"""

from collections.abc import Callable, Iterator
from typing import Any

from autograph.constructs.compare import ambiguous
from autograph.errors import StagingError
from autograph.functions.interruptions import is_interruption
from autograph.staging import refusals
from autograph.staging.blocks import Diverged
from autograph.staging.dunder_methods import ConvertedClasses
from autograph.staging.refusals import Refused
from runtime.staging.calls.asked_objects import AskedObjects
from runtime.staging.control_flow.held_output import refused_output
from runtime.staging.control_flow.loop import Loop
from runtime.staging.lists.aliasing import ListedArrays
from runtime.staging.lists.merged_objects import WatchedClasses
from runtime.staging.loop_trials import LoopTrials, NotKept, is_hidden_fault
from runtime.staging.suspended_generators import close_suspended, suspended
from runtime.tracing import trace
from runtime.tracing.alias_history import AliasHistory
from runtime.tracing.tensor import staged
from runtime.tracing.trace import Trace
from runtime.tracing.widenings import Widenings

# States that a trial leaves: classes that are to be put back when the recording ends, and facts
# about trials.
LEFT = (ConvertedClasses, AskedObjects, LoopTrials, AliasHistory)
LEFT += (WatchedClasses, trace.UnrolledLoops)
PUT_BACK = ("refused", "hides_known", "kept", "widened", "effects_wait")  # of `LoopTrials`
CONTAINERS = (list, dict, set)


class Contents:
    """The contents of a container, or the attributes of an object, to be put back later."""

    def __init__(self, value: Any):
        self.value = value
        self._items = _copied(value)
        self._attributes = dict(getattr(value, "__dict__", ()))
        self._inner = [Contents(held) for held in self._held() if type(held) in CONTAINERS]

    def _held(self) -> Iterator[Any]:
        yield from self._attributes.values()
        if isinstance(self._items, dict):
            yield from self._items.values()

    def put_back(self) -> None:
        """Gives the value its old contents."""
        if self._attributes:
            vars(self.value).clear()
            vars(self.value).update(self._attributes)
        if isinstance(self._items, list):
            list.__setitem__(self.value, slice(None), self._items)
        elif self._items is not None:
            kind = type(self._items)
            kind.clear(self.value)
            kind.update(self.value, self._items)
        for inner in self._inner:
            inner.put_back()


def _copied(value):
    for kind in CONTAINERS:
        if isinstance(value, kind):
            return kind(value)
    return None


class Checkpoint:
    """Everything that a trace knows at one time."""

    def __init__(self, recorder: Trace):
        self._recorder = recorder
        states = recorder.states()
        self._trace = Contents(recorder)
        self._states = [Contents(one) for kind, one in states.items() if kind not in LEFT]
        self._left = {kind: one for kind, one in states.items() if kind in LEFT}
        self._ambiguous = Contents(ambiguous)
        self._listed = Contents(recorder.state(ListedArrays))
        self._sizes = [(r, len(r.inputs), len(r.nodes), len(r.outputs)) for r in recorder.regions]
        trials = recorder.state(LoopTrials)
        self._trials = {name: getattr(trials, name) for name in PUT_BACK}
        self._trials["refused"] = dict(trials.refused)
        self._first_refusal = refusals.first()
        self._history = recorder.state(AliasHistory).begin()
        self._suspended = tuple(suspended(recorder))

    def put_back(self, loop: Loop | None) -> None:
        """Undoes everything since then; `loop` is the one that was recorded."""
        recorder = self._recorder
        close_suspended(recorder, self._suspended)
        refusals.forget_since(self._first_refusal)
        self._listed.put_back()  # staged lists can be read again
        if loop is not None:
            loop.changes.restore()
        recorder.state(AliasHistory).undo(self._history)
        left = {**self._left, **{k: v for k, v in recorder.states().items() if k in LEFT}}
        self._ambiguous.put_back()
        self._trace.put_back()
        recorder.states().update(left)
        for state in self._states:
            state.put_back()
        for region, inputs, nodes, outputs in self._sizes:
            del region.inputs[inputs:], region.nodes[nodes:], region.outputs[outputs:]
        vars(recorder.state(LoopTrials)).update(self._trials)

    def end(self) -> None:
        """Ends the time in which the trace can be put back."""
        self._recorder.state(AliasHistory).end(self._history)


def attempt(make: Callable[[], Loop], predicate: Any) -> StagingError | None:
    """Stages a loop, or leaves everything as it was: None, or the reason."""
    recorder = trace.current()
    trials = recorder.state(LoopTrials)
    before, loop = Checkpoint(recorder), None
    widened, first = len(recorder.state(Widenings)), refusals.first()
    trials.depth += 1
    is_kept = False
    try:
        with refused_output():
            loop = make()
            loop.stage(staged(predicate))
        if refusals.first() is not first:
            return refusals.first().error
        if len(recorder.state(Widenings)) > widened:
            return NotKept("a value would have another type than in Python")
        is_kept = True
        return None
    except (Exception, Refused, Diverged) as error:
        if is_interruption(error) or is_hidden_fault(error):
            raise
        return _reason(error)
    finally:
        trials.depth -= 1
        if not is_kept:
            before.put_back(loop)
        before.end()


def _reason(error):
    if isinstance(error, Refused):
        return error.error
    if isinstance(error, StagingError):
        return error
    if isinstance(error, Diverged):
        return NotKept("every iteration raises")
    return NotKept(f"{type(error).__name__}: {error}")
