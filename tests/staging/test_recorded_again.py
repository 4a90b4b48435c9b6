"""A function whose kept loops hide what Python knows is recorded again, with every loop unrolled.

Short loops inside of many others are kept, too; and no fault of the library is hidden by any of it.
"""

import sys
import threading

import numpy as np
import pytest

import autograph
import runtime as rt
from runtime.staging.control_flow import known_iteration
from runtime.staging.loop_trials import LoopTrials

X = np.linspace(0.5, 2.0, 20)


class Model:
    """An object that counts."""

    def __init__(self):
        self.count = 0
        self.layers = [lambda x, k=k: x * k for k in range(30)]


def functions_by_a_counter(x):
    n = 0
    for _ in range(21):
        n += 1
        x = x * 0.99
    return [np.sin, np.cos, np.tanh, np.sqrt][n % 4](x)


def functions_by_a_flag(x):
    found, k = None, 0
    for i in range(20):
        x = x + 0.5
        k = i * 2
    for name in ("a", "b"):
        found = {"a": np.sin, "b": [np.tanh, np.cos, np.sqrt][k - 36]}[name](x)
    return found


def objects_by_a_counter(x):
    model = Model()
    for _ in range(20):
        model.count += 1
        x = x * 1.01
    return model.layers[model.count](x), model.count


def in_a_helper(x):
    return functions_by_a_counter(x) + functions_by_a_counter(x + 1)


def a_list_of_layers(x):
    n, layers = 0, []
    for _ in range(20):
        n += 1
        x = x * 0.5
    layers.extend([np.sin] * n)
    return layers[n - 1](x)


AGAIN = [
    functions_by_a_counter,
    functions_by_a_flag,
    objects_by_a_counter,
    in_a_helper,
    a_list_of_layers,
]


def in_a_thread(function, *arguments):
    found = []
    thread = threading.Thread(target=lambda: found.append(function(*arguments)))
    thread.start()
    thread.join()
    return found[0]


WAYS = {
    "plainly": lambda fn: rt.function(fn)(X),
    "from another function": lambda fn: rt.function(lambda x: rt.function(fn)(x))(X),
    "in a thread": lambda fn: in_a_thread(rt.function(fn), X),
    "with an unknown size": lambda fn: rt.function(
        fn, input_signature=[rt.TensorSpec((None,), np.float64)]
    )(X),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("fn", AGAIN)
def test_what_a_kept_loop_hides_is_known_in_the_second_recording(fn, way):
    np.testing.assert_equal(WAYS[way](fn), fn(X))


def test_each_function_is_recorded_twice_and_says_why(monkeypatch):
    recordings = []
    tracer = sys.modules["runtime.function.function_tracer"].FunctionTracer
    original = tracer.concrete_function

    def concrete_function(self, *arguments):
        recordings.append(self.trace.state(LoopTrials))
        return original(self, *arguments)

    monkeypatch.setattr(tracer, "concrete_function", concrete_function)
    for fn in AGAIN:
        recordings.clear()
        loops = rt.function(fn).get_concrete_function(X).loops
        assert len(recordings) == 2, fn
        assert not any(loop.is_staged for loop in loops)
        assert any("code after it needs a value" in loop.why for loop in loops)


def test_gradients_of_such_a_function():
    found = rt.grad(lambda x: np.sum(functions_by_a_counter(x)))(X)
    scale = 0.99**21
    np.testing.assert_allclose(found, -np.sin(X * scale) * scale)


def ten_short_loops(x):
    a = x.copy()
    for i in range(2):
        for j in range(2):
            for k in range(2):
                for n in range(2):
                    for m in range(2):
                        for o in range(2):
                            for p in range(2):
                                a[(i + j + k + n + m + o + p) % 20] += 0.5 * a[i + k]
    return a


def test_short_loops_one_in_another_are_kept():
    found = rt.function(ten_short_loops)
    assert found(X).tobytes() == ten_short_loops(X).tobytes()
    assert len(str(found.graphs[0].graph).splitlines()) < 200


def test_two_short_loops_are_unrolled():
    def steps(x):
        for i in range(2):
            for j in range(3):
                x = x * i + j
        return x

    found = rt.function(steps)
    assert found(X).tobytes() == steps(X).tobytes()
    assert "loop" not in str(found.graphs[0].graph)


def test_a_fault_of_the_library_in_a_trial_is_not_hidden(monkeypatch):
    def steps(x):
        for _ in range(20):
            x = x * 0.5
        return x

    monkeypatch.delattr(known_iteration.IterationIndex, "advance")
    with pytest.raises(AttributeError, match="advance"):
        rt.function(steps)(X)


def test_users_are_not_stopped_by_such_a_fault(monkeypatch):
    def steps(x):
        for _ in range(20):
            x = x * 0.5
        return x

    monkeypatch.delattr(known_iteration.IterationIndex, "advance")
    monkeypatch.delenv("AUTOGRAPH_STRICT")
    found = rt.function(steps)
    assert found(X).tobytes() == steps(X).tobytes()
    assert "advance" in str(found.get_concrete_function(X).loops[0])


def test_explain_tells_what_has_become_of_each_loop():
    def steps(x):
        total = 0
        for i in range(100):
            total = total + x * i
        for k in range(3):
            x = x * k
        for layer in [np.sin, np.cos, np.sin, np.cos]:
            x = layer(x)
        for i in range(30):
            x = x + len(frozenset((i, -1)))
        while len(x.shape) < 1:
            x = x + 1
        return x + total

    staged = rt.function(steps)
    before = [str(one) for one in autograph.explain(staged).findings]
    assert any(line.endswith("for i in range(100)              " + LONG) for line in before)
    staged(X)
    found = {one.code: one.verdict for one in autograph.explain(staged).findings}
    assert found["for i in range(100)"] == "staged: 100 iterations, the first 1 of them unrolled"
    assert found["for k in range(3)"] == "unrolled: 3 iterations, since it is short"
    assert found["for layer in [np.sin, np.cos, np.sin, np.cos]"].endswith(
        "not numbers of one type"
    )
    assert found["for i in range(30)"].startswith("unrolled: 30 iterations, since the staged value")
    assert autograph.explain(steps).findings[0].verdict == LONG


LONG = "staged if its iterable is, or if it is long"
