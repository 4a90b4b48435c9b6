"""One row of a kernel: blocks of elements, in stages of own instructions and of inner loops.

    for each block of at most BLOCK elements
        stage 0     v = x - m             in registers, stored to the block's buffer of v
        call        e = exp(v)            NumPy's inner loop, buffer to buffer
        stage 1     w = e * y + 1         ...

A value that a later stage, an inner loop or the caller needs has memory: the array that it becomes,
or a buffer in the cache.  All other values live in registers.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from runtime.engines.native.emitter import Emitter
from runtime.engines.native.kernels.counting import Counted, minimum
from runtime.engines.native.kernels.elements import converted, selected
from runtime.engines.native.kernels.plan import Plan, key_of
from runtime.engines.native.kinds import TRUTH, Kind, kind_of_dtype
from runtime.engines.native.text import Text
from runtime.engines.native.view_layout import moved
from runtime.ir.graph import Node, Operand, Value
from runtime.ir.types import TensorType

BLOCK = 512  # elements: some buffers of them stay in the fastest cache
VECTOR = 64  # bytes
MOST_LANES = 32


@dataclass
class Memory:
    """Where the elements of a value are: the first one's address, and the step in bytes."""

    address: str
    step: str
    kind: Kind

    def part(self, text: Text, offset: str) -> "Memory":
        """The elements from an offset on."""
        return Memory(moved(text, self.address, offset, self.step), self.step, self.kind)


def element_kind(value: Value) -> Kind:
    """The kind of an array's elements."""
    assert isinstance(value.type, TensorType)
    return kind_of_dtype(value.type.dtype)


class Stages:
    """In which stage each value of a plan is computed, and which values need memory.

    casts    operands of inner loops in another kind, with the stage that converts them
    """

    def __init__(self, plan: Plan, outputs: Iterable[Value]) -> None:
        self.plan = plan
        self.level: dict[Value, int] = {}  # of its own instructions, or of its call
        self.ready: dict[Value, int] = {}  # the first stage that may use it
        self.stored: set[Value] = set(outputs)
        self.casts: dict[tuple[Value, Kind], int] = {}
        self.last: dict[object, int] = {}  # the last stage that uses a buffer
        for node in plan.nodes:
            self._place(node)
        self.count = 1 + max([*self.level.values(), 0])
        reduced = any(node.inputs[0] in plan.inside for node in plan.reductions)
        self.needs_buffers = bool(plan.calls or self.casts) or reduced

    def _place(self, node: Node) -> None:
        arrays = [o for o in node.inputs if isinstance(o, Value) and self._is_array(o)]
        level = max((self.ready.get(value, 0) for value in arrays), default=0)
        is_own = node in self.plan.elements
        self.level[node.output] = level
        if is_own:
            self.ready[node.output] = level
            for value in arrays:
                self._keep(value, level)
            return
        self.ready[node.output] = level + 1
        reduction = self.plan.reductions.get(node)
        kinds = reduction.loop.kinds if reduction else self.plan.calls[node].kinds
        if not reduction:
            self.stored.add(node.output)
        for operand, kind in zip(node.inputs, kinds, strict=False):
            if not isinstance(operand, Value) or not self._is_array(operand):
                continue
            value = operand
            if element_kind(value) != kind:
                self.casts.setdefault((value, kind), level)
                self.last[value, kind] = max(self.last.get((value, kind), 0), level)
                self._keep(value, level)
            elif value in self.level:
                self.stored.add(value)
            self.last[value] = max(self.last.get(value, 0), level)

    def _keep(self, value: Value, level: int) -> None:
        """Notes that the instructions of a stage use a value."""
        self.last[value] = max(self.last.get(value, 0), level)
        if value in self.level and self.level[value] != level:
            self.stored.add(value)

    def _is_array(self, value: Value) -> bool:
        return value in self.plan.inside or value in self.plan.outside


