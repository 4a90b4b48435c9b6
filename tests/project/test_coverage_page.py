"""docs/coverage.md: the functions that graphs know are those of the records."""

import numpy as np
import pytest

import runtime as rt

scipy = pytest.importorskip("scipy", reason="SciPy is not installed")
from tools.coverage_page import OUTPUT, PAGE, derivative, how, page, public  # noqa: E402


def test_the_page_is_current():
    written = PAGE.read_text()
    if f"{np.__version__} and SciPy {scipy.__version__};" not in written:
        pytest.skip("the page is about other versions of NumPy and SciPy")
    assert written == page(), "run: python tools/coverage_page.py"


@pytest.mark.parametrize(
    "name, kind",
    [("tanh", "operation"), ("percentile", "call"), ("split", "composed"), ("put", "write")],
)
def test_the_table_says_how_a_function_gets_into_a_graph(name, kind):
    assert how(getattr(np, name)) == kind


def test_the_table_says_which_functions_have_derivatives():
    assert [derivative(one) for one in (np.tanh, np.floor, np.argmax)] == [
        "yes",
        "constant",
        "constant",
    ]
    assert derivative(np.histogram).startswith("no: ")


REFUSED = [
    (name, function) for name, function in public(np) if not how(function) and name not in OUTPUT
]


@pytest.mark.parametrize(
    "name, function", REFUSED, ids=lambda one: one if isinstance(one, str) else ""
)
def test_a_function_that_is_not_in_the_table_is_refused(name, function):
    needs_two = name.startswith("busday") or name.endswith("share_memory")
    call = (lambda x: function(x, x)) if needs_two or name == "shares_memory" else function
    with pytest.raises(rt.errors.UnsupportedError):
        rt.function(lambda x: call(x))(np.ones(2))


@pytest.mark.parametrize("name", ["array2string", "array_repr", "array_str"])
def test_a_text_is_made_by_each_run(name):
    function = getattr(np, name)
    assert rt.function(lambda x: function(x))(np.ones(2)) == function(np.ones(2))
