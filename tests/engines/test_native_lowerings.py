"""Every op with machine code computes what the NumPy engine computes, or leaves it to NumPy.

Each graph has one node.  It runs on both engines, with all pairs of edge values of its types:
results are compared bit by bit with their types, and warnings and exceptions by their texts.
"""

import itertools
import struct

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="the native engine needs the extra `native`")

from warning_records import recorded_warnings  # noqa: E402

import runtime as rt  # noqa: E402
from runtime.engines import native, registry  # noqa: E402
from runtime.engines.native import (  # noqa: E402
    lowering,
    mathematics,
    numpy_calls,
    pieces,
    program,
)
from runtime.engines.registry import Options  # noqa: E402
from runtime.ir.graph import Graph, Node, Value  # noqa: E402
from runtime.ir.op import find, records  # noqa: E402
from runtime.ir.slot import Slot  # noqa: E402
from runtime.ir.types import BOOL, COMPLEX, FLOAT, INT, PythonType, tensor_type  # noqa: E402

INTEGERS = (0, 1, -1, 2, -3, 7, 255, 256)
FLOATS = (0.0, -0.0, 1.0, -2.5, 3e-320, 1e-40, 1e38, 1e308, -1e19, 2.0**53, np.inf, -np.inf, np.nan)
PARTS = ((0.0, -0.0), (1.5, -2.5), (-3.0, 0.25), (0.0, 1e-310), (1e-40, 1e200), (-0.0, 0.0))
PARTS += ((np.inf, 1.0), (-1.0, np.nan), (-np.inf, -np.inf), (1e308, -1e308))
KINDS = ("b1", "i1", "i4", "i8", "u1", "u4", "u8", "f4", "f8", "c8", "c16")
TYPES = (BOOL, INT, FLOAT, COMPLEX, *map(tensor_type, KINDS))
assert program.LOWERINGS  # the modules that fill the table
# op names: those that are no functions of scalars, which other tests call
STRUCTURAL = {"cond", "loop", "raise_", "assert_", "observed", "unreachable", "zero", "option"}
STRUCTURAL |= {"enter_errors", "leave_errors", "recursive", "again", "written"}
# op names: those of arrays, which `test_native_arrays.py` and `test_native_selections.py` call
ARRAYS = {"constant", "copy", "full", "getitem", "setitem", "size", "np_copy", "take", "add_at"}
ARRAYS |= {"nonzero", "flatnonzero", "count_nonzero"}
CONVERSIONS = {"number": "type", "cast": "dtype"}
LISTS = {name for name in lowering.lowered_names() if name.startswith("list_")}  # likewise
LISTS |= {"key_place"}  # `test_native_dict_keys.py`
TUPLES = {"pack", "unpack", "optional", "is_none", "present"}  # `test_native_tuples.py`
NUMPY_CALLS = {*numpy_calls.CALLED}  # `test_native_numpy_calls.py`
FUNCTIONS = (
    *mathematics.SCALAR_TYPES,
    *mathematics.ROUNDINGS,
    *mathematics.C_FUNCTIONS,
    "math_sqrt",
)
# `relax` has a lowering for arrays, once libraries for C are imported (`export/library`).
# `has_type` names types: `test_native_mixed_scalars.py`.
NO_SCALARS = (
    {"relax", "has_type", "ask", "cross"}
    | STRUCTURAL
    | ARRAYS
    | LISTS
    | TUPLES
    | NUMPY_CALLS
    | {*CONVERSIONS, *FUNCTIONS}
)
PLAIN = [name for name in lowering.lowered_names() if name not in NO_SCALARS]

CALLED = [
    op.name
    for op in records()
    if isinstance(op.numpy, np.ufunc)
    and isinstance(op.eval, str)
    and op.eval.startswith(f"xp.{op.name}(")
    and op.name not in PLAIN
    and op.numpy.nout == 1
    and {"dd->d", "d->d", "d->?", "dd->?"} & {*op.numpy.types}  # integer loops stay in NumPy
]


