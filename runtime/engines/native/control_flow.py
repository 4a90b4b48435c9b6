"""Lowerings of control flow: `cond` is two blocks that meet, `loop` is a block that follows itself.

    br p, body, exit                   the test before the loop
    body:
        x = phi [start], [end]
        ...
        br q, body, exit               the test at its end
    exit:
        y = phi [start], [end]

Every iteration counts down; at zero, Python looks for signals, so that Ctrl-C ends a loop, and lets
other threads run from time to time.
"""

from collections.abc import Sequence

from runtime.analyses.loop_counters import limit_of
from runtime.engines.native import arrays
from runtime.engines.native.emitter import Emitter
from runtime.engines.native.endings import effect_of, is_left
from runtime.engines.native.exits import Exit
from runtime.engines.native.kinds import (
    INTEGER,
    TRUTH,
    NotLowered,
    components,
    is_counted,
    is_scalar,
    kind_of,
    zeros,
)
from runtime.engines.native.lowering import lowers
from runtime.engines.native.rewriting import Rewritten, keep_sizes
from runtime.engines.native.storage import Objects
from runtime.engines.native.text import literal
from runtime.engines.native.work import is_scalar_code
from runtime.ir.graph import Graph, Node, Operand, Value, operand_type
from runtime.ir.types import is_array

POLLED = 1 << 14  # iterations between two looks for signals: some ten microseconds


@lowers("cond")
def cond(emitter: Emitter, node: Node) -> None:
    if all(map(_is_cheap, node.regions.values())):
        select(emitter, node)
        return
    text = emitter.text
    then, orelse, join = (text.label(stem) for stem in ("then", "else", "join"))
    predicate = emitter.scalar(node.inputs[0], TRUTH)
    text.line(f"br i1 {predicate}, label %{then}, label %{orelse}")
    ways, soles, known = [], [], []
    for label, name in ((then, "then"), (orelse, "orelse")):
        text.start(label)
        inside = node.regions[name].nodes
        raising = next((one for one in inside if one.op.name == "raise_"), None)
        is_object_code = isinstance(emitter.storage, Objects)  # NumPy's program is beside it
        if is_object_code and is_left(node, node.regions[name], emitter.ownership.uses):
            raising = effect_of(node.regions[name])
        if raising is not None:
            text.node = raising
            text.leave(Exit.RAISED)
            found = [zeros(value.type) for value in node.outputs]
        else:
            with emitter.facts.scope():
                emitter.facts.enter_branch(node.inputs[0], name == "then")
                emitter.nodes(inside)
                found = emitter.outputs(node.regions[name], node.outputs)
                known.append(emitter.facts.ends(node.regions[name].outputs))
            soles.append(emitter.ownership.pass_outputs(node.regions[name], node))
        ways.append((text.block, found))
        text.line(f"br label %{join}")
    text.start(join)
    _meet(emitter, node.outputs, ways)
    emitter.facts.meet(node.outputs, known)
    are_sole = zip(node.outputs, *soles, strict=True)
    emitter.ownership.sole.update(value for value, *way in are_sole if way and all(way))


# Both sides of a branch are computed if neither has more operations: a branch that the processor
# predicts wrongly takes longer.
MOST_COMPUTED = 4


def _is_cheap(region: Graph) -> bool:
    """Whether a region holds a few operations on integers, which neither raise nor set flags."""
    scalars = all(is_scalar(operand_type(operand)) for operand in region.outputs)
    few = len(region.nodes) <= MOST_COMPUTED
    return few and scalars and all(map(_is_integer_operation, region.nodes))


def _is_integer_operation(node: Node) -> bool:
    traits, operands = node.op.traits, (*node.inputs, *node.outputs)
    if not traits.integer_arithmetic and not traits.comparison:
        return False
    if traits.raises and not (type(node.inputs[1]) is int and node.inputs[1] > 0):
        return False
    types = map(operand_type, operands)
    return all(is_scalar(type) and kind_of(type).family in "biu" for type in types)


def select(emitter: Emitter, node: Node) -> None:
    """Writes both regions of a `cond` one after the other; the predicate selects the results."""
    text, outer = emitter.text, emitter.text.guard
    predicate = emitter.scalar(node.inputs[0], TRUTH)
    found, known = [], []
    for name, guard in (("then", predicate), ("orelse", f"xor i1 {predicate}, true")):
        holds = guard if name == "then" else text.register(guard)
        text.guard = holds if outer is None else text.register(f"and i1 {outer}, {holds}")
        with emitter.facts.scope():
            emitter.facts.enter_branch(node.inputs[0], name == "then")
            emitter.nodes(node.regions[name].nodes)
            found.append(emitter.outputs(node.regions[name], node.outputs))
            known.append(emitter.facts.ends(node.regions[name].outputs))
        text.guard = outer
    emitter.facts.meet(node.outputs, known)
    for value, then, orelse in zip(node.outputs, *found, strict=True):
        emitter.held[value] = tuple(
            text.register(f"select i1 {predicate}, {type} {one}, {type} {other}")
            for type, one, other in zip(components(value.type), then, orelse, strict=True)
        )


