"""Kernels: operations on whole arrays as machine code, bit by bit as NumPy computes them."""

import gc
import itertools
import random
import sys

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="the native engine needs the extra `native`")

from allocated import blocks_left_by  # noqa: E402
from loading import load  # noqa: E402
from native_runs import compared, same_bits  # noqa: E402
from random_kernels import Writer, arguments  # noqa: E402
from warning_records import recorded_warnings  # noqa: E402

import runtime as rt  # noqa: E402
from runtime.engines import native, registry  # noqa: E402
from runtime.engines.native.kernels.elements import ELEMENTS  # noqa: E402
from runtime.engines.registry import Options  # noqa: E402
from runtime.ir.graph import Graph, Node, Value  # noqa: E402
from runtime.ir.op import find, records  # noqa: E402
from runtime.ir.types import tensor_type  # noqa: E402

pytestmark = pytest.mark.skipif(
    native.unusable() is not None, reason=f"no machine code: {native.unusable()}"
)

DTYPES = ("b1", "i1", "i4", "i8", "u1", "u8", "f4", "f8")
CALLED = [
    op.name
    for op in records()
    if isinstance(op.numpy, np.ufunc)
    and op.traits.elementwise
    and isinstance(op.eval, str)
    and op.eval.startswith(f"xp.{op.name}(")
]
# op names: those of one operation that set no floating-point flag for any operand
QUIET = {"negative", "positive", "absolute", "maximum", "minimum", "floor", "ceil", "trunc", "rint"}
QUIET |= {"equal", "less", "greater_equal", "logical_and", "logical_not", "isnan", "where", "fmax"}
QUIET |= {
    "bitwise_and",
    "bitwise_xor",
    "invert",
    "logical_or",
    "signbit",
    "isfinite",
    "copysign",
    "sign",
    "not_equal",
    "less_equal",
    "greater",
}


# -- random programs -------------------------------------------------------------------------------


def assert_alike(seed):
    fn = load(Writer(random.Random(seed)).module(), f"kernels_{seed}.py").f
    functions = [rt.function(fn, engine=name) for name in ("native", "numpy")]
    for number in range(5):
        compared(*functions, arguments(seed, number))


@pytest.mark.parametrize("seed", range(24))
def test_random_programs(seed):
    assert_alike(seed)


@pytest.mark.thorough
@pytest.mark.parametrize("first", range(1000, 1400, 20))
def test_more_random_programs(first):
    for seed in range(first, first + 20):
        assert_alike(seed)


# -- every op --------------------------------------------------------------------------------------


def node_of(name, x, y, p):
    """A node of an op for arrays of one type, None if it takes none."""
    op = find(name)
    attributes = {}
    for operands in ((p, x, y), (x, y), (x, 2), (x,)):
        if name == "cast":
            operands, attributes = (x,), {"dtype": np.dtype("f4")}
        types = [getattr(operand, "type", None) for operand in operands]
        try:
            results = op.infer_types(
                [t if t is not None else rt.ir.types.INT for t in types], attributes, {}
            )
        except (TypeError, ValueError, IndexError):
            continue
        if len(results) == 1:
            return Node(op, operands, tuple(map(Value, results)), attributes)
    return None


def graph_of_all(names, dtype, shape):
    """One graph with a node of each op."""
    x, y = (Value(tensor_type(dtype, shape), name) for name in "xy")
    p = Value(tensor_type("b1", shape), "p")
    nodes = [node for name in names if (node := node_of(name, x, y, p)) is not None]
    return Graph("graph", [x, y, p], nodes, [node.output for node in nodes])


def programs(graph):
    compiled = native.compile_graph(graph, Options())
    return compiled, registry.find("numpy").compiled(graph, Options())


