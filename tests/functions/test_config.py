"""Settings of the runtime: eager functions, and the scope of settings."""

import threading

import numpy as np
import pytest

import runtime as rt


@pytest.fixture(autouse=True)
def settings_as_they_were():
    yield
    rt.config.run_functions_eagerly(False)
    rt.config.check_numerics(False)
    rt.config.use_threads(1)


@rt.function
def mean_squared_error(truth, guess):
    print("Tracing!")
    return np.mean((truth - guess) ** 2)


TRUTH, GUESS = np.array([1, 2, 3]), np.array([1, 4, 7])


def test_functions_that_run_eagerly_print_at_each_call_and_return_the_same(capsys):
    in_graph = [mean_squared_error(TRUTH, GUESS) for _ in range(3)]
    assert capsys.readouterr().out == "Tracing!\n"
    rt.config.run_functions_eagerly(True)
    assert rt.config.functions_run_eagerly()
    eagerly = [mean_squared_error(TRUTH, GUESS) for _ in range(3)]
    assert capsys.readouterr().out == "Tracing!\n" * 3
    assert eagerly == in_graph == [20 / 3] * 3
    assert [type(value) for value in eagerly + in_graph] == [np.float64] * 6
    rt.config.run_functions_eagerly(False)
    mean_squared_error(TRUTH, GUESS)
    assert capsys.readouterr().out == ""


def test_a_function_that_runs_eagerly_sees_the_arrays_themselves():
    seen = []

    @rt.function
    def look(x):
        seen.append(x)
        return x

    x = np.ones(3)
    with rt.config.temporarily(run_functions_eagerly=True):
        assert look(x) is x and seen[0] is x


def test_an_explicit_graph_is_traced_although_functions_run_eagerly():
    with rt.config.temporarily(run_functions_eagerly=True), rt.Graph().as_default():
        x = rt.placeholder(np.float64, name="x")
        y = rt.function(lambda x: x if x > 0 else -x)(x)
    assert rt.Session().run(y, {x: -3.0}) == 3.0


# -- rt.eager --------------------------------------------------------------------------------------


def test_the_eager_version_of_a_function_is_the_original_function():
    def double(x):
        return 2 * x

    assert rt.eager(rt.function(double)) is double


def test_the_eager_version_of_a_method_belongs_to_its_object():
    class Model:
        rate = 3

        @rt.function
        def step(self, x):
            return type(x).__name__, x * self.rate

    assert rt.eager(Model().step)(2) == ("int", 6)


def test_functions_called_by_an_eager_version_still_run_as_graphs(capsys):
    @rt.function
    def inner(x):
        print("Tracing!")
        return x + 1

    @rt.function
    def outer(x):
        print("running")
        return inner(x)

    assert [rt.eager(outer)(np.float64(1.0)) for _ in range(2)] == [2.0, 2.0]
    assert capsys.readouterr().out == "running\nTracing!\nrunning\n"


def test_a_function_can_use_the_eager_version_of_another_one():
    @rt.function
    def absolute(x):
        return x if x > 0 else -x

    @rt.function
    def twice(x):
        return 2 * rt.eager(absolute)(x)

    assert twice(np.float64(-3.0)) == 6.0


def test_only_functions_of_the_runtime_have_an_eager_version():
    with pytest.raises(TypeError, match="rt.eager is applied to"):
        rt.eager(len)


# -- the scope of settings -------------------------------------------------------------------------


def settings():
    config = rt.config
    return config.functions_run_eagerly(), config.numerics_are_checked(), config.threads()


def in_a_thread(fn):
    found = []
    thread = threading.Thread(target=lambda: found.append(fn()))
    thread.start()
    thread.join()
    return found[0]


def test_by_default_functions_are_graphs_and_run_without_checks_in_one_thread():
    assert settings() == (False, False, 1)


def test_settings_hold_in_every_thread():
    rt.config.run_functions_eagerly(True)
    rt.config.check_numerics(True)
    rt.config.use_threads(3)
    assert settings() == in_a_thread(settings) == (True, True, 3)


def test_temporary_settings_hold_only_in_the_block():
    with rt.config.temporarily(check_numerics=True):
        with rt.config.temporarily(threads=2, run_functions_eagerly=True):
            assert settings() == (True, True, 2)
            assert in_a_thread(settings) == (False, False, 1)
        assert settings() == (False, True, 1)
    assert settings() == (False, False, 1)


def test_a_block_does_not_reset_settings_that_it_does_not_name():
    with rt.config.temporarily(threads=2):
        rt.config.check_numerics(True)
        assert settings() == (False, True, 2)
    assert settings() == (False, True, 1)


def test_a_block_that_raises_restores_its_settings():
    with pytest.raises(KeyError), rt.config.temporarily(threads=2):
        raise KeyError
    assert settings() == (False, False, 1)


@pytest.mark.parametrize(
    ("setting", "error", "words"),
    [
        ({"threads": 0}, ValueError, "the number of threads is at least 1, not 0"),
        ({"threads": True}, TypeError, "the number of threads is an int, not True"),
        ({"threads": 2.0}, TypeError, "the number of threads is an int, not 2.0"),
        ({"check_numerics": 1}, TypeError, "check_numerics is True or False, not 1"),
        ({"run_functions_eagerly": None}, TypeError, "run_functions_eagerly is True or False"),
        ({"checks": True}, TypeError, "checks"),
    ],
)
def test_an_invalid_temporary_setting_is_refused_and_changes_nothing(setting, error, words):
    with pytest.raises(error, match=words):
        with rt.config.temporarily(**setting):
            pass
    assert settings() == (False, False, 1)


def test_an_invalid_setting_is_refused_and_changes_nothing():
    with pytest.raises(ValueError, match="at least 1"):
        rt.config.use_threads(0)
    with pytest.raises(TypeError, match="True or False"):
        rt.config.check_numerics("yes")
    assert settings() == (False, False, 1)


def test_changing_a_setting_retraces_no_function(capsys):
    @rt.function
    def traced(x):
        print("Tracing!")
        return x + 1

    for changes in ({}, {"check_numerics": True}, {"threads": 2}):
        with rt.config.temporarily(**changes):
            assert traced(np.float64(1.0)) == 2.0
    assert capsys.readouterr().out == "Tracing!\n"
