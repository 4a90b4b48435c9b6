"""Variables: persistent arrays that functions read and write.

The file is long because it is a collection of independent tests.
"""

import copy
import gc
import pickle
import threading
import weakref

import numpy as np
import pytest

import autograph
import runtime as rt
from runtime.errors import StagingError
from runtime.state.variable import WRITE_WATCHERS

ROW = np.array([1.0, 2.0, 3.0])


class Counter:
    def __init__(self):
        self.count = rt.Variable(0)

    @rt.function
    def up(self):
        self.count += 1
        return self.count.value


class Lazy:
    def __init__(self):
        self.w = None
        self.calls = []

    @rt.function
    def __call__(self, x):
        if self.w is None:
            self.w = rt.Variable(np.zeros(3), name="w")
        self.w.assign_add(x)
        return self.w.value


# -- eagerly ---------------------------------------------------------------------------------------

USES = [
    lambda v: v + 1,
    lambda v: 2**v,
    lambda v: ROW @ v,
    lambda v: v @ ROW,
    lambda v: [1.0, 2.0, 3.0] - v,
    lambda v: ROW * v,
    lambda v: -v,
    lambda v: abs(v - 2),
    lambda v: divmod(v, 2),
    lambda v: v > 1,
    lambda v: v == ROW,
    lambda v: np.exp(v),
    lambda v: np.add(ROW, v, out=np.empty(3)),
    lambda v: np.add.reduce(v),
    lambda v: np.concatenate([v, ROW]),
    lambda v: np.where(v > 1, v, 0.0),
    lambda v: np.sum(v),
    lambda v: np.transpose(v),
    lambda v: v.sum(),
    lambda v: v.reshape(3, 1),
    lambda v: v.T,
    lambda v: v[1:],
    lambda v: v[1],
    lambda v: v[ROW > 1],
    lambda v: v.astype(np.float32),
    lambda v: np.asarray(v),
    lambda v: np.array(v),
    lambda v: len(v),
    lambda v: list(v),
    lambda v: [x * 2 for x in v],
    lambda v: ROW.dot(v),
    lambda v: np.linalg.norm(v),
    lambda v: np.linalg.qr(np.outer(v, v)).R,
    lambda v: (v.shape, v.ndim, v.dtype, v.size),
    lambda v: max(v),
    lambda v: sum(v),
    lambda v: np.stack([v, v]),
    lambda v: np.broadcast_to(v, (2, 3)),
    lambda v: v.tolist(),
    lambda v: f"{v} {v!r:>60} {v[0]:.2f}",
    lambda v: str(v) + repr(v) + repr([v]),
    lambda v: "%s" % v,
    lambda v: np.split(v, 3),
    lambda v: np.zeros_like(v),
    lambda v: np.full(3, v[0]),
    lambda v: 2.0 in v,
    lambda v: [w * 2 for w in zip(v, ROW)],
    lambda v: isinstance(v, rt.Variable),
    lambda v: type(v),
    lambda v: np.einsum("i,i->", v, v),
    lambda v: np.polyval(v, 2.0),
]


def same(one, other):
    if isinstance(one, (list, tuple)):
        pairs = zip(one, other, strict=True)
        return type(one) is type(other) and all(same(x, y) for x, y in pairs)
    if isinstance(one, (np.ndarray, np.generic)):
        kind = type(one) is type(other) and one.dtype == other.dtype and one.shape == other.shape
        return kind and one.tobytes() == other.tobytes()
    return type(one) is type(other) and one == other


@pytest.mark.parametrize("use", USES, ids=range(len(USES)))
def test_a_variable_works_like_its_array_eagerly_and_in_a_graph(use):
    v = rt.Variable(ROW, name="v")
    expected = use(v)
    assert same(rt.function(use)(v), expected)
    assert same(rt.function(lambda: use(v))(), expected)
    if not isinstance(expected, (str, type, bool)):
        assert same(expected, use(ROW))


