"""`rt.function`: which calls share a graph, and which values besides arguments a graph reads.

The file is long because it is a collection of independent tests.
"""

import collections
import dataclasses
import functools
import gc
import pickle
import threading
import types
import warnings
import weakref

import numpy as np
import pytest

import runtime as rt

# -- which calls share a graph ---------------------------------------------------------------------


def graphs_after(*calls, **options):
    """The number of graphs of a function after each of some calls."""

    @rt.function(**options)
    def kept(x):
        return x

    counts = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rt.RetracingWarning)
        for argument in calls:
            kept(argument)
            counts.append(len(kept.graphs))
    return counts


def test_python_values_are_compared_by_type_and_value():
    assert graphs_after(1, 1.0, True, 1, 1.0, True) == [1, 2, 3, 3, 3, 3]
    assert graphs_after(0.0, -0.0, float("nan"), float("nan"), "a", b"a", None) == [
        1, 2, 3, 3, 4, 5, 6,
    ]  # fmt: skip


def test_nested_python_values_are_compared_by_type_and_value():
    assert graphs_after({"a": 1}, {"a": 1.0}, {"a": True}, [1], (1,), [1.0]) == [1, 2, 3, 4, 5, 6]


def test_arrays_are_compared_by_dtype_and_shape():
    ones = np.ones
    assert graphs_after(ones(2), ones(3), ones(2) * 5, ones(2, np.float32), ones((2, 1))) == [
        1, 2, 2, 3, 4,
    ]  # fmt: skip


def test_zeros_of_different_sign_give_different_results():
    inverse = rt.function(lambda x: 1 / np.float64(x))
    with np.errstate(divide="ignore"):
        assert inverse(0.0) == np.inf and inverse(-0.0) == -np.inf


def test_objects_are_compared_by_identity():
    one, other = types.SimpleNamespace(a=1), types.SimpleNamespace(a=1)
    assert graphs_after(one, other, one) == [1, 2, 2]


def test_positional_and_keyword_arguments_share_a_graph():
    @rt.function
    def f(a, b=2, *rest, k=3, **others):
        return a + b + k

    f(1, 2), f(1), f(a=1), f(1, b=2, k=3)
    assert len(f.graphs) == 1


@pytest.mark.parametrize("call", [lambda f: f(), lambda f: f(1, 2, 3), lambda f: f(1, z=2)])
def test_a_wrong_call_raises_the_error_of_the_function(call):
    def f(a, b=2):
        return a

    with pytest.raises(TypeError) as expected:
        call(f)
    with pytest.raises(TypeError) as found:
        call(rt.function(f))
    assert str(found.value) == str(expected.value)


def test_array_subclasses_with_different_operators_are_refused():
    with pytest.raises(TypeError, match="x is a matrix, which graphs do not support"):
        rt.function(lambda x: x * x)(np.ones((2, 2)).view(np.matrix))


def test_the_cache_of_graphs_is_bounded_and_evicts_the_oldest():
    f = rt.function(lambda n: n + 1, cache_size=2)
    f(1), f(2), f(1), f(3)
    assert f.pretty_printed_concrete_signatures().count("\n") == 1
    assert "n: 2" not in f.pretty_printed_concrete_signatures()


def test_a_cache_of_size_zero_is_refused():
    with pytest.raises(ValueError, match="at least one graph"):
        rt.function(abs, cache_size=0)


def test_graphs_keep_no_argument_alive():
    class Model:
        def __init__(self):
            self.w = np.ones(3)

        @rt.function
        def __call__(self, x):
            return x * self.w

    model = Model()
    model(np.ones(3))
    known = weakref.ref(model)
    del model
    gc.collect()
    assert known() is None


# -- values that a function reads besides its arguments --------------------------------------------

weights = np.ones(2)
limit = 3
settings = {"scale": 2.0, "sizes": [1, 2]}
log = []
calls = 0


def scaled(x):
    return x * settings["scale"]


@pytest.fixture(autouse=True)
def globals_as_they_were():
    global weights, limit, calls
    yield
    weights, limit, calls = np.ones(2), 3, 0
    settings.update(scale=2.0, sizes=[1, 2])
    log.clear()


