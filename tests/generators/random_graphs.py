"""Random graphs, with inputs that they run on.

    graph = Maker(random.Random(seed)).graph()
    leaves = arguments(graph, random.Random(seed))

They have nested branches, loops and recursive functions, prints, assertions, views, writes, casts,
lists, tuples, strings, flags, random numbers, and `errstate` blocks; they return only some of their
values.  Loops and calls end, since each counts.
"""

import numpy as np
from grammar import Grammar, weighted

from runtime.ir import op as ops
from runtime.ir.graph import Graph, Node, Operand, Value, operand_type
from runtime.ir.slot import Slot
from runtime.ir.type_text import parse_type
from runtime.ir.types import (
    BOOL,
    FLOAT,
    INT,
    NO_ARRAYS,
    STRING,
    BoxType,
    ListType,
    PythonType,
    TensorType,
    TupleType,
)

INPUTS = (
    "f64[3]",
    "f64[2, 3]",
    "i64[3]",
    "f64",
    "i64",
    "b1",
    "f32[3]",
    "i8[3]",
    "f64[None]",
    "b1[3]",
    "f64[()]",
    "i64[()]",
    "b1[()]",
)
UNARY = (
    "sin cos negative absolute positive square floor exp sqrt invert logical_not not_ truth copy "
    "transpose ravel conjugate isnan"
).split()
BINARY = (
    "add subtract multiply divide floor_divide remainder maximum minimum equal not_equal less "
    "less_equal greater greater_equal bitwise_and bitwise_or bitwise_xor matmul logical_and"
).split()
NUMBERS = (0, 1, 2, -1, 0.0, -0.0, 1.0, 0.5, True, False)
NEUTRAL = (
    ("multiply", 1),
    ("subtract", 0),
    ("add", 0),
    ("add", -0.0),
    ("negative",),
    ("absolute",),
    ("positive",),
    ("transpose",),
    ("not_",),
    ("invert",),
)
METHODS = (("upper",), ("__len__",), ("__add__", "!"), ("__eq__", "is 0"), ("find", "0"))
LITTLE = ("sum", "max", "mean", "any")


