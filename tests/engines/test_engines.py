"""Engines are records in a registry; the eager engine behaves like the NumPy engine."""

import contextlib
import copy
import io
import traceback
from dataclasses import replace

import language_binding  # noqa: F401  (fills PROGRAMS, like those that follow)
import language_classes  # noqa: F401
import language_comprehensions  # noqa: F401
import language_lists  # noqa: F401
import language_match  # noqa: F401
import language_none  # noqa: F401
import language_text  # noqa: F401
import numpy as np
import pytest
from programs import PROGRAMS

import runtime as rt
from runtime.engines import eager, registry
from runtime.engines.registry import CannotLower, Engine, Options


@pytest.fixture
def another_engine(monkeypatch):
    """An engine named "another" that records the graphs it compiles and cannot lower `tanh`."""
    monkeypatch.setattr(registry, "_engines", dict(registry._engines))
    compiled = []

    def compile_graph(graph, options):
        compiled.append(graph.name)
        return eager.Interpreter(graph, options)

    def refusal(node):
        return "It has no hyperbolic functions." if node.op.name == "tanh" else None

    registry.register(Engine("another", "For this test.", compile_graph, refusal))
    return compiled


# -- the registry ----------------------------------------------------------------------------------


def test_the_built_in_engines_are_known_by_name():
    assert registry.names() == ["auto", "numpy", "eager", "native", "native-fast", "xla"]
    assert registry.find("numpy").unavailable is None


@pytest.mark.usefixtures("numpy_programs")
def test_the_error_about_an_unknown_engine_lists_the_known_ones():
    for ask in (
        lambda: rt.function(engine="nunpy")(np.sum),
        lambda: rt.config.use_engine("nunpy"),
        lambda: registry.find("nunpy"),
    ):
        with pytest.raises(ValueError) as caught:
            ask()
        known = "'auto', 'numpy', 'eager', 'native', 'native-fast', 'xla'"
        assert str(caught.value) == f"there is no engine 'nunpy'; the engines are {known}"
    with pytest.raises(TypeError, match="its name, a string, not 3"):
        rt.config.use_engine(3)
    assert rt.config.engine() == "numpy"


def test_two_engines_cannot_have_one_name(another_engine):
    with pytest.raises(ValueError, match="an engine called 'another' already"):
        registry.register(replace(registry.find("another")))


def test_an_engine_whose_package_is_missing_is_refused_with_the_reason(another_engine):
    missing = replace(registry.find("another"), name="missing", needs=("numpy", "no_such_package"))
    registry.register(missing)
    for ask in (
        lambda: rt.function(engine="missing")(np.sum),
        lambda: rt.config.use_engine("missing"),
    ):
        with pytest.raises(ImportError, match="'missing' is unavailable: .* no_such_package"):
            ask()


def test_an_operation_that_an_engine_cannot_lower_is_refused_with_the_users_line(another_engine):
    def curve(x):
        y = x + 1
        return np.tanh(y)

    with pytest.raises(CannotLower) as caught:
        rt.function(curve, engine="another")(np.ones(2))
    message = str(caught.value)
    assert "the engine 'another' cannot run tanh" in message
    assert "return np.tanh(y)" in message and "in curve" in message
    assert "It has no hyperbolic functions." in message
    assert (
        "Choose another engine: 'auto', 'numpy', 'eager', 'native', 'native-fast', 'xla'."
        in message
    )
    assert not another_engine


# -- which engine runs a graph ---------------------------------------------------------------------


def test_the_option_of_a_function_overrides_the_setting(another_engine):
    mine = rt.function(lambda x: x + 1, engine="another")
    others = rt.function(lambda x: x + 2)
    with rt.config.temporarily(engine="eager"):
        assert mine(np.float64(1)) == 2 and others(np.float64(1)) == 3
        assert len(another_engine) == 1
        assert mine.source().startswith("def graph(x: f64):")


@pytest.mark.usefixtures("numpy_programs")
def test_a_changed_setting_applies_to_existing_graphs(another_engine):
    double = rt.function(lambda x: x * 2)
    x = np.arange(3.0)
    assert double(x).tolist() == [0, 2, 4] and "v = x * 2" in double.source()
    for _ in range(2):
        with rt.config.temporarily(engine="another"):
            assert rt.config.engine() == "another"
            assert double(x).tolist() == [0, 2, 4]
    assert len(another_engine) == 1  # compiled once and cached
    assert len(double.graphs) == 1  # and not traced again
    assert "v = x * 2" in double.source()


