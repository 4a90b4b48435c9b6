"""Lists that a repetition or a sum creates are followed like list displays; operators of lists raise
Python's errors."""

import numpy as np
import pytest

import runtime as rt
from tests.support.loading import load

WRITES = {
    "repeated": "z = [0.0] * 3\n    z[i] = x",
    "from_the_left": "z = 3 * [0.0]\n    z[i] = x",
    "by_a_length": "z = [0.0] * len(a)\n    z[i] = x",
    "sum": "z = [0.0, 1.0] + [3.0]\n    z[i] = x",
    "both": "z = [0.0] * 2 + [x]\n    z[i] += x",
    "in_a_loop": "z = [0.0] * 3\n    for k in range(i):\n        z[k] = x * k",
    "deleted": "z = [0.0] * 3\n    del z[i]",
}
OPERANDS = ["a * [1.0, 2.0, 3.0]", "[1.0, 2.0, 3.0] * a", "[1.0, 2.0, 3.0] + a", "[x] * True"]
OPERANDS += ["[x] * 2.0", "[x] * 'a'", "[x] * [2]", "[x] + (2,)", "[1.0] * np.int64(2)"]
OPERANDS += ["[1.0, 2.0, 3.0] * np.array([x, x, x])", "[1] + 3", "[x] * int(x)", "'a' * 3"]


def outcome(function, *args):
    try:
        return repr(np.asarray(function(*args)))
    except rt.StagingError:
        raise
    except Exception as error:
        return type(error), str(error)


@pytest.mark.parametrize("name", WRITES)
def test_items_of_such_a_list_are_written_at_staged_indices(name):
    text = f"import numpy as np\na = np.array([1.0, 2.0, 3.0])\ndef f(x, i):\n    {WRITES[name]}\n"
    f = load(f"{text}    return z\n", f"<repeated {name}>").f
    staged = rt.function(f)
    for i in (0, 2, 1):
        args = np.float64(1.5), np.int64(i)
        assert outcome(staged, *args) == outcome(f, *args)


@pytest.mark.parametrize("text", OPERANDS)
def test_operators_of_lists_are_those_of_python(text):
    source = f"import numpy as np\na = np.array([1.0, 2.0, 3.0])\ndef f(x):\n    z = {text}\n"
    f = load(f"{source}    return z\n", f"<list {text}>").f
    assert outcome(rt.function(f), np.float64(2)) == outcome(f, np.float64(2))


def test_a_list_that_is_not_followed_is_not_called_a_list_of_the_outside():
    def f(x, i):
        z = [[0.0] * 3 for _ in range(2)]
        z[0][i] = x
        return z[0][0]

    with pytest.raises(rt.errors.OutsideWriteError, match="this one was made in another way"):
        rt.function(f)(np.float64(1), np.int64(1))
