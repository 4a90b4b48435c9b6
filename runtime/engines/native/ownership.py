"""Which arrays a piece owns: counted references, moved where a value is used for the last time.

    slot of x       the reference that x owns, or null once it has been moved

Each array of a piece is an object of NumPy, and each value that stands for it owns a reference.  A
value that is dead after a use gives its reference to the new owner; other uses count one more.  So
an op may write into an array where the count is 1 and the value is dead: no other owner sees it.
Arrays that enter the piece have an owner outside, and are never written into.

A way out of the piece drops the references in all slots.
"""

from runtime.analyses.liveness import Uses
from runtime.engines.native.kinds import is_counted
from runtime.engines.native.text import Text
from runtime.ir.graph import Graph, Node, Operand, Value

# LLVM holds the first slots in registers.  The ways out join the registers of all slots, which
# takes quadratic time for many: stores to the others are volatile, so they stay in memory.
MOST_IN_REGISTERS = 16


class Ownership:
    """The references of the arrays in one piece."""

    def __init__(self, text: Text, uses: Uses) -> None:
        self.text, self.uses = text, uses
        self.slots: dict[Value, str] = {}
        self.in_memory: set[Value] = set()  # values whose slots LLVM does not hold in registers
        self.moved: set[Value] = set()  # values that have no reference at the end of their region
        self.sole: set[Value] = set()  # arrays that no other value owns, as far as it is known
        self.room: dict[Value, int] = {}  # how many more elements each of some lists has room for
        self.views: dict[Value, list[Value]] = {}  # of each array
        self.held: dict[Value, tuple[str, ...]] = {}  # the emitter's registers

    def slot(self, value: Value) -> str:
        """The memory of the reference that a value owns."""
        if value not in self.slots:
            self.slots[value] = self.text.local("ptr")
            self.text.slots.append(self.slots[value])
            if len(self.text.slots) > MOST_IN_REGISTERS:
                self.in_memory.add(value)
        return self.slots[value]

    def _store(self, reference: str, value: Value) -> None:
        slot = self.slot(value)
        store = "store volatile" if value in self.in_memory else "store"
        self.text.line(f"{store} ptr {reference}, ptr {slot}")

    def define(self, value: Value, reference: str) -> None:
        """Gives a value a reference of its own."""
        self._store(reference, value)

    def share(self, reference: str) -> None:
        """Counts one more reference."""
        self.text.line(f"call void {self.text.counts_one_more}(ptr {reference})")
        self.counts()

    def counts(self) -> None:
        """Notes that the text counts references."""
        self.text.uses_references = True

    def forget(self, value: Value, by: Graph | None = None) -> None:
        """Notes that a value's reference has been moved, by a node of some region."""
        if by is self.uses.home.get(value):
            self.moved.add(value)
        self._store("null", value)

    def drop(self, value: Value) -> None:
        """Gives up the reference of a value, if it still has one."""
        text = self.text
        reference = text.register(f"load ptr, ptr {self.slot(value)}")
        dropped, kept = text.label("drop"), text.label("dropped")
        none = text.register(f"icmp eq ptr {reference}, null")  # LLVM often knows that
        text.line(f"br i1 {none}, label %{kept}, label %{dropped}")
        text.start(dropped)
        text.line(f"call void @drop(ptr {reference})")
        text.line(f"br label %{kept}")
        text.start(kept)
        self._store("null", value)
        text.uses_references = True

    def is_last_use(self, value: Value, node: Node) -> bool:
        """Whether a node may take the reference of its operand."""
        twice = node.inputs.count(value) > 1 or value in self.uses.inside(node)
        if twice or self.uses.is_live_after(value, node):
            return False
        return all(
            view not in node.inputs
            and view not in self.uses.inside(node)
            and self.is_last_use(view, node)
            for view in self.views.get(value, ())
        )

    def pass_on(self, operand: Operand, is_last: bool, by: Graph | None = None) -> None:
        """Makes a reference to an array for a new owner: moved, or one more."""
        if not isinstance(operand, Value) or not is_counted(operand.type):
            return
        if is_last:
            self.forget(operand, by)
        else:
            self.sole.discard(operand)
            self.share(self.held[operand][0])

    def pass_outputs(self, region: Graph, node: Node, skipped: int = 0) -> list[bool]:
        """Makes references to the outputs of a region for the results of its node, or for the next
        iteration, and drops those of all other values of the region; says of each output whether
        it is now the only reference."""
        outputs, are_sole = region.outputs[skipped:], []
        for operand in outputs:
            if not isinstance(operand, Value):
                are_sole.append(False)
                continue
            is_inside = self.uses.home[operand] is region
            is_last = is_inside or not (
                self._is_live_after(operand, node, self._used_again(node, region))
            )
            self.pass_on(operand, is_last and outputs.count(operand) == 1, region)
            are_sole.append(operand in self.sole)
        for value in self._owned_in(region):
            self.drop(value)
        return are_sole

    def _is_live_after(self, value: Value, node: Node, again: set[Value]) -> bool:
        """Whether a value or a view of it may be used after a node, or by its next iteration."""
        if self.uses.is_live_after(value, node) or value in again:
            return True
        return any(self._is_live_after(view, node, again) for view in self.views.get(value, ()))

    def _used_again(self, node: Node, region: Graph) -> set[Value]:
        """Values outside of a loop that its next iteration uses; none for a branch."""
        flow = node.op.control_flow
        return self.uses.inside(node) if flow is not None and flow.loop is not None else set()

    def _owned_in(self, region: Graph) -> list[Value]:
        inside = [*region.inputs, *(value for node in region.nodes for value in node.outputs)]
        return [value for value in inside if value in self.slots and value not in self.moved]