def test_a_global_array_is_read_at_every_call():
    global weights
    f = rt.function(lambda x: x + weights)
    assert f(np.zeros(2)).tolist() == [1, 1]
    weights += 1
    assert f(np.zeros(2)).tolist() == [2, 2]
    weights = np.array([5.0, 6.0])
    assert f(np.zeros(2)).tolist() == [5, 6]
    assert len(f.graphs) == 1


def test_values_computed_from_global_arrays_are_computed_at_every_call():
    f = rt.function(lambda x: x + np.max(weights) if weights[0] > 0 else x)
    assert f(np.float64(1)) == 2
    weights[:] = [-1, 7]
    assert f(np.float64(1)) == 1
    assert len(f.graphs) == 1


def test_a_global_array_of_another_type_gets_another_graph():
    global weights
    f = rt.function(lambda x: x + weights)
    f(np.zeros(2))
    weights = np.ones(2, np.float32)
    assert f(np.zeros(2, np.float32)).dtype == np.float32


def test_a_global_array_that_the_function_writes_into_is_written():
    @rt.function
    def f(x):
        weights[0] += x
        return weights.sum()

    assert (f(np.float64(2)), f(np.float64(3))) == (4, 7)
    assert weights.tolist() == [6, 1]


def test_a_global_value_is_never_stale():
    global limit
    f = rt.function(lambda x: x + limit)
    assert f(np.float64(1)) == 4
    limit = 4
    assert f(np.float64(1)) == 5
    limit = 4.0
    assert type(f(np.float32(1))) is np.float32
    limit = 3
    assert f(np.float64(1)) == 4


def test_items_that_a_called_function_reads_are_never_stale():
    f = rt.function(lambda x: scaled(x) + len(settings["sizes"]))
    assert f(np.float64(1)) == 4
    settings["scale"] = 10.0
    assert f(np.float64(1)) == 12
    settings["sizes"].append(3)
    assert f(np.float64(1)) == 13


def test_a_function_that_replaces_another_is_called(monkeypatch):
    f = rt.function(lambda x: scaled(x))
    assert f(np.float64(1)) == 2
    monkeypatch.setitem(globals(), "scaled", lambda x: x * 7)
    assert f(np.float64(1)) == 7


def test_a_variable_of_an_outer_function_is_never_stale():
    bias, factor = np.ones(2), 2

    @rt.function
    def f(x):
        return x * factor + bias

    assert f(np.ones(2)).tolist() == [3, 3]
    bias[0] = 5
    factor = 3
    assert f(np.ones(2)).tolist() == [8, 4]
    bias = np.zeros(2)
    assert f(np.ones(2)).tolist() == [3, 3]


class Layer:
    def __init__(self, w):
        self.w = w
        self.bias = np.zeros(2)

    def __call__(self, x):
        return x * self.w + self.bias


class Model:
    def __init__(self):
        self.layers = [Layer(np.ones(2)), Layer(np.full(2, 2.0))]
        self.pair = (np.ones(2), 3)
        self.training = True
        self.steps = 0

    @rt.function
    def __call__(self, x):
        self.steps += 1
        for layer in self.layers:
            x = layer(x)
        if self.training:
            x = x * 2
        return x + self.pair[0] * self.pair[1]

    @property
    def depth(self):
        return len(self.layers)


def test_attributes_of_objects_are_never_stale():
    model = Model()
    x = np.ones(2)
    assert model(x).tolist() == [7, 7]
    model.layers[1].w[0] = 5
    assert model(x).tolist() == [13, 7]
    model.layers[0].bias = np.ones(2)
    assert model(x).tolist() == [23, 11]
    model.pair = (np.zeros(2), 3)
    assert model(x).tolist() == [20, 8]
    assert model.steps == 1
    model.training = False
    assert model(x).tolist() == [10, 4]
    model.layers.append(Layer(np.full(2, 10.0)))
    assert model(x).tolist() == [100, 40]
    model.layers[2] = Layer(np.full(2, 20.0))
    assert model(x).tolist() == [200, 80]


def test_write_only_counters_and_logs_change_while_tracing_and_do_not_retrace():
    global calls

    @rt.function
    def f(x):
        global calls
        calls += 1
        log.append("traced")
        return x + 1

    f(np.float64(1)), f(np.float64(2))
    assert calls == 1 and log == ["traced"]
    log.clear()
    calls = 0
    f(np.float64(3))
    assert calls == 0 and log == []


