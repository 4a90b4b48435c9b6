"""A staged loop over known elements, as far as it equals the loop of Python.

    total = 0                         the first iteration makes an int a float: it is unrolled, and
    for i in range(100):              the other 99 are staged
        total = total + x[i]

    n = 0                             n is 100 after the loop in Python, and staged here: if code
    for i in range(100):              needs its value, the function is recorded again
        n += 1

`NotKept` says why the loop is to be unrolled, `FirstIterationDiffers` that its first iteration is.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.backend import State, Undefined
from autograph.staging.abstract_values import AbstractValue
from autograph.staging.heap_diff import HeapSnapshot
from autograph.staging.pytree import Structure
from autograph.staging.refusals import Refused, postponed
from runtime.ir.graph import PYTHON_SCALARS, Value, captures, walk
from runtime.ir.host import Watched
from runtime.ir.traits import Effect
from runtime.ir.types import ListType, PythonType, TensorType, Type, UnionType
from runtime.staging.control_flow.join_errors import occurs
from runtime.staging.control_flow.loop import Iteration, Loop
from runtime.staging.control_flow.loop_sharing import memory_of
from runtime.staging.control_flow.mutations import ListLocation
from runtime.staging.control_flow.phi_types import DOMAIN
from runtime.staging.lists.elements import type_of_element
from runtime.staging.lists.merged_list import MergedList
from runtime.staging.loop_trials import FirstIterationDiffers, LoopTrials, not_kept
from runtime.tracing.maybe import MaybeNone, MaybeUnbound
from runtime.tracing.tensor import Tensor
from runtime.tracing.trace import current
from runtime.tracing.unions import Unions
from runtime.tracing.widenings import Widenings

FEW_OPERATIONS = 48  # a loop that is unrolled to no more of them is unrolled
MOST_BYTES = 10_000_000  # of arrays that a trial copies


class KnownLoop(Loop):
    """A loop that runs at least once if its predicate is True, and may be unrolled instead.

    `iterations` is the number of iterations, None if it is not known; `last` is the number in the
    first carried location in the last iteration, if that is known.
    """

    def __init__(
        self,
        iteration: Callable,
        state: State,
        blocks: tuple,
        carried: Any = (),
        roots: tuple = (),
        iterations: int | None = None,
        last: int | None = None,
    ):
        super().__init__(iteration, state, blocks, carried, roots)
        self.state, self.iterations, self.last = state, iterations, last
        self.body_code = self.codes[0]
        self._first = len(self.recorder.region.nodes)
        self.may_end_early = False  # whether an iteration decides that it is the last one
        self.has_effects = False  # besides errors
        self.together = 1  # how many iterations of Python one iteration makes
        if self.changes.heap.iterators:
            raise not_kept("an iterator is in reach of its body")
        self._arrays = PlainArrays(self.changes.heap)

    def widen(self, iteration: Iteration) -> bool:
        if iteration.raised:
            raise not_kept("each iteration raises")
        self._arrays.refuse_changes()
        self.has_effects = any(map(_is_outside, walk(iteration.region)))
        try:
            changed = super().widen(iteration)
        except Refused as refusal:
            why = str(postponed(refusal)).partition("\n")[0]
            raise not_kept(why, FirstIterationDiffers) from None
        self._refuse_written_first(iteration)
        for location, abstract in self.carried_values.items():
            if isinstance(location, ListLocation):
                _refuse_wider_elements(location, abstract)
            elif location.key[0] != "position":
                ends = [location.before]
                if location in iteration.found:
                    ends.append(iteration.value(location))
                may_vary = _is_result(location)
                if any(_has_another_type(end, abstract, may_vary) for end in ends):
                    why = f"{location.path} has another type after the first iteration"
                    raise not_kept(why, FirstIterationDiffers)
        return changed

    def _refuse_written_first(self, iteration):
        """A variable that begins as an array that each iteration writes into, and is rebound."""
        written = {location.key[1] for location in iteration.found if location.key[0] == "array"}
        for location, value in iteration.found.items():
            first = location.before
            if not (location.is_variable and isinstance(first, Tensor)) or value is first:
                continue
            if written and any(id(array) in written for array in memory_of(first)):
                why = f"{location.path} is an array at first that each iteration writes into"
                raise not_kept(why, FirstIterationDiffers)

    def record(self, predicate, iteration, more, initial, outputs, hints):
        position = iteration.inputs[0] if iteration.inputs else None
        results = super().record(predicate, iteration, more, initial, outputs, hints)
        node = self.recorder.region.nodes[-1]
        self._decide(node)
        if predicate._value is True:
            for i, out in enumerate(outputs):
                if type(out) in PYTHON_SCALARS:  # the same number after each iteration
                    results[i] = out
                elif out is position and self.last is not None and i:
                    results[i] = self.last
        return results

    def finish(self, predicate, iteration):
        super().finish(predicate, iteration)
        self.state.set(tuple(map(_known, self.state.get())))

    def _is_staged(self, operand):
        """Whether Python would not know a value.

        It would know one that the trial has built from numbers, such as a list of counters.
        """
        nodes = self.recorder.region.nodes[self._first :]
        makers = {value: node for node in nodes for value in node.outputs}
        pending = [operand]
        while pending:
            value = pending.pop()
            if not isinstance(value, Value):
                continue
            maker = makers.get(value)
            if maker is None or maker.regions or isinstance(value.type, TensorType):
                return True
            pending += maker.inputs
        return False

    def _decide(self, node):
        """Raises `NotKept` if the loop is better unrolled."""
        body = node.regions["body"]
        nodes = list(walk(body))
        effects = any(one.op.effect and not _may_raise(one) for one in nodes)
        trials = self.recorder.state(LoopTrials)
        is_asked = self.body_code in trials.wishes
        for one in nodes:
            if isinstance(one.attributes.get("function"), Watched):
                raise not_kept("a function that may change its arguments is called")
        if not effects and not any(map(self._is_staged, (*node.inputs[1:], *captures(body)))):
            raise not_kept("nothing in it is staged")
        may_be_few = self.iterations is not None and not self.may_end_early
        is_short = may_be_few and len(nodes) * self.iterations <= FEW_OPERATIONS
        if is_short and not is_asked and not _has_loop(nodes):
            raise not_kept(f"{len(nodes)} operations in {self.iterations} iterations are few")
        trials.kept += 1
        if trials.widened is None:
            trials.widened = len(self.recorder.state(Widenings))
        trials.hides_known |= any(map(_hides_known, node.outputs))
        trials.effects_wait |= self.has_effects or any(map(_may_raise, nodes))


def _is_outside(node):
    """Whether a node does something outside of the graph that is seen at once."""
    return node.op.effect in (Effect.EXTERNAL, Effect.CALL)


def _may_raise(node):
    return node.op.effect is Effect.RAISES


def _has_loop(nodes):
    return any("body" in node.regions for node in nodes)


def _hides_known(value: Value) -> bool:
    """Whether Python would know a value, or a size of it, if the loop were unrolled."""
    kind = value.type
    return not isinstance(kind, TensorType) or not all(isinstance(n, int) for n in kind.shape)


def _known(value: Any) -> Any:
    """A number of Python in place of a staged value that is one in each run."""
    found = value
    if isinstance(found, MaybeUnbound) and found.is_bound._value is True:
        found = found.__unchecked__()
    if isinstance(found, MaybeNone) and found.__is_none__._value is False:
        found = found.__unchecked__()
    is_plain = type(found) is Tensor and type(found._value) in PYTHON_SCALARS
    return found._value if is_plain else value


class PlainArrays:
    """The NumPy arrays in reach of a body, which no staged loop may change."""

    def __init__(self, heap: HeapSnapshot):
        held = {id(value): value for value in heap.held() if type(value) is np.ndarray}
        if sum(value.nbytes for value in held.values()) > MOST_BYTES:
            raise not_kept("large arrays that are not staged are in reach of its body")
        self._arrays = [(value, value.copy()) for value in held.values()]

    def refuse_changes(self) -> None:
        """Puts the arrays back, and raises `NotKept`, if one has changed."""
        changed = [pair for pair in self._arrays if pair[0].tobytes() != pair[1].tobytes()]
        for value, before in changed:
            value[...] = before
        if changed:
            raise not_kept("an array that is not staged is changed")


# -- types -----------------------------------------------------------------------------------------


def _is_result(location: Any) -> bool:
    """Whether a variable holds the value that the function returns in the loop: no code of the user
    reads it, so it may be of several types, as in Python."""
    return location.is_variable and current().state(Unions).are_kept and not occurs(location.path)


def _has_another_type(value: Any, abstract: Any, may_vary: bool) -> bool:
    """Whether a value is of another type, apart from sizes, than the values of all iterations;
    `may_vary` if that may be one of several."""
    if isinstance(value, Undefined):
        return False
    return _has_another_form(DOMAIN.abstract(value), abstract, may_vary)


def _has_another_form(found: AbstractValue, abstract: AbstractValue, may_vary: bool) -> bool:
    """Whether a value has other containers, or other types, than the values of all iterations."""
    if found.structure.kind is None and abstract.structure.kind is not None:
        found = DOMAIN.opened(found.leaves[0])  # as the join has taken it apart
    if found.structure.kind is None or abstract.structure.kind is None:
        if found.structure != abstract.structure:
            return True
        return _is_another(*DOMAIN.generalized(found).leaves, *abstract.leaves, may_vary)
    one, other = found.structure, abstract.structure
    if (_kind(one), one.keys, one.of, len(one.children)) != (
        *(_kind(other), other.keys, other.of, len(other.children)),
    ):
        return True
    pairs = zip(found.items(), abstract.items(), strict=True)
    return any(_has_another_form(*pair, may_vary) for pair in pairs)


def _kind(structure: Structure) -> Any:
    """The class of a container; a list that the join has put together is a list."""
    return list if structure.kind is MergedList else structure.kind


def _is_another(one, other, may_vary):
    if one.is_unbound:
        return False
    if may_vary and isinstance(other.type, UnionType) and one.type in other.type.options:
        return False
    if other.may_be_none and not one.may_be_none or other.may_be_unbound and one.may_be_unbound:
        return True
    return _differ(one.type, other.type)


def _differ(one: Type | None, other: Type | None) -> bool:
    """Whether two types differ in more than their sizes."""
    if isinstance(one, ListType) and isinstance(other, ListType):
        return _elements_differ(one.element, other.element)
    if isinstance(one, TensorType) and isinstance(other, TensorType):
        return type(one) is not type(other) or one.dtype != other.dtype or one.ndim != other.ndim
    known = (TensorType, PythonType, UnionType)
    return one != other if isinstance(one, known) or isinstance(other, known) else False


def _elements_differ(one: Type | None, other: Type | None) -> bool:
    """Whether elements of one type cannot keep it in a list of others; those of a union keep it."""
    options = other.options if isinstance(other, UnionType) else (other,)
    return all(_differ(one, option) for option in options)


def _refuse_wider_elements(location: ListLocation, abstract: Any) -> None:
    """A list whose elements would have another type than in Python."""
    kinds = [leaf.type for leaf in abstract.leaves]
    element = getattr(kinds[0], "element", None) if len(kinds) == 1 else None
    if element is None or not isinstance(location.before, tuple):
        return
    for item in location.before:
        if _elements_differ(type_of_element(item), element):
            raise not_kept(f"the elements of {location.path} have several types")