class Maker(Grammar):
    """Makes one random graph."""

    PLAIN = weighted(
        plain=12, neutral=3, print=1, assert_=1, list=1, again=1, box=1, text=1, tuple=1, random=1
    )
    WITH_REGIONS = weighted(cond=3, loop=2, quiet=1, recursion=1)

    def __init__(self, rng, depth=3, most_nodes=12):
        super().__init__(rng, depth)
        self.most_nodes = most_nodes
        self.functions = 0
        self.stands_for: dict[Value, Value] = {}  # from written values to inputs

    def graph(self) -> Graph:
        """A graph of a few inputs."""
        rng = self.rng
        types = [parse_type(rng.choice(INPUTS)) for _ in range(rng.randint(1, 4))]
        graph = Graph("f", [Value(kind, f"x{i}") for i, kind in enumerate(types)])
        known = list(graph.inputs)
        self.inputs = set(known)
        self.fill(graph, known, rng.randint(3, self.most_nodes), 0)
        chosen = rng.sample(known, min(len(known), rng.randint(1, 5)))
        graph.outputs = [v for v in chosen if not isinstance(v.type, (ListType, TupleType))]
        return graph

    def fill(self, graph, known, count, depth):
        """Adds nodes to a graph; `known` has the values that they may use, and is extended."""
        for _ in range(count):
            kinds = self.PLAIN + (self.WITH_REGIONS if depth < self.most else ())
            getattr(self, f"add_{self.rng.choice(kinds)}")(graph, known, depth)

    # -- nodes -------------------------------------------------------------------------------------

    def node(self, graph, known, name, inputs, attributes=None, regions=None):
        """Adds a node, if the op's rule allows it."""
        if name == "invert" and operand_type(inputs[0]) == BOOL:
            return ()  # from Python 3.12 on, `~True` warns
        op, attributes, regions = ops.find(name), attributes or {}, regions or {}
        try:
            types = op.infer_types(tuple(map(operand_type, inputs)), attributes, regions)
        except (TypeError, ValueError, IndexError, AttributeError):
            return ()
        outputs = tuple(Value(kind, "v") for kind in types)
        graph.nodes.append(Node(op, tuple(inputs), outputs, attributes, regions))
        known += outputs
        return outputs

    def operand(self, known) -> Operand:
        plain = [v for v in known if not isinstance(v.type, NO_ARRAYS)]
        if not plain or self.chance(0.2):
            return self.rng.choice(NUMBERS)
        return self.rng.choice(plain[-8:] if self.chance(0.6) else plain)

    def add_plain(self, graph, known, depth):
        rng, x, y = self.rng, self.operand(known), self.operand(known)
        kind = operand_type(x)
        match rng.randrange(9):
            case 0 | 1:
                self.node(graph, known, rng.choice(UNARY), (x,))
            case 2 | 3 | 4:
                self.node(graph, known, rng.choice(BINARY), (x, y))
            case 5 if isinstance(kind, TensorType) and kind.shape:
                at = rng.choice(
                    [(0,), (-1,), (slice(1, None, None),), (slice(None, None, -1),), (...,)]
                )
                self.node(graph, known, "getitem", (x,), {"at": at})
            case 6 if isinstance(kind, TensorType) and kind.shape:
                if isinstance(x, Value) and operand_type(y).ndim == 0 and rng.random() < 0.8:
                    self.write(graph, known, (x, y), (0,))
                else:
                    self.node(graph, known, "size", (x,), {"axis": 0})
            case 7 if isinstance(kind, TensorType):
                dtype = np.dtype(rng.choice(["f8", "f4", "i8", "i1"]))
                if not (kind.dtype.kind in "f" and dtype.kind == "i"):
                    self.node(graph, known, "cast", (x,), {"dtype": dtype})
            case 8 if isinstance(kind, TensorType) and kind.shape:
                self.node(graph, known, rng.choice(LITTLE), (x,))

    def write(self, graph, known, operands, at):
        """Writes into an array; writes into inputs are reported, as in traced graphs."""
        array = operands[0]
        made = self.node(graph, known, "setitem", operands, {"at": at})
        given = array if array in self.inputs else self.stands_for.get(array)
        if made and given is not None:
            self.stands_for[made[0]] = given
            self.node(graph, known, "written", (given, made[0]))

    def add_box(self, graph, known, depth):
        """A 0-d array: created, read, viewed or written into."""
        boxes = [v for v in known if isinstance(v.type, BoxType)]
        if not boxes or self.chance(0.3):
            x = self.operand(known)
            if operand_type(x).shape == ():
                self.node(graph, known, "box", (x,))
            return
        box = self.rng.choice(boxes[-3:])
        at = self.rng.choice([(), (...,), (None,)])
        if self.chance(0.6):
            self.node(graph, known, "getitem", (box,), {"at": at})
        elif operand_type(y := self.operand(known)).shape == ():
            self.write(graph, known, (box, y), at)

    def add_neutral(self, graph, known, depth):
        """An operation that nearly preserves a recent value, as input for algebraic rules."""
        made = [v for n in graph.nodes for v in n.outputs if not isinstance(v.type, NO_ARRAYS)]
        if made:
            name, *rest = self.rng.choice(NEUTRAL)
            self.node(graph, known, name, (made[-1], *rest))
            if known[-1] is not made[-1] and self.chance(0.5):
                self.add_neutral(graph, known, depth)

    def add_again(self, graph, known, depth):
        """A repetition of an earlier node, as input for common subexpression elimination."""
        plain = [n for n in graph.nodes if not n.regions and n.outputs]
        if plain:
            node = self.rng.choice(plain)
            self.node(graph, known, node.op.name, node.inputs, dict(node.attributes))

    def add_print(self, graph, known, depth):
        parts = {"parts": ("seen", Slot(0)), "sep": " ", "end": "\n"}
        shown = [v for v in known if v.type == STRING]
        value = self.rng.choice(shown) if shown and self.chance(0.3) else self.operand(known)
        self.node(graph, known, "print", (value,), parts)

    def add_text(self, graph, known, depth):
        """A string of a value, or the result of a string method."""
        texts = [v for v in known if v.type == STRING]
        if not texts or self.chance(0.6):
            parts = ("is ", (Slot(0), self.rng.choice(["", "r"]), ""))
            self.node(graph, known, "text", (self.operand(known),), {"parts": parts})
            return
        method, *given = self.rng.choice(METHODS)
        attributes = {"method": method, "given": tuple(given)}
        self.node(graph, known, "text_call", (self.rng.choice(texts),), attributes)

    def add_tuple(self, graph, known, depth):
        """A tuple of two values, or the elements of one; some are appended to a list."""
        tuples = [v for v in known if isinstance(v.type, TupleType)]
        if tuples and self.chance(0.6):
            self.node(graph, known, "unpack", (self.rng.choice(tuples),))
            return
        parts = [v for v in known if not isinstance(v.type, ListType)]
        if parts and (made := self.node(graph, known, "pack", self.rng.choices(parts, k=2))):
            if self.chance(0.4):
                (items,) = self.node(graph, known, "list_new", made, {"element": made[0].type})
                self.node(graph, known, "list_get", (items, 0))

    def add_random(self, graph, known, depth):
        """A random number, drawn in each run in program order."""
        self.node(graph, known, "ask", (), {"function": "random.random"})

    def add_quiet(self, graph, known, depth):
        """Some nodes in an `errstate` block in which NumPy ignores errors."""
        self.node(graph, known, "enter_errors", (), {"options": (("all", "ignore"),)})
        self.fill(graph, known, self.rng.randint(1, 3), depth + 1)
        self.node(graph, known, "leave_errors", ())

    def add_assert_(self, graph, known, depth):
        holds = self.predicate(graph, known) if self.chance(0.2) else True
        self.node(
            graph, known, "assert_", (holds,), {"error": AssertionError, "arguments": ("no",)}
        )

    def add_list(self, graph, known, depth):
        values = [v for v in known if isinstance(v.type, TensorType) and v.type.ndim == 1]
        lists = [v for v in known if isinstance(v.type, ListType)]
        if lists and values and self.chance(0.7):
            items = self.rng.choice(lists)
            same = [v for v in values if v.type == items.type.element]
            if same:
                self.node(graph, known, "list_append", (items, self.rng.choice(same)))
            self.node(graph, known, "list_length", (items,))
        elif values:
            value = self.rng.choice(values)
            self.node(graph, known, "list_new", (value,), {"element": value.type})

    def predicate(self, graph, known):
        """A condition: an existing one, or a new one."""
        truths = [v for v in known if v.type in (BOOL, TensorType(np.dtype(bool)))]
        if truths and self.chance(0.6):
            return self.rng.choice(truths)
        numbers = [
            v for v in known if isinstance(v.type, PythonType) or v.type == parse_type("f64")
        ]
        if numbers and self.chance(0.9):
            return self.node(
                graph, known, "less", (self.rng.choice(numbers), self.rng.choice(NUMBERS))
            )[0]
        return self.rng.choice([True, False])

    # -- regions -----------------------------------------------------------------------------------

    def region(self, name, known, inputs, depth):
        graph = Graph(name, inputs)
        inside = [*known, *inputs]
        self.fill(graph, inside, self.rng.randint(0, 5), depth + 1)
        return graph, inside

    def of_type(self, kind, known):
        """An operand of a type; None if there is none."""
        fitting = [v for v in known if v.type == kind]
        if isinstance(kind, PythonType) and (not fitting or self.chance(0.4)):
            return self.rng.choice([n for n in NUMBERS if type(n) is kind.kind] or [0j])
        if not fitting:
            return None
        return self.rng.choice(fitting[-4:] if self.chance(0.7) else fitting)

    def add_cond(self, graph, known, depth):
        predicate = self.predicate(graph, known)
        then, in_then = self.region("then", known, [], depth)
        orelse, in_orelse = self.region("orelse", known, [], depth)
        for _ in range(self.rng.randint(0, 4)):
            kinds = [BOOL, INT, FLOAT, *(v.type for v in in_then[-6:])]
            kind = self.rng.choice(kinds)
            one, other = self.of_type(kind, in_then), self.of_type(kind, in_orelse)
            if one is not None and other is not None:
                then.outputs.append(one)
                orelse.outputs.append(other)
        self.node(graph, known, "cond", (predicate,), {}, {"then": then, "orelse": orelse})

    def add_loop(self, graph, known, depth):
        """A loop of at most three iterations; an `int` counts them."""
        rng = self.rng
        starts = [v for v in rng.sample(known, min(len(known), rng.randint(0, 3)))]
        starts += [rng.choice(NUMBERS) for _ in range(rng.randint(0, 2))]
        counter = Value(INT, "i")
        inputs = [counter, *(Value(operand_type(start), "c") for start in starts)]
        body, inside = self.region("body", known, inputs, depth)
        (counted,) = self.node(body, inside, "add", (counter, 1))
        (more,) = self.node(body, inside, "less", (counted, rng.randint(1, 3)))
        ends = [self.of_type(value.type, inside) for value in inputs[1:]]
        body.outputs = [more if rng.random() < 0.9 else False, counted, *ends]
        first = self.predicate(graph, known)
        self.node(graph, known, "loop", (first, 0, *starts), {}, {"body": body})

    def add_recursion(self, graph, known, depth):
        """A function that calls itself at most three times; an `int` counts the calls."""
        rng, name = self.rng, f"g{self.functions}"
        self.functions += 1
        starts = rng.sample(known, min(len(known), rng.randint(0, 3)))
        inputs = [Value(INT, "n"), *(Value(start.type, "c") for start in starts)]
        body, inside = self.region("body", known, inputs, depth)
        kinds = rng.choices([BOOL, INT, FLOAT, *(v.type for v in inside[-6:])], k=rng.randint(1, 3))
        (more,) = self.node(body, inside, "less", (inputs[0], rng.randint(0, 3)))
        then, in_then = self.region("then", inside, [], depth)
        (count,) = self.node(then, in_then, "add", (inputs[0], 1))
        given = [self.of_type(value.type, in_then) for value in inputs[1:]]
        attributes = {"name": name, "types": tuple(kinds)}
        self.node(then, in_then, "again", (count, *given), attributes)
        then.outputs = [self.of_type(kind, in_then) for kind in kinds]
        orelse, in_orelse = self.region("orelse", inside, [], depth)
        orelse.outputs = [self.of_type(kind, in_orelse) for kind in kinds]
        regions = {"then": then, "orelse": orelse}
        body.outputs = list(self.node(body, inside, "cond", (more,), {}, regions))
        self.node(graph, known, "recursive", (0, *starts), {"name": name}, {"body": body})


def arguments(graph: Graph, rng) -> list:
    """Values for the inputs of a graph, including nan, -0.0 and views."""
    return [_argument(value.type, rng) for value in graph.inputs]


def _argument(kind, rng):
    shape = tuple(4 if size is None else size for size in kind.shape)
    values = {
        "f": [0.0, -0.0, 1.5, -2.0, np.nan, np.inf, 3.0],
        "i": [0, 1, -1, 7, 100],
        "b": [0, 1],
    }
    count = 2 * int(np.prod(shape))
    given = np.array([rng.choice(values[kind.dtype.kind]) for _ in range(count)]).astype(kind.dtype)
    if isinstance(kind, BoxType):
        return np.array(given[0])
    if not shape:
        # A 0-d integer array may be returned as a scalar, since the engine computes with it.
        is_array = kind.dtype.kind == "f" and rng.random() < 0.1
        return np.array(given[0]) if is_array else given[0]
    return (
        given[::2].reshape(shape)
        if rng.random() < 0.5
        else given[: count // 2].reshape(shape).copy()
    )