def test_a_counter_that_is_read_is_correct_at_every_call():
    class Counter:
        step = 0

        @rt.function
        def next(self, x):
            self.step += 1
            return x / self.step

    counter = Counter()
    assert [float(counter.next(np.float64(6))) for _ in range(3)] == [6, 3, 2]


def test_properties_class_attributes_and_inherited_ones_are_never_stale():
    class Base:
        factor = 2
        table = np.ones(2)

        @property
        def doubled(self):
            return self.table * self.factor

    class Derived(Base):
        @rt.function
        def f(self, x):
            return x + self.doubled

    one = Derived()
    assert one.f(np.zeros(2)).tolist() == [2, 2]
    Base.factor = 3
    Base.table[1] = 2
    assert one.f(np.zeros(2)).tolist() == [3, 6]
    one.factor = 5
    assert one.f(np.zeros(2)).tolist() == [5, 10]


def test_slots_named_tuples_dataclasses_and_partials_are_never_stale():
    class Slotted:
        __slots__ = ("w",)

    @dataclasses.dataclass(frozen=True)
    class Frozen:
        w: np.ndarray

    Pair = collections.namedtuple("Pair", "w other")
    slotted, frozen, pair = Slotted(), Frozen(np.ones(2)), Pair(np.ones(2), 1)
    slotted.w = np.ones(2)
    times = functools.partial(lambda k, x: k * x, 3)

    @rt.function
    def f(x):
        return times(x) + slotted.w + frozen.w + pair.w

    assert f(np.ones(2)).tolist() == [6, 6]
    slotted.w[0], frozen.w[0], pair.w[0] = 10, 20, 30
    assert f(np.ones(2)).tolist() == [63, 6]
    times = functools.partial(lambda k, x: k * x, 5)
    assert f(np.ones(2)).tolist() == [65, 8]
    assert type(pair) is Pair and type(pair.w) is np.ndarray


def test_user_modules_are_never_stale(tmp_path, monkeypatch):
    (tmp_path / "users_settings.py").write_text("import numpy as np\nrate = 2\nw = np.ones(2)\n")
    monkeypatch.syspath_prepend(tmp_path)
    import users_settings

    @rt.function
    def f(x):
        import users_settings as inside

        return x * users_settings.rate + inside.w

    assert f(np.ones(2)).tolist() == [3, 3]
    users_settings.rate = 3
    users_settings.w[:] = 10
    assert f(np.ones(2)).tolist() == [13, 13]


def test_added_and_deleted_attributes_are_noticed():
    thing = types.SimpleNamespace(a=1)

    @rt.function
    def f(x):
        return x + getattr(thing, "b", 0) if hasattr(thing, "a") else x

    assert f(np.float64(0)) == 0
    thing.b = 4
    assert f(np.float64(1)) == 5
    del thing.a
    assert f(np.float64(2)) == 2


def test_default_arrays_are_read_at_every_call():
    table = np.ones(2)

    @rt.function
    def f(x, w=table):
        return x + w

    f(np.zeros(2))
    table[0] = 9
    assert f(np.zeros(2)).tolist() == [9, 1]


def test_arrays_are_restored_when_a_trace_fails():
    before = weights

    @rt.function
    def f(x):
        return weights + x[7]

    with pytest.raises(IndexError):
        f(np.ones(2))
    assert weights is before


def test_two_paths_to_one_array_that_later_lead_to_two():
    one = types.SimpleNamespace(a=np.zeros(2))
    one.b = one.a

    @rt.function
    def f(x):
        one.a[0] += x
        return one.b[0]

    assert f(np.float64(3)) == 3
    one.b = np.zeros(2)
    assert f(np.float64(4)) == 0 and one.a[0] == 7


# -- arrays that are written into ------------------------------------------------------------------


@rt.function
def written_then_raised(x, bound):
    x[0] = 100
    x += 1
    for i in range(x.shape[0]):
        if x[i] > bound:
            raise ValueError(f"too large at {i}")
        x[i] = -x[i]
    return x.sum()


