"""Calls as machine code: guard, graph and result without Python, and what leaves them to Python.

The file is long because it is a collection of independent tests.
"""

import gc
import random
import runpy
import signal
import sys
import threading
import warnings

import numpy as np
import pytest
from random_kernels import Writer, arguments
from warning_records import recorded_warnings

import runtime as rt
from runtime.engines import native

pytestmark = pytest.mark.skipif(
    native.unusable() is not None, reason=f"no machine code: {native.unusable()}"
)

B = np.linspace(0.0, 1.0, 8)


class Layer:
    def __init__(self):
        self.w = np.arange(8.0)
        self.scale = 2.5


def affine(layer, x, y):
    return (x * layer.w + y) * layer.scale + B


def plus_one(x):
    return x + 1


def huber(x):
    if abs(x) < 1.0:
        return 0.5 * x * x
    return abs(x) - 0.5


def relu(x):
    return x if x > 0 else 0.0


class Sub(np.ndarray):
    pass


def native_function(fn, *arguments):
    """A function that has been called with some arguments, whose calls are machine code then."""
    made = rt.function(fn, engine="native")
    made(*arguments)
    made(*arguments)
    return made


class Left:
    """Counts the calls that the machine code of a function leaves to Python."""

    def __init__(self, function):
        self.count, self._call = 0, function.__call__
        function.__call__ = self

    def __call__(self, *args, **kwargs):
        self.count += 1
        return self._call(*args, **kwargs)


def content(value):
    if isinstance(value, (tuple, list)):
        return type(value), [content(one) for one in value]
    if isinstance(value, dict):
        return type(value), [(key, content(one)) for key, one in value.items()]
    if isinstance(value, np.ndarray):
        return type(value), value.dtype, value.shape, value.strides, value.tobytes()
    if isinstance(value, np.generic):
        return type(value), value.tobytes()
    return type(value), repr(value)


def outcome(fn, *args, **kwargs):
    """A result with all its bits, or Python's class of an exception; and the warnings."""
    with recorded_warnings() as found:
        try:
            result = content(fn(*args, **kwargs))
        except Exception as error:
            result = next(one for one in type(error).__mro__ if one.__module__ == "builtins")
    return result, sorted(str(one.message)[:25] for one in found)


@pytest.mark.parametrize(
    ("fn", "arguments"),
    [
        (plus_one, (np.arange(3.0),)),
        (lambda x: x, (np.arange(3.0),)),
        (huber, (np.float64(0.5),)),
        (relu, (np.float64(0.5),)),
        (lambda x: (x + 1, x + 2), (np.arange(3.0),)),
        (lambda x: [x + 1, (x, 3, "a")], (np.arange(3.0),)),
        (lambda x: {"sum": x + 1, 2: (x * 2,)}, (np.arange(3.0),)),
        (lambda x: (x, y := x + 1, y, None), (np.arange(3.0),)),
        (lambda x, k=2, *, m=3: x * k + m, (np.arange(3.0),)),
        (lambda p: p[0] + p[1], ((np.arange(3.0), np.ones(3)),)),
        (lambda p: p["a"] * 2.0, ({"a": np.arange(3.0)},)),
        (lambda x, n: x * n, (np.arange(3.0), 7)),
        (lambda x, s: x * (2.0 if s == "twice" else 1.0), (np.arange(3.0), "twice")),
        (affine, (Layer(), np.arange(8.0), np.ones(8))),
    ],
)
def test_a_call_is_machine_code_and_gives_what_python_gives(fn, arguments):
    made = native_function(fn, *arguments)
    left = Left(made)
    expected = outcome(fn, *arguments)
    assert [outcome(made, *arguments) for _ in range(3)] == [expected] * 3
    assert left.count == 0


def test_results_are_the_objects_that_python_returns():
    x = np.arange(3.0)
    same = native_function(lambda x: (x, x + 1), x)
    first, second = same(x), same(x)
    assert first[0] is x and first[1] is not second[1]
    assert first[1].base is None and first[1].flags.owndata and first[1].flags.writeable
    shared = native_function(lambda x: (y := x + 1, y), x)
    one, other = shared(x)
    assert one is other