NUMBERS = [
    lambda v: v + 1,
    lambda v: 1 - v,
    lambda v: v / 2,
    lambda v: v > 1,
    lambda v: np.sqrt(v),
    lambda v: v[()],
    lambda v: v[...],
    lambda v: float(v),
    lambda v: int(v),
    lambda v: bool(v),
    lambda v: v.item(),
    lambda v: f"{v:.3f}",
    lambda v: v * ROW,
    lambda v: 1 if v else 2,
    lambda v: not v,
    lambda v: round(v, 1),
    lambda v: (v.real, v.T, v.sum(), v.astype(np.float32), v.clip(0, 1), v.tolist()),
    lambda v: np.maximum(v, 1),
    lambda v: -v,
]


@pytest.mark.parametrize("use", NUMBERS, ids=range(len(NUMBERS)))
def test_a_0_d_variable_behaves_like_a_numpy_scalar(use):
    v = rt.Variable(2.5)
    expected = use(v)
    assert same(rt.function(use)(v), expected)
    if use is not NUMBERS[6]:
        assert same(expected, use(np.float64(2.5)))


def test_arrays_read_from_a_variable_do_not_share_its_memory():
    v = rt.Variable(np.zeros((2, 2)))
    reads = [v.value, v[:1], v.T, np.asarray(v), v.reshape(4), np.ravel(v), v[...], v.view()]
    reads += rt.function(lambda: (v.value, v.T, v[:1], v.value, np.ravel(v), v))()[:5]
    for array in reads:
        array += 1
    v.assign(np.full((2, 2), 7.0))
    assert all(np.all(array == 1) for array in reads)
    assert np.all(v == 7)


def test_numpy_functions_that_write_in_place_write_into_the_variable():
    def use(v):
        np.add(v, 1, out=v)
        np.add(v, 1, v)
        np.cumsum(v, out=v)
        np.put(v, 0, 9.0)
        v.sort()
        np.add.at(v, [1, 1], 1.0)
        np.copyto(v, v * 2)
        v[::2] = 0
        v[1] *= 3
        return v

    v, w, array = rt.Variable(ROW), rt.Variable(ROW), ROW.copy()
    assert use(v) is v and rt.function(use)(w) is w
    use(array)
    assert same(v.value, array) and same(w.value, array)


def test_assigned_arrays_are_copied():
    x, v, w = ROW.copy(), rt.Variable(ROW), rt.Variable(ROW)
    v.assign(x)
    rt.function(lambda x: w.assign(x))(x)
    x[0] = 100
    assert v[0] == 1 and w[0] == 1


WRONG = [
    (ValueError, lambda v: v.assign(np.zeros(4))),
    (ValueError, lambda v: v.assign(0.0)),
    (ValueError, lambda v: v.assign(np.zeros((1, 3)))),
    (TypeError, lambda v: v.assign(np.zeros(3, complex))),
    (TypeError, lambda v: v.assign_add(1j)),
]


@pytest.mark.parametrize("error, write", WRONG)
def test_the_error_about_a_wrong_shape_or_dtype_names_the_variable(error, write):
    v = rt.Variable(ROW, name="weights")
    for run in (write, rt.function(write)):
        with pytest.raises(error, match="variable 'weights' of f64"):
            run(v)
    assert same(v.value, ROW)


def test_an_integer_variable_refuses_floats_and_accepts_python_ints():
    v = rt.Variable(np.uint8(3))
    v.assign(5)
    rt.function(lambda: v.assign_add(1))()
    assert same(v.value, np.uint8(6))
    with pytest.raises(TypeError, match="float"):
        v.assign(1.5)
    with pytest.raises(TypeError, match="float"):
        rt.function(lambda: v.assign(v * 0.5))()


def test_an_unknown_size_is_checked_at_run_time():
    v = rt.Variable(np.zeros(2))
    f = rt.function(lambda x: v.assign(x[x > 0]))
    f(np.array([1.0, -1.0, 2.0]))
    assert same(v.value, np.array([1.0, 2.0]))
    with pytest.raises(ValueError, match=r"is assigned an array of a shape other than \(2,\)"):
        f(np.array([1.0]))