class Row:
    """Writes the instructions for the blocks of a row."""

    def __init__(
        self,
        emitter: Emitter,
        stages: Stages,
        scalars: dict[tuple[object, Kind], str],
        outputs: set[Value],
    ) -> None:
        self.emitter, self.text, self.stages = emitter, emitter.text, stages
        self.plan, self.scalars, self.outputs = stages.plan, scalars, outputs
        self.memory: dict[object, Memory] = {}  # of this block
        self._pool: list[str] = []
        self._registers: dict[Value, str] = {}

    def write(self, memory: dict[Value, Memory], offset: str, count: str) -> None:
        """Computes the elements of a block, from an offset on; reductions excluded."""
        self.memory = {value: one.part(self.text, offset) for value, one in memory.items()}
        for stage in range(self.stages.count):
            self._stage(stage, count)
            for node, loop in self.plan.calls.items():
                if self.stages.level[node.output] != stage:
                    continue
                places = [
                    self._place(operand, kind)
                    for operand, kind in zip(node.inputs, loop.kinds, strict=False)
                ]
                result = self._made(node.output, element_kind(node.output))
                loop.call(self.text, [*places, (result.address, result.step)], count)
            self._release(stage)

    def operand_memory(self, operand: Operand, kind: Kind) -> tuple[str, str]:
        """The address and step of a reduction's operand."""
        return self._place(operand, kind)

    # -- memory ------------------------------------------------------------------------------------

    def _place(self, operand: Operand, kind: Kind) -> tuple[str, str]:
        """The address and step of an inner loop's operand."""
        if isinstance(operand, Value) and (found := self.memory.get((operand, kind))) is not None:
            return found.address, found.step
        if isinstance(operand, Value) and (found := self.memory.get(operand)) is not None:
            return found.address, found.step
        place = self.text.local(kind.memory)
        register = self.scalars[key_of(operand), kind]
        if kind == TRUTH:
            register = self.text.register(f"zext i1 {register} to i8")
        self.text.line(f"store {kind.memory} {register}, ptr {place}")
        return place, "0"

    def _made(self, key: object, kind: Kind) -> Memory:
        """The memory of a value that is computed now: an array's, or a buffer."""
        if key not in self.memory:
            buffer = self._pool.pop() if self._pool else self._buffer()
            self.memory[key] = Memory(buffer, str(kind.itemsize), kind)
        return self.memory[key]

    def _buffer(self) -> str:
        name = self.text.fresh()
        self.text.memory.append(f"  {name} = alloca [{8 * BLOCK} x i8], align {VECTOR}")
        return name

    def _release(self, stage: int) -> None:
        """Frees the buffers that no later stage needs; those of reductions stay."""
        reduced = {node.inputs[0] for node in self.plan.reductions}
        for key in [key for key in self.memory if self.stages.last.get(key, stage) == stage]:
            value = key[0] if isinstance(key, tuple) else key
            is_buffer = isinstance(key, tuple) or (
                key in self.plan.inside and key not in self.outputs
            )
            if is_buffer and value not in reduced and key in self.memory:
                self._pool.append(self.memory[key].address)
                del self.memory[key]

    # -- own instructions --------------------------------------------------------------------------

    def _stage(self, stage: int, count: str) -> None:
        """The instructions of one stage: many lanes at once, and the rest one by one."""
        nodes = [n for n in self.plan.elements if self.stages.level[n.output] == stage]
        casts = [pair for pair, level in self.stages.casts.items() if level == stage]
        stored = [n.output for n in nodes if n.output in self.stages.stored]
        if not stored and not casts:
            return
        for value in stored:
            self._made(value, element_kind(value))
        for value, kind in casts:
            self._made((value, kind), kind)
        lanes = lanes_of(self.plan, nodes, casts)
        if any(self.plan.elements[node].is_formula for node in nodes):
            self._overlapping(nodes, casts, lanes, count)
            return
        if not count.isdigit():
            end = self.text.register(f"and i64 {count}, {-lanes}")
        else:
            end = str(int(count) & -lanes)
        if end != "0":
            self._pass(nodes, casts, lanes, "0", end)
        if end != count:
            self._pass(nodes, casts, 1, end, count)

    def _pass(
        self,
        nodes: list[Node],
        casts: list[tuple[Value, Kind]],
        lanes: int,
        start: str,
        end: str,
        last: str | None = None,
    ) -> None:
        loop = Counted(self.text, end, start, str(lanes))
        index = loop.index if last is None else minimum(self.text, loop.index, last)
        self._registers = {}
        for node in nodes:
            self._node(node, index, lanes)
        for value, kind in casts:
            register = self._taken(value, kind, index, lanes)
            self._store(self.memory[value, kind], register, index, lanes)
        loop.close()

    def _overlapping(
        self, nodes: list[Node], casts: list[tuple[Value, Kind]], lanes: int, count: str
    ) -> None:
        """Many lanes at once to the end: the last ones may be computed a second time.

        A formula takes as long for one element as for many, and gives it the same bits.  Memory
        that is written is read by later stages only.
        """
        if count.isdigit():
            width = widest(lanes, int(count))
            self._pass(nodes, casts, width, "0", count, str(int(count) - width))
            return
        widths = [lanes, lanes // 4, 1] if lanes > 4 else [lanes, 1]
        left = "false"  # whether there are too few elements for the widths before
        for width in widths:
            last = self.text.register(f"sub i64 {count}, {width}")
            fits = self.text.register(f"icmp sge i64 {last}, 0")
            end = self.text.register(f"select i1 {fits}, i64 {count}, i64 0")
            if width < lanes:
                end = self.text.register(f"select i1 {left}, i64 {end}, i64 0")
            self._pass(nodes, casts, width, "0", end, last)
            left = self.text.register(f"xor i1 {fits}, true")

    def _node(self, node: Node, index: str, lanes: int) -> None:
        element = self.plan.elements[node]
        kinds = element.kinds(node)
        given = [
            self._taken(operand, kind, index, lanes)
            for operand, kind in zip(node.inputs, kinds, strict=True)
        ]
        kind = kinds[-1].in_lanes(lanes)
        if node.op.name == "where":
            result = selected(self.text, kind, *given)
        else:
            result = element.write(self.text, kind, given)
        self._registers[node.output] = result
        if node.output in self.stages.stored:
            self._store(self.memory[node.output], result, index, lanes)

    def _taken(self, operand: Operand, kind: Kind, index: str, lanes: int) -> str:
        """The register of an operand in a kind."""
        wide = kind.in_lanes(lanes)
        if not isinstance(operand, Value):
            return literal_of(self.scalars[key_of(operand), kind], wide)
        if (operand, kind) in self.scalars:
            return self._spread(self.scalars[key_of(operand), kind], wide)
        if operand not in self._registers:
            self._registers[operand] = self._load(self.memory[operand], index, lanes)
        have = element_kind(operand).in_lanes(lanes)
        return converted(self.text, self._registers[operand], have, wide)

    def _spread(self, register: str, wide: Kind) -> str:
        """A scalar in every lane."""
        if wide.lanes == 1:
            return register
        one = wide.in_lanes(1).register
        first = self.text.register(f"insertelement {wide.register} poison, {one} {register}, i64 0")
        mask = f"<{wide.lanes} x i32> zeroinitializer"
        return self.text.register(
            f"shufflevector {wide.register} {first}, {wide.register} poison, {mask}"
        )

    def _load(self, memory: Memory, index: str, lanes: int) -> str:
        text, kind = self.text, memory.kind.in_lanes(lanes)
        one = memory.kind
        if memory.step == str(one.itemsize):
            where = moved(text, memory.address, index, memory.step)
            found = text.register(f"load {kind.memory}, ptr {where}, align {one.itemsize}")
        elif memory.step == "0":
            found = text.register(f"load {one.memory}, ptr {memory.address}, align {one.itemsize}")
            if one == TRUTH:
                return self._spread(text.register(f"icmp ne i8 {found}, 0"), kind)
            return self._spread(found, kind)
        else:
            found = self._gathered(memory, index, lanes)
        if one == TRUTH:
            zero = "0" if lanes == 1 else "zeroinitializer"
            return text.register(f"icmp ne {kind.memory} {found}, {zero}")
        return found

    def _gathered(self, memory: Memory, index: str, lanes: int) -> str:
        """Elements that are not next to each other."""
        text, type = self.text, memory.kind.in_lanes(lanes).memory
        found = "poison"
        for lane in range(lanes):
            place = index if not lane else text.register(f"add i64 {index}, {lane}")
            where = moved(text, memory.address, place, memory.step)
            align = memory.kind.itemsize
            one = text.register(f"load {memory.kind.memory}, ptr {where}, align {align}")
            if lanes == 1:
                return one
            found = text.register(
                f"insertelement {type} {found}, {memory.kind.memory} {one}, i64 {lane}"
            )
        return found

    def _store(self, memory: Memory, register: str, index: str, lanes: int) -> None:
        kind = memory.kind.in_lanes(lanes)
        if memory.kind == TRUTH:
            register = self.text.register(f"zext {kind.truth} {register} to {kind.memory}")
        where = moved(self.text, memory.address, index, memory.step)
        align = memory.kind.itemsize
        if lanes > 1 and memory.step != str(align):
            self._scatter(memory, register, where, lanes)
            return
        self.text.line(f"store {kind.memory} {register}, ptr {where}, align {align}")

    def _scatter(self, memory: Memory, register: str, where: str, lanes: int) -> None:
        """Stores elements that are not next to each other, from an address on."""
        text, type = self.text, memory.kind.in_lanes(lanes).memory
        for lane in range(lanes):
            one = text.register(f"extractelement {type} {register}, i64 {lane}")
            place = moved(text, where, str(lane), memory.step)
            align = memory.kind.itemsize
            text.line(f"store {memory.kind.memory} {one}, ptr {place}, align {align}")


def lanes_of(plan: Plan, nodes: list[Node], casts: list[tuple[Value, Kind]]) -> int:
    """How many elements the instructions of a stage compute at once."""
    kinds = [kind for _, kind in casts]
    for node in nodes:
        kinds += [element_kind(node.output), *plan.elements[node].kinds(node)]
    is_slow = any(plan.elements[node].is_formula for node in nodes)
    size = (
        2 * VECTOR if is_slow else VECTOR
    )  # while one vector's formula waits, the other's goes on
    return min(MOST_LANES, size // max(kind.itemsize for kind in kinds))


def widest(lanes: int, count: int) -> int:
    """The number of lanes that computes a row of functions, the last ones perhaps twice."""
    return max(width for width in (lanes, lanes // 2, lanes // 4, 1) if width <= max(count, 1))


def is_computed_once(stages: Stages, stage: int, count: str) -> bool:
    """Whether each element of a row of a size is computed once in a stage."""
    nodes = [node for node in stages.plan.elements if stages.level[node.output] == stage]
    if not any(stages.plan.elements[node].is_formula for node in nodes):
        return True
    if not count.isdigit() or stages.needs_buffers and int(count) > BLOCK:
        return False
    casts = [pair for pair, level in stages.casts.items() if level == stage]
    return int(count) % widest(lanes_of(stages.plan, nodes, casts), int(count)) == 0


def literal_of(constant: str, wide: Kind) -> str:
    """A constant in every lane."""
    if wide.lanes == 1:
        return constant
    return f"splat ({wide.in_lanes(1).register} {constant})"
