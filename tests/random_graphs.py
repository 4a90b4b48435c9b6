"""Random graphs, with inputs that they run on.

    graph = Maker(random.Random(seed)).graph()
    leaves = arguments(graph, random.Random(seed))

They have branches and loops in each other, prints, assertions, views, writes, casts, lists, flags;
what they make is handed out in part only.  Loops end: each counts its turns.
"""

import numpy as np

from runtime import op as ops
from runtime.ir import Graph, Node, Operand, Value, operand_type
from runtime.ops.index import Slot
from runtime.types import BOOL, FLOAT, INT, ListType, PythonType, TensorType, parse_type

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
LITTLE = ("sum", "max", "mean", "any")


class Maker:
    """Makes one random graph."""

    def __init__(self, rng, depth=3, most_nodes=12):
        self.rng = rng
        self.most = depth
        self.most_nodes = most_nodes

    def graph(self) -> Graph:
        """A graph of a few inputs."""
        rng = self.rng
        types = [parse_type(rng.choice(INPUTS)) for _ in range(rng.randint(1, 4))]
        graph = Graph("f", [Value(kind, f"x{i}") for i, kind in enumerate(types)])
        known = list(graph.inputs)
        self.fill(graph, known, rng.randint(3, self.most_nodes), 0)
        chosen = rng.sample(known, min(len(known), rng.randint(1, 5)))
        graph.outputs = [v for v in chosen if not isinstance(v.type, ListType)]
        return graph

    def fill(self, graph, known, count, depth):
        """Adds nodes to a graph; `known` are the values that it may use, and the new ones."""
        for _ in range(count):
            kinds = ["plain"] * 12 + ["neutral"] * 3 + ["print", "assert", "list", "again"]
            if depth < self.most:
                kinds += ["cond", "cond", "cond", "loop", "loop"]
            getattr(self, f"add_{self.rng.choice(kinds)}")(graph, known, depth)

    # -- nodes -------------------------------------------------------------------------------------

    def node(self, graph, known, name, inputs, attributes=None, regions=None):
        """Adds a node, if the op's rule allows it."""
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
        plain = [v for v in known if not isinstance(v.type, ListType)]
        if not plain or self.rng.random() < 0.2:
            return self.rng.choice(NUMBERS)
        return self.rng.choice(plain[-8:] if self.rng.random() < 0.6 else plain)

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
                    self.node(graph, known, "setitem", (x, y), {"at": (0,)})
                else:
                    self.node(graph, known, "size", (x,), {"axis": 0})
            case 7 if isinstance(kind, TensorType):
                dtype = np.dtype(rng.choice(["f8", "f4", "i8", "i1"]))
                if not (kind.dtype.kind in "f" and dtype.kind == "i"):
                    self.node(graph, known, "cast", (x,), {"dtype": dtype})
            case 8 if isinstance(kind, TensorType) and kind.shape:
                self.node(graph, known, rng.choice(LITTLE), (x,))

    def add_neutral(self, graph, known, depth):
        """What changes little of what was just computed: something for algebra."""
        made = [v for n in graph.nodes for v in n.outputs if not isinstance(v.type, ListType)]
        if made:
            name, *rest = self.rng.choice(NEUTRAL)
            self.node(graph, known, name, (made[-1], *rest))
            if known[-1] is not made[-1] and self.rng.random() < 0.5:
                self.add_neutral(graph, known, depth)

    def add_again(self, graph, known, depth):
        """The same as before: something to find."""
        plain = [n for n in graph.nodes if not n.regions and n.outputs]
        if plain:
            node = self.rng.choice(plain)
            self.node(graph, known, node.op.name, node.inputs, dict(node.attributes))

    def add_print(self, graph, known, depth):
        parts = {"parts": ("seen", Slot(0)), "sep": " ", "end": "\n"}
        self.node(graph, known, "print", (self.operand(known),), parts)

    def add_assert(self, graph, known, depth):
        holds = self.predicate(graph, known) if self.rng.random() < 0.2 else True
        self.node(
            graph, known, "assert_", (holds,), {"error": AssertionError, "arguments": ("no",)}
        )

    def add_list(self, graph, known, depth):
        values = [v for v in known if isinstance(v.type, TensorType) and v.type.ndim == 1]
        lists = [v for v in known if isinstance(v.type, ListType)]
        if lists and values and self.rng.random() < 0.7:
            items = self.rng.choice(lists)
            same = [v for v in values if v.type == items.type.element]
            if same:
                self.node(graph, known, "list_append", (items, self.rng.choice(same)))
            self.node(graph, known, "list_length", (items,))
        elif values:
            value = self.rng.choice(values)
            self.node(graph, known, "list_new", (value,), {"element": value.type})

    def predicate(self, graph, known):
        """A truth value: an old one, or a new one."""
        truths = [v for v in known if v.type in (BOOL, TensorType(np.dtype(bool)))]
        if truths and self.rng.random() < 0.6:
            return self.rng.choice(truths)
        numbers = [
            v for v in known if isinstance(v.type, PythonType) or v.type == parse_type("f64")
        ]
        if numbers and self.rng.random() < 0.9:
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
        """An operand of a type, None where there is none."""
        fitting = [v for v in known if v.type == kind]
        if isinstance(kind, PythonType) and (not fitting or self.rng.random() < 0.4):
            return self.rng.choice([n for n in NUMBERS if type(n) is kind.kind] or [0j])
        if not fitting:
            return None
        return self.rng.choice(fitting[-4:] if self.rng.random() < 0.7 else fitting)

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
        """A loop of at most three turns; an `int` counts them."""
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


def arguments(graph: Graph, rng) -> list:
    """Values for the inputs of a graph: with nan and -0.0 among them, and some that are views."""
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
    if not shape:
        # An integer array without dimensions may come back as a scalar: the engine computes with it.
        is_array = kind.dtype.kind == "f" and rng.random() < 0.1
        return np.array(given[0]) if is_array else given[0]
    return (
        given[::2].reshape(shape)
        if rng.random() < 0.5
        else given[: count // 2].reshape(shape).copy()
    )