def edge_values(dtype, count):
    kind = np.dtype(dtype)
    if kind.kind == "b":
        values = [False, True, True]
    elif kind.kind == "f":
        values = [0.0, -0.0, 1.0, -2.5, np.inf, -np.inf, np.nan, 3.0, -0.5, 2.5]
    else:
        bounds = np.iinfo(kind)
        values = [0, 1, bounds.max, bounds.min, 2, bounds.max // 2, 7]
    return np.array([values[i % len(values)] for i in range(count)], kind)


@pytest.mark.parametrize("dtype", ["i1", "i8", "u1", "u8", "b1", "f4", "f8"])
def test_every_op_on_edge_values(dtype):
    ring = ("add", "subtract", "multiply", "square", "pow") if dtype[0] != "f" else ()
    names = [name for name in (*ELEMENTS, *CALLED) if name in QUIET or name in ring]
    graph = graph_of_all(dict.fromkeys(names), dtype, (None,))
    compiled, expected = programs(graph)
    for count in (0, 1, 7, 77):
        x = edge_values(dtype, count)
        given = x, edge_values(dtype, count + 3)[3:], np.arange(count) % 3 > 0
        compared(compiled.function, expected.function, given)
        done = [piece.function(*_operands(piece, graph, given))[0] for piece in compiled.pieces]
        assert done and all(done), count


def _operands(piece, graph, given):
    by_value = dict(zip((v.hint for v in graph.inputs), given, strict=True))
    return [by_value[value.hint] for value in piece.inputs]


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_every_function_on_ordinary_numbers(dtype):
    graph = graph_of_all(dict.fromkeys((*ELEMENTS, *CALLED)), dtype, (None,))
    compiled, expected = programs(graph)
    for count in (1, 13, 1100):
        x = np.linspace(0.1, 0.9, count).astype(dtype)
        given = x, x[::-1].copy(), x > 0.5
        compared(compiled.function, expected.function, given)


# -- reductions ------------------------------------------------------------------------------------

AXES = (None, 0, -1, (0, 1), (1, 2), (0, 1, 2))


def reduction_graph(dtype, dimensions):
    x = Value(tensor_type(dtype, (None,) * dimensions), "x")
    nodes = []
    names = ("sum", "mean", "max", "min", "any", "all", "prod")
    for number, (name, axis) in enumerate(itertools.product(names, AXES)):
        keepdims = number % 2 == 1
        axes = (axis,) if isinstance(axis, int) else axis or ()
        if any(one >= dimensions for one in axes):
            continue
        attributes = {"axis": axis, "keepdims": keepdims}
        results = find(name).infer_types([x.type], attributes, {})
        nodes.append(Node(find(name), (x,), tuple(map(Value, results)), attributes))
    return Graph("graph", [x], nodes, [node.output for node in nodes])


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "b1"])
def test_reductions(dtype):
    source = np.random.default_rng(3)
    for dimensions, shapes in {
        1: [(1,), (7,), (8,), (130,), (513,), (5000,)],
        3: [(2, 3, 4), (1, 5, 1), (3, 1, 700), (4, 300, 1), (1, 1, 1), (5, 2, 9)],
    }.items():
        compiled, expected = programs(reduction_graph(dtype, dimensions))
        assert len(compiled.pieces) == 1 or dtype in ("i4", "b1") or dimensions == 3
        for shape in shapes:
            x = np.asarray(source.normal(size=shape) * 3)
            zeros = np.where(source.random(shape) < 0.5, -0.0, 0.0)
            for given in (x.astype(dtype), zeros.astype(dtype), np.abs(x).astype(dtype)):
                compared(compiled.function, expected.function, (given,))


def reduced_twice(first, second):
    """Reductions whose inner loops are chosen by the types of two arrays, in one piece."""
    of_first = first.max(axis=0), first.min(axis=1), first.sum(axis=0), first.prod(axis=1)
    of_second = second.max(axis=0), second.min(axis=1), second.sum(axis=0), second.prod(axis=1)
    return of_first, of_second, first.any(axis=0), second.all(axis=1)


PAIRED = ["bool", *(f"{family}{size}" for family in ("int", "uint") for size in (8, 16, 32, 64))]


@pytest.mark.parametrize("first", PAIRED)
def test_reductions_of_two_types_in_one_piece(first):
    numbers = np.random.default_rng(0).integers(0, 120, (2, 5, 7))
    for second in (one for one in ("bool", "int8", "uint8", "int64") if one != first):
        x, y = (
            array > 60 if dtype == "bool" else array.astype(dtype)
            for array, dtype in zip(numbers, (first, second), strict=True)
        )
        function = rt.function(reduced_twice, engine="native")
        assert repr(function(x, y)) == repr(reduced_twice(x, y)), (first, second)
        assert "native_1(" in function.native() and "native_2(" not in function.native()


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_reductions_of_special_values(value):
    compiled, expected = programs(reduction_graph("f8", 1))
    for count, place in itertools.product((1, 9, 600), (0, -1)):
        x = np.linspace(-1, 1, count)
        x[place] = value
        compared(compiled.function, expected.function, (x,))
    compared(compiled.function, expected.function, (np.zeros(0),))


def softmax(x):
    shifted = np.exp(x - x.max(axis=-1, keepdims=True))
    return shifted / shifted.sum(axis=-1, keepdims=True)


def layer_norm(x, scale, bias):
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return centred / np.sqrt(variance + 1e-5) * scale + bias


def square_error(x, y):
    return np.mean((x - y) ** 2)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize(("fn", "count"), [(softmax, 1), (layer_norm, 3), (square_error, 2)])
def test_models_are_one_piece_and_bit_equal(fn, count, dtype):
    compiled = rt.function(fn, engine="native", input_signature=None)
    for rows, columns in ((3, 5), (20, 700)):
        x = np.random.default_rng(rows).normal(size=(rows, columns)).astype(dtype)
        rest = [x[0].copy(), x[1].copy()] if count == 3 else [x[::-1].copy()]
        given = (x, *rest)[:count]
        same_bits(compiled(*given), fn(*given))
        piece = compiled.get_concrete_function(*given).compiled.plain.pieces[0]
        assert piece.function(*given)[0] is True
    assert "not native" not in compiled.native()


