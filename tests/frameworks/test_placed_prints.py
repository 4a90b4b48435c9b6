"""`print` in functions on a device: after the run, in order, once."""

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="devices need the extra `jax`")
from jax.sharding import Mesh, PartitionSpec  # noqa: E402

import runtime as rt  # noqa: E402
from runtime.errors import ExportError  # noqa: E402

X = np.array([1.0, -2.0, 3.0])


def in_loops_and_branches(x):
    total = 0.0
    for v in x:
        if v > 0:
            print("positive", v, x)
            total = total + v
    print(f"sum {total:.2f}", end="!\n")
    return total


def in_a_while(x):
    n = 0
    while np.sum(x) > 1:
        print("iteration", n, np.sum(x), x > 0, sep="|")
        x = x * 0.5
        n += 1
    return x


def of_other_dtypes(x):
    y = x.astype(np.float32)
    print(y, y[0], f"{y[0]!r}", x[0] > 0, f"{y[1]:8.3e}", int(x[0]))
    return y


def of_texts_in_texts(x):
    inner = f"<{x[0]:.1f}>"
    print(f"{inner:>9}", inner, f"{x[1]}{inner}")
    return x


def before_a_failure(x, i):
    print("before", x[0])
    y = x[i]
    print("after", y)
    return y


@pytest.mark.parametrize(
    ("function", "given"),
    [
        (in_loops_and_branches, (X,)),
        (in_loops_and_branches, (-X,)),
        (in_a_while, (np.abs(X),)),
        (of_other_dtypes, (X,)),
        (of_texts_in_texts, (X,)),
        (before_a_failure, (X, np.int64(2))),
        (before_a_failure, (X, np.int64(7))),
    ],
)
def test_each_run_prints_the_lines_of_python_once(function, given, capsys):
    placed = rt.function(function, engine="xla", device=rt.devices()[0])
    expected = _outcome(function, given), capsys.readouterr().out
    for _ in range(2):
        assert (_outcome(placed, given), capsys.readouterr().out) == expected


def _outcome(function, given):
    try:
        return np.asarray(function(*given)).tolist()
    except IndexError as error:
        return str(error)


def compared(x):
    text = f"{x[0]:.1f}"
    return x * 2 if text == "1.0" else x


def with_the_repr_of_a_number_of_python(x):
    total = 0.0
    if x[0] > 0:
        total = x[0]
    print(f"{total!r}")
    return total


@pytest.mark.parametrize("function", [compared, with_the_repr_of_a_number_of_python])
def test_other_uses_of_texts_are_refused_with_the_line(function):
    placed = rt.function(function, engine="xla", device=rt.devices()[0])
    with pytest.raises(ExportError, match="test_placed_prints.py:"):
        placed(X)


def test_a_print_on_a_mesh_is_refused():
    mesh = Mesh(np.array(rt.devices()[:1]), ("data",))
    placed = rt.function(
        of_texts_in_texts, engine="xla", mesh=mesh, in_shardings=PartitionSpec("data")
    )
    with pytest.raises(ExportError, match="print"):
        placed(X)


def returned(x):
    return f"{x[0]:.1f}"


def test_a_text_is_no_result():
    placed = rt.function(returned, engine="xla", device=rt.devices()[0])
    with pytest.raises(ExportError, match="a text that depends on a run is returned"):
        placed(X)