def values(kind):
    """Edge values of a type."""
    if kind == BOOL:
        return [False, True]
    if kind == INT:
        return [*INTEGERS, 2**53 + 1, 2**62, 2**63 - 1, -(2**63), 2**63, 10**30]
    if kind == FLOAT:
        return list(FLOATS)
    if kind.dtype.kind == "c":
        with np.errstate(all="ignore"):
            numbers = [complex(*two) for two in PARTS]
            return numbers if kind == COMPLEX else [kind.dtype.type(one) for one in numbers]
    if kind.dtype.kind == "b":
        return [np.False_, np.True_]
    of = kind.dtype.type
    if kind.dtype.kind == "f":
        with np.errstate(all="ignore"):
            return [of(x) for x in FLOATS]
    bounds = np.iinfo(of)
    inside = [n for n in INTEGERS if bounds.min <= n <= bounds.max]
    return [of(n) for n in (*inside, bounds.min, bounds.max, bounds.max // 2 + 1)]


def graph_of(name, kinds, attributes=None):
    """A graph of one node, or None if the op does not take operands of these types."""
    op, attributes = find(name), attributes or {}
    try:
        results = op.infer_types(kinds, attributes, {})
    except (TypeError, ValueError):
        return None
    inputs = [Value(kind, "x") for kind in kinds]
    node = Node(op, tuple(inputs), tuple(map(Value, results)), attributes)
    return Graph("graph", inputs, [node], list(node.outputs))


def seen(function, operands):
    """The results of a run, exactly: types, bits, warnings, exception."""
    with recorded_warnings() as found:
        try:
            results = tuple((type(one), bits(one)) for one in function(*operands))
        except Exception as error:
            results = type(error), str(error)
    return results, sorted((one.category, str(one.message)) for one in found)


def bits(number):
    if isinstance(number, complex | np.complexfloating):
        return bits(number.real), bits(number.imag)
    if isinstance(number, np.generic):
        return "nan" if number != number else number.tobytes()
    if isinstance(number, float):
        return "nan" if number != number else struct.pack("d", number)
    return number


def runs_alike(graph):
    """Compares all pairs of values; returns how many runs were native, and how many there were."""
    program = native.compile_graph(graph, Options())
    expected = registry.find("numpy").compiled(graph, Options())
    assert program.pieces, program.native("pieces")
    runs = done = 0
    for operands in itertools.product(*(values(v.type) for v in graph.inputs)):
        assert seen(program.function, operands) == seen(expected.function, operands), operands
        runs += 1
        done += program.pieces[0].function(*operands)[0]
    return done, runs


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch):
    """Pieces of a single node, which would not be worth a call."""
    monkeypatch.setattr(pieces, "FEWEST_NODES", 1)


def compared(graphs):
    """Compares graphs of one op; some must have machine code, and some runs must use it."""
    done = lowered = 0
    for graph in graphs:
        if graph is not None and pieces.cut(graph).pieces:
            native_runs, _ = runs_alike(graph)
            done, lowered = done + native_runs, lowered + 1
    assert lowered and done
    return lowered


OFTEN = ("math_sqrt", "math_log", "math_sin", "math_floor", "np_float32")


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name in OFTEN else pytest.mark.thorough) for name in FUNCTIONS],
)
def test_functions_of_one_scalar(name):
    given = {"given": (Slot(0),), "named": ()}
    compared(graph_of(name, (kind,), given) for kind in TYPES)


@pytest.mark.parametrize("name", PLAIN)
def test_operands_of_one_type(name):
    arity = find(name).arity
    compared(graph_of(name, (kind,) * arity) for kind in TYPES)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", [name for name in PLAIN if find(name).arity == 2])
def test_operands_of_two_types(name):
    pairs = [(x, y) for x, y in itertools.product(TYPES, repeat=2) if x != y]
    some = [(tensor_type("f8"), FLOAT), *pairs[sum(map(ord, name)) % 22 :: 22]]
    compared(graph_of(name, pair) for pair in some)


@pytest.mark.parametrize("base", [np.int64, np.int32, np.float64, float])
@pytest.mark.parametrize("exponent", [np.int64, np.float64, float])
def test_random_powers_have_the_bits_of_the_scalars(base, exponent):
    def power(x, y):
        x, y = base(x), exponent(y)
        return (x**y) * 1.0 + x

    compiled = rt.function(power, engine="native")
    for x, y in np.random.default_rng(7).uniform(1, 30, (150, 2)):
        found, wanted = compiled(x, y), power(x, y)
        assert type(found) is type(wanted) and bits(found) == bits(wanted), (x, y)


@pytest.mark.thorough
@pytest.mark.parametrize("name", [name for name in PLAIN if find(name).arity == 2])
def test_operands_of_any_two_types(name):
    compared(graph_of(name, pair) for pair in itertools.product(TYPES, repeat=2))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", CALLED)
def test_ufuncs_that_are_called(name):
    some = (INT, FLOAT, *map(tensor_type, ("i4", "f4", "f8")))
    compared(graph_of(name, (kind,) * find(name).arity) for kind in some)


@pytest.mark.thorough
@pytest.mark.parametrize("name", [name for name in CALLED if find(name).arity == 2])
def test_ufuncs_of_any_two_types(name):
    compared(graph_of(name, pair) for pair in itertools.product(TYPES, repeat=2))


@pytest.mark.parametrize("name", [name for name in CALLED if find(name).arity == 1])
def test_ufuncs_of_random_bits(name):
    """Calls for one element have the bits that NumPy computes, whatever code NumPy uses for it."""
    random = np.random.default_rng(sum(map(ord, name)))
    for bits_of, of in ((np.uint32, np.float32), (np.uint64, np.float64)):
        graph = graph_of(name, (tensor_type(of),))
        if graph is None or not pieces.cut(graph).pieces:
            continue
        program = native.compile_graph(graph, Options())
        expected = registry.find("numpy").compiled(graph, Options())
        numbers = random.integers(0, np.iinfo(bits_of).max, 200, bits_of).view(of)
        for number in (*numbers, *random.normal(size=100).astype(of)):
            assert seen(program.function, (number,)) == seen(expected.function, (number,)), number


@pytest.mark.parametrize("name", CONVERSIONS)
def test_conversions(name):
    def targets():
        for kind in TYPES:
            is_python = isinstance(kind, PythonType)
            if is_python == (name == "number") and kind != BOOL:
                yield {CONVERSIONS[name]: kind if is_python else kind.dtype}

    compared(
        graph_of(name, (kind,), target) for kind, target in itertools.product(TYPES, targets())
    )