@lowers("loop")
def loop(emitter: Emitter, node: Node) -> None:
    text, region = emitter.text, node.regions["body"]
    text.gains_from_passes |= is_scalar_code(region)
    rewritten = Rewritten(emitter, node)
    body, leaves = text.label("body"), text.label("exit")
    starts = [
        [r for _, r in emitter.registers(start, given.type)]
        for start, given in zip(node.inputs[1:], region.inputs, strict=True)
    ]
    for start, given in zip(node.inputs[1:], region.inputs, strict=True):
        _pass_start(emitter, node, start, given)
    left = _limit(emitter, node)
    predicate = emitter.scalar(node.inputs[0], TRUTH)
    before, first = text.block, text.label("first")
    text.line(f"br i1 {predicate}, label %{first}, label %{leaves}")
    text.start(first)
    facts, intervals = emitter.facts, [emitter.facts.ends(node.inputs[1:])]
    with facts.scope():
        facts.enter_branch(node.inputs[0], True)
        # Without a NumPy program beside it, code must tell which of two unusual cases came first.
        moved = _invariant(region) if isinstance(emitter.storage, Objects) else []
        text.loops += 1
        emitter.nodes(moved)
        text.loops -= 1
        first_values = rewritten.owned(starts)
        entered = text.block
        text.line(f"br label %{body}")
        text.start(body)
        variables = emitter.variables(region.inputs)
        keep_sizes(emitter, node, starts)
        facts.enter_loop(node)
        place = len(text.lines)
        _count(emitter, left)
        text.loops += 1
        emitter.nodes(node for node in region.nodes if node not in moved)
        text.loops -= 1
        ends = emitter.outputs(region, region.inputs, skipped=1)
        again = emitter.scalar(region.outputs[0], TRUTH)
        intervals.append(facts.ends(region.outputs[1:]))
    are_sole = emitter.ownership.pass_outputs(region, node, skipped=1)
    for given, end in zip(region.inputs, ends, strict=True):
        if is_counted(given.type):
            emitter.ownership.define(given, end[0])
    ends = rewritten.owned(ends, are_sole)
    after, latch = _end(emitter, node, again, (body, leaves))
    ways = (entered, first_values), (latch, ends)
    text.lines[place:place] = _variables(region.inputs, variables, ways)
    text.start(leaves)
    _meet(emitter, node.outputs, [(before, starts), (after, ends)])
    facts.meet(node.outputs, intervals)
    for given in region.inputs:
        if is_counted(given.type):
            emitter.ownership.forget(given)
    rewritten.leave()


def _end(emitter: Emitter, node: Node, again: str, ways: tuple[str, str]) -> tuple[str, str]:
    """Writes the end of an iteration, after which control goes to the next one, or leaves; returns
    the blocks from which it leaves, and from which it goes on."""
    text, (body, leaves) = emitter.text, ways
    limit, latch = limit_of(node, emitter.ownership.uses), text.label("next")
    if limit is not None and limit.is_exact:  # LLVM writes the test of the counter where it is used
        look_for_signals(emitter)
        text.line(f"br i1 {again}, label %{body}, label %{leaves}")
        return text.block, text.block
    after = text.block
    text.line(f"br i1 {again}, label %{latch}, label %{leaves}")
    text.start(latch)
    look_for_signals(emitter)
    text.line(f"br label %{body}")
    return after, text.block


def _variables(
    values: Sequence[Value],
    variables: list[tuple[str, ...]],
    ways: tuple[tuple[str, list[list[str]]], tuple[str, list[list[str]]]],
) -> list[str]:
    """The lines that give a loop's variables their registers of the iteration before."""
    (entered, starts), (after, ends) = ways
    return [
        f"  {register} = phi {type} [{start}, %{entered}], [{end}, %{after}]"
        for value, registers, first, last in zip(values, variables, starts, ends, strict=True)
        for type, register, start, end in zip(
            components(value.type), registers, first, last, strict=True
        )
    ]


