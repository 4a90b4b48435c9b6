"""`rt.vmap` returns the stacked results of a Python loop: values, bits, dtypes, shapes.

Tested are expressions, NumPy functions, and written and random functions whose control flow
differs from element to element.
"""

import copy
import random

import numpy as np
import pytest
from batch_expressions import EXPRESSIONS, MATRICES, NUMBERS, VECTORS, W3, W, ix, mk, w
from batch_programs import BATCHES
from budget import examples
from loading import load
from numpy_calls import ARGUMENTS as LIBRARY_ARGUMENTS
from numpy_calls import OPERANDS, UFUNCS, calling
from outcomes import quiet
from random_staged import ARGUMENTS, PRELUDE, Writer

import runtime as rt
from runtime.ir.pytree import flatten, unflatten
from runtime.ops.library import LIBRARY
from runtime.ops.updates import AFTER

# These create functions again for each case.
pytestmark = pytest.mark.filterwarnings("ignore::runtime.RetracingWarning")

# Batched matrix products are summed in a different order.
ROUNDED = {"np.dot(W3, x)", "x @ W", "x @ W3", "W3 @ x", "W @ x", "x @ x", "x @ w", "w @ x"}


def stacked(results):
    """The results of a loop, leaf by leaf along a new first axis."""
    rows = [flatten(result) for result in results]
    (structure,) = {structure for _, structure in rows}
    return unflatten(structure, map(np.stack, zip(*(leaves for leaves, _ in rows), strict=True)))


def looped(function, batches):
    """The results of a loop over the elements; arguments that are not arrays are shared by all."""
    arrays = [batch for batch in batches if isinstance(batch, np.ndarray)]
    count = len(arrays[0])
    return stacked(
        [
            function(*(b[i] if isinstance(b, np.ndarray) else b for b in batches))
            for i in range(count)
        ]
    )


def check(got, wanted, is_rounded=False):
    leaves, structure = flatten(got)
    expected, shape = flatten(wanted)
    assert structure == shape
    for one, other in zip(leaves, expected, strict=True):
        assert type(one) is np.ndarray
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        if is_rounded:
            np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-12)
        else:
            np.testing.assert_array_equal(one, other)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("text, batches", [(t, b) for t, *b in EXPRESSIONS])
def test_an_expression_of_a_batch_equals_that_of_its_elements(text, batches):
    source = f"import numpy as np\nimport math\ndef f({', '.join('xy'[: len(batches)])}):\n    return {text}\n"
    name = f"<{text} of {[b.shape for b in batches]}>"
    module = load(source, name, w=w, W=W, W3=W3, ix=ix, mk=mk)
    is_rounded = text in ROUNDED or "dot" in text or "linalg" in text or "tensordot" in text
    check(rt.vmap(module.f)(*batches), looped(module.f, batches), is_rounded)


@pytest.mark.parametrize("function", BATCHES, ids=lambda function: function.__name__)
def test_control_flow_may_differ_for_each_element(function):
    batches = BATCHES[function]
    wanted = looped(function, copy.deepcopy(batches))
    check(rt.vmap(function)(*batches), wanted, function.__name__ in ("power", "cholinv"))


@pytest.mark.parametrize("function", BATCHES, ids=lambda function: function.__name__)
def test_arrays_of_sizes_known_only_at_run_time_are_mapped(function):
    batches = BATCHES[function]
    specs = [rt.TensorSpec((None, *batch.shape[1:]), batch.dtype) for batch in batches]
    one, two = lambda x: rt.vmap(function)(x), lambda x, y: rt.vmap(function)(x, y)
    mapped = rt.function(one if len(specs) == 1 else two, input_signature=specs)
    for count in (7, 2):
        given = [batch[:count] for batch in batches]
        is_rounded = function.__name__ in ("power", "cholinv")
        check(mapped(*given), looped(function, copy.deepcopy(given)), is_rounded)
    assert len(mapped.graphs) == 1


# -- NumPy functions -------------------------------------------------------------------------------


def variants(leaf):
    """A batch of arrays like the given one."""
    other = leaf if leaf.dtype.kind not in "fc" else (leaf * 2).astype(leaf.dtype)
    return np.stack([leaf, other, np.flip(leaf)])


def compared(function, arguments):
    """Compares a batch with the loop; returns whether NumPy and a graph accept the arguments."""
    leaves, structure = flatten(arguments)
    leaves = [variants(x) if isinstance(x, (np.ndarray, np.generic)) else x for x in leaves]
    each = [
        unflatten(structure, [x[i] if isinstance(x, np.ndarray) else x for x in leaves])
        for i in range(3)
    ]
    if not any(isinstance(x, np.ndarray) for x in leaves):
        return False
    with quiet():
        try:
            wanted = stacked([function(*copy.deepcopy(one)) for one in each])
            rt.function(function)(*each[0])
        except (TypeError, ValueError, IndexError, OverflowError, AttributeError):
            return False
        check(rt.vmap(function)(*unflatten(structure, leaves)), wanted, is_rounded=True)
    return True


