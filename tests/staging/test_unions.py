"""Scalars of which only the run knows the type: results are those of Python, types included.

Where a graph needs one type for a value (an array, a derivative), the widening is listed.
"""

import numpy as np
import pytest
from outcomes import check_same, outcome, quiet, same_exactly

import autograph
import runtime as rt

NUMBERS = (np.float64(2.0), np.float64(-2.0), np.float64(6.5))
COUNTS = (np.int64(2), np.int64(0), np.int64(5))


def questions(x):
    y = x if x > 0 else 1
    return isinstance(y, int), isinstance(y, float), bool(y), y is True, not y, y == 1, y in (1, 2)


def conversions(x):
    y = x if x > 0 else 1
    return int(y), float(y), complex(y), round(y), str(y), f"{y} {y!r:>5}", "%s" % y


def operators(x):
    y = 3 if x > 0 else 0.5
    return y / 2, y // 2, 7 // y, y % 2, -y, +y, abs(y), divmod(y, 2), y**2, 2**y, y < 1, y != 3


def bits(x):
    y = True if x > 0 else 2
    return ~y, y & 3, y | 4, y ^ 1, y << 2, 8 >> y, y is True, y is False, y and 3, y or 4


def ufuncs(x):
    y = 3 if x > 0 else 0.5
    return np.maximum(y, 1), np.add(y, 1), np.sin(y), np.abs(y), np.add(y, y), np.less(y, 1)


def narrow(x):
    k = 1 if x > 0 else np.float32(2)
    return k + 1, k * x, np.add(k, np.float32(1)), np.multiply(k, 2)


def builtins_of(x):
    y = 3 if x > 0 else 0.5
    return max(y, 2), min(1, y), sum([y, y]), sum((y, 1), y), sorted([y, 2])


def large(x):
    k = 1 if x > 0 else 2**70
    j = 1 if x > 0 else 2.5
    return k, k * j, k > j, k == 2**70


def beside_arrays(x):
    y = 2 if x > 0 else x
    z = np.arange(3.0)
    return z * y, y - z, z[int(y)], np.stack([x, y])


def many(x):
    """Sixty scalars of two types each are no 2 ** 60 cases."""
    found = []
    for i in range(60):
        x = max(-1.0, min(1.0, x * 1.1 - i))
        found.append(x)
    return np.array(found), np.hstack([found, found]), max(found)


def divisions(x):
    y = 0 if x > 5 else 2.0
    return 1 / y


def errors(x):
    y = 3 if x > 0 else x
    if y == 3:
        raise ValueError("bad", y)
    return y


def printed(x):
    y = 3 if x > 0 else x
    print(y, y * 2, f"{y + 1}", sep=";")


class Account:
    def __init__(self):
        self.balance = 0


def attributes(x):
    account = Account()
    if x > 0:
        account.balance = x
    return account.balance, {"balance": account.balance}


def optional(x):
    best = None
    for v in np.array([1.0, 2.0, x]):
        if best is None or v > best:
            best = v
        elif v < -1:
            best = 0
    return best


def early(x):
    for v in np.array([1.0, 3.0]):
        if v > x:
            return 1
    return x


def recursion(x):
    def halved(v):
        if v < 1:
            return 0
        return halved(v / 2) + v

    return halved(x)


def outer(x):
    total = 0

    def add(v):
        nonlocal total
        if v > 0:
            total = total + v

    add(x)
    return total


def loops(n):
    total, half = 0, 1
    for i in range(n):
        total = total + n
        half = half / 2 if i > 1 else half
    return total, half


def nested_loops(n):
    s = 0
    for i in range(n):
        for j in range(i):
            s = s + (j if j % 2 else j * 0.5)
    return s


def counted(n):
    k = 3 if n > 1 else n
    s = 0
    for i in range(k):
        s += i
    return s, k, np.zeros(4)[k - 1]


def appended(n):
    z = []
    for i in range(n):
        z.append(i if i < 2 else i * 0.5)
    return z, len(z), sum(z)