def test_defaults_stand_for_missing_arguments_and_keywords_go_to_python():
    def fn(x, k=2.0, *, m=3.0):
        return x * k + m

    x = np.arange(3.0)
    made = native_function(fn, x)
    left = Left(made)
    assert outcome(made, x) == outcome(fn, x)
    assert outcome(made, x, 2.0) == outcome(fn, x, 2.0)
    assert left.count == 0
    assert outcome(made, x, m=4.0) == outcome(fn, x, m=4.0)
    assert outcome(made, x, 2.0, 3.0) == outcome(fn, x, 2.0, 3.0)
    assert outcome(made) == outcome(fn)
    assert left.count == 1  # then another graph is recorded, and counts no more


def _check_random_functions(seeds, folder):
    """Functions of arrays give what the NumPy engine gives, also when all is machine code."""
    entries = 0
    for seed in seeds:
        file = folder / f"random_{seed}.py"
        file.write_text(Writer(random.Random(seed)).module())
        fn = runpy.run_path(str(file))["f"]
        made, wanted = (rt.function(fn, engine=name) for name in ("native", "numpy"))
        given = [arguments(seed, number) for number in (0, 1, 0, 2, 1, 3, 0)]
        found = [(outcome(made, *one), outcome(wanted, *one)) for one in given]
        assert all(one == other for one, other in found), seed
        entries += len(made._entries)
    assert entries


def test_random_functions_give_what_the_numpy_engine_gives(tmp_path):
    _check_random_functions(range(8), tmp_path)


@pytest.mark.thorough
@pytest.mark.parametrize("first", range(100, 400, 20))
def test_more_random_functions_give_what_the_numpy_engine_gives(first, tmp_path):
    _check_random_functions(range(first, first + 20), tmp_path)


# -- floating-point errors -------------------------------------------------------------------------

SPECIAL = [0.0, -0.0, 1.5, -2.0, 1e200, -1e200, 1e-200, 5e-324, np.inf, -np.inf, np.nan]


def cube(x):
    return x * x * x


def ratio(x):
    return x * x - 3.0 * x * (x - 1.0)


@pytest.mark.parametrize("fn", [cube, ratio, huber])
def test_gradients_have_the_bits_and_warnings_of_the_numpy_engine(fn):
    wanted = rt.function(rt.grad(fn), engine="numpy")
    made = native_function(rt.grad(fn), np.float64(1.5))
    left = Left(made)
    assert outcome(made, np.float64(1.5)) == outcome(wanted, np.float64(1.5))
    assert left.count == 0
    for x in map(np.float64, SPECIAL):
        assert outcome(made, x) == outcome(wanted, x), x


def test_errors_count_outside_of_a_block_that_ignores_them():
    def before(x):
        y = x * 1e300
        with np.errstate(all="ignore"):
            z = x * 1e300
        return y + z * 0.0

    def inside(x):
        y = x * 2.0
        with np.errstate(all="ignore"):
            z = x * 1e300
            with np.errstate(all="ignore"):
                z = z * 2.0
            z = z * 1e300
        return y, z

    def after(x):
        with np.errstate(all="ignore"):
            z = x * 1e300
        return z, x * 1e305

    for fn in (before, inside, after):
        made = native_function(fn, np.float64(1.5))
        left = Left(made)
        assert outcome(made, np.float64(1.25)) == outcome(fn, np.float64(1.25))
        assert left.count == 0, fn.__name__
        for x in map(np.float64, SPECIAL):
            assert outcome(made, x) == outcome(fn, x), (fn.__name__, x)
    assert outcome(after, np.float64(1e10))[1] == ["overflow encountered in s"]


@pytest.mark.parametrize("exponent", [2, 3, -1, 0.5, 1.75, 0])
def test_powers_have_the_bits_and_warnings_of_numpy(exponent):
    def fn(x):
        return x**exponent

    made = native_function(fn, np.float64(1.5))
    left = Left(made)
    numbers = np.exp(np.random.default_rng(0).uniform(-30, 30, 2000))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [made(x) for x in numbers] == [x**exponent for x in numbers]
    assert left.count == 0
    for x in map(np.float64, SPECIAL):
        assert outcome(made, x) == outcome(fn, x), x


# -- what changes between calls --------------------------------------------------------------------