def test_assigned_elements_are_stored_in_c_order():
    x = np.asfortranarray(np.random.default_rng(0).random((50, 70)))
    v, w = rt.Variable(np.zeros((50, 70))), rt.Variable(np.zeros((50, 70)))

    def use(v):
        v.assign(x * 3)
        return np.sum(v), v.value.flags.c_contiguous if v is w else True

    assert same(rt.function(lambda x: np.sum(w.assign(x * 3)))(x), use(v)[0])
    assert w._array.flags.c_contiguous


def test_copies_are_independent_variables():
    v = rt.Variable(ROW, name="v", trainable=False)
    for other in (copy.copy(v), copy.deepcopy(v), pickle.loads(pickle.dumps(v))):
        v[0] = 50
        assert other.name == "v" and not other.trainable and other[0] == 1
        v.assign(ROW)


def test_the_repr_names_the_variable():
    assert repr(rt.Variable(ROW, name="w")) == "<rt.Variable w: array([1., 2., 3.])>"
    assert repr(rt.Variable(1)) == f"<rt.Variable: {np.int64(1)!r}>"


# -- in graphs -------------------------------------------------------------------------------------


def test_one_graph_counts_through_all_calls():
    counter = Counter()
    assert [int(counter.up()) for _ in range(4)] == [1, 2, 3, 4]
    assert len(Counter.up.graphs) == 1
    assert Counter.up.graphs[0].variables == [counter.count]


def test_two_objects_have_their_own_variables():
    one, other = Counter(), Counter()
    one.up(), other.up(), one.up()
    assert (int(one.count), int(other.count)) == (2, 1)


def test_a_variable_that_replaces_another_is_used():
    counter = Counter()
    counter.up()
    counter.count = rt.Variable(np.zeros(2))
    counter.up()
    assert same(counter.count.value, np.ones(2))


def test_variable_arguments_are_compared_by_identity_and_their_arrays_are_inputs():
    f = rt.function(lambda v, w: v.assign_add(w))
    v, w = rt.Variable(ROW), rt.Variable(ROW)
    f(v, w)
    w.assign(ROW * 10)
    f(v, w)
    assert same(v.value, ROW * 12) and len(f.graphs) == 1
    f(w, w)
    assert same(w.value, ROW * 20) and len(f.graphs) == 2


def test_variables_in_lists_dicts_and_objects_are_found():
    class Layer:
        def __init__(self):
            self.parts = {"w": [rt.Variable(ROW), rt.Variable(2.0)]}

    layer, others = Layer(), [rt.Variable(1.0), (rt.Variable(3.0),)]

    @rt.function
    def f():
        w, scale = layer.parts["w"]
        for v in (w, scale, others[0], others[1][0]):
            v.assign_add(1)
        return w * scale

    assert same(f(), (ROW + 1) * 3) and same(f(), (ROW + 2) * 4)
    assert float(others[0]) == 3 and float(others[1][0]) == 5 and len(f.graphs) == 1


def test_prints_show_the_current_value_of_the_variable(capsys):
    v = rt.Variable(1.0, name="v")

    @rt.function
    def f():
        print("before", v, [v])
        v.assign_add(1)
        print(f"after {v} {v:.1f}")

    f(), f()
    shown = repr(np.float64(1)), repr(np.float64(2))
    assert capsys.readouterr().out == (
        f"before 1.0 [<rt.Variable v: {shown[0]}>]\nafter 2.0 2.0\n"
        f"before 2.0 [<rt.Variable v: {shown[1]}>]\nafter 3.0 3.0\n"
    )


def program(n, v, w):
    """Writes in loops, in branches and in called functions."""

    def add(x):
        v.assign_add(x)
        return v * 2

    i = 0
    while i < n:
        if v[0] > 10:
            w.assign_sub(1)
            v[0] = add(v)[0] - 11
        else:
            v[i % 3] += add(float(i))[1]
            w.assign(w * 2 + 1)
        for x in v:
            if x > 30:
                v[i % 2] -= 20
                break
        i += 1
    return v.value, w + 0