@pytest.mark.parametrize("bound", [0.0, 1.5, 50.0, 1000.0])
def test_writes_before_an_exception_are_visible(bound):
    found, expected = np.arange(4.0), np.arange(4.0)
    outcomes = []
    for f, x in ((written_then_raised, found), (written_then_raised.python_function, expected)):
        try:
            outcomes.append(f(x, np.float64(bound)))
        except ValueError as error:
            outcomes.append(str(error))
    assert outcomes[0] == outcomes[1]
    assert found.tolist() == expected.tolist()


def test_writes_and_prints_before_an_error_of_the_function_itself_are_visible(capsys):
    @rt.function
    def f(x):
        x[0] = 7
        print("sum", x.sum())
        raise KeyError("always")

    x = np.zeros(2)
    for _ in range(2):
        with pytest.raises(KeyError, match="always"):
            f(x)
    assert x[0] == 7 and capsys.readouterr().out == "sum 7.0\nsum 7.0\n"


def test_a_staged_value_in_an_exception_has_the_value_of_the_run():
    @rt.function
    def f(x):
        raise ValueError(x * 2)

    with pytest.raises(ValueError) as found:
        f(np.float64(4))
    assert found.value.args == (8.0,)


class Refused(Exception):
    __slots__ = ("limit",)

    def __init__(self, limit):
        super().__init__("refused")
        self.limit = limit


def test_an_exception_keeps_the_values_of_its_slots():
    @rt.function
    def f(x):
        x[0] = 7
        raise Refused(x.sum())

    with pytest.raises(Refused, match="refused") as found:
        f(np.zeros(2))
    assert found.value.limit == 7.0


def test_a_function_that_raises_on_every_path_raises():
    @rt.function
    def f(x):
        if x > 0:
            raise ValueError("positive")
        raise KeyError("other")

    with pytest.raises(ValueError, match="positive"):
        f(np.float64(1))
    with pytest.raises(KeyError, match="other"):
        f(np.float64(-1))


def overlapping(x, y):
    x[0] = 100
    y[-1] += 1
    x += y
    return x.sum()


OVERLAPS = {
    "apart": lambda a: (a[:4].copy(), a[:4].copy()),
    "the same": lambda a: (a, a),
    "reversed": lambda a: (a, a[::-1]),
    "shifted": lambda a: (a[:5], a[1:6]),
    "steps": lambda a: (a[::2], a[1:5]),
    "side by side": lambda a: (a[:4], a[4:]),
    "rows": lambda a: (a.reshape(2, 4)[0], a.reshape(2, 4)[:, 0][:1]),
    "transposed": lambda a: (a.reshape(2, 4).T[:, 0], a[:4]),
}


@pytest.mark.parametrize("kind", OVERLAPS)
def test_arguments_that_overlap_behave_as_in_numpy(kind):
    staged = rt.function(overlapping)
    for start in (0.0, 5.0):
        found, expected = np.arange(start, start + 8), np.arange(start, start + 8)
        assert staged(*OVERLAPS[kind](found)) == overlapping(*OVERLAPS[kind](expected))
        assert found.tolist() == expected.tolist()


def test_one_function_distinguishes_all_overlaps():
    staged = rt.function(overlapping)
    for views in (*OVERLAPS.values(), *OVERLAPS.values()):
        found, expected = np.arange(8.0), np.arange(8.0)
        assert staged(*views(found)) == overlapping(*views(expected))
        assert found.tolist() == expected.tolist()


def test_an_unsupported_overlap_is_refused():
    a = np.zeros(4)
    with pytest.raises(rt.StagingError, match="overlap in memory"):
        rt.function(overlapping)(a, a.view(np.int64))


# -- signatures ------------------------------------------------------------------------------------


def test_a_signature_serves_all_sizes_with_one_graph():
    @rt.function(input_signature=[rt.TensorSpec((None, 3), np.float32)])
    def f(x):
        return x.sum(axis=0) * x.shape[0]

    for n in (1, 2, 5):
        assert f(np.ones((n, 3), np.float32)).tolist() == [n * n] * 3
    assert len(f.graphs) == 1


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        (np.ones((2, 3)), r"x is f64\[2, 3\], but .* says f32\[n, 3\](.|\n)*x.astype\(np.float32\)"),
        (np.ones((2, 4), np.float32), r"x is f32\[2, 4\]"),
        (np.ones(3, np.float32), r"x is f32\[3\]"),
        (2, r"x is the Python int 2"),
        ([[1.0, 2.0, 3.0]], "x is a list of 1 element"),
    ],
)  # fmt: skip
def test_a_call_that_does_not_match_the_signature_raises_and_nothing_is_cast(argument, message):
    f = rt.function(lambda x: x, input_signature=[rt.TensorSpec(("n", 3), np.float32)])
    with pytest.raises(TypeError, match=message):
        f(argument)
    with pytest.raises(TypeError, match=message):
        f.get_concrete_function(argument)