def _stores(layer, w):
    def by_class(name, value):
        setattr(Layer, name, value)

    return [
        ("attribute", lambda: setattr(layer, "w", w + 1)),
        ("in place", lambda: layer.w.__imul__(2)),
        ("object.__setattr__", lambda: object.__setattr__(layer, "w", w + 4)),
        ("another dtype", lambda: setattr(layer, "w", w.astype("f4"))),
        ("an int", lambda: setattr(layer, "w", 2)),
        ("deleted", lambda: delattr(layer, "w")),
        ("back", lambda: setattr(layer, "w", w)),
        ("an equal float", lambda: setattr(layer, "scale", float(repr(2.5)))),
        ("another float", lambda: setattr(layer, "scale", 3.0)),
        ("an int instead", lambda: setattr(layer, "scale", 2)),
        ("NumPy's float", lambda: setattr(layer, "scale", np.float64(2.5))),
        ("negative zero", lambda: setattr(layer, "scale", -0.0)),
        ("zero", lambda: setattr(layer, "scale", 0.0)),
        ("nan", lambda: setattr(layer, "scale", float("nan"))),
        ("the float", lambda: setattr(layer, "scale", 2.5)),
        ("by __dict__", lambda: layer.__dict__.update(w=w + 7, scale=float(repr(2.5)))),
        ("another name", lambda: setattr(layer, "extra", 1)),
        ("__dict__ replaced", lambda: setattr(layer, "__dict__", {"w": w + 10, "scale": 2.5})),
        ("store after that", lambda: setattr(layer, "w", w + 11)),
        ("property over it", lambda: by_class("w", property(lambda self: w * 100))),
        ("property gone", lambda: delattr(Layer, "w")),
        ("class attribute behind", lambda: by_class("scale", 7.0)),
        ("which is seen", lambda: delattr(layer, "scale")),
        ("and covered", lambda: setattr(layer, "scale", 2.5)),
        ("and gone", lambda: delattr(Layer, "scale")),
        ("another class", lambda: setattr(layer, "__class__", type("Other", (Layer,), {}))),
        ("the class", lambda: setattr(layer, "__class__", Layer)),
    ]


def test_every_change_of_an_attribute_is_seen():
    layer, x, y = Layer(), np.arange(8.0), np.arange(8.0) + 1
    made = native_function(affine, layer, x, y)
    for name, change in _stores(layer, layer.w):
        change()
        for _ in range(3):
            assert outcome(made, layer, x, y) == outcome(affine, layer, x, y), name


def test_every_change_of_a_global_is_seen():
    layer, x, y = Layer(), np.arange(8.0), np.arange(8.0) + 1
    made = native_function(affine, layer, x, y)
    names, before = affine.__globals__, B
    changes = [
        ("replaced", lambda: names.update(B=before * 2)),
        ("in place", lambda: names["B"].__imul__(3)),
        ("another dtype", lambda: names.update(B=before.astype("f4"))),
        ("a float", lambda: names.update(B=1.5)),
        ("NumPy's float", lambda: names.update(B=np.float64(1))),
        ("deleted", lambda: names.pop("B")),
        ("back", lambda: names.update(B=before.copy())),
        ("another global", lambda: names.update(unrelated=1)),
        ("reshaped", lambda: names.update(B=names["B"].reshape(2, 4)[:, :1])),
        ("as it was", lambda: names.update(B=before)),
    ]
    try:
        for name, change in changes:
            change()
            for _ in range(3):
                assert outcome(made, layer, x, y) == outcome(affine, layer, x, y), name
    finally:
        names.update(B=before)
        names.pop("unrelated", None)


def test_a_free_variable_is_read_in_every_call():
    factor = 2.0

    def fn(x):
        return x * factor

    x = np.arange(3.0)
    made = native_function(fn, x)
    left = Left(made)
    assert made(x).tolist() == [0.0, 2.0, 4.0] and left.count == 0
    factor = np.float64(3.0)
    assert [made(x).tolist() for _ in range(3)] == [[0.0, 3.0, 6.0]] * 3


def test_code_of_a_function_that_is_called_is_a_condition():
    def inner(x):
        return x + 1

    def other(x):
        return x + 2

    def fn(x):
        return inner(x)

    x = np.arange(3.0)
    made = native_function(fn, x)
    assert made(x).tolist() == [1.0, 2.0, 3.0]
    inner.__code__ = other.__code__
    assert [made(x).tolist() for _ in range(3)] == [[2.0, 3.0, 4.0]] * 3


