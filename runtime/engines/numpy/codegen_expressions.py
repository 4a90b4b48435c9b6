"""The texts of names, operands and expressions in a generated program (`codegen.py`)."""

import builtins
import itertools
import keyword
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from runtime.analyses.buffer_reuse import BufferReuse
from runtime.analyses.liveness import Uses
from runtime.engines.numpy.key_lists import KeyLists
from runtime.engines.numpy.source_map import InlinedExpression
from runtime.engines.numpy.syntax import ATOM, UNARY, template
from runtime.engines.numpy.unboxing import PythonIntegers
from runtime.ir.graph import Graph, Node, Operand, Value
from runtime.ir.op import OPERANDS
from runtime.ir.types import (
    DTYPE_NAMES,
    ListType,
    NothingType,
    ObjectType,
    OptionalType,
    PythonType,
    StringType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    is_array,
)
from runtime.ops.cotangents import scaled_array, scaled_number
from runtime.ops.dict_keys import KeyList, plain_list
from runtime.ops.impure import caller
from runtime.ops.library import is_library_op


class ExpressionWriter:
    """Names the values of a graph, and writes operands and expressions."""

    def __init__(
        self, graph: Graph, namespace: dict[str, Any], taken: Iterable[str], merges: bool = True
    ) -> None:
        self.graph = graph
        self.uses = Uses(graph, merges)
        self.memory = BufferReuse(graph, self.uses)
        self.integers = PythonIntegers(graph, self.uses)
        self.key_lists = KeyLists(graph)
        self.namespace = namespace
        self.globals = {id(value): name for name, value in namespace.items()}
        self.taken = {*namespace, *keyword.kwlist, *vars(builtins), *taken}
        self.numbers: dict[str, Iterator[int]] = {}
        self.names: dict[Value, str] = {}
        self.holders: dict[str, list[Value]] = {}
        self.deferred: dict[Value, InlinedExpression] = {}
        self.product: str | None = None  # the variable that holds how cotangents are multiplied

    def name(self, value: Value) -> str:
        """The variable that holds a value."""
        if value not in self.names:
            self.call(value, self.fresh(value.hint))
        return self.names[value]

    def call(self, value: Value, name: str) -> None:
        """Makes a variable the one that holds a value."""
        self.names[value] = name
        self.holders.setdefault(name, []).append(value)

    def fresh(self, stem: str) -> str:
        name = stem
        numbers = self.numbers.setdefault(stem, itertools.count(1))
        while name in self.taken:
            name = f"{stem}_{next(numbers)}"
        self.taken.add(name)
        return name

    def global_name(self, stem: str, value: Any) -> str:
        """A name of the program's namespace for something that it uses."""
        name = self.globals.get(id(value))
        if name is None:
            name = self.globals[id(value)] = self.fresh(f"_{stem}")
            self.namespace[name] = value
        return name

    def literal(self, value: Any) -> str:
        """The text of an attribute or number."""
        match value:
            case None | bool() | int() | str():
                return repr(value)
            case float() if value == value and abs(value) != float("inf"):
                return repr(value)
            case tuple():
                inside = ", ".join(map(self.literal, value))
                return f"({inside},)" if len(value) == 1 else f"({inside})"
            case np.dtype():
                return self.global_name(DTYPE_NAMES[value], value)
        return self.global_name("constant", value)

    # -- operands ----------------------------------------------------------------------------------

    def operand(self, operand: Operand, precedence: float = 0) -> str:
        """The text of an operand as the program has it.

        In parentheses if its precedence is lower than that of its context (`syntax.py`).
        """
        if not isinstance(operand, Value):
            text = self.literal(operand)
            return f"({text})" if text.startswith("-") and precedence > UNARY else text
        if operand in self.deferred:
            text, own, _ = self.deferred[operand]
            return f"({text})" if own < precedence else text
        return self.name(operand)

    def numpys(self, operand: Operand, precedence: float = 0) -> str:
        """The text of an operand for an op that reads its dtype."""
        if self.is_unreachable(operand):
            return self.operand(operand)
        if isinstance(operand, Value) and operand in self.integers.values:
            return f"np.{operand.type.dtype}({self.operand(operand)})"
        if isinstance(operand, Value) and operand in self.integers.tests:
            return f"np.bool({self.operand(operand)})"
        return self.operand(operand, precedence)

    def stored(self, operand: Operand, into: Type) -> str:
        """The text of an operand that is stored in an array: NumPy's integers wrap around there,
        and a Python int that does not fit raises."""
        if not isinstance(operand, Value) or operand not in self.integers.values:
            return self.operand(operand)
        fits = np.can_cast(operand.type.dtype, into.dtype)
        return self.operand(operand) if fits else self.numpys(operand)

    def is_unreachable(self, operand: Operand) -> bool:
        """Whether an operand is never computed: it follows code that always raises."""
        maker = self.uses.makers.get(operand) if isinstance(operand, Value) else None
        return maker is not None and maker.op.name == "unreachable"

    def as_held(self, operand: Operand, value: Value) -> str:
        """The text of an operand as the variable of `value` holds it: a Python or a NumPy int."""
        if value in self.integers.values:
            is_numpys = isinstance(operand, Value) and not self.integers.is_python(operand)
            return f"int({self.operand(operand)})" if is_numpys else self.operand(operand)
        return self.numpys(operand)

    def handed_out(self, operand: Operand) -> str:
        """The code of a result of the program."""
        text = self.numpys(operand)
        if self.key_lists.may_be(operand):
            return f"{self.global_name('plain_list', plain_list)}({text})"
        return text

    # -- expressions -------------------------------------------------------------------------------

    def expression(self, node: Node) -> tuple[str, float]:
        """The text of a plain node, and how tightly it binds."""
        if node.op.name == "zero":
            return self.zero(node.attributes["type"]), ATOM
        if node.op.name == "unreachable":
            return "None", ATOM
        if node.op.name == "constant":
            return self.constant(node), ATOM
        takes = self.taker(node)
        if node in self.key_lists.made:
            items = ", ".join(map(takes, node.inputs))
            return f"{self.global_name('KeyList', KeyList)}([{items}])", ATOM
        if node.op.name == "again":
            inside = ", ".join(map(takes, node.inputs))
            only = "[0]" if len(node.outputs) == 1 else ""
            return f"{node.attributes['name']}({inside}){only}", ATOM
        if node.op.name == "ask":
            asked = self.global_name("asked", caller(node.attributes))
            return f"{asked}({', '.join(map(takes, node.inputs))})", ATOM
        if node.op.name == "native_piece":
            piece = self.global_name(node.attributes["name"], node.attributes["function"])
            return f"{piece}({', '.join(map(takes, node.inputs))})", ATOM
        if self.memory.reused_operand(node) is not None:
            operands = ", ".join(map(takes, node.inputs))
            return f"np.{node.op.name}({operands}, out={self.name_of_memory(node)})", ATOM
        if node.op.inline is not None:
            # The first operand may come before the brackets, the others are inside.
            first = 0 if is_library_op(node.op) else ATOM
            texts = [takes(o, 0 if i else first) for i, o in enumerate(node.inputs)]
            return node.op.inline(texts, **node.attributes), ATOM
        if isinstance(node.op.eval, str):
            by_name = dict(zip(OPERANDS, node.inputs, strict=False))
            attributes = {name: self.literal(v) for name, v in node.attributes.items()}
            text = node.op.traits.method if self.is_numpys(node.inputs[0]) else None
            return template(text or node.op.eval).fill(
                lambda name, precedence: takes(by_name[name], precedence), attributes
            )
        if node.op.name == "scaled" and self.product:
            return f"{self.product}({', '.join(map(takes, node.inputs))})", ATOM
        if node.op.name == "scaled":
            of = scaled_array if is_array(node.output.type) else scaled_number
            return f"{self.global_name('scaled', of)}({', '.join(map(takes, node.inputs))})", ATOM
        return self.call_of_function(node, takes), ATOM

    def name_of_memory(self, node: Node) -> str:
        """The variable with the array in which a node puts its result."""
        place = self.memory.reused_operand(node)
        assert place is not None
        operand = node.inputs[place]
        assert isinstance(operand, Value)
        return (
            self.name_of_memory(self.uses.makers[operand])
            if operand in self.deferred
            else self.name(operand)
        )

    def is_numpys(self, operand: Operand) -> bool:
        """Whether an operand is an array or NumPy scalar by its type."""
        return isinstance(operand, Value) and isinstance(operand.type, TensorType)

    def constant(self, node: Node) -> str:
        """A constant: of the program's namespace, or a literal where it is Python's int."""
        value = node.attributes["value"][()]
        if node.output in self.integers.values:
            return repr(int(value))
        name = self.global_name(node.output.hint, value)
        return f"{name}.copy()" if self.memory.is_returned(node.output) else name

    def zero(self, kind: Type) -> str:
        """The value of a variable before it is first bound."""
        if isinstance(kind, ListType):
            return "[]"
        if isinstance(kind, (OptionalType, NothingType)):
            return "None"
        if isinstance(kind, TupleType):
            return "()"
        if isinstance(kind, StringType):
            return "''"
        if isinstance(kind, ObjectType):
            return "None"
        if isinstance(kind, UnionType):
            return self.zero(kind.options[0])
        if isinstance(kind, PythonType):
            return repr(kind.kind(0))
        assert isinstance(kind, TensorType)
        shape = tuple(size if isinstance(size, int) else 0 for size in kind.shape)
        dtype = self.global_name(DTYPE_NAMES[kind.dtype], kind.dtype)
        return f"np.zeros({shape!r}, {dtype}){'' if shape else '[()]'}"

    def call_of_function(self, node: Node, takes: Any) -> str:
        function = self.global_name(node.op.name.strip("_"), node.op.eval)
        operands = ", ".join(takes(o) for o in node.inputs)
        comma = "," if len(node.inputs) == 1 else ""
        attributes = self.global_name("attributes", node.attributes) if node.attributes else "{}"
        return f"{function}(np, ({operands}{comma}), {attributes})"

    def taker(self, node: Node) -> Any:
        """How a node's operands are written: as they are, or as NumPy scalars."""
        traits = node.op.traits
        if node.op.name == "full":
            value, kind = node.inputs[0], node.output.type
            return lambda one: self.stored(one, kind) if one is value else self.operand(one)
        as_it_is = (
            traits.ignores_integer_kind
            or traits.comparison
            and self.gives_numpys_truth(node)
            or traits.integer_arithmetic
            and self.weak_ints_do(node)
        )
        return self.operand if as_it_is else self.numpys

    def gives_numpys_truth(self, node: Node) -> bool:
        """Whether a comparison gives NumPy's bool where it should, with operands as they are."""
        is_pythons = isinstance(node.output.type, PythonType) or node.output in self.integers.tests
        return is_pythons or any(
            isinstance(v, Value) and not self.integers.is_python(v) and v not in self.integers.tests
            for v in node.inputs
        )

    def weak_ints_do(self, node: Node) -> bool:
        """Whether an op has the same result for Python ints in place of NumPy integers."""
        if node.output in self.integers.values or isinstance(node.output.type, PythonType):
            return True
        strong = [
            v.type.dtype
            for v in node.inputs
            if isinstance(v, Value)
            and isinstance(v.type, TensorType)
            and v not in self.integers.values
        ]
        return bool(strong) and np.result_type(*strong) == node.output.type.dtype
