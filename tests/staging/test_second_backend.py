"""A second backend stages Python with the neutral core alone (`support/recorder.py`).

Each program is recorded once and returns the same results as Python.
"""

import subprocess
import sys
from pathlib import Path

import pytest
from recorder import RECORDER, Recorded, is_tracing

import autograph
from autograph.backend import unregister_ambient
from autograph.errors import StagingError

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def ambient():
    """Only the tests in this file consult the backend outside of staged blocks."""
    autograph.register_ambient(is_tracing, RECORDER)
    yield
    unregister_ambient(RECORDER)


class Point:
    def __init__(self, x):
        self.x = x
        self.visits = 0 if x > 0 else 1

    @property
    def double(self):
        return self.x * 2 if self.x > 1 else self.x


def branches(x):
    y = 0
    if x > 10:
        y = x - 10
    elif x > 5:
        y = x / 2
    else:
        y = -x
    return y


def ternaries(x):
    return (1 if x > 0 else 2), (x if x < 3 else 0.5)


def operators(x):
    return x > 0 and x < 5, x < 0 or x > 3, not x, 0 < x <= 4 < 9, x in (1, 2, 7)


def collatz(n):
    steps = 0
    while n != 1 and n > 0:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def nested_loops(n):
    total = 0
    for i in range(n):
        j = 0
        while j < i:
            if j == 3:
                break
            if j % 2:
                j += 1
                continue
            total += i * j
            j += 1
        else:
            total += 100
    return total


def early_return(n):
    for i in range(n):
        if i * i > 20:
            return i
    return -1


def optional(x):
    best = None
    for i in range(x):
        if best is None or i * (4 - i) > best:
            best = i * (4 - i)
    return (best is None), (0 if best is None else best), best is not None


def unbound(x):
    if x > 0:
        y = x
    if x > 1:
        return y
    return 0


def fails_if_unbound(x):
    if x > 0:
        y = x
    return y + 1


def matches(x):
    match x:
        case 0:
            return 10
        case 1 | 2:
            return 20
        case n if n > 5:
            return n
    return -1


def walrus(x):
    return (y if (y := x * 2) > 6 and (z := y + 1) > 8 else 0), x > 3 and z > 100


def attributes(x):
    p = Point(3)
    if x > 0:
        p.x = x
    while p.visits < x:
        p.visits += 1
    return p.x, p.visits, p.double


def created_objects(x):
    if x > 2:
        p = Point(x)
    else:
        p = Point(-x)
    return p.x + p.visits


def items(x):
    table, row = {"a": 1, "b": 2}, [1, 2, 3]
    if x > 0:
        table["a"] = x
        row[1] = table["a"] + row[0]
    return table["a"], row[1], (10, 20, 30, 40)[x % 4]


def helper(row, x):
    if x > 2:
        row[0] += x


def mutated_through_a_call(x):
    row = [0, 5]
    helper(row, x)
    helper(row, x + 1)
    return row[0], row[1]


def raising(x):
    if x > 5:
        raise ValueError("too big", x)
    return x


def asserting(x):
    assert x < 5, f"{x} is too big"
    return x + 1


def printing(x):
    print("start")
    if x > 2:
        print("big", x)
    for i in range(x):
        print(f"{i}: {i * x:>3}")
    return x


def containers(x):
    pair = (x, {"k": x})
    if x > 3:
        pair = (x + 1, {"k": x * 0.5})
    return pair


def identity(x):
    flag = not x
    return (1 if flag is True else 2), (1 if flag is not False else 2), x is True


def zipped(n):
    total = 0
    for i, weight in zip(range(n), (3, 5, 7)):
        total += i * weight
    return total


def flag(x):
    found = x == 2
    return found is True


PROGRAMS = [
    branches, ternaries, operators, collatz, nested_loops, early_return, optional, unbound, matches,
    walrus, attributes, created_objects, items, mutated_through_a_call, raising, asserting, printing,
    containers, identity, zipped, flag, fails_if_unbound,
]  # fmt: skip


def outcome(function, x, capsys):
    """The result or exception of a call, and what it printed."""
    try:
        result = function(x)
    except (ValueError, AssertionError, UnboundLocalError) as error:
        message = str(error).partition("\n")[0]  # pytest adds lines to that of an assertion
        message = "" if isinstance(error, UnboundLocalError) else message
        result = type(error), message
    return result, capsys.readouterr().out


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_a_recorded_program_behaves_as_in_python(program, capsys):
    recorded = Recorded(program)
    for x in range(8):
        assert outcome(recorded, x, capsys) == outcome(program, x, capsys)
    assert len(recorded.programs) == 1


def test_types_are_joined_by_the_leaf_operations_of_the_backend():
    assert [type(value) for value in Recorded(ternaries)(2)] == [int, float]
    assert Recorded(branches).program(int)[1].types() == [float]


def test_a_short_range_is_declined_and_a_long_one_recorded():
    def summed(x):
        total = 0
        for i in range(3):
            total += i * x
        for i in range(1000):
            total += i if i < x else 0
        return total

    recorded = Recorded(summed)
    assert recorded(5) == summed(5)
    assert recorded.steps(int).count("while") == 1
    assert recorded.steps(int).count("mul") == 3


def test_a_staging_error_is_not_an_exception_of_the_program():
    def wrong(x):
        if x > 0:
            len(5)
        return x

    with pytest.raises(TypeError, match="has no len"):
        Recorded(wrong)(1)


def test_a_handler_for_exceptions_of_a_run_is_refused():
    def handled(x):
        try:
            if x > 0:
                raise ValueError(x)
        except ValueError:
            return 0
        return x

    with pytest.raises(StagingError, match="ValueError, which only a run can raise"):
        Recorded(handled)(1)


def test_a_key_of_one_branch_is_refused_with_the_users_line():
    def one_sided(x):
        table = {}
        if x > 0:
            table["k"] = x
        return x

    with pytest.raises(StagingError, match=r"table\['k'\]|\['k'\]") as caught:
        Recorded(one_sided)(1)
    assert "if x > 0:" in str(caught.value)


def test_types_that_do_not_join_are_refused():
    def mixed(x):
        y = "a" if x > 0 else 1
        return y

    with pytest.raises(StagingError, match="str on one path and int on another"):
        Recorded(mixed)(1)


def test_the_truth_of_a_symbol_that_python_needs_is_refused():
    def generated(x):
        if x > 0:
            yield x

    def consumed(x):
        return max(generated(x))

    with pytest.raises(StagingError, match="it contains `yield`"):
        Recorded(consumed)(1)


def test_classes_are_unchanged_after_recording():
    before = dict(vars(Point))
    Recorded(created_objects)(3)
    assert dict(vars(Point)) == before


def test_nothing_is_recorded_outside_of_a_recorded_function():
    def plain(n):
        return [i for i in range(n)], f"{n}", n is None

    assert autograph.to_graph(plain)(3) == ([0, 1, 2], "3", False)


def test_the_neutral_core_works_without_numpy_and_the_runtime():
    code = (
        "import sys; sys.path += ['tests/support', 'tests/staging']\n"
        "import autograph, test_second_backend as t\n"
        "autograph.register_ambient(t.is_tracing, t.RECORDER)\n"
        "assert t.Recorded(t.collatz)(7) == 16\n"
        "assert not {'numpy', 'runtime'} & sys.modules.keys(), 'imported'"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