def _invariant(region: Graph) -> list[Node]:
    """The nodes of a loop's body that compute the same scalars in each iteration.

    They are computed once, if there is an iteration: where one of them meets something unusual, it
    would in the first iteration, too, and the piece is left, wherever the node is in the body.
    """
    changing, found = set(region.inputs), []
    for node in region.nodes:
        if _is_invariant(node, changing):
            found.append(node)
        else:
            changing.update(node.outputs)
    return found


def _is_invariant(node: Node, changing: set[Value]) -> bool:
    operands = (*node.inputs, *node.outputs)
    if node.regions or node.op.effect is not None or node.op.updates is not None:
        return False
    if not node.inputs or not changing.isdisjoint(node.inputs):
        return False
    return all(is_scalar(operand_type(operand)) for operand in operands)


def _pass_start(emitter: Emitter, node: Node, start: Operand, given: Value) -> None:
    """Gives a loop's variable a reference to the array that it starts with."""
    if isinstance(start, Value) and is_counted(start.type):
        owners = emitter.ownership
        reference = emitter.held[start][0]
        owners.pass_on(start, owners.is_last_use(start, node), owners.uses.place(node)[0])
        owners.define(given, reference)


def _meet(
    emitter: Emitter, values: tuple[Value, ...], ways: list[tuple[str, list[list[str]]]]
) -> None:
    """Defines values by the block that control comes from."""
    variables = emitter.variables(values)
    for i, (value, registers) in enumerate(zip(values, variables, strict=True)):
        for j, type in enumerate(components(value.type)):
            found = ", ".join(f"[{way[i][j]}, %{block}]" for block, way in ways)
            emitter.text.line(f"{registers[j]} = phi {type} {found}")
        if is_array(value.type):
            first, *others = ([*way[i][arrays.FIRST_SIZE :]] for _, way in ways)
            if all(sizes == first for sizes in others):  # they are known before these blocks
                emitter.held[value] = (*registers[: arrays.FIRST_SIZE], *first)
    for value, registers in zip(values, variables, strict=True):
        if is_counted(value.type):
            emitter.ownership.define(value, registers[0])


def _limit(emitter: Emitter, node: Node) -> str | None:
    """The memory that counts the iterations left, if the user has set a maximum."""
    most = node.attributes.get("max_iterations")
    if most is None:
        return None
    left = emitter.text.local("i64")
    emitter.text.line(f"store i64 {literal(INTEGER, min(most, INTEGER.high))}, ptr {left}")
    return left


def _count(emitter: Emitter, left: str | None) -> None:
    """Leaves the piece if no iteration is left: the NumPy program raises."""
    if left is None:
        return
    text = emitter.text
    now = text.register(f"load i64, ptr {left}")
    text.leave_if(text.register(f"icmp sle i64 {now}, 0"), Exit.ITERATIONS)
    text.line(f"store i64 {text.register(f'sub i64 {now}, 1')}, ptr {left}")


def look_for_signals(emitter: Emitter) -> None:
    """Counts an iteration; after some, handles signals."""
    text = emitter.text
    if not text.looks_for_signals:
        return
    text.polls = True
    now = text.register("load i64, ptr %polls")
    fewer = text.register(f"sub i64 {now}, 1")
    text.line(f"store i64 {fewer}, ptr %polls")
    look, going_on = text.label("look"), text.label("on")
    is_due = text.register(f"icmp sle i64 {fewer}, 0")
    text.line(f"br i1 {is_due}, label %{look}, label %{going_on}, !prof !0")
    text.start(look)
    text.line(f"store i64 {POLLED}, ptr %polls")
    failed = text.register("call i32 @look()")
    is_raised = text.register(f"icmp ne i32 {failed}, 0")
    text.line(f"br i1 {is_raised}, label %raised, label %{going_on}, !prof !0")
    text.start(going_on)


@lowers("raise_")
def raise_(emitter: Emitter, node: Node) -> None:
    emitter.text.leave(Exit.RAISED)


@lowers("assert_")
def assert_(emitter: Emitter, node: Node) -> None:
    kind = kind_of(operand_type(node.inputs[0]))
    holds = emitter.converted(emitter.own(node.inputs[0]), kind, TRUTH)
    emitter.text.leave_if(emitter.text.register(f"xor i1 {holds}, true"), Exit.RAISED)


@lowers("observed", "written")
def observed(emitter: Emitter, node: Node) -> None:
    """Nothing: code that raises leaves the piece, and NumPy's program computes and reports."""


@lowers("unreachable", "zero")
def never_read(emitter: Emitter, node: Node) -> None:
    if is_counted(node.output.type):
        raise NotLowered("a variable that may hold no array or list has no machine code")
    emitter.held[node.output] = tuple(zeros(node.output.type))
