"""The code of pieces is made when they run, in the least time for the first runs of small ones;
only scalar code in loops needs passes of LLVM."""

import gc
import threading
import weakref

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="the native engine needs the extra `native`")

import runtime as rt  # noqa: E402
from runtime.engines.native import llvm, pieces, program  # noqa: E402
from runtime.engines.native.first_runs import FirstRuns, is_brief  # noqa: E402
from runtime.engines.native.llvm import Effort  # noqa: E402
from runtime.engines.registry import Options  # noqa: E402

OPTIONS = Options(None, None, 1, np.copyto, None)
X, W = np.arange(12.0).reshape(3, 4) / 7, np.arange(20.0).reshape(4, 5) / 9


def layer(x, w):
    y = np.tanh(x @ w)
    return y * y / (1.0 + np.exp(-y))


def warned(x, w):
    return np.log(x) * np.sum(w) + np.sqrt(x)


def repeated(x, w, n):
    for _ in range(n):
        x = np.tanh(x @ w @ w.T)
    return x


@pytest.fixture
def texts(monkeypatch):
    """For each text that LLVM gets, its effort."""
    found, emitted = [], llvm.emitted

    def noted(text, effort=Effort.SIMPLIFIED):
        found.append(effort)
        return emitted(text, effort)

    monkeypatch.setattr(llvm, "emitted", noted)
    before = rt.config.current().object_cache
    rt.config.use_object_cache(None)
    yield found
    rt.config.use_object_cache(before)


def bits(x):
    return x.dtype, x.shape, x.tobytes()


def cut_of(function, *arguments, is_first=True):
    graph = rt.function(function).get_concrete_function(*arguments).compiled.graph
    return graph, pieces.cut(graph, None, False, is_first)


def program_of(function, *arguments):
    graph, found = cut_of(function, *arguments)
    return program.NativeProgram(graph, found, OPTIONS)


@pytest.mark.parametrize("function", [layer, warned])
def test_each_run_has_the_same_bits(function, texts):
    made = program_of(function, X, W)
    with np.errstate(all="ignore"):
        wanted = bits(function(X, W))
        assert [bits(made.function(X, W)[0]) for _ in range(4)] == [wanted] * 4
    assert texts == [Effort.LEAST, Effort.AS_WRITTEN]


def test_a_small_function_is_compiled_once(texts):
    native = rt.function(layer, engine="native")
    for _ in range(6):
        assert bits(native(X, W)) == bits(layer(X, W))
    assert texts == [Effort.LEAST]


def test_a_loop_is_compiled_once(texts):
    with rt.config.temporarily(threads=1):
        pass  # settings that other code has had for some time change nothing
    for weights in (W[:, :4].copy(), W[:, :4]):  # the second ones are left by whole calls
        native = rt.function(repeated, engine="native")
        for _ in range(6):
            assert bits(native(X, weights, np.int64(3))) == bits(repeated(X, weights, np.int64(3)))
        assert texts.pop() is Effort.AS_WRITTEN
        assert len(texts) == (not weights.flags.c_contiguous)


def test_a_brief_function_of_larger_arrays_runs_once_before_the_passes(texts):
    x = np.arange(1200.0).reshape(300, 4) / 700
    native = rt.function(layer, engine="native")
    for _ in range(5):
        assert bits(native(x, W)) == bits(layer(x, W))
    assert texts == [Effort.LEAST, Effort.AS_WRITTEN]


def test_nothing_is_compiled_before_the_first_run(texts):
    native = rt.function(repeated, engine="native")
    concrete = native.get_concrete_function(X[:, :4], W[:, :4], np.int64(3))
    assert "native_1" in native.native(X[:, :4], W[:, :4], np.int64(3))
    assert concrete.compiled.plain.pieces and not texts


def test_a_whole_call_that_is_left_runs_the_pieces(texts):
    native = rt.function(layer, engine="native")
    assert bits(native(X, w=W)) == bits(layer(X, W))
    assert bits(native(X[::-1], W)) == bits(layer(X[::-1], W))
    assert bits(native(X[:, ::-1], W)) == bits(layer(X[:, ::-1], W))


def test_an_exception_of_the_first_call_is_python_s():
    def divided(values, n):
        total = 0
        for i in range(n):
            total += values[i] // (i - 3)
        return total

    native = rt.function(divided, engine="native")
    for _ in range(2):
        with pytest.raises(IndexError) as found:
            native(np.arange(3), 5)
        assert found.traceback[-1].lineno == divided.__code__.co_firstlineno + 2
    for _ in range(2):
        with pytest.warns(RuntimeWarning, match="divide by zero"):
            wanted = divided(np.arange(9), 5)
        with pytest.warns(RuntimeWarning, match="divide by zero"):
            assert native(np.arange(9), 5) == wanted


def test_objects_that_the_recording_changes_hold_the_same_after_the_first_call():
    class Counted:
        calls = 0
        name = ""

    def counting(counted, x, n):
        counted.calls += 1
        counted.name = f"run {counted.calls}"
        for _ in range(n):
            x = x * 0.5 + 1.0
        return x

    native, found, wanted = rt.function(counting, engine="native"), Counted(), Counted()
    for _ in range(3):
        n = np.int64(4)
        assert bits(native(found, X, n)) == bits(counting(wanted, X, n))
        assert vars(found) == vars(wanted)


