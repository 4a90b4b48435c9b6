"""`rt.vmap`: axes, sizes, side effects, and composition with other transformations.

The file is long because it is a collection of independent tests.
"""

import warnings

import numpy as np
import pytest

import runtime as rt

NUMBERS = np.array([-1.0, 0.0, 1.0, 2.0])
TABLE = np.arange(12.0).reshape(4, 3)


def total(x):
    return x.sum()


def doubled(x):
    return x * 2


def added(x, y):
    return x + y


def halves(x):
    if x > 0:
        return x / 2
    return -x


def steps(x):
    n = 0
    while x < 10:
        x = x * 2 + 1.5 + 9 * (x < 0)
        n += 1
    return n


def same(got, wanted):
    assert (got.dtype, got.shape) == (np.asarray(wanted).dtype, np.shape(wanted))
    np.testing.assert_array_equal(got, wanted)


# -- axes ------------------------------------------------------------------------------------------


def test_in_axes_names_the_axis_of_the_elements():
    same(rt.vmap(total)(TABLE), [3.0, 12.0, 21.0, 30.0])
    same(rt.vmap(total, in_axes=1)(TABLE), [18.0, 22.0, 26.0])
    same(rt.vmap(total, in_axes=-1)(TABLE), [18.0, 22.0, 26.0])
    same(rt.vmap(added, in_axes=(0, None))(NUMBERS, np.float64(2)), NUMBERS + 2)
    same(rt.vmap(added, in_axes=(1, 0))(TABLE, TABLE[0]), TABLE.T + TABLE[0][:, None])


def test_out_axes_names_the_axis_of_the_results():
    same(rt.vmap(doubled, in_axes=1, out_axes=1)(TABLE), TABLE * 2)
    same(rt.vmap(doubled, in_axes=1, out_axes=-1)(TABLE), TABLE * 2)
    same(rt.vmap(doubled, in_axes=1)(TABLE), TABLE.T * 2)
    first, second = rt.vmap(lambda x: (x, x.sum()), out_axes=(1, 0))(TABLE)
    same(first, TABLE.T)
    same(second, TABLE.sum(axis=1))


def test_axes_may_be_given_in_containers_like_the_arguments():
    def f(d, pair):
        return {"sum": d["a"] + d["b"][0], "product": pair[0] * pair[1]}

    axes = ({"a": 0, "b": (None,)}, (0, None))
    got = rt.vmap(f, in_axes=axes)({"a": NUMBERS, "b": (np.float64(3),)}, [NUMBERS, TABLE[0]])
    same(got["sum"], NUMBERS + 3)
    same(got["product"], NUMBERS[:, None] * TABLE[0])


def test_only_arrays_are_mapped_over():
    def scaled(x, power=2, *, factor=3.0, name="x"):
        return x**power * factor, name

    values, name = rt.vmap(scaled)(NUMBERS, 1)
    same(values, NUMBERS * 3.0)
    assert name == "x"
    same(rt.vmap(scaled)(NUMBERS, factor=TABLE[:, 0])[0], NUMBERS**2 * TABLE[:, 0])


def test_out_axes_none_returns_a_result_common_to_all_elements_once():
    values, seven = rt.vmap(lambda x: (x, 7.5), out_axes=(0, None))(NUMBERS)
    assert seven == 7.5
    same(rt.vmap(lambda x: 7.5)(NUMBERS), [7.5] * 4)
    with pytest.raises(ValueError, match="differs between elements"):
        rt.vmap(doubled, out_axes=None)(NUMBERS)


def test_an_empty_batch_returns_an_empty_batch():
    same(rt.vmap(total)(np.zeros((0, 3))), np.zeros(0))
    same(rt.vmap(halves)(np.zeros(0)), np.zeros(0))
    same(rt.vmap(steps)(np.zeros(0)), np.zeros(0, int))
    same(rt.vmap(lambda x: np.linalg.inv(x))(np.zeros((0, 2, 2))), np.zeros((0, 2, 2)))