@pytest.mark.parametrize("n", [0, 1, 2, 5, 13])
def test_writes_in_staged_blocks_equal_those_of_python(n):
    pairs = [(rt.Variable(ROW), rt.Variable(1)) for _ in range(3)]
    expected = program(n, *pairs[0])
    assert same(rt.function(program)(np.int64(n), *pairs[1]), expected)
    assert same(autograph.to_graph(program)(n, *pairs[2]), expected)
    for (v, w), (x, y) in zip(pairs[1:], [pairs[0]] * 2, strict=True):
        assert same(v.value, x.value) and same(w.value, y.value)


def test_a_recursive_function_writes_a_variable():
    v, visits = rt.Variable(np.zeros(3)), rt.Variable(0)

    @rt.function
    def fib(n):
        visits.assign_add(1)
        if n < 2:
            v[0] += 1.0
            return n
        return fib(n - 1) + fib(n - 2)

    assert fib(np.int64(10)) == 55 and int(visits) == 177 and v[0] == 89
    assert fib(np.int64(5)) == 5 and int(visits) == 192


def test_an_item_is_written_in_a_loop_without_copying_the_array():
    v = rt.Variable(np.zeros(1000))

    @rt.function
    def f(n):
        for i in range(n):
            v[i] = v[i] + float(i)

    f(np.int64(1000))
    assert same(v.value, np.arange(1000.0))
    loop = f.source().split("for i in")[1].split("return")[0]
    assert "np.array" not in loop and "copy" not in loop and "stored" not in loop


def test_assignments_before_an_exception_persist():
    v, w = rt.Variable(0.0), rt.Variable(ROW)

    @rt.function
    def f(x):
        v.assign(1.0)
        w[0] = 9.0
        assert x > 0, "not positive"
        v.assign(2.0)

    before = w._array
    with pytest.raises(AssertionError, match="not positive"):
        f(np.float64(-1))
    assert float(v) == 1 and w[0] == 9 and before[0] == 1
    f(np.float64(1))
    assert float(v) == 2


def test_a_graph_that_only_reads_a_variable_does_not_copy_it():
    w = rt.Variable(np.eye(3))
    f = rt.function(lambda x: w @ x + np.sum(w))
    f(ROW)
    assert "copy" not in f.source() and "array" not in f.source()


def test_two_results_never_share_memory():
    v = rt.Variable(ROW)

    @rt.function
    def f(x):
        y = x * 2
        v.assign(y)
        return y, v.value, v.value

    results = f(ROW)
    for result in results:
        result += 1
    assert all(same(result, ROW * 2 + 1) for result in results) and same(v.value, ROW * 2)


def test_variables_assigned_to_each_other_stay_separate():
    v, w = rt.Variable(ROW), rt.Variable(ROW * 2)

    @rt.function
    def swap():
        old = v.value
        v.assign(w)
        w.assign(old)

    swap()
    v[0] = 100
    assert same(w.value, ROW) and same(v.value, np.array([100.0, 4.0, 6.0]))


def test_overlapping_arguments_are_written_beside_a_variable():
    v, x = rt.Variable(ROW), np.zeros(6)

    @rt.function
    def f(a, b):
        a += v
        b += a
        v.assign(b)

    f(x[:3], x[1:4])
    y = np.zeros(6)
    y[:3] += ROW
    y[1:4] += y[:3].copy()
    assert same(x, y) and same(v.value, y[1:4])


def test_graphs_keep_no_variable_alive():
    counter = Counter()
    counter.up()
    seen = weakref.ref(counter.count)
    del counter
    gc.collect()
    assert seen() is None