@pytest.mark.sampled(10)
@pytest.mark.parametrize("record", UFUNCS, ids=lambda record: record.name)
def test_a_ufunc_of_a_batch(record):
    calls = [compared(calling(record.numpy), given) for given in OPERANDS[record.numpy.nin]]
    assert any(calls)


@pytest.mark.sampled(10)
@pytest.mark.parametrize("function", LIBRARY, ids=lambda f: LIBRARY[f].name)
def test_a_numpy_function_of_a_batch(function):
    if LIBRARY[function].name in ("indices", "math_atanh"):
        pytest.skip("there are no arguments for it of which a batch can be made")
    answered = 0
    for arguments in LIBRARY_ARGUMENTS:
        answered += compared(calling(function), arguments)
        if answered == 3:
            return
    assert answered


@pytest.mark.parametrize("ufunc", [f for f in AFTER if isinstance(f, np.ufunc) and f.nin == 2][:8])
def test_an_array_written_by_ufunc_at(ufunc):
    def changed(x, y):
        x = x.copy()
        ufunc.at(x, [0, 0, 2], y)
        return x

    numbers = NUMBERS if "f" in str(ufunc.types[-1]) or "d" in str(ufunc.types) else NUMBERS > 0
    arrays = VECTORS if numbers is NUMBERS else VECTORS > 0
    with np.errstate(all="ignore"):
        check(rt.vmap(changed)(arrays, numbers), looped(changed, (arrays, numbers)))


# -- random programs -------------------------------------------------------------------------------


class ElementWriter(Writer):
    """Writes random programs of one element, without strings, which batches do not support."""

    def __init__(self, rng):
        super().__init__(rng)
        self.result = "n, m, x, y, c, d, (best if best is not None else x)"

    def grow(self, indent, depth):
        self.assign(indent, depth)

    tell = grow

    def early_return(self):
        return f"return {self.result}" if self.returns else None


def batch():
    """The arguments of the random programs as a batch; the last one is shared by all elements."""
    *columns, last = zip(*ARGUMENTS, strict=True)
    return [*map(np.array, columns), last[0]]


def difference(seed):
    """The difference between a batch and the loop for a random program; None if there is none."""
    source = ElementWriter(random.Random(seed)).module()
    function = load(source, f"<batch {seed}>").f
    given, changed = batch(), batch()
    mapped = rt.vmap(function, in_axes=(*[0] * 6, None))
    try:
        wanted = looped(function, given)
    except Exception as error:
        wanted = error
    try:
        got = mapped(*changed)
    except rt.StagingError:
        return "refused"
    except Exception as error:
        return None if isinstance(wanted, Exception) else f"{seed} raises {error!r}\n{source}"
    if isinstance(wanted, Exception):
        return f"{seed} does not raise {wanted!r}\n{source}"
    found, expected = (*got, *changed[:6]), (*wanted, *given[:6])
    for one, other in zip(found, expected, strict=True):
        if (one.dtype, one.shape, one.tobytes()) != (other.dtype, other.shape, other.tobytes()):
            return f"{seed}: {one} is not {other}\n{source}"
    return None


def refusals(seeds):
    """The number of programs that are refused; fails if one differs."""
    with quiet():
        found = list(map(difference, seeds))
    wrong = [text for text in found if text not in (None, "refused")]
    assert not wrong, wrong[0].removeprefix(PRELUDE)
    return found.count("refused")


def test_random_functions_are_mapped():
    assert refusals(range(examples(25))) <= 6


@pytest.mark.thorough
@pytest.mark.parametrize("first", range(1000, 5000, 1000))
def test_more_random_functions_are_mapped(first):
    assert refusals(range(first, first + 150)) <= 40


# -- batches of batches ----------------------------------------------------------------------------


def test_control_flow_may_differ_for_each_element_of_nested_batches():
    def steps(x, limit):
        n = 0
        while x < limit:
            if n % 2:
                x = x * 1.5 + 1
            else:
                x = x + abs(x) * 0.25 + 0.5
            n += 1
        return n, x

    limits = np.array([1.0, 5.0, 20.0])
    mapped = rt.vmap(rt.vmap(steps, in_axes=(0, None)), in_axes=(None, 0))
    wanted = stacked([looped(steps, (NUMBERS, limit)) for limit in map(float, limits)])
    check(mapped(NUMBERS, limits), wanted)


def test_a_mapped_function_maps_another_one_over_values_it_computed():
    def rows(matrix, scale):
        def largest(row, by):
            best = row[0]
            for element in row:
                if element * by > best:
                    best = element * by
            return best

        scaled = matrix * scale
        return rt.vmap(largest, in_axes=(0, None))(scaled, scale).sum()

    def plain(matrix, scale):
        return rt.vmap(lambda row: row)(matrix * scale), rows(matrix, scale)

    got = rt.vmap(plain)(MATRICES, NUMBERS)
    check(got, stacked([plain(m, s) for m, s in zip(MATRICES, NUMBERS, strict=True)]))