def test_a_gradient_runs_on_the_engine_of_its_function(another_engine):
    square = rt.function(lambda x: x * x, engine="another")
    assert rt.grad(square)(np.float64(3.0)) == 6.0
    assert len(another_engine) == 1


def test_checks_and_profiles_need_an_engine_that_supports_them():
    divide = rt.function(lambda x: 1.0 / x)
    with (
        np.errstate(divide="ignore"),
        rt.config.temporarily(engine="eager", check_numerics=True),
        pytest.raises(FloatingPointError, match="divide makes inf of finite numbers"),
    ):
        divide(np.zeros(2))
    with rt.config.temporarily(engine="eager"), rt.profile() as profile:
        divide(np.ones(2))
    assert list(profile.by_op()) == ["divide float, f64[2]"]


def test_a_plain_function_of_an_executable_raises_and_translates():
    """The entry point for callers that add nothing to the time of a call."""
    graph = rt.function(lambda x, i: x[i] + 1).get_concrete_function(np.ones(2), np.int64(0))
    run = graph.compiled.plain
    assert run.function(np.ones(2), np.int64(1)) == (2.0,)
    with pytest.raises(IndexError) as caught:
        run.function(np.ones(2), np.int64(7))
    assert not hasattr(caught.value, "__notes__")
    run.translate(caught.value)
    assert caught.value.__notes__ == ["This is getitem of x: f64[2] and i: i64."]


# -- the eager engine ------------------------------------------------------------------------------


def seen(function, arguments):
    """The result, output, arguments and exception of a run, with the user's line."""
    given = copy.deepcopy(arguments)
    result = error = None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        try:
            result = function(*given)
        except Exception as raised:
            entries = traceback.extract_tb(raised.__traceback__)
            line = [entry.line for entry in entries if "runtime" not in entry.filename][1:]
            error = type(raised), str(raised), line
    return repr((result, given)), printed.getvalue(), error


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", [name for name, p in PROGRAMS.items() if p.staged])
def test_the_eager_engine_behaves_like_the_numpy_engine(name):
    program = PROGRAMS[name]
    function = rt.function(program.function)
    for arguments in program.staged:
        seen(function, arguments)  # one-time effects happen while tracing
        wanted = seen(function, arguments)
        with rt.config.temporarily(engine="eager"):
            assert seen(function, arguments) == wanted


def test_an_exception_in_the_eager_engine_names_the_users_line_and_operands():
    def first(x, i):
        while x[i] > 0:
            i = i + 1
        return i

    with rt.config.temporarily(engine="eager"), pytest.raises(IndexError) as caught:
        rt.function(first)(np.ones(3), np.int64(0))
    (note,) = caught.value.__notes__
    assert note.startswith("This is getitem of x: f64[3] and ")
    assert traceback.extract_tb(caught.value.__traceback__)[-1].line == "while x[i] > 0:"


@pytest.mark.parametrize("engine", ["numpy", "eager"])
def test_writes_before_an_exception_are_in_the_array(engine):
    @rt.function(engine=engine)
    def fill(x, limit):
        for i in range(3):
            if i == limit:
                raise ValueError(i)
            x[i] = 7

    x = np.zeros(3)
    with pytest.raises(ValueError):
        fill(x, np.int64(2))
    assert x.tolist() == [7, 7, 0]


@pytest.mark.parametrize("engine", ["numpy", "eager"])
def test_a_returned_constant_is_a_fresh_array_for_each_caller(engine):
    @rt.function(engine=engine)
    def table(n):
        return np.array([1.0, 2.0]), n

    table(np.int64(1))[0][:] = 0
    assert table(np.int64(1))[0].tolist() == [1.0, 2.0]


def test_an_interpreter_preserves_numpys_error_settings():
    graph = rt.function(lambda x: x + 1).get_concrete_function(np.ones(2)).graph
    run = eager.Interpreter(graph, Options())
    before = np.geterr()
    run(np.ones(2))
    assert np.geterr() == before
