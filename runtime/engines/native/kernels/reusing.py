"""Results of kernels in the memory of operands that nothing reads any more.

    x = x * a + b        in a loop: x is overwritten, and no array is made

An operand gives its memory to a result of the same type if no other value, view or owner sees it,
and if the kernel reads each of its elements before it stores the result's.
"""

from runtime.engines.native import arrays
from runtime.engines.native.emitter import Emitter
from runtime.engines.native.kernels.plan import Plan, array_type
from runtime.engines.native.kernels.rows import Stages, is_computed_once
from runtime.engines.native.storage import Objects
from runtime.ir.graph import Node, Value


def reusable(
    emitter: Emitter, plan: Plan, stages: Stages, outputs: list[Value], count: str
) -> dict[Value, Value]:
    """The operand of a kernel whose memory each of its results may take; rows have a size."""
    found: dict[Value, Value] = {}
    if not isinstance(emitter.storage, Objects):
        return found
    makers = plan.makers()
    for output in outputs:
        maker = makers[output]
        if maker not in plan.elements or not is_computed_once(stages, stages.level[output], count):
            continue
        for operand in plan.outside:
            if (
                operand not in found.values()
                and _is_dead(emitter, plan, operand, output)
                and _is_read_before(plan, stages, operand, maker)
            ):
                found[output] = operand
                break
    return found


def _is_dead(emitter: Emitter, plan: Plan, operand: Value, output: Value) -> bool:
    """Whether an operand is an array of a result's type that nothing uses after the kernel."""
    kind, owners = array_type(operand), emitter.ownership
    if operand not in plan.outside or kind is None or kind != array_type(output):
        return False
    if not all(isinstance(size, int) for size in kind.shape):
        return False
    if operand in emitter.views or owners.views.get(operand):
        return False
    last = [node for node in plan.nodes if operand in node.inputs][-1]
    return not owners.uses.is_live_after(operand, last)


def _is_read_before(plan: Plan, stages: Stages, operand: Value, maker: Node) -> bool:
    """Whether a kernel reads an operand's elements before a node stores those of its result.

    In one stage, the first node that reads an element loads it for all others.
    """
    if any(operand is cast for cast, _ in stages.casts):
        return False
    level, is_loaded = stages.level[maker.output], False
    for place, node in enumerate(plan.nodes):
        if operand not in node.inputs:
            continue
        own = stages.level[node.output]
        if node in plan.reductions or own > level:  # reductions follow all stages
            return False
        if own == level:
            is_loaded |= place <= plan.nodes.index(maker)
            if node not in plan.elements or not is_loaded:
                return False
    return True


def taken(emitter: Emitter, operand: Value, output: Value) -> str:
    """Makes a result the array of an operand, or a new one if that has another owner; returns the
    address of its first element."""
    text, owners, kind = emitter.text, emitter.ownership, array_type(output)
    assert kind is not None
    held = emitter.held[operand]
    same, other, join = (text.label(stem) for stem in ("taken", "shared", "joined"))
    count = text.register(f"load i32, ptr {held[arrays.OBJECT]}")
    is_own = text.register(f"icmp eq i32 {count}, 1")
    text.line(f"br i1 {is_own}, label %{same}, label %{other}")
    text.start(other)
    made = arrays.allocated(emitter, kind, [str(size) for size in kind.shape])
    block = text.block
    text.line(f"br label %{join}")
    text.start(same)
    text.line(f"store ptr null, ptr {owners.slot(operand)}")
    text.line(f"br label %{join}")
    text.start(join)
    parts = tuple(
        text.register(f"phi ptr [{held[i]}, %{same}], [{made[i]}, %{block}]")
        for i in (arrays.OBJECT, arrays.DATA)
    )
    emitter.held[output] = parts
    owners.define(output, parts[arrays.OBJECT])
    return parts[arrays.DATA]
