"""Powers of lengths and roots are differentiated as a whole.

    r = norm(x)
    y = r ** 2          d_x = d_y * 2 * x           not d_r = d_y * 2 * r, d_x = d_r * x / r

See `ops/adjoints/roots.py` for the functions, which the records hold.
"""

from collections.abc import Sequence
from functools import partial

from runtime.ir.derivative import Composition
from runtime.ir.graph import Node, Operand, Value


class Roots:
    """The nodes that make lengths and roots, as far as a walk has seen them."""

    def __init__(self) -> None:
        self._makers: dict[Value, Node] = {}
        self._first: dict[tuple, Value] = {}  # of equal roots

    def note(self, nodes: Sequence[Node]) -> None:
        """Remembers the nodes that make roots among some nodes."""
        for node in nodes:
            if node.op.root is not None:
                self._makers[node.output] = node
                self._first.setdefault(_key(node), node.output)

    def behind(self, node: Node) -> tuple[Node, Composition] | None:
        """The node whose result a node raises to a power, and the power as a function of the
        former's operands; None if there is none."""
        if node.op.exponent is None or not isinstance(node.inputs[0], Value):
            return None
        exponent = node.op.exponent(*map(self._same, node.inputs))
        maker = self._makers.get(node.inputs[0])
        if maker is None or exponent is None or exponent < 2:
            return None
        assert maker.op.root is not None
        return maker, Composition(partial(maker.op.root, exponent))

    def _same(self, operand: Operand) -> Operand:
        """The first root that is equal to an operand; other operands are returned unchanged."""
        maker = self._makers.get(operand) if isinstance(operand, Value) else None
        return operand if maker is None else self._first[_key(maker)]


def _key(node: Node) -> tuple:
    return node.op, tuple(map(id, node.inputs)), repr(node.attributes)
