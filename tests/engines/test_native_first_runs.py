"""The first runs of a small piece have code without LLVM's passes; later runs have better code."""

import gc
import weakref

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="the native engine needs the extra `native`")

import runtime as rt  # noqa: E402
from runtime.engines.native import llvm, pieces, program  # noqa: E402
from runtime.engines.native.first_runs import FirstRuns, is_brief  # noqa: E402
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
    """For each text that LLVM gets, whether it runs no passes."""
    found, emitted = [], llvm.emitted

    def noted(text, at_once=False):
        found.append(at_once)
        return emitted(text, at_once)

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


@pytest.mark.parametrize("function", [layer, warned])
def test_each_run_has_the_same_bits(function, texts):
    native = rt.function(function, engine="native")
    with np.errstate(all="ignore"):
        wanted = bits(function(X, W))
        assert [bits(native(X, w=W)) for _ in range(4)] == [wanted] * 4  # no whole calls
    assert texts[0] and not texts[-1]


def test_a_piece_that_runs_once_is_compiled_once(texts):
    native = rt.function(layer, engine="native")
    native(X, W)
    assert texts == [True]
    for _ in range(5):
        native(X, W)
    assert len(texts) == 2  # and the whole call


def test_later_runs_call_the_code_itself():
    graph, found = cut_of(layer, X, W)
    (piece,) = found.pieces
    assert isinstance(piece.function, FirstRuns)
    made = program.NativeProgram(graph, found, OPTIONS)
    names = [name for name, one in made.program.namespace.items() if one is piece.function]
    for _ in range(3):
        (result,) = made.function(X, W)
        assert bits(result) == bits(layer(X, W))
    assert not isinstance(made.program.namespace[names[0]], FirstRuns)


def test_the_program_is_freed_before_and_after_the_first_runs():
    for runs in (1, 3):
        graph, found = cut_of(layer, X, W)
        made = program.NativeProgram(graph, found, OPTIONS)
        for _ in range(runs):
            made.function(X, W)
        gone = weakref.ref(made)
        gc.disable()
        try:
            del made, found
            assert gone() is None
        finally:
            gc.enable()


@pytest.mark.parametrize(
    ("function", "arguments", "is_first"),
    [
        (repeated, (X[:, :4], W[:, :4], np.int64(3)), True),  # a loop
        (layer, (np.ones((300, 400)), np.ones((400, 5))), True),  # large arrays
        (layer, (X, W), False),  # another program has run for some time
    ],
    ids=["loop", "large", "hot"],
)
def test_other_pieces_have_their_code_at_once(function, arguments, is_first, texts):
    graph, found = cut_of(function, *arguments, is_first=is_first)
    assert found.pieces and not any(isinstance(p.function, FirstRuns) for p in found.pieces)
    assert not any(texts)
    assert is_brief(graph.nodes) == (not is_first)
