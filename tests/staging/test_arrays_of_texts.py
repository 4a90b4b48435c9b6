"""Texts of a run at NumPy's functions and at operators: NumPy makes arrays of texts of them, which
graphs do not have.  So a function refuses them, and an operator with a number answers as Python
does, whatever the number and the text are."""

import itertools

import numpy as np
import pytest
from loading import load

import runtime as rt

pytestmark = pytest.mark.filterwarnings("ignore")

# -- functions of NumPy ----------------------------------------------------------------------------

OF_ONE = """
sum prod mean std var max min argmax argmin any all cumsum ptp median count_nonzero nonzero sort
argsort unique flip array asarray ravel diff negative sqrt abs sign isnan transpose squeeze histogram
nansum nanmax linalg.norm cov gradient trapezoid size shape ndim copy zeros_like ones_like empty_like
hstack vstack fft.fft real imag exp logical_not atleast_1d strings.upper
""".split()
OF_TWO = """
add multiply subtract equal less maximum power divmod hypot dot inner outer logical_and array_equal
isclose isin intersect1d convolve kron matmul append
""".split()
OTHERS = [
    "np.where(z, z, z)",
    "np.clip(z, 0, 1)",
    "np.repeat(z, 2)",
    "np.take(z, 0)",
    "np.reshape(z, (-1, 1))",
    "np.concatenate([z, z])",
    "np.full_like(z, 'a')",
    "np.interp(z, z, z)",
    "np.percentile(z, 50)",
    "np.array(z, dtype=int)",
    "np.array(z, dtype=float)",
]
CALLS = [f"np.{name}(z)" for name in OF_ONE] + [f"np.{name}(z, z)" for name in OF_TWO] + OTHERS
PROGRAMS = """
import numpy as np

def listed(x, n):
    z = []
    for i in range(n):
        z.append(str(x + i))
    return CALL

def nested(x, n):
    rows = []
    for i in range(n):
        rows.append([str(x), str(x + i)])
    z = rows
    return CALL

def single(x, n):
    z = str(x + n)
    return CALL

def handled(x, n):
    z = str(x + n)
    try:
        return CALL
    except (TypeError, ValueError):
        return "handled"
"""


def told(value):
    """A value with its classes and dtypes."""
    if isinstance(value, (tuple, list)):
        return [told(one) for one in value]
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tolist()
    return type(value), repr(value)


def outcome(function, *arguments):
    try:
        return told(function(*arguments))
    except rt.StagingError:
        return "refused"
    except Exception as error:
        return type(error)


@pytest.mark.parametrize("call", CALLS)
def test_a_function_of_numpy_has_its_result_or_refuses_texts(call):
    module = load(PROGRAMS.replace("CALL", call), f"<texts {call}>")
    for name, n in itertools.product(("listed", "nested", "single", "handled"), (2, 0)):
        function = getattr(module, name)
        found = outcome(rt.function(function), np.float64(1.0), np.int64(n))
        if name == "nested" and n == 0:
            continue  # an empty list of rows is noted as a widening
        if found != "refused":
            assert found == outcome(function, np.float64(1.0), np.int64(n)), (name, n)


def test_a_refusal_says_how_to_read_the_numbers():
    def total(x, n):
        z = []
        for i in range(n):
            z.append(str(x + i))
        return np.sum(z)

    with pytest.raises(rt.StagingError, match=r"holds texts") as caught:
        rt.function(total)(np.float64(1.0), np.int64(2))
    assert "float(v) for v in z" in str(caught.value)


def test_floats_are_read_from_texts_where_the_call_has_a_dtype():
    def numbers(x):
        z = []
        for v in x:
            z.append(f"{v:.1f}")
        return np.array(z, dtype=float)

    np.testing.assert_array_equal(rt.function(numbers)(np.arange(3.0)), np.arange(3.0))


# -- operators -------------------------------------------------------------------------------------

OPERATORS = "+ - * / // % ** < <= == != & << @".split()
OPERANDS = ["int(x)", "float(x)", "bool(x)", "x", "y", "np.float64(2.0)", "np.ones(2)", "3", "2.5"]


@pytest.mark.parametrize("operator", OPERATORS)
def test_an_operator_of_a_text_and_a_number_answers_as_python(operator):
    pairs = [(one, "str(x)") for one in OPERANDS] + [("str(x)", one) for one in OPERANDS]
    lines = ["import numpy as np"]
    for number, (left, right) in enumerate([*pairs, ("str(x)", "str(x)")]):
        lines += [f"def f_{number}(x, y):", f"    return {left} {operator} {right}", ""]
    module = load("\n".join(lines), f"<texts beside numbers {operator}>")
    given = np.float64(1.0), np.arange(2.0)
    for name, function in list(vars(module).items()):
        if name.startswith("f_"):
            found, wanted = outcome(rt.function(function), *given), outcome(function, *given)
            assert found in ("refused", wanted) or _are_type_errors(found, wanted), (name, found)


def _are_type_errors(*found):
    """Whether both are TypeErrors: NumPy's are of classes of its own."""
    return all(isinstance(one, type) and issubclass(one, TypeError) for one in found)


def test_a_sum_of_texts_raises_as_python():
    def total(x, n):
        z = []
        for i in range(n):
            z.append(str(x + i))
        return sum(z)

    run = rt.function(total)
    assert run(np.float64(1.0), np.int64(0)) == 0
    with pytest.raises(TypeError, match=r"unsupported operand type\(s\) for \+: 'int' and 'str'"):
        run(np.float64(1.0), np.int64(2))


class Answering:
    """An object whose operators answer for texts, too."""

    def __init__(self):
        self.asked = []

    def __radd__(self, other):
        self.asked.append(type(other))
        return "answered"

    def __eq__(self, other):
        return True

    __hash__ = None


def test_operators_of_objects_are_called_once_and_with_the_text():
    other = Answering()

    def uses(x):
        return str(x) + other, str(x) == other

    assert rt.function(uses)(np.float64(1.0)) == ("answered", True)
    assert len(other.asked) == 1


def test_texts_of_numpy_are_texts():
    word = np.str_("a")

    def uses(x):
        return str(x) + word, word + str(x), str(x) == np.str_("1.0"), str(x) != word

    assert rt.function(uses)(np.float64(1.0)) == ("1.0a", "a1.0", True, True)