def _arrays(x):
    unaligned = np.zeros(8 * x.size + 1, "u1")[1:].view("f8")
    read_only = x.copy()
    read_only.flags.writeable = False
    return {
        "f4": x.astype("f4"),
        "i8": x.astype("i8"),
        "strided": np.arange(2.0 * x.size)[::2],
        "reversed": x[::-1],
        "0-d": np.array(2.0),
        "NumPy's float": np.float64(3),
        "float": 3.0,
        "list": list(x),
        "2-D": np.ones((1, x.size)),
        "long": np.ones(x.size + 1),
        "empty": np.ones(0),
        "swapped": x.astype(">f8"),
        "unaligned": unaligned,
        "read-only": read_only,
        "None": None,
        "overflow": np.full(x.size, 1e308),
        "nan": np.full(x.size, np.nan),
        "infinite": np.full(x.size, np.inf),
        "subnormal": np.full(x.size, 5e-324),
    }


@pytest.mark.parametrize("name", _arrays(np.arange(8.0)))
def test_an_argument_of_any_kind_is_treated_as_in_python(name):
    layer, x = Layer(), np.arange(8.0)
    made = native_function(affine, layer, x, x)
    other = _arrays(x)[name]
    for _ in range(3):
        for given in ((layer, other, x), (layer, x, other)):
            assert outcome(made, *given) == outcome(affine, *given)
        assert outcome(made, layer, x, x) == outcome(affine, layer, x, x)


@pytest.mark.parametrize("arguments", [(), (1,), (None, 2, 3), (Layer(), 1, 2, 3)])
def test_wrong_calls_raise_as_in_python(arguments):
    made = native_function(affine, Layer(), np.arange(8.0), np.arange(8.0))
    assert outcome(made, *arguments) == outcome(affine, *arguments)


def test_several_signatures_are_tried_by_machine_code():
    arrays = [np.arange(3.0), np.arange(4.0), np.arange(3.0, dtype="f4"), np.ones((2, 2))]
    made = rt.function(plus_one, engine="native")
    for _ in range(2):
        for x in arrays:
            made(x)
    made(arrays[0])
    left = Left(made)
    for _ in range(3):
        for x in arrays:
            assert outcome(made, x) == outcome(plus_one, x)
    assert left.count == 0


def test_a_call_in_a_recorded_function_is_recorded():
    inner = native_function(plus_one, np.arange(3.0))
    outer = rt.function(lambda x: inner(x) * 2)
    assert outer(np.arange(3.0)).tolist() == [2.0, 4.0, 6.0]
    assert "add" in str(outer.get_concrete_function(np.arange(3.0)).graph)