def lists(n):
    z = [n]
    for i in range(n):
        z.append(i)
    z.append(2.5)
    z.sort()
    return z, sum(z), max(z), min(z), z[0], z[-1], z[n // 2], 2 in z, z.index(2.5)


def known_list(n):
    z = [n, 2]
    if n > 1:
        z.append(0.5)
    return z, sum(z), sum(z, 0.0)


def pairs(n):
    z = []
    for i in range(n):
        z.append((i, n) if i > 1 else (n, i))
    return z


def comprehensions(n):
    return [i if i > 1 else 0.5 for i in range(n)], [v * 2 for v in (1, n, 2.5)]


def selected(n):
    z = [1, n, 0.5]
    return z[n % 3], z[n % 2]


def empty_sum(n):
    z = []
    for i in range(n):
        z.append(np.float64(i))
    return sum(z)


def with_gradient(x):
    y = 3 if x > 0 else 0.5
    return rt.grad(lambda w: w * w * y)(x), rt.jvp(lambda w: w * y, (x,), (1.0,)), y


def with_tape(x):
    y = 3 if x > 0 else 0.5
    with rt.GradientTape() as tape:
        z = tape.watch(x)
        s = 0
        for _ in range(np.int64(3)):
            s = s + z * z * y
    return tape.gradient(s, z), y


def with_vmap(x):
    y = 3 if x > 0 else 0.5
    return rt.vmap(lambda w: w * y)(np.arange(3.0)), y


def powers(n):
    k = int(n)
    m = k
    m **= 3
    return (
        k**2,
        2**k,
        k**k,
        m,
        k**True,
        (k > 1) ** 2,
        (k + 1) ** -1,
        k**40,
        rt.grad(lambda x: x * k**2)(2.0),
    )


OF_NUMBERS = (
    *(questions, conversions, operators, bits, ufuncs, narrow, builtins_of, large, beside_arrays),
    *(many, divisions, errors, printed, attributes, optional, early, recursion, outer),
    *(with_gradient, with_tape, with_vmap),
)
OF_COUNTS = (
    *(loops, nested_loops, counted, appended, lists, known_list, pairs, comprehensions, selected),
    *(empty_sum, powers),
)
PROGRAMS = [(f, NUMBERS) for f in OF_NUMBERS] + [(f, COUNTS) for f in OF_COUNTS]


def name(value):
    return getattr(value, "__name__", "")


@pytest.mark.parametrize(("program", "inputs"), PROGRAMS, ids=name)
@pytest.mark.parametrize("engine", ["numpy", "eager"])
def test_scalars_have_the_types_of_python(program, inputs, engine):
    staged = rt.function(program, engine=engine)
    with quiet():
        for value in inputs:
            wanted = outcome(program, (value,))
            check_same(outcome(staged, (value,)), wanted, same_exactly)


def test_the_types_of_results_are_not_widened():
    @rt.function
    def f(x, n):
        y = x if x > 0 else 1
        total = 0
        for _ in range(n):
            total = total + x
        return y, total, n + 1

    found = f.get_concrete_function(np.float64(1), np.int64(2))
    assert not found.widenings
    assert [str(value.type) for value in found.graph.outputs] == ["int | f64", "int | f64", "i64"]


def test_a_program_has_no_trace_of_unions():
    @rt.function
    def f(x, n):
        total = 0
        for i in range(n):
            total = total + x * i
        return total

    lines = f.source(np.float64(2.0), np.int64(3)).splitlines()[1:]
    assert [line.strip() for line in lines] == [
        "v = int(n)",
        "total = 0",
        "for i in range(v):",
        "total = total + x * i",
        "return (total,)",
    ]


def widened_product(x):
    y = 3 if x > 0 else 0.5
    return np.arange(3) * y


def widened_array(x):
    z = np.arange(3)
    if x > 0:
        z = z * 0.5
    return z


def widened_copy(x):
    y = np.int64(3) if x > 0 else np.float32(0.5)
    return np.array(y)


def widened_stack(x):
    z = []
    for i in range(np.int64(abs(x))):
        z.append(i if x > 0 else 0.5)
    return autograph.stack(z)


WIDENED = {
    widened_product: "y is int | float, and is used as float",
    widened_array: "z is i64[3] on one path and f64[3] after the join",
    widened_copy: "y is i64 | f32, and is used as f64",
    widened_stack: "z is list[int | float], and is used as list[float]",
}


@pytest.mark.parametrize("program", WIDENED, ids=name)
def test_a_widened_value_is_listed(program):
    staged = rt.function(program)
    with quiet():
        found = [staged(value) for value in NUMBERS]
        wanted = [program(value) for value in NUMBERS]
        listed = staged.get_concrete_function(NUMBERS[0]).widenings
    assert not all(map(same_exactly, found, wanted))
    assert all(map(np.array_equal, found, wanted))
    assert [line.partition(": ")[2] for line in listed] == [WIDENED[program]]


def test_a_power_of_two_staged_ints_is_refused_in_a_transformed_function():
    @rt.function
    def f(n):
        k = int(n)
        return rt.grad(lambda x: x * k**k)(2.0)

    with pytest.raises(rt.StagingError, match="a power of two Python ints"):
        f(np.int64(3))


def test_the_type_of_such_a_scalar_is_that_of_the_run():
    def f(x):
        y = x if x > 0 else 1
        return 1 if type(y) is int else 2, type(y)

    staged = rt.function(f)
    assert [staged(x) for x in NUMBERS] == [f(x) for x in NUMBERS]