def mixed(x, n):
    x = x * 1
    part = x[1:] * 1
    for _ in range(n):
        x[1:] = np.tanh(part) + x[:-1].max()
        part = x[:-1] * 1
    return x, part, x @ x


@pytest.mark.parametrize("value", [0.5, np.inf])
def test_calls_keep_no_reference(value):
    compiled = rt.function(mixed, engine="native")
    given = np.linspace(0, 1, 70)
    given[3] = value
    with np.errstate(all="ignore"):
        compiled(given.copy(), np.int64(3))
    program = compiled.get_concrete_function(given, np.int64(3)).compiled.plain
    by_name = {"x": given, "n": np.int64(3)}
    (piece,) = program.pieces
    operands = [by_name.get(value.hint, given[1:].copy()) for value in piece.inputs]
    done = piece.function(*operands)[0]
    objects = [*operands, given.dtype]
    gc.collect()
    before = [sys.getrefcount(one) for one in objects]

    def calls():
        for _ in range(5000):
            assert piece.function(*operands)[0] is done

    assert blocks_left_by(calls) < 100
    after = [sys.getrefcount(one) for one in objects]
    assert all(abs(x - y) < 20 for x, y in zip(before, after, strict=True))


def test_sizes_that_do_not_fit_raise_as_numpy_raises():
    compiled = rt.function(square_error, engine="native")
    with pytest.raises(ValueError, match="could not be broadcast"):
        compiled(np.zeros(3), np.zeros(4))


def signed_zeros(x):
    return x + 0.0, x + -0.0, x * True, x * 1.0, np.where(x > 0, 0.0, -0.0), np.maximum(x, -0.0)


def test_equal_constants_of_different_bits_are_different():
    compiled = rt.function(signed_zeros, engine="native")
    for dtype in ("f4", "f8"):
        x = np.array([-0.0, 0.0, 1.0] * 7, dtype)
        same_bits(compiled(x), signed_zeros(x))
        piece = compiled.get_concrete_function(x).compiled.plain.pieces[0]
        assert piece.function(x)[0] is True


@pytest.mark.parametrize("exponent", [0, 0.5, 1, 2, 2.0, 3, 2.5, True])
def test_powers_with_a_number_have_the_type_and_bits_of_numpy(exponent):
    for dtype in ("b1", "i1", "u1", "i8", "f4", "f8"):
        x = (np.arange(40) % 5).astype(dtype)
        graph = Graph("graph", [Value(tensor_type(dtype, (None,)), "x")], [], [])
        kinds = [graph.inputs[0].type, rt.ir.types.type_of(exponent)]
        (result,) = find("pow").infer_types(kinds, {}, {})
        graph.nodes.append(Node(find("pow"), (graph.inputs[0], exponent), (Value(result),)))
        graph.outputs.append(graph.nodes[0].output)
        made, expected = programs(graph)
        (found,), (wanted,) = made.function(x), expected.function(x)
        assert (found.dtype, found.tobytes()) == (wanted.dtype, wanted.tobytes()), dtype


# -- sums ------------------------------------------------------------------------------------------


def total_and_rows(x, y):
    return np.sum(x), np.mean(x), np.sum(y, axis=-1), np.sum(y * y, axis=1)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_sums_of_every_size_have_the_bits_of_numpy(dtype):
    compiled = rt.function(total_and_rows, engine="native", reduce_retracing=True)
    source = np.random.default_rng(4)
    sizes = [*range(1, 40), *range(120, 140), *range(250, 280, 3), 511, 512, 513, 1000, 1023, 4099]
    for size in sizes:
        x = source.normal(size=size) * 10.0 ** source.integers(-6, 7, size)
        x = np.where(source.random(size) < 0.05, -0.0, x).astype(dtype)
        y = np.stack([x, -x[::-1]])
        for found, wanted in zip(compiled(x, y), total_and_rows(x, y), strict=True):
            assert np.asarray(found).tobytes() == np.asarray(wanted).tobytes(), size


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_sums_of_zeros_infinities_and_nan_are_those_of_numpy(dtype):
    compiled = rt.function(lambda x: np.sum(x), engine="native", reduce_retracing=True)
    for size in (0, 1, 5, 8, 9, 200):
        zeros = np.full(size, -0.0, dtype)
        assert np.signbit(compiled(zeros)) == np.signbit(np.sum(zeros)), size
    largest = np.finfo(dtype).max
    for size in (3, 20, 300):
        for values in ([np.inf, -np.inf], [np.nan], [largest, largest], [np.inf]):
            x = np.ones(size, dtype)
            x[: len(values)] = values
            seen = []
            for function in (compiled, np.sum):
                with recorded_warnings() as warned:
                    seen.append((repr(function(x)), sorted(str(w.message) for w in warned)))
            assert seen[0] == seen[1], (size, values)