def test_a_failed_run_keeps_no_variable_alive():
    counter = Counter()
    f = rt.function(lambda one, x: np.reshape(one.count.assign_add(1) + x, (7, 7)))
    with pytest.raises(ValueError):
        f(counter, np.zeros(np.int64(3)))
    g = rt.function(
        lambda one, x: one.count.assign_add(x[0] // x[1]).assign(1 // (x[2:] > 9).sum())
    )
    with np.errstate(all="raise"), pytest.raises(FloatingPointError):
        g(counter, np.array([4, 2, 1]))
    assert int(counter.count) == 3
    seen = weakref.ref(counter.count)
    del counter
    gc.collect()
    assert seen() is None


def test_repeated_reads_share_one_value_of_the_graph_until_a_write():
    v, seen = rt.Variable(ROW), []

    @rt.function
    def f():
        seen.append([v.staged_value()._value, v.staged_value()._value])
        v.assign_add(1)
        seen[-1].append(v.staged_value()._value)

    f()
    one, again, other = seen[0]
    assert one is again and other is not one


def test_watchers_are_notified_before_a_write():
    v, seen = rt.Variable(ROW), []
    WRITE_WATCHERS.append(lambda variable, old: seen.append((variable, old)))
    try:
        v.assign(ROW * 2)
        v[0] = 5
        rt.function(lambda: v.assign_add(1))()
    finally:
        WRITE_WATCHERS.pop()
    assert [variable for variable, _ in seen] == [v] * 3
    assert same(seen[0][1], ROW) and same(seen[1][1], ROW * 2)
    assert isinstance(seen[2][1], rt.Tensor)


def test_a_session_has_no_variables():
    v = rt.Variable(ROW, name="v")
    with rt.Graph().as_default(), pytest.raises(StagingError, match="session"):
        v + 1


def refused_choice(n, v, w):
    u = v if n > 0 else w
    u += 1


def refused_binding(n, v, w):
    u = v
    for _ in range(n):
        u = w
    u += 1


def refused_list(n, v, w):
    z = []
    for _ in range(n):
        z.append(v)
        v.assign_add(1)
    return autograph.stack(z)


def refused_position(n, v, w):
    [v, w][n] += 1


REFUSED = [refused_choice, refused_binding, refused_list, refused_position]


@pytest.mark.parametrize("use", REFUSED)
def test_a_choice_between_variables_at_run_time_is_refused(use):
    v, w = rt.Variable(ROW, name="v"), rt.Variable(ROW, name="w")
    with pytest.raises(StagingError, match="rt.Variable v"):
        rt.function(use)(np.int64(1), v, w)


def test_a_variable_may_be_an_index_and_a_dict_key():
    i, v = rt.Variable(1), rt.Variable(ROW)
    names = {v: "v"}

    def use():
        return ROW[i], ROW[i:], [10, 20, 30][i], v[i], names[v], i in (1, 2)

    i.assign(2)
    assert same(rt.function(use)(), use()) and use()[2] == 30


# -- created in functions --------------------------------------------------------------------------


def test_a_function_creates_its_variable_once():
    lazy = Lazy()
    assert same(lazy(ROW), ROW)
    first = lazy.w
    assert same(lazy(ROW), ROW * 2) and same(lazy(ROW.astype(np.float32)), ROW * 3)
    assert lazy.w is first
    other = Lazy()
    assert same(other(ROW), ROW) and same(lazy.w.value, ROW * 3)


def test_a_closure_creates_its_variable_once():
    v = None

    @rt.function
    def f():
        nonlocal v
        if v is None:
            v = rt.Variable(10.0)
        v.assign_add(1)
        return v + 0

    assert [float(f()) for _ in range(3)] == [11, 12, 13]


def test_a_variable_may_be_created_with_a_staged_value():
    class Scaled:
        def __init__(self):
            self.w = None

        @rt.function
        def __call__(self, x):
            if self.w is None:
                self.w = rt.Variable(x * 2)
            self.w += 1
            return self.w.value

    scaled = Scaled()
    assert same(scaled(ROW), ROW * 2 + 1) and same(scaled(ROW * 0), ROW * 2 + 2)
    with pytest.raises(StagingError, match="traced without a run"):
        Scaled.__call__.get_concrete_function(Scaled(), ROW)


def test_a_variable_that_a_failed_run_did_not_reach_has_no_value():
    class Late:
        def __init__(self):
            self.w = None

        @rt.function
        def __call__(self, x):
            if self.w is None:
                assert x[0] > 0
                self.w = rt.Variable(x)
            return self.w + 1

    late = Late()
    with pytest.raises(AssertionError):
        late(-ROW)
    for use in (lambda: late.w + 1, lambda: late(ROW)):
        with pytest.raises(StagingError, match="has no value"):
            use()


def test_a_graph_that_is_only_traced_creates_no_variables():
    lazy = Lazy()
    concrete = Lazy.__call__.get_concrete_function(lazy, ROW)
    assert not concrete.creates and same(concrete(lazy, ROW), ROW)


def test_an_object_at_the_address_of_one_that_is_gone_creates_its_own_variables():
    """Of 50 objects that are freed at once, most have had the same address."""
    addresses = set()
    for _ in range(50):
        lazy = Lazy()
        addresses.add(id(lazy))
        concrete = Lazy.__call__.get_concrete_function(lazy, ROW)
        assert same(concrete(lazy, ROW), ROW) and same(lazy(ROW), 2 * ROW)
        del lazy, concrete
    assert len(addresses) < 50


def test_a_variable_that_is_created_at_every_call_is_refused():
    @rt.function
    def f(x):
        v = rt.Variable(0.0)
        v.assign(x)
        return v + 1

    with pytest.raises(StagingError, match="f creates a variable in every call") as error:
        f(np.float64(1))
    assert "v = rt.Variable(0.0)" in str(error.value)


def test_a_later_trace_that_creates_variables_is_refused():
    class Careless:
        @rt.function
        def __call__(self, x):
            self.v = rt.Variable(x[0])
            return self.v + 1

    careless = Careless()
    careless(ROW)
    with pytest.raises(StagingError, match="that has created its variables before"):
        careless(ROW)


def test_a_variable_is_not_created_in_a_staged_block():
    @rt.function
    def f(x):
        v = None
        if x > 0:
            v = rt.Variable(1.0)
        return v

    with pytest.raises(StagingError, match="created in a staged branch or loop"):
        f(np.float64(1))


# -- threads ---------------------------------------------------------------------------------------


def in_threads(function, count=8):
    errors = []

    def run():
        try:
            function()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not errors and not any(thread.is_alive() for thread in threads)


def test_no_write_of_a_graph_is_lost():
    v = rt.Variable(0)
    f = rt.function(lambda: v.assign_add(1))
    in_threads(lambda: [f() for _ in range(1000)])
    assert int(v) == 8000


def test_no_write_outside_of_graphs_is_lost():
    v, items = rt.Variable(0), rt.Variable(np.zeros(3, int))

    def run():
        nonlocal v
        for i in range(1000):
            v.assign_add(1)
            v += 1
            items[i % 3] += 0
            np.add.at(items, [0], 1)

    in_threads(run)
    assert int(v) == 16000


def test_functions_that_write_each_others_variables_do_not_deadlock():
    v, w = rt.Variable(0), rt.Variable(0)

    @rt.function
    def one():
        v.assign_add(1)
        other(False)

    @rt.function
    def other(again):
        w.assign_add(1)
        if again:
            one()

    in_threads(lambda: [(one(), other(True)) for _ in range(200)], 4)
    assert int(v) == 1600 and int(w) == 2400


def test_a_reader_never_sees_a_partially_written_array():
    v, stop = rt.Variable(np.zeros(20000)), threading.Event()
    write, read = (
        rt.function(lambda x: v.assign(v * 0 + x)),
        rt.function(lambda: (v.min(), v.max())),
    )

    def writer():
        for i in range(200):
            write(np.float64(i)) if i % 3 else v.assign(np.full(20000, float(i)))
            v[...] = -float(i)
        stop.set()

    def reader():
        while not stop.is_set():
            low, high = read()
            assert low == high
            value = v.value
            assert value[0] == value[-1]

    roles = iter([writer, reader, reader])
    in_threads(lambda: next(roles)(), 3)
