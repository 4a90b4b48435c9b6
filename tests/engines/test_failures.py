"""Notes on exceptions that operations raise while a graph runs."""

import traceback

import numpy as np
import pytest

import runtime as rt


def raised(fn, *arguments):
    """The exceptions of a function: as a graph, and in Python."""
    errors = []
    for run in (rt.function(fn), fn):
        try:
            run(*arguments)
        except Exception as error:
            errors.append(error)
    return errors


def line_of(error):
    return traceback.extract_tb(error.__traceback__)[-1].line


def in_session(build, **feed):
    """Runs a graph whose placeholders have unknown sizes."""
    with rt.Graph().as_default():
        given = {
            name: rt.placeholder(value.dtype, (None,) * value.ndim, name)
            for name, value in feed.items()
        }
        result = build(**given)
    rt.Session().run(result, {given[name]: value for name, value in feed.items()})


def test_an_exception_keeps_its_type_arguments_and_message_and_gets_a_note():
    def element(x, i):
        return x[i]

    in_graph, in_python = raised(element, np.ones((2, 3)), np.int64(7))
    assert type(in_graph) is type(in_python) is IndexError
    assert in_graph.args == in_python.args and str(in_graph) == str(in_python)
    assert in_graph.__notes__ == ["This is getitem of x: f64[2, 3] and i: i64."]
    assert line_of(in_graph) == "return x[i]"


def test_the_note_has_the_actual_sizes_of_unknown_dimensions():
    with pytest.raises(ValueError) as caught:
        in_session(lambda q, k: q @ (k + 1.0), q=np.ones((2, 3)), k=np.ones((4, 5)))
    assert caught.value.__notes__ == ["This is matmul of q: f64[2, 3] and f64[4, 5]."]
    assert line_of(caught.value).startswith("in_session(lambda q, k: q @ (k + 1.0)")


@pytest.mark.parametrize(
    ("fn", "note"),
    [
        (lambda x: 1.0 / np.sqrt(x - 1.0) + 1.0, "This is divide of 1.0 and f64[2]."),
        (lambda x: 1.0 + np.sqrt(x - 2.0) + x, "This is sqrt of f64[2]."),
        (lambda x: x + np.log(x - 1.0) + np.exp(x), "This is log of f64[2]."),
        (lambda x: np.exp(x * 1e300) * x, "This is exp of f64[2]."),
    ],
)
def test_of_several_operations_in_a_line_the_note_names_the_one_that_failed(fn, note):
    with np.errstate(all="raise"):
        in_graph, in_python = raised(fn, np.array([1.0, 1.0]))
    assert type(in_graph) is FloatingPointError and str(in_graph) == str(in_python)
    assert in_graph.__notes__ == [note]


def test_an_operation_in_a_condition_or_a_loop_is_named():
    def first(x, i):
        while x[i] > 0:
            if x[i + 1] > 2:
                i = i + 1
            i = i + 1
        return i

    in_graph, in_python = raised(first, np.ones(3), np.int64(0))
    assert str(in_graph) == str(in_python)
    assert in_graph.__notes__ == ["This is getitem of x: f64[3] and v: i64."]
    assert line_of(in_graph) == "if x[i + 1] > 2:"


def test_a_write_that_fails_is_named():
    def change(x, i):
        y = x + 1
        y[i] = 0
        return y

    in_graph, _ = raised(change, np.ones(3), np.int64(3))
    assert in_graph.__notes__ == ["This is setitem of y: f64[3], 0 and i: i64."]


def test_exceptions_raised_by_the_user_get_no_note():
    def check(x, y):
        if y > 0:
            raise LookupError("positive", x)
        assert x > 0, "negative"
        return x

    in_graph, in_python = raised(check, np.float64(2.0), np.float64(1.0))
    assert in_graph.args == in_python.args and type(in_graph) is LookupError
    assert not hasattr(in_graph, "__notes__")
    in_graph, _ = raised(check, np.float64(-2.0), np.float64(-1.0))
    assert type(in_graph) is AssertionError and not hasattr(in_graph, "__notes__")


def test_exceptions_of_an_instrumented_program_get_the_same_note():
    @rt.function
    def element(x, i):
        return 2 * x[i + 1]

    for changes in ({"check_numerics": True}, {"threads": 2}, {"profile": rt.Profile()}):
        with rt.config.temporarily(**changes), pytest.raises(IndexError) as caught:
            element(np.ones(2), np.int64(1))
        (note,) = caught.value.__notes__
        assert note.startswith("This is getitem of x: f64[2] and ")
        assert line_of(caught.value) == "return 2 * x[i + 1]"


def test_a_line_unrolled_a_thousand_times_compiles():
    @rt.function
    def chain(x, n):
        for _ in range(n):
            x = np.tanh(x * 0.5)
        return x

    x = np.ones(3)
    expected = x
    for _ in range(1000):
        expected = np.tanh(expected * 0.5)
    assert chain(x, 1000).tobytes() == expected.tobytes()
