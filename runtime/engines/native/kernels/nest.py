"""The loops around the rows of a kernel: addresses, new arrays, reductions.

sizes are compared                      what does not fit leaves the piece
for i in range(n)                       the axes before the row
    for each block of the row           `rows.py`
        reductions take the block
    the reduced value is stored
"""

from runtime.engines.native import arrays
from runtime.engines.native.emitter import Emitter
from runtime.engines.native.exits import Exit
from runtime.engines.native.kernels.counting import Counted, minimum
from runtime.engines.native.kernels.pairwise import Tree
from runtime.engines.native.kernels.plan import Plan, array_type, key_of, patterns
from runtime.engines.native.kernels.reducing import Columns, Reducer, Total
from runtime.engines.native.kernels.reusing import reusable, taken
from runtime.engines.native.kernels.rows import BLOCK, Memory, Row, Stages, element_kind
from runtime.engines.native.kinds import Kind
from runtime.engines.native.view_layout import View, times
from runtime.engines.native.views import view_of
from runtime.ir.graph import Value
from runtime.ir.types import TensorType


class Nest:
    """Writes one kernel."""

    def __init__(
        self,
        emitter: Emitter,
        plan: Plan,
        into: dict[Value, View] | None = None,
        sizes: list[str] | None = None,
    ) -> None:
        self.emitter, self.text, self.plan = emitter, emitter.text, plan
        self.into = into or {}  # memory of results that are no new arrays
        self.outputs = [
            node.output
            for node in plan.nodes
            if node.output in self.into
            or node.output in plan.inside
            and _is_used_elsewhere(emitter, plan, node.output)
        ]
        self.sizes = sizes or self._checked_sizes()
        self.steps = {value: self._steps_of(value) for value in plan.outside}
        self.scalars = self._scalars()

    # -- sizes and steps ---------------------------------------------------------------------------

    def _checked_sizes(self) -> list[str]:
        """The sizes of the kernel; arrays of others leave the piece."""
        found: list[str | None] = [
            str(size) if isinstance(size, int) else None for size in self.plan.shape
        ]
        for value in self.plan.outside:
            kind = array_type(value)
            assert kind is not None
            own = view_of(self.emitter, value, kind).sizes
            skipped = len(found) - len(own)
            for axis, repeated in enumerate(patterns(self.plan.shape, value)):
                if repeated or axis < skipped:
                    continue
                size = own[axis - skipped]
                if found[axis] is None:
                    found[axis] = size
                elif found[axis] != size:
                    differ = self.text.register(f"icmp ne i64 {size}, {found[axis]}")
                    self.text.leave_if(differ, Exit.SHAPE)
        assert None not in found
        return [size for size in found if size is not None]

    def _steps_of(self, value: Value) -> list[str]:
        """The bytes from one element to the next on each axis of the kernel."""
        kind = array_type(value)
        assert kind is not None
        own = view_of(self.emitter, value, kind).steps
        found = ["0"] * (len(self.sizes) - len(own)) + list(own)
        repeated = patterns(self.plan.shape, value)
        return ["0" if r else s for s, r in zip(found, repeated, strict=True)]

    def _scalars(self) -> dict[tuple[object, Kind], str]:
        """The operands that are scalars, in the kinds that they are used in."""
        found: dict[tuple[object, Kind], str] = {}
        for node in self.plan.nodes:
            if node in self.plan.elements:
                kinds = self.plan.elements[node].kinds(node)
            elif node in self.plan.calls:
                kinds = list(self.plan.calls[node].kinds)
            else:
                continue
            for operand, kind in zip(node.inputs, kinds, strict=False):
                if array_type(operand) is None:
                    found[key_of(operand), kind] = self.emitter.scalar(operand, kind)
        return found

    def _product(self, sizes: list[str]) -> str:
        found = "1"
        for size in sizes:
            found = times(self.text, found, size)
        return found

    # -- the kernel --------------------------------------------------------------------------------

    def write(self) -> None:
        split, text = self.plan.split, self.text
        count = self._product(self.sizes[split:])
        bases = {value: self._address(value) for value in self.plan.outside}
        steps = dict(self.steps)
        stages = Stages(self.plan, self.outputs)
        new = [value for value in self.outputs if value not in self.into]
        reused = reusable(self.emitter, self.plan, stages, new, count)
        for value in self.outputs:
            if value in self.into:
                bases[value] = self.into[value].address
                steps[value] = list(self.into[value].steps)
                continue
            if value in reused:
                bases[value] = taken(self.emitter, reused[value], value)
            else:
                bases[value] = self._new(value, self.sizes)
            steps[value] = self._full_steps(element_kind(value), self.sizes)
        reducers = self._reducers(count)
        loops = []
        for axis, size in enumerate(self.sizes[:split]):
            if size == "1":
                continue
            loop = Counted(text, size)
            loops.append((axis, loop))
            for value, address in bases.items():
                offset = times(text, loop.index, steps[value][axis])
                if offset != "0":
                    bases[value] = text.register(f"getelementptr i8, ptr {address}, i64 {offset}")
        for reducer in reducers:
            reducer.begin_row([(axis, loop.index) for axis, loop in loops])
        memory = {value: self._row_memory(value, bases[value], steps[value]) for value in bases}
        self._blocks(stages, memory, count, reducers)
        for reducer in reducers:
            reducer.end_row()
        for _, loop in reversed(loops):
            loop.close()
        for reducer in reducers:
            reducer.finish()
        if text.loops:
            text.count_work(self._product(self.sizes))

    def _address(self, value: Value) -> str:
        kind = array_type(value)
        assert kind is not None
        return view_of(self.emitter, value, kind).address

    def _row_memory(self, value: Value, address: str, steps: list[str]) -> Memory:
        inner = steps[self.plan.split :]
        sizes = self.sizes[self.plan.split :]
        moving = [step for step, size in zip(inner, sizes, strict=True) if size != "1"]
        return Memory(address, moving[-1] if moving else "0", element_kind(value))

    def _full_steps(self, kind: Kind, sizes: list[str]) -> list[str]:
        step, found = str(kind.itemsize), []
        for size in reversed(sizes):
            found.append(step)
            step = times(self.text, step, size)
        return found[::-1]

    def _new(self, value: Value, sizes: list[str]) -> str:
        """A new array for a value; returns the address of its first element."""
        type = value.type
        assert isinstance(type, TensorType)
        made = arrays.allocated(self.emitter, type, sizes)
        unknown = [
            s for s, known in zip(sizes, type.shape, strict=True) if not isinstance(known, int)
        ]
        self.emitter.held[value] = (*made, *unknown)
        self.emitter.ownership.define(value, made[arrays.OBJECT])
        return made[arrays.DATA]

    # -- blocks ------------------------------------------------------------------------------------

    def _blocks(
        self, stages: Stages, memory: dict[Value, Memory], count: str, reducers: list[Reducer]
    ) -> None:
        """Computes a row: at once, in equal blocks, or in those in which NumPy adds."""
        row = Row(self.emitter, stages, self.scalars, {*self.outputs})

        def block(offset: str, size: str) -> None:
            row.write(memory, offset, size)
            for reducer in reducers:
                place, step = row.operand_memory(reducer.node.inputs[0], reducer.kind)
                reducer.take(place, step, offset, size)

        is_short = count.isdigit() and int(count) <= BLOCK
        if is_short or not stages.needs_buffers:
            block("0", count)
            return
        totals = [reducer for reducer in reducers if isinstance(reducer, Total)]
        for total in totals:
            total.in_blocks = True
        if any(total.is_tree for total in totals):
            trees = [total for total in totals if total.is_tree]
            Tree(self.text, count, BLOCK, trees).write(block)
        else:
            loop = Counted(self.text, count, step=str(BLOCK))
            left = self.text.register(f"sub i64 {count}, {loop.index}")
            block(loop.index, minimum(self.text, left, str(BLOCK)))
            loop.close()

    # -- reductions --------------------------------------------------------------------------------

    def _reducers(self, count: str) -> list[Reducer]:
        split = self.plan.split
        found: list[Reducer] = []
        rows = self._product(self.sizes[:split])
        for reduction in self.plan.reductions.values():
            value = reduction.node.output
            kept = self.sizes[split:] if self.plan.by_columns else self.sizes[:split]
            made = None
            if array_type(value) is not None:
                sizes = kept
                if reduction.node.attributes.get("keepdims"):
                    ones = ["1"] * (len(self.sizes) - len(kept))
                    sizes = [*ones, *kept] if self.plan.by_columns else [*kept, *ones]
                made = self._new(value, sizes)
            if self.plan.by_columns:
                assert made is not None
                found.append(Columns(self.text, reduction, made, rows, count))
                continue
            steps = self._full_steps(reduction.kind, kept)
            found.append(Total(self.text, reduction, made, steps, rows, count))
        for reducer in found:
            reducer.start()
        for reducer in found:
            if isinstance(reducer, Total) and reducer.made is None:
                self.emitter.held[reducer.node.output] = (reducer.result,)
        return found


def _is_used_elsewhere(emitter: Emitter, plan: Plan, value: Value) -> bool:
    """Whether anything but the kernel needs a value."""
    inside = sum(node.inputs.count(value) for node in plan.nodes)
    return emitter.ownership.uses.count[value] > inside
