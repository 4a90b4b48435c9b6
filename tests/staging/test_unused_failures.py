"""Operations whose results are not used raise the exceptions that they raise in Python."""

import linecache
import re

import numpy as np
import pytest
from support.outcomes import quiet

import runtime as rt

# Statements, and arguments with which they work or raise an exception: `a` and `c` are arrays, `f`
# and `i` numbers.
STATEMENTS = [
    (
        ["b = a.copy(); b[0] = 1.0", "y = a[0]"],
        [(np.arange(3.0),), (np.zeros(0),)],
    ),
    (
        ["b = a.copy(); b[i] = 1.0", "y = a[i]"],
        [(np.arange(3.0), np.int64(1)), (np.arange(3.0), np.int64(7))],
    ),
    (
        [
            "b = a.copy(); b[:] = c",
            "b = a.copy(); b += c",
            "y = a[c > 0]",
            "y = a + c",
            "y = np.where(a > 0, a, c)",
            "y = a @ c",
            "y = np.stack([a, c])",
            "y = np.linalg.norm(a - c)",
            "y = np.interp(0.5, a, c)",
            "y = np.maximum(a, c)",
            "y = np.einsum('i,i->', a, c)",
            "y = np.polyfit(a, c, 1)",
        ],
        [(np.arange(3.0), np.ones(3)), (np.arange(3.0), np.ones(2))],
    ),
    (
        ["y = a[i]", "y = np.take(a, i)"],
        [(np.arange(3.0), np.array([1, 2])), (np.arange(3.0), np.array([1, 7]))],
    ),
    (
        ["y = np.concatenate([a, c])"],
        [(np.ones((2, 2)), np.ones((2, 2))), (np.ones((2, 2)), np.ones((2, 3)))],
    ),
    (
        ["y = np.linalg.inv(a)"],
        [(np.eye(2),), (np.zeros((2, 2)),)],
    ),
    (
        ["y = np.linalg.solve(a, c)"],
        [(np.eye(2), np.ones(2)), (np.zeros((2, 2)), np.ones(2))],
    ),
    (
        ["y = np.linalg.cholesky(a)"],
        [(np.eye(2),), (-np.eye(2),)],
    ),
    (
        ["y = np.linalg.eigvalsh(a)", "y = np.linalg.det(a)"],
        [(np.eye(2),), (np.ones((2, 3)),)],
    ),
    (
        ["y = np.linalg.svd(a)", "y = np.linalg.pinv(a)"],
        [(np.eye(2),), (np.full((2, 2), np.nan),)],
    ),
    (
        ["y = a.reshape(2, 2)", "y = a.reshape(-1, 2)", "y = np.split(a, 2)"],
        [(np.arange(4.0),), (np.arange(5.0),)],
    ),
    (
        ["y = a.reshape(i, 2)"],
        [(np.arange(4.0), 2), (np.arange(4.0), 3)],
    ),
    (
        ["y = a.max()", "y = np.argmin(a)"],
        [(np.arange(4.0),), (np.zeros(0),)],
    ),
    (
        ["y = a.max(axis=0)"],
        [(np.ones((2, 2)),), (np.zeros((0, 2)),)],
    ),
    (
        ["y = int(a[0])"],
        [(np.arange(4.0),), (np.full(2, np.nan),)],
    ),
    (
        ["y = int(f)"],
        [(2.5,), (float("nan"),), (float("inf"),)],
    ),
    (
        ["y = round(f)", "import math; y = math.floor(f)", "y = '%d' % f"],
        [(2.5,), (float("nan"),)],
    ),
    (
        ["import math; y = math.sqrt(f)"],
        [(2.5,), (-1.0,)],
    ),
    (
        ["import math; y = math.log(f)"],
        [(2.5,), (0.0,)],
    ),
    (
        ["import math; y = math.exp(f)"],
        [(2.5,), (10000.0,)],
    ),
    (
        ["y = 1 / i", "y = 7 // i", "y = 7 % i", "y = divmod(7, i)", "y = list(range(0, 4, i))"],
        [(2,), (0,)],
    ),
    (
        ["y = f ** -1"],
        [(2.0,), (0.0,)],
    ),
    (
        ["y = f ** 400.0"],
        [(2.0,), (10000.0,)],
    ),
    (
        ["y = 1 << i"],
        [(2,), (-1,)],
    ),
    (
        ["y = a ** i"],
        [(np.arange(3), 2), (np.arange(3), -2)],
    ),
    (
        ["y = np.zeros(i)", "y = np.linspace(0, 1, i)"],
        [(2,), (-2,)],
    ),
    (
        ["y = np.arange(f)"],
        [(2.0,), (float("nan"),)],
    ),
    (
        ["y = np.repeat(a, i)"],
        [(np.arange(3.0), 2), (np.arange(3.0), -2)],
    ),
    (
        ["z = [f, f + 1]; y = z[i]"],
        [(1.0, 1), (1.0, 5)],
    ),
    (
        ["z = [f]; y = z.pop(i)"],
        [(1.0, 0), (1.0, 5)],
    ),
    (
        ["z = [f, 2.0]; y = z.index(2.5)"],
        [(2.5,), (1.0,)],
    ),
    (
        ["y = float(a)", "y = a.item()", "y = bool(a)"],
        [(np.arange(1.0),), (np.arange(2.0),)],
    ),
    (
        ["y, z = a"],
        [(np.arange(2.0),), (np.arange(3.0),)],
    ),
    (
        ["y = np.bincount(a)"],
        [(np.arange(2),), (np.array([-1, 2]),)],
    ),
    (
        ["y = np.choose(i, [a, a])"],
        [(np.arange(2.0), np.array([0, 1])), (np.arange(2.0), np.array([0, 3]))],
    ),
    (
        ["y = np.unravel_index(i, (2, 2))"],
        [(3,), (9,)],
    ),
    (
        ["y = np.broadcast_to(a, (3,))"],
        [(np.arange(3.0),), (np.arange(2.0),)],
    ),
    (
        ["y = np.cross(a, c)"],
        [(np.arange(3.0), np.ones(3)), (np.arange(3.0), np.ones(4))],
    ),
    (
        ["y = np.convolve(a, c)"],
        [(np.arange(3.0), np.ones(3)), (np.arange(3.0), np.ones(0))],
    ),
    (
        ["y = np.quantile(a, f)"],
        [(np.arange(3.0), 0.5), (np.arange(3.0), 1.5)],
    ),
    (
        ["import math; y = math.factorial(i)"],
        [(3,), (-1,)],
    ),
    (
        ["y = max(a)"],
        [(np.arange(3.0),), (np.arange(0.0),)],
    ),
    (
        ["y = np.delete(a, i)", "y = np.insert(a, i, 1.0)"],
        [(np.arange(3.0), 1), (np.arange(3.0), 7)],
    ),
    (
        ["y = np.swapaxes(a, 0, i)"],
        [(np.ones((2, 2)), 1), (np.ones((2, 2)), 7)],
    ),
    (
        ["y = a.astype(np.int64).reshape(i)"],
        [(np.ones(4), 4), (np.ones(4), 3)],
    ),
    (
        [
            "y = np.uint8(i)",
            "y = np.arange(3, dtype=np.uint8) + i",
            "y = np.full(2, i, dtype=np.int8)",
            "b = np.zeros(2, dtype=np.int8); b[0] = i",
        ],
        [(4,), (300,)],
    ),
    (
        ["b = np.zeros(2, dtype=np.int64); b[0] = f"],
        [(4.0,), (float("nan"),)],
    ),
]
PROGRAMS = [(one, cases) for statements, cases in STATEMENTS for one in statements]
FORMS = [
    "    {}\n    return 5.0",
    "    {}\n    y = 3.0\n    b = 1\n    return y",
    "    if flag > 0:\n        {}\n    return 5.0",
    "    k = 0\n    while k < flag:\n        {}\n        k = k + 1\n    return k",
    "    def inner():\n        {}\n        return 4.0\n    inner()\n    return 5.0",
    "    kept = []\n    for k in range(flag):\n        {}\n        kept.append(k)\n    return 5.0",
]


