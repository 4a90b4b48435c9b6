"""Staged branches: `if`, `a if p else b`, `and`, `or`.

    if p:                     def then():
        y = x                     return x
    else:             ->
        y = -x                def orelse():
                                  y: f64 = negative(x)
                                  return y
                              y_1: f64 = cond(p, then=then, orelse=orelse)

Each branch is recorded as a region of its own and starts from the same state.  The values that the
branches leave in a location are joined (`phi_types.py`), and both regions return the joined value.
An exception that leaves a branch becomes a `raise_` in it; such a branch returns nothing, and the
values of the other branch hold.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from traceback import walk_tb
from types import CodeType
from typing import Any

from autograph.backend import State, Undefined
from autograph.staging import blocks
from autograph.staging.abstract_values import AbstractValue, Mismatch
from autograph.staging.blocks import Diverged, comes_from_raise, is_of_program
from autograph.staging.mutations import MutableLocation, one_sided
from autograph.staging.object_state import attributes
from runtime.analyses.effects import has_effect
from runtime.analyses.exceptions import may_fail
from runtime.errors import ArgumentError, RecursionShapeError, staging_error
from runtime.ir.graph import Graph, Location, Node, walk
from runtime.ir.op import find
from runtime.ops.host import itself
from runtime.staging.calls.host_values import asked
from runtime.staging.chosen_joins import want_alike
from runtime.staging.control_flow.aliasing import join_aliases, refresh_all
from runtime.staging.control_flow.binding_lines import (
    bindings,
    line_at_end,
    line_of_test,
    lines_of_constants,
)
from runtime.staging.control_flow.choices_at_end import choices_at_end
from runtime.staging.control_flow.ends_of_iteration import refuse_end_of_iteration
from runtime.staging.control_flow.exception_arguments import (
    carries_staged,
    constructor_arguments,
    with_slots,
)
from runtime.staging.control_flow.inner_choices import Choices
from runtime.staging.control_flow.join_errors import branch_error
from runtime.staging.control_flow.mutations import (
    GraphMutationTracker,
    ListLocation,
    arrays_at_end,
    held_at_end,
    may_share,
    result_at_end,
)
from runtime.staging.control_flow.phi_types import DOMAIN
from runtime.staging.control_flow.try_blocks import refuse_raise_in_try
from runtime.staging.control_flow.type_widening import note_widenings
from runtime.staging.kept_places import note_kept
from runtime.staging.lists.aliasing import is_listed, register_listed
from runtime.staging.lists.homes import older_than
from runtime.staging.lists.inner_lists import InnerLists, elements_of_branch, refuse_shared_inside
from runtime.staging.lists.merged_containers import ContainerJoin
from runtime.staging.lists.merged_list import merge_lists
from runtime.staging.lists.nested_list import is_place_inside
from runtime.staging.lists.trees import Tree, shared, tree_of
from runtime.staging.loop_trials import is_of_operation, refuse_in_trial
from runtime.staging.made_dicts import note_one_sided
from runtime.staging.maybe_object import MaybeNoneObject
from runtime.staging.python_errors import in_words, is_about_staged, line_of, remedy_of_operator
from runtime.tracing import trace
from runtime.tracing.known_truth import decided_truth, known_test
from runtime.tracing.locate import location_of
from runtime.tracing.maybe import MaybeNone
from runtime.tracing.needed import refuse_elsewhere
from runtime.tracing.tensor import Tensor, staged
from runtime.tracing.trace import FailedOperation

MOST_REGIONS = 40  # nested ones at which a RecursionError is not the program's


@dataclass
class Branch:
    """A branch that has been recorded."""

    region: Graph
    found: dict[MutableLocation, Any]
    result: Any = None
    raised: bool = False
    trees: dict[MutableLocation, Tree | None] = field(default_factory=dict)
    code: CodeType | None = None
    given: dict[int, Any] = field(default_factory=dict)  # lists that are elements of others
    lines: list[Location | None] = field(default_factory=list)  # of constants among the outputs

    def tree(self, location: MutableLocation) -> Tree | None:
        """The containers in the value that the branch leaves in a location."""
        return self.trees[location] if location in self.trees else tree_of(location.before)


def record_branch(name: str, block: Callable | None, changes: GraphMutationTracker) -> Branch:
    """Records a block as a region, and undoes its changes."""
    recorder = trace.current()
    with recorder.open_region(name) as region:
        result, raised = run_block(block) if block is not None else (None, False)
        branch = Branch(region, changes.changes(), changes.all_detached(result), raised)
        branch.trees = {**changes.trees, RESULT: tree_of(result)}
        branch.code = getattr(block, "__code__", None)
    changes.restore()
    branch.given = dict(recorder.state(InnerLists).given)
    return branch


def run_block(block: Callable) -> tuple[Any, bool]:
    """Runs a block while tracing; returns its result, and whether it always raises.

    An exception of the block is recorded and not raised; errors about staging are raised.
    """
    return blocks.run_block(block, raised)


def raised(error: BaseException) -> bool:
    """Records an exception that leaves a block; the graph raises it."""
    record_raise(error)
    return True


def run_function(function: Callable, changes_objects: Callable[[], bool]) -> Any:
    """Runs a function while tracing; returns its result.

    An exception that ends it is raised at once, unless the run has to come first: if the run prints
    or changes an object before (`changes_objects`), an earlier operation of the run may raise
    another one, the exception contains a staged value, or only the run knows the shapes in its
    message.
    """
    try:
        return function()
    except Diverged:
        return None
    except BaseException as error:
        if not is_of_program(error):
            raise
        refuse_python_errors(error)
        graph = trace.current().graph
        is_later = any(map(has_effect, graph.nodes)) or any(map(_may_fail, walk(graph)))
        failed = trace.current().state(FailedOperation).of(error, trace.current().region)
        shown = error.args, tuple(attributes(error).values())
        if not (is_later or failed or carries_staged(shown) or changes_objects()):
            raise
        record_raise(error)
        return None


def _may_fail(node: Node) -> bool:
    return not node.regions and may_fail(node)


def _too_deep(count):
    return staging_error(
        f"{count} staged branches and loops are nested, and Python's recursion limit is reached",
        "A function calls itself in a staged branch or loop with other Python values or lists of "
        "other lengths each time, so each call is inlined.",
        "Pass staged scalars and arrays, or write it as a loop.",
        RecursionShapeError,
    )


def record_raise(error: BaseException) -> None:
    """Records an exception; staged values among its arguments become operands."""
    if not (comes_from_raise(error) or _comes_from_assert(error) or is_of_operation(error)):
        refuse_in_trial(f"its body raises {type(error).__name__}")
    recorder = trace.current()
    if isinstance(error, RecursionError) and len(recorder.regions) > MOST_REGIONS:
        raise _too_deep(len(recorder.regions))
    refuse_end_of_iteration(error)
    refuse_raise_in_try(type(error))
    refuse_python_errors(error)
    failed = recorder.state(FailedOperation).of(error, recorder.region)
    if failed is not None:
        op, inputs, options = failed
        options = {"op": op.name, **options}
        recorder.record(find("failing"), inputs, options, location=location_of(error))
    operands: list = []
    given, state = constructor_arguments(error)
    attributes = {"error": type(error), "arguments": with_slots(given, operands)}
    if state:
        attributes["state"] = with_slots(tuple(state.items()), operands)
    kinds = (MaybeNone, MaybeNoneObject)
    found = (object_or_none(one) if isinstance(one, kinds) else one for one in operands)
    inputs = tuple(staged(value)._value for value in found)
    recorder.record(find("raise_"), inputs, attributes, location=location_of(error))


def object_or_none(value: MaybeNone | MaybeNoneObject) -> Any:
    """A value that may be None, as the object that a run has."""
    present, nothing = value.__unchecked__(), State((), None, None)
    given = (lambda: asked(itself, None)), (lambda: asked(itself, present))
    return stage_if(value.__is_none__, *given, nothing)


# The functions of the library that raise the exceptions of assertions.
ASSERTIONS: set[CodeType] = set()


def _comes_from_assert(error):
    return any(frame.f_code in ASSERTIONS for frame, _ in walk_tb(error.__traceback__))


def refuse_python_errors(error: BaseException) -> None:
    """Raises `StagingError` if Python itself has raised an exception about a staged value.

    At run time, the value might not cause it.
    """
    if is_about_staged(error):
        raise staging_error(
            "a staged value is used where Python needs its value",
            f"It is known only when the graph runs.  Python says: {in_words(error)}.",
            remedy_of_operator(str(error)),
            ArgumentError,
            where=line_of(error),
        ) from None


def stage_if(
    predicate: Tensor,
    body: Callable | None,
    orelse: Callable | None,
    state: State,
    roots: tuple = (),
    where: Location | None = None,
) -> Any:
    """Records both branches and the `cond` node, and writes its results to their locations.
    `roots` are further objects that the branches may change; `where` replaces the current line.

    Returns the joined result of the blocks.  Raises `StagingError` if a location cannot hold the
    values of both branches.
    """
    recorder, test = trace.current(), staged(predicate)._value
    if recorder is None:
        refuse_elsewhere("a staged bool", staged(predicate)._region)
    decided = decided_truth(test)
    if decided is not None:
        block = body if decided else orelse
        return None if block is None else block()
    changes = GraphMutationTracker(state, body, orelse, roots=roots)
    given = dict(recorder.state(InnerLists).given)
    with known_test(test, True):
        then = record_branch("then", body, changes)
    recorder.state(InnerLists).given = given
    inserted = {} if then.raised else changes.inserted
    with known_test(test, False):
        other = record_branch("orelse", orelse, changes)
    if not other.raised:
        changes.refuse_other_order(inserted)
    locations = dict.fromkeys([*then.found, *other.found])
    rows = {p: _ends(p, then, other) for p in locations}
    rows[RESULT] = _ends_of_result(then, other)
    abstracts = {
        location: _joined(location, rows[location], then.raised, other.raised) for location in rows
    }
    for location in locations:
        if any(end is location.before for end in rows[location]):
            note_kept(location, location.before)
    _note_widenings(abstracts, rows, then, other)
    _end_branches(abstracts, rows, then, other, test)
    choices = choices_at_end(rows, then, other)
    outputs = _record_cond(predicate, then, other, abstracts, choices, where)
    if then.raised and other.raised:
        raise Diverged
    values = {p: DOMAIN.value(abstract, outputs, p.path) for p, abstract in abstracts.items()}
    exported = Choices(outputs, choices)
    values = merge_lists(values, rows)
    held = {p: value for p, value in values.items() if may_share(p, value)}
    values.update(join_aliases(held, rows, predicate, exported))
    register_listed(*(values[p] for p in held if is_listed(*rows[p])))
    opened, is_older = list(values.values()), older_than(changes.heap)
    joins = join_containers(values, then, other, ContainerJoin(is_older, predicate, exported))
    changes.write({location: values[location] for location in locations})
    joins.refresh()
    refresh_all(opened)
    return values[RESULT]


def stage_arms(backend: Any, predicate: Tensor, arms: tuple, orelse: Any, state: State) -> None:
    """Records `if`, `elif`..., `else`, whose first test has a staged value: a branch for each arm,
    in the `else` of the one before it, with the line of its test."""
    (test, body), others = arms[0], arms[1:]

    def otherwise():
        backend.cond_stmt(others[0][0](), others, orelse, state)

    rest = otherwise if others else orelse
    stage_if(predicate, body, rest, state, where=line_of_test(test))


def _note_widenings(abstracts, rows, then, other):
    """Notes the values of branches whose types the join widens."""
    for location, abstract in abstracts.items():
        ends = zip(rows[location], (then.raised, other.raised), strict=True)
        note_widenings(location.path, abstract, [value for value, raised in ends if not raised])


def _end_branches(abstracts, rows, then, other, test):
    """Gives the regions of both branches their outputs: the values of all locations."""
    recorder = trace.current()
    lists = recorder.state(InnerLists)
    for side, branch in enumerate((then, other)):
        lists.given = branch.given
        ends = arrays_at_end({} if branch.raised else branch.found)
        with recorder.reopened(branch.region), known_test(test, branch is then), ends:
            for location, abstract in abstracts.items():
                branch.region.outputs += _region_outputs(
                    location, abstract, rows[location][side], branch, recorder
                )
    lists.given = {**then.given, **other.given}


RESULT = MutableLocation(("result",), "", None, lambda value: None)


def _ends(location, then, other):
    """The values that two branches leave in a location."""
    same = shared(then.tree(location), other.tree(location))
    return tuple(held_at_end(location, branch.found, same) for branch in (then, other))


def _ends_of_result(then, other):
    """The results of two branches; a list that is None on one path stays a name of its place, if
    that is known outside of the branch."""
    ends = then.result, other.result
    is_none = any(end is None for end in ends) and not any(map(is_place_inside, ends))
    if is_none or then.result is other.result:
        return ends
    return tuple(result_at_end(branch.result, branch.found) for branch in (then, other))


def join_containers(values, then, other, joins):
    """Puts the containers of each run into the values that the branches leave in locations."""
    for branch in (then, other):
        if not branch.raised:
            refuse_shared_inside(values, {p: branch.tree(p) for p in {**values, **branch.trees}})
    for location, value in values.items():
        sides = [branch for branch in (then, other) if not branch.raised]
        trees = [branch.tree(location) for branch in sides]
        values[location] = joins.joined(value, trees[0], trees[-1], location.path)
    return joins


def _record_cond(predicate, then, other, abstracts, choices, where):
    """Records the node; an iterator over its results."""
    hints = [location.path for location, value in abstracts.items() for _ in value.types()]
    hints += [""] * len(choices)
    regions = {"then": then.region, "orelse": other.region}
    inputs = (staged(predicate)._value,)
    recorder = trace.current()
    results = recorder.record(find("cond"), inputs, {}, regions, hints, where)
    recorder.region.nodes[-1].bindings = tuple(
        binding
        for role, branch in (("then", then), ("orelse", other))
        for binding in bindings(results, role, branch.lines)
    )
    return iter(results)


def _joined(location, row, *raised):
    """The abstract value of a location after the branches; a branch that raises does not count."""
    known = [value for value, ends in zip(row, raised, strict=True) if not ends] or [None]
    if location.is_slot and len({isinstance(value, Undefined) for value in known}) > 1:
        note_one_sided(location)
        raise one_sided(location)
    one, other = known[0], known[-1]
    if one is other and not any(raised):
        return DOMAIN.known(one)
    try:
        if isinstance(location, ListLocation):
            return DOMAIN.join_lists(one, other, location.element)
        return DOMAIN.join(DOMAIN.abstract(one), DOMAIN.abstract(other))
    except Mismatch as mismatch:
        want_alike(*row)
        raise branch_error(location.path, row, mismatch) from None


def _region_outputs(location, abstract: AbstractValue, value, branch, recorder):
    if branch.raised:
        return [
            recorder.record(find("unreachable"), (), {"type": type})[0] for type in abstract.types()
        ]
    if isinstance(location, ListLocation) and isinstance(value, tuple) and abstract.types():
        elements_of_branch(value)
    binds = location is RESULT or location in branch.found
    line = line_at_end(location, [branch.code] if binds else ())
    with recorder.at_line(line):
        operands = DOMAIN.operands(abstract, value)
    branch.lines += lines_of_constants(operands, line)
    return operands
