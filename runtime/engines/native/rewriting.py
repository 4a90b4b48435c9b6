"""Arrays and lists that a loop writes into, without a look at their owners at each write.

    first:
        x_0 = x, or a copy if x has another owner
    body:
        x_1 = phi [x_0, first], [x_2, body]     no other value owns it
        store 1.0, x_1[i]                       no test, no copy

A write looks whether its array has another owner, and copies it then (`arrays.py`).  For a variable
of a loop that is written into, this is done once, before the first iteration; at the end of an
iteration only if its contents may have another owner then.  A list to which each iteration appends
gets room for all of them at once, if the loop counts; if the loop does not end before its count
does, no iteration looks whether there is room.
"""

from runtime.analyses.liveness import Uses
from runtime.analyses.loop_counters import Limit, limit_of
from runtime.engines.native import arrays, list_memory
from runtime.engines.native.emitter import Emitter
from runtime.engines.native.exits import Exit
from runtime.engines.native.kernels.counting import minimum
from runtime.engines.native.kinds import INTEGER, is_list, kind_of
from runtime.engines.native.list_elements import itemsize
from runtime.engines.native.storage import Objects
from runtime.ir.graph import Node, Operand, Value, operand_type
from runtime.ir.regions import Carried, carried, is_choice, is_loop
from runtime.ir.types import ListType, TensorType, is_array

MOST_RESERVED = 1 << 20  # bytes of a list: a loop may end before its count does


class Rewritten:
    """The variables of a loop that are the only owners of their arrays in each iteration.

    A copy before the loop takes the place of one in the first iteration, so a start that may have
    another owner is allowed only where each iteration writes.
    """

    def __init__(self, emitter: Emitter, node: Node) -> None:
        self.emitter, self.node = emitter, node
        self.variables: dict[int, Carried] = {}
        self.sole_starts: set[int] = set()
        if not isinstance(emitter.storage, Objects):
            return
        owners = emitter.ownership
        for place, one in enumerate(carried(node)):
            kind = one.given.type
            has_axes = is_array(kind) and isinstance(kind, TensorType) and bool(kind.ndim)
            if not has_axes and not is_list(kind):
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
        found, sole = list(values), self.emitter.ownership.sole
        for place, one in self.variables.items():
            is_sole = place in self.sole_starts if are_sole is None else are_sole[place]
            room, many = self._room(one) if are_sole is None else ("0", 0)
            # What was true of the iteration before says nothing about the contents of the next one.
            (sole.add if is_sole else sole.discard)(one.given)
            if not is_sole or room != "0":
                found[place] = _owned(self.emitter, one.given, values[place], room)
            sole.add(one.given)
            if many:
                self.emitter.ownership.room[one.given] = many
        return found

    def _room(self, one: Carried) -> tuple[str, int]:
        """How many elements the iterations will append to a list, 0 if that is not known; and how
        many each of them has room for then."""
        uses, kind = self.emitter.ownership.uses, one.given.type
        limit, many = limit_of(self.node, uses), _appended(one.end, one.given, uses)
        if limit is None or not many or not isinstance(kind, ListType):
            return "0", 0
        if any(kind_of(operand_type(end)) != INTEGER for end in (limit.low, limit.high)):
            return "0", 0
        if not limit.is_exact:
            return self._room_of_some(limit, many, itemsize(kind.element)), 0
        text, count = self.emitter.text, self._distance(limit)
        if limit.step > 1:
            before_last = text.register(f"sub i64 {count}, 1")
            steps = text.register(f"udiv i64 {before_last}, {limit.step}")
            count = text.register(f"add i64 {steps}, 1")
        is_too_long = text.register(f"icmp ugt i64 {count}, {list_memory.MOST // many}")
        text.leave_if(is_too_long, Exit.MEMORY)
        return text.register(f"mul i64 {count}, {many}"), many

    def _distance(self, limit: Limit) -> str:
        """From the first number of a loop's counter to its end, as an integer without a sign."""
        low, high = (self.emitter.scalar(end, INTEGER) for end in (limit.low, limit.high))
        return self.emitter.text.register(f"sub i64 {high}, {low}")

    def _room_of_some(self, limit: Limit, many: int, size: int) -> str:
        """How many elements the iterations of a loop append that may end early: at most those that
        little memory has room for."""
        text, count = self.emitter.text, self._distance(limit)
        is_less = text.register(f"icmp ult i64 {count}, {MOST_RESERVED}")
        count = text.register(f"select i1 {is_less}, i64 {count}, i64 {MOST_RESERVED}")
        room = text.register(f"mul i64 {count}, {many}")
        return minimum(text, room, str(MOST_RESERVED // max(1, size)))

    def leave(self) -> None:
        """Notes the facts that hold after the loop, which may have had no iteration."""
        for place, one in self.variables.items():
            if place in self.sole_starts:
                self.emitter.ownership.sole.add(one.result)


def keep_sizes(emitter: Emitter, node: Node, starts: list[list[str]]) -> None:
    """Gives the variables of a loop whose arrays are only written into the sizes of their starts,
    which the code before the loop knows."""
    first = arrays.FIRST_SIZE
    for one, start in zip(carried(node), starts, strict=True):
        has_sizes = is_array(one.given.type) and len(start) > first
        if has_sizes and _writes(one.end, one.given, emitter.ownership.uses) is not None:
            held = emitter.held[one.given]
            emitter.held[one.given] = (*held[:first], *start[first:])


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


def _appended(end: Operand, given: Value, uses: Uses) -> int:
    """How many elements each iteration appends to a list; 0 if it changes in another way, too."""
    count = 0
    while end is not given:
        node = uses.makers.get(end) if isinstance(end, Value) else None
        if node is None or node.op.name != "list_append":
            return 0
        end, count = node.inputs[0], count + 1
    return count


def _owned(emitter: Emitter, given: Value, registers: list[str], room: str) -> list[str]:
    """The registers of an array or list that a variable holds, or of a copy if it has another owner
    or no room for more elements."""
    kind, owners = given.type, emitter.ownership
    emitter.held[given] = tuple(registers)
    if isinstance(kind, ListType):
        grown = list_memory.sole(emitter, given, kind.element, room)
        owners.define(given, grown.object)
        return list(grown)
    assert isinstance(kind, TensorType)
    found = arrays.sole(emitter, given, kind)
    owners.define(given, found[arrays.OBJECT])
    return [*found, *registers[arrays.FIRST_SIZE :]]