def test_sizes_with_the_same_name_must_be_equal():
    spec = rt.TensorSpec(("n",), np.float64)
    f = rt.function(lambda x, y: x + y, input_signature=[spec, spec])
    assert f(np.ones(2), np.ones(2)).tolist() == [2, 2]
    assert f(np.ones(3), np.ones(3)).tolist() == [2, 2, 2]
    with pytest.raises(TypeError, match="'n' is 2 in x and 1 in y"):
        f(np.ones(2), np.ones(1))
    assert len(f.graphs) == 1


def test_python_scalars_are_staged_if_the_signature_says_so():
    f = rt.function(lambda x, n: x * n, input_signature=[rt.TensorSpec((2,), np.float32), int])
    for n in (2, 3):
        assert f(np.ones(2, np.float32), n).tolist() == [n, n]
        assert f(np.ones(2, np.float32), n).dtype == np.float32
    assert len(f.graphs) == 1
    with pytest.raises(TypeError, match="n is the Python float 2.0"):
        f(np.ones(2, np.float32), 2.0)


def test_reduced_retracing_relaxes_shapes_and_scalars():
    @rt.function(reduce_retracing=True)
    def f(x, n):
        total = 0
        for i in range(n):
            total = total + x.sum() * i
        return total

    for size in range(1, 6):
        for n in range(4):
            assert f(np.ones(size), n) == size * n * (n - 1) / 2
    assert len(f.graphs) <= 4


def test_reduced_retracing_keeps_python_types_apart():
    f = rt.function(lambda n: n * 2, reduce_retracing=True)
    for value, kind in ((1, int), (2, int), (3, int), (1.5, float), (2.5, float), (True, int)):
        assert f(value) == value * 2 and type(f(value)) is kind
    assert f("ab") == "abab"


# -- reports ---------------------------------------------------------------------------------------


def test_every_retrace_is_explained():
    global limit

    class Flag:
        on = True

    flag = Flag()
    flag.level = 1

    @rt.function
    def f(x, n=1):
        return x * n + limit * flag.level if flag.on else x

    f(np.ones(2))
    assert f.explain_retraces() == "f was traced once\n  1. f64[2], 1"
    f(np.ones(2), 2)
    f(np.ones(3), 2)
    f(np.ones(3), 2)
    limit = 9
    f(np.ones(3), 2)
    flag.level = 2
    f(np.ones(3), 2)
    flag.on = False
    f(np.ones(3), 2)
    text = f.explain_retraces()
    assert "f was traced 6 times" in text
    for reason in (
        "n was 1, and is 2",
        "x was f64[2], and is f64[3]",
        "limit was 3, and is 9",
        "flag.level was 1, and is 2",
        "flag.on was not there, and is False",
    ):
        assert reason in text


def test_signatures_are_shown_with_the_types_of_results():
    f = rt.function(lambda x, n: {"y": x.sum(), "n": n})
    f(np.ones((2, 3)), 4)
    f(np.float32(1), 4)
    assert f.pretty_printed_concrete_signatures() == (
        "<lambda>(x: f64[2, 3], n: 4) -> {'y': f64, 'n': 4}\n"
        "<lambda>(x: f32, n: 4) -> {'y': f32, 'n': 4}"
    )


def test_a_warning_is_issued_when_every_call_is_retraced():
    f = rt.function(lambda x, n: x * n)
    with pytest.warns(rt.RetracingWarning, match=r"because n was 4, and is 5\..*reduce_retracing"):
        for n in range(6):
            f(np.ones(2), n)


def test_no_warning_is_issued_if_graphs_are_reused():
    f = rt.function(lambda x, n: x * n)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for n in range(20):
            f(np.ones(2), n)
            f(np.ones(2), n)
    assert len(f.graphs) == 20