def written(statement, form):
    """A function that computes something and uses no result of it."""
    names = [name for name in "acif" if re.search(rf"\b{name}\b(?!')", statement)]
    (indent,) = re.findall(r"( +)\{\}", form)
    body = form.format(statement.replace("; ", "\n" + indent))
    source = f"import math\nimport numpy as np\ndef f_({', '.join(names)}, flag):\n{body}\n"
    name = f"<unused {FORMS.index(form)} {statement}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    found = {}
    exec(compile(source, name, "exec"), found)
    return found["f_"]


def unknown(value):
    """The type of an argument, with unknown sizes."""
    if isinstance(value, np.ndarray):
        return rt.TensorSpec((None,) * value.ndim, value.dtype)
    return rt.TensorSpec((), value.dtype) if isinstance(value, np.generic) else type(value)


def ends(function, given):
    """How a call ends: its result, or the class of its exception."""
    try:
        return function(*given)
    except Exception as error:
        return type(error)


def check(statement, cases, form, is_unknown):
    function = written(statement, form)
    signature = [*map(unknown, cases[0]), int] if is_unknown else None
    staged = rt.function(function, input_signature=signature)
    for case in cases:
        with quiet():
            assert ends(staged, (*case, 1)) == ends(function, (*case, 1)), (case, statement)


def test_an_unused_operation_raises_its_exception():
    for k, (statement, cases) in enumerate(PROGRAMS):
        check(statement, cases, FORMS[k % len(FORMS)], k % 2 == 0)


@pytest.mark.thorough
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("is_unknown", [False, True])
def test_every_form_of_an_unused_operation(form, is_unknown):
    for statement, cases in PROGRAMS:
        check(statement, cases, form, is_unknown)


def test_what_cannot_raise_is_dead_code():
    def f(x, i):
        y = np.sqrt(x) @ x + x.sum() - np.where(x > 0, x, -x).reshape(3, 1).T
        z = [x[0], x[1:].mean(), float(y[0, 0]), np.concatenate([x, x]).max(), np.zeros(3)]
        if i > 0:
            y = y * 2
        return i

    source = rt.function(f).source(np.ones(3), np.int64(1))
    assert source.splitlines()[1:] == ["    return (i,)"]


def test_an_unused_operation_in_nested_blocks():
    def f(x, n):
        kept = 0
        for i in range(n):
            if i > 2:
                k = 0
                while k < i:
                    missing = x[i]
                    k = k + 1
            kept = kept + i
        return kept

    staged = rt.function(f)
    for n in (2, 3, 4, 6):
        for size in (3, 5):
            given = (np.ones(size), np.int64(n))
            assert ends(staged, given) == ends(f, given)


def test_parts_of_an_array_are_equal_if_the_run_knows_its_size():
    staged = rt.function(lambda x: np.split(x, 2), input_signature=[rt.TensorSpec((None,), float)])
    assert [part.tolist() for part in staged(np.arange(4.0))] == [[0.0, 1.0], [2.0, 3.0]]
    with pytest.raises(ValueError, match="array split does not result in an equal division"):
        staged(np.arange(5.0))