def test_settings_are_looked_at_in_every_call():
    x = np.zeros(3)
    made = native_function(lambda x: x / x, x + 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with rt.config.temporarily(check_numerics=True), pytest.raises(FloatingPointError):
            made(x)
    assert made(x + 1).tolist() == [1.0] * 3
    left = Left(made)
    made(x + 1)
    assert left.count == 0  # although settings have been changed once
    seen = []

    def spied(x):
        seen.append(1)
        return x + 1

    made = native_function(spied, x)
    seen.clear()
    with rt.config.temporarily(run_functions_eagerly=True):
        made(x)
    assert seen == [1]


@pytest.fixture
def restored_engine():
    """The engine of the process is, after the test, the one that it was before."""
    before = rt.config.engine()
    yield
    rt.config.use_engine(before)


@pytest.mark.usefixtures("restored_engine")
def test_calls_are_machine_code_while_the_settings_name_the_engine():
    x = np.arange(3.0)
    made = rt.function(plus_one)
    rt.config.use_engine("native")
    for _ in range(3):
        assert made(x).tolist() == [1.0, 2.0, 3.0]
    left = Left(made)
    assert made(x).tolist() == [1.0, 2.0, 3.0]
    assert left.count == 0
    with rt.config.temporarily(engine="numpy"):
        assert made(x).tolist() == [1.0, 2.0, 3.0]
    assert left.count == 1
    rt.config.use_engine("numpy")
    made = rt.function(plus_one)
    made(x)
    made(x)
    assert made._entries == [] and made._installed is made.graphs[0]
    rt.config.use_engine("native")
    made(x)
    assert len(made._entries) == 1
    rt.config.use_engine("numpy")
    assert made(x).tolist() == [1.0, 2.0, 3.0]
    assert made._installed_for == "numpy"
    assert not any(one.is_running for one in made._entries)


# -- references, memory, threads -------------------------------------------------------------------


def _growth(function, things, times):
    """By how much the references to things grow in some calls."""
    function(300)
    gc.collect()
    before = [sys.getrefcount(one) for one in things]
    function(times)
    gc.collect()
    after = [sys.getrefcount(one) for one in things]
    return [now - then for now, then in zip(after, before, strict=True)]


def _check_references(times):
    """Calls, calls that are left, and errors."""
    layer, x = Layer(), np.arange(8.0)
    made = native_function(affine, layer, x, x)
    many = native_function(lambda x: {"a": (x, x + 1), "b": [x, "c"]}, x)
    big, wrong = np.full(8, 1e308), x.astype("f4")
    things = [x, layer, layer.w, B, x.dtype, np.ndarray, Layer, made, big, wrong, affine]

    def hits(number):
        for _ in range(number):
            made(layer, x, x)
            many(x)

    def misses(number):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for _ in range(number // 100):
                made(layer, wrong, x)
                made(layer, big, big)

    def errors(number):
        for _ in range(number // 400):
            with pytest.raises(TypeError):
                made(layer)
            kept = layer.w
            del layer.w
            with pytest.raises(AttributeError):
                made(layer, x, x)
            layer.w = kept
            del kept

    for calls in (hits, misses, errors):
        assert _growth(calls, things, times) == [0] * len(things), calls.__name__


def test_no_reference_is_gained_or_lost():
    _check_references(20_000)


@pytest.mark.thorough
def test_no_reference_is_gained_or_lost_in_a_million_calls():
    _check_references(1_000_000)


def test_a_call_without_memory_raises_memory_error():
    memory = pytest.importorskip("_testcapi")
    x = np.arange(8.0)
    made = native_function(lambda x: (x + 1, [x + 2]), x)
    things, failed = [x, x.dtype, np.ndarray, made], 0
    gc.collect()
    before = [sys.getrefcount(one) for one in things]
    for at in range(60):
        memory.set_nomemory(at % 6, at % 6 + 1)
        try:
            made(x)
        except MemoryError:
            failed += 1
        finally:
            memory.remove_mem_hooks()
    gc.collect()
    assert [sys.getrefcount(one) for one in things] == before
    assert made(x)[1][0].tolist() == (x + 2).tolist()


def test_functions_and_their_machine_code_are_freed():
    x = np.arange(8.0)
    w = np.ones(8)
    before = sys.getrefcount(w)
    for _ in range(3):
        layer = Layer()
        layer.w = w
        native_function(affine, layer, x, x)
    del layer
    gc.collect()
    assert sys.getrefcount(w) == before


def test_graphs_that_are_dropped_take_their_machine_code_along():
    made = rt.function(plus_one, engine="native", cache_size=2)
    for size in range(1, 7):
        made(np.ones(size))
        made(np.ones(size))
    assert len(made._entries) <= 2
    assert made(np.ones(6)).tolist() == [2.0] * 6


def waits(n, most):
    i = 0
    while i != n and i < most:
        i = i + 1 if i % 7 else i + 2
    return i


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there is no timer for signals")
def test_a_signal_ends_a_loop_in_a_call_and_its_handler_may_call_the_function():
    seen = []

    def interrupt(*_):
        for n in range(2):  # also with other types, which record graphs and drop this one
            seen.append(compiled(np.int64(n), np.int64(9)))
            seen.append(compiled(np.int32(n), np.int64(9)))
        raise KeyboardInterrupt

    compiled = rt.function(waits, engine="native", cache_size=1)
    for _ in range(3):
        compiled(np.int64(0), np.int64(9))
    left = Left(compiled)
    assert compiled(np.int64(5), np.int64(9)) == waits(5, 9) and left.count == 0
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(KeyboardInterrupt):
            compiled(np.int64(-1), np.int64(1) << 62)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert seen == [waits(n, 9) for n in (0, 0, 1, 1)]
    assert compiled(np.int64(5), np.int64(9)) == waits(5, 9)
    compiled(np.int64(5), np.int64(9))
    assert not any(one.is_running for one in compiled._entries)


def test_threads_see_one_of_the_states():
    layer, x = Layer(), np.arange(8.0)
    made = native_function(affine, layer, x, x)
    states = [layer.w, layer.w + 1]
    wanted = {((x * w + x) * 2.5 + B).tobytes() for w in states}
    stop, wrong = threading.Event(), []

    def call():
        while not stop.is_set():
            if made(layer, x, x).tobytes() not in wanted:
                wrong.append(1)

    def change():
        for i in range(3000):
            layer.w = states[i % 2].copy()
        stop.set()

    threads = [threading.Thread(target=call) for _ in range(3)]
    threads.append(threading.Thread(target=change))
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for one in threads:
            one.start()
        for one in threads:
            one.join()
    finally:
        sys.setswitchinterval(interval)
    assert not wrong