def test_a_concrete_function_is_called_like_the_function_and_accepts_nothing_else():
    f = rt.function(lambda x, k=2: x * k)
    concrete = f.get_concrete_function(rt.TensorSpec((None,), np.float64))
    assert concrete(np.ones(3)).tolist() == [2, 2, 2]
    assert concrete(np.ones(1), k=2).tolist() == [2]
    with pytest.raises(TypeError, match="k was 2, and is 3"):
        concrete(np.ones(3), 3)
    assert f.get_concrete_function(rt.TensorSpec((None,), np.float64)) is concrete
    f(np.ones(7))
    assert len(f.graphs) == 1


def test_the_program_is_shown_for_arguments_or_for_the_last_call():
    @rt.function
    def twice(x):
        return x * 2

    with pytest.raises(ValueError, match="has not run yet"):
        twice.source()
    assert "x * 2" in twice.source(np.ones(2))
    assert twice.source() == twice.graphs[0].source
    assert repr(twice).endswith("twice: 1 graph>")


def test_functions_and_methods_pickle_by_name():
    assert pickle.loads(pickle.dumps(written_then_raised)) is written_then_raised


# -- threads ---------------------------------------------------------------------------------------


def test_concurrent_calls_return_their_own_results():
    class Scaled:
        def __init__(self, k):
            self.w = np.full(3, k)

        @rt.function
        def __call__(self, x):
            return (x * self.w + weights[0]).sum()

    models = [Scaled(float(k)) for k in range(8)]
    barrier, wrong = threading.Barrier(8), []

    def work(k):
        barrier.wait()
        for i in range(100):
            size = 3 if i % 2 else 1
            found = models[k](np.full(size, float(i)))
            if found != 3 * i * k + 3:
                wrong.append((k, i, found))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_widened_types_are_reported():
    @rt.function
    def f(x, n):
        if x > 0:
            y = np.arange(3)
        else:
            y = np.ones(3)
        total = 0
        for _ in range(n):
            total = total + x
        return y, total, n * np.arange(2) * (1 if x > 0 else x)

    found = f.get_concrete_function(np.float64(1), np.int64(2)).widenings
    assert [text.partition(": ")[2] for text in found] == [
        "y is i64[3] on one path and f64[3] after the join",
        "a value is int | f64, and is used as f64",
    ]


@pytest.mark.parametrize("reduction", [np.sum, np.mean, np.max, np.std, np.prod])
def test_optional_arguments_of_a_numpy_function_may_be_omitted(reduction):
    x = np.array([[1.0, 2.0], [3.0, 4.0]])
    staged = rt.function(reduction)
    assert staged(x).shape == () and staged(x) == reduction(x)
    assert np.array_equal(staged(x, 0), reduction(x, 0))
    assert staged(x, keepdims=True).shape == (1, 1)


def test_a_warning_is_issued_when_python_unrolls_a_long_loop(monkeypatch):
    monkeypatch.setattr("runtime.tracing.trace.MANY", 50)

    def grown(x, n):
        table = {i: float(i) for i in range(60)}
        for i in range(n):
            x = x * 2 + table[i]
        return x

    def doubled(x, n):
        for _ in range(n):
            x = x * 2
        return x

    with pytest.warns(rt.TracingWarning, match="a loop is unrolled, iteration by iteration"):
        rt.function(grown)(np.ones(2), 60)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rt.function(doubled)(np.ones(2), 60)
        rt.function(doubled)(np.ones(2), np.int64(60))


@pytest.mark.filterwarnings("ignore:.*was created")
@pytest.mark.parametrize("inner", [rt.function, rt.grad, rt.value_and_grad, rt.hessian])
@pytest.mark.parametrize("outer", [rt.function, rt.grad, rt.hessian, rt.vmap])
def test_a_function_of_a_traced_one_is_the_same_after_that_was_called(inner, outer):
    def cubes(x):
        return np.sum(x**3)

    def result(function):
        try:
            made = outer(function)(x)
        except (rt.StagingError, TypeError, ValueError) as error:
            return type(error)
        return [np.asarray(one).tolist() for one in (made if type(made) is tuple else (made,))]

    x = np.array([1.0, 2.0])
    called = inner(cubes)
    called(x)
    assert result(called) == result(inner(cubes))
