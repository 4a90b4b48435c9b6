"""Arrays that a loop writes into, without a look at their owners at each write.

    first:
        x_0 = x, or a copy if x has another owner
    body:
        x_1 = phi [x_0, first], [x_2, body]     no other value owns it
        store 1.0, x_1[i]                       no test, no copy

A write looks whether its array has another owner, and copies it then (`arrays.py`).  For a variable
of a loop that is written into, this is done once, before the first iteration; at the end of an
iteration only if its contents may have another owner then.
"""

from runtime.analyses.liveness import Uses
from runtime.engines.native import arrays
from runtime.engines.native.emitter import Emitter
from runtime.engines.native.storage import Objects
from runtime.ir.graph import Node, Operand, Value
from runtime.ir.regions import Carried, carried, is_choice, is_loop
from runtime.ir.types import TensorType, is_array


class Rewritten:
    """The variables of a loop that are the only owners of their arrays in each iteration.

    A copy before the loop takes the place of one in the first iteration, so a start that may have
    another owner is allowed only where each iteration writes.
    """

    def __init__(self, emitter: Emitter, node: Node) -> None:
        self.emitter = emitter
        self.variables: dict[int, Carried] = {}
        self.sole_starts: set[int] = set()
        if not isinstance(emitter.storage, Objects):
            return
        owners = emitter.ownership
        for place, one in enumerate(carried(node)):
            kind = one.given.type
            if not (is_array(kind) and isinstance(kind, TensorType) and kind.ndim):
                continue
            always = _writes(one.end, one.given, owners.uses)
            is_sole = one.start in owners.sole and owners.is_last_use(one.start, node)
            if is_sole:
                self.sole_starts.add(place)
            if always or always is not None and is_sole:
                self.variables[place] = one

    def owned(self, values: list[list[str]], are_sole: list[bool] | None = None) -> list[list[str]]:
        """The registers of the variables of the next iteration: of arrays that have no other owner.

        Without `are_sole`, the next iteration is the first.
        """
        found = list(values)
        for place, one in self.variables.items():
            is_sole = place in self.sole_starts if are_sole is None else are_sole[place]
            if not is_sole:
                found[place] = _owned(self.emitter, one.given, values[place])
            self.emitter.ownership.sole.add(one.given)
        return found

    def leave(self) -> None:
        """Notes the facts that hold after the loop, which may have had no iteration."""
        for place, one in self.variables.items():
            if place in self.sole_starts:
                self.emitter.ownership.sole.add(one.result)


def _writes(end: Operand, given: Value, uses: Uses) -> bool | None:
    """Whether contents come from a variable by writes at each iteration; None if not by writes."""
    if end is given:
        return False
    node = uses.makers.get(end) if isinstance(end, Value) else None
    if node is None:
        return None
    if node.op.updates is not None:
        before = _writes(node.inputs[node.op.updates], given, uses)
        return None if before is None else True
    if not is_choice(node) and not is_loop(node):
        return None
    place = node.outputs.index(end)
    if is_choice(node):
        ways = [_writes(r.outputs[place], given, uses) for r in node.regions.values()]
        return None if None in ways else all(ways)
    one = carried(node)[place]
    before, inside = _writes(one.start, given, uses), _writes(one.end, one.given, uses)
    return None if before is None or inside is None else before or inside


def _owned(emitter: Emitter, given: Value, registers: list[str]) -> list[str]:
    """The registers of an array that a variable holds, or of a copy if it has another owner."""
    kind, owners = given.type, emitter.ownership
    assert isinstance(kind, TensorType)
    emitter.held[given] = tuple(registers)
    found = arrays.sole(emitter, given, kind)
    owners.define(given, found[arrays.OBJECT])
    return [*found, *registers[arrays.FIRST_SIZE :]]
