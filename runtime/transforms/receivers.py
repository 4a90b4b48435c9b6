"""Objects to which calls of Python functions give values: what later calls get may depend on these.

put = getattr(jobs, "put")
put(x * 2)                      gives `put` a value, and so `jobs`, which `put` comes from
y = float(jobs.get())           depends on x, although no value of the graph leads there
"""

from collections.abc import Iterable
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

from runtime.ir.graph import Node, Operand, Value
from runtime.ir.host import hosts
from runtime.ir.types import OBJECT

CALLS = ("host_call", "ordered_library_call")
UNKNOWN_OBJECT = "A graph cannot look into a Python function that it only calls."
CONVERTED = "Convert what the function returns: float(found), or rt.host_call(f, x, like=0.0)."
NOT_CHANGED = (type, ModuleType, FunctionType, str, bytes, int, float, complex, tuple, type(None))


class Receivers:
    """The objects that calls may change, and the objects that these come from."""

    def __init__(self) -> None:
        self._owners: dict[Value, set[Any]] = {}

    def of(self, node: Node, operands: Iterable[Operand], results: Iterable[Operand]) -> set[Any]:
        """The objects in which a call may keep its operands: values of the graph, and the
        identities of objects that are the same in all runs."""
        if node.op.name not in CALLS:
            return set()
        given = _given(node, operands)
        for one in results:
            if isinstance(one, Value) and one.type == OBJECT:
                self._owners.setdefault(one, set()).update(given)
        found, pending = set[Any](), list(given)
        while pending:
            one = pending.pop()
            if one not in found:
                found.add(one)
                pending += self._owners.get(one, ())
        return found


def _given(node: Node, operands: Iterable[Operand]) -> set[Any]:
    """The objects that a call is given, and those whose methods it calls."""
    found: set[Any] = {one for one in operands if isinstance(one, Value) and one.type == OBJECT}
    templates = [node.attributes[name] for name in ("function", "given", "named")]
    for one in (held for template in templates for held in hosts(template)):
        held = one.__self__ if isinstance(one, (MethodType, BuiltinFunctionType)) else one
        if not isinstance(held, NOT_CHANGED):
            found.add(id(held))
    return found