@pytest.mark.parametrize(
    "axes, arguments, error",
    [
        (0, (NUMBERS, TABLE[:3]), "x has 4 elements along axis 0, y has 3 along axis 0"),
        ((0, 1), (NUMBERS, NUMBERS), r"over axis 1 of y, which is f64\[4\] and has 1 axes"),
        (
            (0, 0, 0),
            (NUMBERS, NUMBERS),
            "in_axes of vmap has 3 entries, and added is called with 2",
        ),
        ((0,), (NUMBERS, NUMBERS), "called with another array, y"),
        (None, (NUMBERS, NUMBERS), "vmap maps added over no array"),
        (0, (NUMBERS, np.float64(1)), "over axis 0 of y, which is f64 and has 0 axes"),
        (((0, 0), 0), (NUMBERS, NUMBERS), r"in_axes of vmap has \(0, 0\) but there is one value"),
    ],
)
def test_errors_about_mismatched_axes_and_sizes_explain_them(axes, arguments, error):
    with pytest.raises((ValueError, rt.StagingError), match=error):
        rt.vmap(added, in_axes=axes)(*arguments)


def test_unknown_sizes_are_compared_at_run_time():
    specs = [rt.TensorSpec((None,), float), rt.TensorSpec((None, None), float)]
    mapped = rt.function(lambda x, y: rt.vmap(added)(x, y), input_signature=specs)
    same(mapped(NUMBERS, TABLE), NUMBERS[:, None] + TABLE)
    with pytest.raises(ValueError, match="x has a different number of elements along axis 0"):
        mapped(NUMBERS, TABLE[:3])


# -- control flow diverges by element --------------------------------------------------------------


def test_a_branch_is_computed_only_for_the_elements_that_take_it():
    def f(x, v, i):
        if x > 0:
            return np.log(x) + v[i]
        return x

    places = np.array([-9, 77, 2, 0])
    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        same(rt.vmap(f)(NUMBERS, TABLE, places), [-1.0, 0.0, TABLE[2, 2], np.log(2) + TABLE[3, 0]])


def test_an_iteration_is_computed_only_for_the_elements_that_reach_it():
    def f(x):
        y = np.float32(1)
        while x > 0:
            y = y * np.float32(1e10)
            x = x - 1
        return y

    with np.errstate(all="raise"):
        got = rt.vmap(f)(np.array([0, 1, 3]))
    same(got, np.array([1, 1e10, 1e30], np.float32))
    with np.errstate(all="raise"), pytest.raises(FloatingPointError, match="overflow"):
        rt.vmap(f)(np.array([0, 1, 4]))


def test_a_loop_runs_as_often_as_its_longest_running_element():
    mapped = rt.vmap(steps)
    same(mapped(NUMBERS), [steps(x) for x in NUMBERS])
    assert mapped.source().count("while ") == 1


def test_an_assertion_checks_each_element_and_reports_the_first_failure():
    def f(x):
        if x > 0:
            assert x < 1.5, f"{x} is too large"
        return x

    same(rt.vmap(f)(NUMBERS[:3]), NUMBERS[:3])
    with pytest.raises(AssertionError, match=r"^2\.0 is too large$"):
        rt.vmap(f)(NUMBERS)


def test_an_exception_in_a_branch_is_raised_if_an_element_takes_it():
    def f(x):
        if x > 1:
            raise ValueError("found", x)
        return x

    same(rt.vmap(f)(NUMBERS[:3]), NUMBERS[:3])
    with pytest.raises(ValueError) as caught:
        rt.vmap(f)(NUMBERS)
    assert caught.value.args == ("found", np.float64(2))


# -- Python scalars --------------------------------------------------------------------------------


def test_python_scalars_keep_their_arithmetic():
    def f(x, n):
        k = int(x)
        return k // 2, -k % 3, k / 4, x * float(n), int(n) + np.float32(1)

    got = rt.vmap(f)(np.array([7.0, -7.0]), np.array([1.5, 2.5], np.float32))
    same(got[0], [3, -4])
    same(got[1], [2, 1])
    same(got[2], [1.75, -1.75])
    same(got[4], np.array([2, 3], np.float32))