def test_later_runs_call_the_code_itself():
    made = program_of(layer, X, W)
    (piece,) = made.pieces
    assert isinstance(piece.function, FirstRuns)
    names = [name for name, one in made.program.namespace.items() if one is piece.function]
    for _ in range(3):
        (result,) = made.function(X, W)
        assert bits(result) == bits(layer(X, W))
    assert not isinstance(made.program.namespace[names[0]], FirstRuns)


@pytest.mark.parametrize("refused", [0, 1])
def test_where_llvm_fails_the_numpy_program_or_the_first_code_stays(refused, texts, monkeypatch):
    made, emitted = program_of(layer, X, W), llvm.emitted

    def failing(text, effort):
        if len(texts) >= refused:
            raise llvm.Unassembled("no memory")
        return emitted(text, effort)

    monkeypatch.setattr(llvm, "emitted", failing)
    for _ in range(5):
        assert bits(made.function(X, W)[0]) == bits(layer(X, W))
    assert len(texts) == refused
    assert bool(made.pieces) == bool(refused) != ("no memory" in made.native("pieces"))


def test_a_full_stack_puts_the_code_off(texts, monkeypatch):
    made, emitted = program_of(layer, X, W), llvm.emitted
    monkeypatch.setattr(llvm, "emitted", _full)
    for _ in range(2):
        assert bits(made.function(X, W)[0]) == bits(layer(X, W))
    monkeypatch.setattr(llvm, "emitted", emitted)
    assert bits(made.function(X, W)[0]) == bits(layer(X, W))
    assert len(texts) == 1 and made.pieces


def _full(text, effort):
    raise RecursionError


def test_threads_that_run_it_at_the_same_time_share_the_code(texts):
    made, wanted = program_of(layer, X, W), bits(layer(X, W))
    start, found = threading.Barrier(4), []

    def run():
        start.wait()
        found.extend(bits(made.function(X, W)[0]) for _ in range(5))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [wanted] * 20
    assert texts == [Effort.LEAST, Effort.AS_WRITTEN]
    assert not any(isinstance(one, FirstRuns) for one in made.program.namespace.values())


@pytest.mark.parametrize("runs", [0, 1, 3])
def test_the_program_is_freed_before_and_after_the_first_runs(runs):
    made = program_of(layer, X, W)
    for _ in range(runs):
        made.function(X, W)
    gone = weakref.ref(made), weakref.ref(made.pieces[0])
    gc.disable()
    try:
        del made
        assert [one() for one in gone] == [None, None]
    finally:
        gc.enable()


def test_a_program_that_has_run_has_its_code_at_once(texts):
    _, found = cut_of(layer, X, W, is_first=False)
    assert found.pieces and not any(isinstance(p.function, FirstRuns) for p in found.pieces)
    assert texts == [Effort.AS_WRITTEN]


@pytest.mark.parametrize(
    ("function", "arguments", "brief"),
    [
        (repeated, (X[:, :4], W[:, :4], np.int64(3)), False),
        (layer, (np.ones((300, 400)), np.ones((400, 5))), False),
        (layer, (X, W), True),
    ],
    ids=["loop", "large", "small"],
)
def test_brief_pieces_have_no_loops_and_few_elements(function, arguments, brief):
    graph, _ = cut_of(function, *arguments)
    assert is_brief(graph.nodes) == brief


def settled(x, n):
    while np.sum(x * x) > 1e-3:
        x = np.tanh(x) * 0.5
        n += 1
    return x, n


def counted(x, n):
    total = 0.0
    for i in range(n):
        total += x[i % 3, i % 4] * i
    return total


def counted_beside(x, w, n):
    return np.tanh(x @ w).sum() + counted(x, n)


def divided_rows(x, n):
    x = x.copy()
    for _ in range(n):
        y = x * 0.5
        for i in range(n):
            if y[i, 0] > 0.1:
                x[i, 1] = y[i, 0] / (i + 1)
    return x


def power(x, n):
    y = x
    for _ in range(n):
        y = y @ x
    return y


def descending(n):
    return 1 if n < 2 else n * descending(n - 1) % 1009


@pytest.mark.parametrize(
    ("function", "arguments", "effort"),
    [
        (settled, (X, np.int64(0)), Effort.AS_WRITTEN),
        (repeated, (X, W[:, :4].copy(), np.int64(3)), Effort.AS_WRITTEN),
        (counted, (X, np.int64(40)), Effort.SIMPLIFIED),
        (counted_beside, (X, W, np.int64(40)), Effort.SIMPLIFIED),
        (divided_rows, (X, np.int64(3)), Effort.SIMPLIFIED),
        (descending, (np.int64(30),), Effort.SIMPLIFIED),
        (power, (np.arange(400).reshape(20, 20), np.int64(3)), Effort.SIMPLIFIED),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_only_scalar_code_in_loops_and_integer_products_need_passes(
    function, arguments, effort, texts
):
    native = rt.function(lambda *given: function(*given), engine="native")
    for _ in range(4):
        found, wanted = native(*arguments), function(*arguments)
        assert list(map(bits, parts(found))) == list(map(bits, parts(wanted)))
    assert texts[-1] is effort


def parts(result):
    return [np.asarray(one) for one in (result if isinstance(result, tuple) else (result,))]