def test_division_of_python_scalars_by_zero_raises():
    mapped = rt.vmap(lambda x: 1 // int(x))
    same(mapped(np.array([1.0, 2.0])), [1, 0])
    with pytest.raises(ZeroDivisionError):
        mapped(NUMBERS)
    same(rt.vmap(lambda x: 1 // int(x) if int(x) != 0 else 7)(NUMBERS), [-1, 7, 1, 0])


def test_python_ints_beyond_64_bits_raise():
    with pytest.raises(OverflowError, match="is 10000000000000000000 in a batch"):
        rt.vmap(lambda n: int(n) * 10**18)(np.arange(20))
    with pytest.raises(OverflowError, match="300 out of bounds for int8"):
        rt.vmap(lambda x, n: x + int(n))(np.arange(2, dtype=np.int8), np.array([1.0, 300.0]))


# -- side effects ----------------------------------------------------------------------------------


def test_printing_prints_for_each_element(capsys):
    def f(x):
        print("x is", x)
        if x > 0:
            print(f"{x:.2f}")
        return x

    rt.vmap(f)(NUMBERS)
    lines = [f"x is {x}" for x in NUMBERS]
    assert capsys.readouterr().out.splitlines() == [*lines, "1.00", "2.00"]


def test_each_element_draws_its_own_random_numbers():
    generator = np.random.default_rng(3)
    got = rt.vmap(lambda x: x * 0 + generator.normal())(NUMBERS)
    same(got, np.random.default_rng(3).normal(size=4))


def test_writes_into_elements_change_their_array():
    def f(x):
        x[0] = x.sum()
        return x[1]

    array, wanted = TABLE.copy(), TABLE.copy()
    same(rt.vmap(f)(array), [f(row) for row in wanted])
    same(array, wanted)
    array, wanted = TABLE.copy(), TABLE.T.copy()
    same(rt.vmap(f, in_axes=1)(array), [f(row) for row in wanted])
    same(array, wanted.T)


def test_a_result_has_its_own_memory():
    table = TABLE.copy()
    got = rt.vmap(lambda x: x)(table)
    got[:] = 0
    same(table, TABLE)


class Scaler:
    def __init__(self):
        self.w = np.array(3.0)
        self.calls = 0

    def scaled(self, x):
        self.calls += 1
        return x * self.w

    def learned(self, x):
        self.w = self.w + x
        return x

    @rt.vmap
    def mapped(self, x):
        return x * self.w


def test_methods_are_mapped():
    scaler = Scaler()
    same(rt.vmap(scaler.scaled)(NUMBERS), NUMBERS * 3)
    scaler.w = np.array(5.0)
    same(rt.vmap(scaler.scaled)(NUMBERS), NUMBERS * 5)
    same(scaler.mapped(NUMBERS), NUMBERS * 5)
    assert scaler.calls == 2  # once for each graph


def test_writes_to_outer_arrays_and_variables_are_refused():
    buffer, variable = np.zeros(2), rt.Variable(np.zeros(2))

    def writes(x):
        buffer[0] += x
        return x

    def assigns(x):
        variable.assign_add(variable * x)
        return x

    def keeps(x, y):
        y[0] = x
        return x

    for fn, axes in ((writes, 0), (assigns, 0), (keeps, (0, None)), (Scaler().learned, 0)):
        given = (NUMBERS, np.zeros(2))[: 2 if fn is keeps else 1]
        with pytest.raises(rt.StagingError, match="writes into .*, which is outside of it"):
            rt.vmap(fn, in_axes=axes)(*given)
    same(buffer, np.zeros(2))


def test_strings_cannot_be_results():
    with pytest.raises(rt.StagingError, match="no arrays of strings"):
        rt.vmap(lambda x: f"{x}")(NUMBERS)


def test_lists_of_different_lengths_may_be_used_but_not_returned():
    def grown(x):
        z = []
        while x < 5:
            z.append(x)
            x = x + 1
        return z

    def count(x):
        z = grown(x)
        return len(z), z[-1] + z[0]

    lengths, sums = rt.vmap(count)(NUMBERS)
    same(lengths, [6, 5, 4, 3])
    same(sums, [3.0, 4.0, 5.0, 6.0])
    got = rt.vmap(grown)(np.array([2.0, 2.5]))
    same(np.stack(got), [[2.0, 2.5], [3.0, 3.5], [4.0, 4.5]])
    with pytest.raises(ValueError, match="differ in length"):
        rt.vmap(grown)(NUMBERS)


def test_none_for_some_elements_raises():
    def first_above(v, limit):
        found = None
        for x in v:
            if found is None and x > limit:
                found = x
        return found

    same(rt.vmap(first_above, in_axes=(0, None))(TABLE, np.float64(0)), [1.0, 3.0, 6.0, 9.0])
    with pytest.raises(TypeError, match="returns None for some elements"):
        rt.vmap(first_above, in_axes=(0, None))(TABLE, np.float64(4))


# -- composition -----------------------------------------------------------------------------------


def test_vmap_composes_with_functions():
    inner = rt.function(halves)
    outer = rt.function(lambda x: rt.vmap(inner)(x) + 1)
    same(outer(NUMBERS), [halves(x) + 1 for x in NUMBERS])
    text = str(outer.get_concrete_function(NUMBERS).graph)
    assert "flatnonzero" in text and "test_vmap.py" in text


def test_functions_that_run_as_python_are_looped_over():
    rt.config.run_functions_eagerly(True)
    try:
        same(rt.vmap(halves)(NUMBERS), [halves(x) for x in NUMBERS])
        same(rt.vmap(total, in_axes=1)(TABLE), TABLE.sum(axis=0))
    finally:
        rt.config.run_functions_eagerly(False)


def cubed(x):
    y = x
    while y * y < 30:
        y = y * y + x * x + 1.25
    return y


def reduced(v):
    s = 0.0
    for e in v:
        if e > 4:
            s = s + e * e
        else:
            s = s * e
    return s


@pytest.mark.parametrize("fn, batch", [(halves, NUMBERS), (cubed, NUMBERS), (reduced, TABLE)])
def test_gradients_of_each_element(fn, batch):
    gradient = rt.grad(fn)
    wanted = np.stack([gradient(x) for x in batch])
    np.testing.assert_allclose(rt.vmap(gradient)(batch), wanted)
    np.testing.assert_allclose(rt.grad(lambda xs: rt.vmap(fn)(xs).sum())(batch), wanted)


@pytest.mark.parametrize("fn", [doubled, halves, cubed])
def test_a_gradient_of_a_nested_batch(fn):
    def loss(w, xs):
        return rt.vmap(lambda x: fn(w * x))(xs).sum()

    gradient = rt.grad(loss)
    got = rt.vmap(gradient, in_axes=(0, None))(NUMBERS + 0.5, NUMBERS)
    np.testing.assert_allclose(got, [gradient(w, NUMBERS) for w in NUMBERS + 0.5])


def test_user_defined_gradients_and_checkpoints_are_mapped():
    @rt.custom_gradient
    def seven(x):
        return x * x, lambda d: d * 7 * x

    same(rt.vmap(rt.grad(seven))(NUMBERS), NUMBERS * 7)
    same(rt.grad(lambda xs: rt.vmap(seven)(xs).sum())(NUMBERS), NUMBERS * 7)
    gradient = rt.grad(rt.checkpoint(cubed))
    np.testing.assert_allclose(rt.vmap(gradient)(NUMBERS), [gradient(x) for x in NUMBERS])


def test_a_recursive_function_is_mapped():
    def fibonacci(n):
        if n < 2:
            return n
        return fibonacci(n - 1) + fibonacci(n - 2)

    same(rt.vmap(fibonacci)(np.arange(9)), [0, 1, 1, 2, 3, 5, 8, 13, 21])


def test_results_equal_those_of_jax():
    jax = pytest.importorskip("jax")
    numpy = jax.numpy

    def f(x, w):
        return numpy.tanh(w @ x).sum(), x[::-1]

    def g(x, w):
        return np.tanh(w @ x).sum(), x[::-1]

    weights = TABLE[:3] / 7
    with jax.enable_x64(True):
        wanted = jax.vmap(f, in_axes=(1, None), out_axes=(0, 1))(TABLE[:3], weights)
    got = rt.vmap(g, in_axes=(1, None), out_axes=(0, 1))(TABLE[:3], weights)
    for one, other in zip(got, wanted, strict=True):
        np.testing.assert_allclose(one, other)


def test_lists_of_different_lengths_have_gradients_and_tangents():
    def f(x):
        z = []
        while x < 5:
            z.append(x * x)
            x = x + 1
        return z[-1] * z[0]

    slopes = [rt.grad(f)(x) for x in NUMBERS]
    np.testing.assert_allclose(rt.vmap(rt.grad(f))(NUMBERS), slopes)
    np.testing.assert_allclose(rt.grad(lambda xs: rt.vmap(f)(xs).sum())(NUMBERS), slopes)
    tangent = rt.jvp(lambda xs: rt.vmap(f)(xs), (NUMBERS,), (np.ones(4),))[1]
    np.testing.assert_allclose(tangent, slopes)


def test_nested_loops_do_not_write_into_the_callers_arrays():
    def f(x, v):
        for _ in v:
            for _ in range(np.int64(v[0]) % 5):
                x %= 15.5
        return x

    numbers, table = np.array([-0.0, 16.5]), np.array([[4, 0], [1, 1]])
    same(rt.vmap(f)(numbers, table), [0.0, 1.0])
    assert numbers.tolist() == [0.0, 16.5] and np.signbit(numbers[0])
