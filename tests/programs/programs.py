"""Ordinary small functions such as users write, each with inputs; the tests run every one of them.

    @program((27,), (1,), staged=[(np.int64(27),)])
    def collatz(a): ...

The arguments of `program` are inputs, each a tuple of arguments.  `staged` are inputs whose NumPy
values are staged where the function runs as a graph.

The file is long because it is a collection of independent programs.
"""

import contextlib
import functools
import math
import re
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count, islice

import numpy as np
from numpy import array
from numpy import float64 as f64
from numpy import int64 as i64


@dataclass(frozen=True)
class Program:
    """A function and its inputs."""

    function: Callable
    inputs: tuple[tuple, ...]
    staged: tuple[tuple, ...]


PROGRAMS: dict[str, Program] = {}


def program(*inputs: tuple, staged=()):
    """Registers the decorated function with its inputs."""

    def register(function):
        assert function.__name__ not in PROGRAMS, f"there are two programs {function.__name__}"
        PROGRAMS[function.__name__] = Program(function, inputs, tuple(staged))
        return function

    return register


# -- if, elif, else --------------------------------------------------------------------------------


@program((3,), (-3,), (0,), (2.5,), staged=[(f64(3),), (f64(-3),), (i64(-7),)])
def absolute(x):
    """The absolute value."""
    if x < 0:
        x = -x
    return x


@program((3.0,), (-3.0,), staged=[(f64(3),), (f64(-3),)])
def leaky_relu(x):
    if x > 0:
        y = x
    else:
        y = 0.01 * x
    return y


@program((95,), (85,), (75,), (10,), ("x",))
def grade(points):
    if points >= 90:
        return "A"
    elif points >= 80:
        return "B"
    elif points >= 70:
        return "C"
    else:
        return "F"


@program((11,), (6,), (1,), (-1,), staged=[(i64(v),) for v in (11, 6, 1, -1)])
def size_class(x):
    if x > 10:
        kind = 3
    elif x > 5:
        kind = 2
    elif x > 0:
        kind = 1
    else:
        kind = 0
    return kind


@program((-5,), (5,), (50,), staged=[(f64(-5),), (f64(5),), (f64(50),)])
def clip_to_ten(x):
    if x < 0.0:
        return x * 0.0
    if x > 10.0:
        return x * 0.0 + 10.0
    return x


@program((None,), (0,), (4,), ("four",), (-1,))
def guards(x):
    if x is None:
        return "nothing"
    if not isinstance(x, int):
        raise TypeError(f"not an int: {x!r}")
    if x < 0:
        raise ValueError("negative", x)
    if not x:
        return 0
    return x**0.5


@program((2000,), (1900,), (2024,), (2023,), staged=[(i64(y),) for y in (2000, 1900, 2024, 2023)])
def leap_year(year):
    if year % 4 == 0:
        if year % 100 == 0:
            if year % 400 == 0:
                leap = True
            else:
                leap = False
        else:
            leap = True
    else:
        leap = False
    return leap


@program((1, 2), (2, 1), (1, 1), staged=[(i64(1), i64(2)), (i64(2), i64(1))])
def ordered_pair(a, b):
    if a > b:
        a, b = b, a
    return a, b


@program((3, 1, 2), (1, 2, 3), (3, 2, 1), staged=[(f64(3), f64(1), f64(2))])
def sorted_three(a, b, c):
    if a > b:
        a, b = b, a
    if b > c:
        b, c = c, b
    if a > b:
        a, b = b, a
    return a, b, c


@program((1,), (0,), staged=[(i64(1),), (i64(0),)])
def only_one_branch_binds(x):
    if x > 0:
        y = x + 1
    return y


@program((1,), (-1,), staged=[(i64(1),), (i64(-1),)])
def bound_under_the_same_condition(x):
    positive = x > 0
    if positive:
        root = x * 2
    x = x + 1
    if positive:
        x = x + root
    return x


@program((2,), (-2,), staged=[(i64(2),), (i64(-2),)])
def branch_joins_int_and_float(x):
    if x > 0:
        y = 1
    else:
        y = 2.5
    return y


@program((1.0, -3.0, 2.0), (1.0, 2.0, 5.0), (0.0, 2.0, 4.0), staged=[(f64(1), f64(-3), f64(2))])
def quadratic_roots(a, b, c):
    if a == 0:
        raise ZeroDivisionError("not quadratic")
    d = b * b - 4 * a * c
    if d < 0:
        raise ValueError("no real roots")
    root = d**0.5
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


@program(({"a": 1},), ({},), ([],), (None,), ("",), (0.0,))
def truthy(x):
    if x:
        return "yes"
    return "no"


@program((1, 2), (0, 0), (5, 1), staged=[(i64(1), i64(2)), (i64(5), i64(1))])
def nested_guards(x, y):
    if x < y:
        if x == 0:
            return x
        if y == 2:
            return x + y
    elif x > 4:
        return x - y
    return x * y


@program((array([1.0, -2.0, 3.0]),), staged=[(array([1.0, -2.0, 3.0]),), (array([-1.0, 0.5]),)])
def if_over_arrays(x):
    if x.sum() > 0:
        y = x * 2
    else:
        y = np.zeros(x.shape)
    return y


@program((1,), (4,), staged=[(f64(1),), (f64(4),)])
def huber(x):
    delta = 2.0
    size = np.abs(x)
    if size <= delta:
        loss = 0.5 * x * x
    else:
        loss = delta * (size - 0.5 * delta)
    return loss


# -- while -----------------------------------------------------------------------------------------


@program((27,), (1,), (6,), staged=[(i64(27),), (i64(1),)])
def collatz(a):
    """The number of steps to 1."""
    counter = 0
    while a != 1:
        if a % 2 == 0:
            a = a // 2
        else:
            a = 3 * a + 1
        counter = counter + 1
    return counter


@program((48, 18), (7, 0), (0, 5), staged=[(i64(48), i64(18)), (i64(7), i64(0))])
def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


@program((91,), (97,), (4,), staged=[(i64(91),), (i64(97),)])
def smallest_divisor(n):
    d = 2
    while d * d <= n:
        if n % d == 0:
            return d
        d += 1
    return n


@program((12345,), (0,), staged=[(i64(12345),), (i64(0),)])
def digit_sum(n):
    total = 0
    while n > 0:
        total += n % 10
        n //= 10
    return total


@program((120,), (121,), (-1,), staged=[(i64(121),), (i64(120),)])
def is_palindromic_number(n):
    if n < 0:
        return False
    rest, reverse = n, 0
    while rest:
        reverse = reverse * 10 + rest % 10
        rest //= 10
    return reverse == n


@program((5,), (0,), staged=[(i64(5),), (i64(0),)])
def while_true_with_break(n):
    k = 0
    while True:
        k += 1
        if k > n:
            break
    return k


@program((10,), (3,), (0,), staged=[(i64(10),), (i64(3),)])
def while_with_continue(n):
    total = 0
    while n > 0:
        n -= 1
        if n % 3 == 1:
            continue
        total += n
    return total


@program((10, 7), (10, 20), staged=[(i64(10), i64(7)), (i64(10), i64(20))])
def while_else(n, wanted):
    k = 0
    while k < n:
        if k == wanted:
            found = 1
            break
        k += 1
    else:
        found = 0
    return found, k


@program((13, 3), (5, 0), staged=[(i64(13), i64(3))])
def power_by_squaring(base, exponent):
    result = 1
    while exponent > 0:
        if exponent & 1:
            result *= base
        base *= base
        exponent >>= 1
    return result


@program((17, 5), (4, 9), (5, 0), staged=[(i64(17), i64(5))])
def long_division(a, b):
    if b == 0:
        raise ZeroDivisionError("long division by zero")
    quotient = 0
    while a >= b:
        a -= b
        quotient += 1
    return quotient, a


@program((40,), (1,), staged=[(i64(40),), (i64(1),)])
def integer_root(n):
    low, high = 0, n + 1
    while high - low > 1:
        middle = (low + high) // 2
        if middle * middle <= n:
            low = middle
        else:
            high = middle
    return low


@program((100,), (3,), staged=[(i64(100),), (i64(3),)])
def triple_loop_of_whiles(n):
    steps = 0
    a = n
    while a > 1:
        b = a
        while b > 1:
            b = b // 3
            steps += 1
        a = a // 2
    return steps, a


@program((6,), (0,))
def countdown_prints(n):
    while n:
        print(n, end=" ")
        n -= 1
    print("lift-off")


@program((3,), (7,), staged=[(i64(0),), (i64(3),), (i64(7),)])
def prints_up_to_five(n):
    if n >= 0:
        while n < 5:
            n += 1
            print(n)
    return n


@program(([3, 1, 2],), ([],))
def drain(stack):
    total = 0
    while stack:
        total = total * 10 + stack.pop()
    return total


# -- for -------------------------------------------------------------------------------------------


@program((10,), (0,), (-3,), staged=[(i64(10),), (i64(0),)])
def sum_to(n):
    total = 0
    for k in range(n):
        total += k
    return total


@program((2, 20, 3), (20, 2, -3), (1, 5, 0), staged=[(i64(2), i64(20), 3), (i64(9), i64(2), -2)])
def sum_of_range(start, stop, step):
    total = 0
    for k in range(start, stop, step):
        total += k * k
    return total


@program(([1.0, 2.0],), ([],), ((3, 4),), staged=[(np.arange(5.0),), (np.zeros(0),)])
def mean_of(xs):
    total = 0.0
    for x in xs:
        total = total + x
    return total, len(xs)


@program((array([3, 9, 2]),), staged=[(array([3, 9, 2]),), (array([1.5, -2.0]),)])
def largest(xs):
    best = xs[0]
    for x in xs:
        if x > best:
            best = x
    return best


@program((10,), (2,), staged=[(i64(10),), (i64(2),), (i64(0),)])
def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


@program((5,), (0,), staged=[(i64(5),), (i64(0),)])
def factorial(n):
    product = 1
    for k in range(1, n + 1):
        product *= k
    return product


@program((5,), (0,), staged=[(i64(5),), (i64(0),)])
def last_index(n):
    for k in range(n):
        last = k
    return last


@program(({"b": 2, "a": 1},), ({},))
def over_a_dict(prices):
    lines = []
    for name in prices:
        lines.append(name)
    for name, price in prices.items():
        lines.append(f"{name}={price}")
    for price in prices.values():
        lines.append(price)
    return lines


@program(("hello",), ("",))
def over_a_string(text):
    vowels = 0
    for letter in text:
        if letter in "aeiou":
            vowels += 1
    return vowels


@program((["x", "y"],), ([],), staged=[(np.arange(4.0),), (array([2, 5, 7]),)])
def over_enumerate(xs):
    position = -1
    for i, x in enumerate(xs):
        if i % 2 == 1:
            position = i
    return position


@program(([1, 2, 3], [4, 5]), staged=[(array([1, 2, 3]), array([4, 5, 6]))])
def dot_by_zip(xs, ys):
    total = 0
    for x, y in zip(xs, ys):
        total += x * y
    return total


@program((4,), (0,))
def over_a_generator_expression(n):
    total = 0
    for square in (k * k for k in range(n)):
        if square == 4:
            continue
        total += square
    return total, n


@program(([(1, (2, 3)), (4, (5, 6))],))
def nested_targets(rows):
    total = 0
    for a, (b, c) in rows:
        total += a * b - c
    return total, a, b, c


@program(([[1, 2, 3], [4, 5]],))
def starred_target(rows):
    seen = []
    for first, *rest in rows:
        seen.append((first, rest))
    return seen, first, rest


@program(([0, 0, 0],))
def target_is_an_item(xs):
    for xs[1] in range(5):
        pass
    return xs


@program((4,), (0,), staged=[(i64(4),), (i64(9),)])
def triangle_count(n):
    cells = 0
    for a in range(n):
        for b in range(a):
            cells += a - b
    return cells


@program((9,), (3,), staged=[(i64(9),), (i64(3),)])
def nested_break_and_continue(n):
    total = 0
    for a in range(n):
        for b in range(a):
            if b == 2:
                continue
            if b > 4:
                break
            total += b
    return total


@program((20,), (5,), (0,), staged=[(i64(20),), (i64(5),)])
def break_and_continue(n):
    total = 0
    for k in range(n):
        if k == 3:
            continue
        if k > 7:
            break
        total += k
    return total


@program(([1, 3, 9],), ([1, 1],), ([],), staged=[(np.arange(6.0),), (np.arange(2.0),)])
def first_above_three(xs):
    for x in xs:
        if x > 3:
            return x
    return -1


@program((4, [1, 4]), (5, [1, 4]), staged=[(i64(4), array([1, 4])), (i64(5), array([1, 4]))])
def index_of(wanted, xs):
    for i in range(len(xs)):
        if xs[i] == wanted:
            return i
    return -1


@program((10,), (30,), staged=[(i64(10),), (i64(30),)])
def for_else_prime(n):
    for d in range(2, 5):
        if n % d == 0 and n != d:
            verdict = d
            break
    else:
        verdict = 0
    return verdict


@program((30,), staged=[(i64(30),)])
def count_primes(limit):
    primes = 0
    for n in range(2, limit):
        for d in range(2, n):
            if n % d == 0:
                break
        else:
            primes += 1
    return primes


@program(([[1, 2], [3, 4]], 3), ([[1, 2], [3, 4]], 9))
def return_from_nested_loops(rows, wanted):
    for i, row in enumerate(rows):
        for j, item in enumerate(row):
            if item == wanted:
                return i, j
    return None


@program(
    (array([[1, 2], [3, 4]]), 3),
    staged=[(array([[1, 2], [3, 4]]), i64(3)), (array([[1, 2], [3, 4]]), i64(9))],
)
def find_in_matrix(a, wanted):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] == wanted:
                return i, j
    return -1, -1


@program(([1, -2, 3],), ([1, 2],), ([],))
def all_the_jumps(xs):
    log = []
    for x in xs:
        if x < 0:
            log.append("negative")
            continue
        while True:
            x += 1
            if x % 2:
                break
            if x > 100:
                return log
        else:
            log.append("never")
        log.append(x)
        if x == 5:
            return log
    else:
        log.append("else")
    return log


@program((3,), (0,))
def loop_else_with_continue(n):
    out = []
    for k in range(n):
        for j in range(3):
            if j == k:
                break
            out.append((k, j))
        else:
            out.append(k)
            continue
        if k == 2:
            break
        out.append("end")
    else:
        out.append("done")
    return out


@program((12,), staged=[(i64(12),), (i64(3),)])
def static_loop_with_staged_break(x):
    total = 0
    for k in range(10):
        if total > x:
            break
        total += k
    return total


@program((2, 5), staged=[(f64(2), 5), (f64(1.5), 3)])
def horner(x, degree):
    value = 0.0
    for k in range(degree, -1, -1):
        value = value * x + k
    return value


@program(
    (),
)
def loop_variable_survives():
    for i in range(3):
        pass
    for j in []:
        pass
    try:
        return i, j
    except UnboundLocalError as error:
        return i, str(error)


@program(([1, 2, 3, 4],))
def changes_the_list_it_walks(xs):
    for x in xs:
        if x == 2:
            xs.remove(x)
    return xs


@program((5,), ([],))
def iterating_over_the_wrong_thing(x):
    total = 0
    for item in x:
        total += item
    return total


# -- try, except, else, finally --------------------------------------------------------------------


@program(("12",), ("x",), (None,))
def parse_or_default(text):
    try:
        value = int(text)
    except ValueError:
        value = -1
    return value


@program((1, 2), (1, 0), ("a", 1))
def all_parts_of_try(a, b):
    log = []
    try:
        log.append("try")
        quotient = a / b
    except ZeroDivisionError as error:
        log.append(str(error))
        return log
    except TypeError:
        log.append("type")
        quotient = None
    else:
        log.append("else")
    finally:
        log.append("finally")
    return log, quotient


@program((3,), (0,))
def finally_runs_on_every_jump(n):
    for k in range(5):
        try:
            if k == 1:
                continue
            if k == n:
                break
            if k == 4:
                return "four"
        finally:
            print("finally", k)
    return k


@program((0,), (1,), (2,))
def return_in_finally_wins(n):
    for k in range(3):
        try:
            if n == 0:
                return "try"
            if n == 1:
                raise KeyError(k)
        finally:
            if k == n:
                return "finally", k
    return "end"


@program((["1", "x", "3"],), (["x"],))
def continue_in_except(texts):
    numbers = []
    for text in texts:
        try:
            number = int(text)
        except ValueError:
            continue
        numbers.append(number)
    return numbers


@program((3,), (10,))
def retry(failures):
    attempts = 0
    while True:
        try:
            attempts += 1
            if attempts <= failures:
                raise ConnectionError(f"attempt {attempts}")
        except ConnectionError:
            if attempts >= 5:
                raise
        else:
            return attempts


@program((0,), (1,))
def reraise_with_cause(x):
    try:
        return 1 / x
    except ZeroDivisionError as error:
        raise ValueError("no inverse") from error


@program((1,), (2,), (3,))
def exception_name_is_gone(x):
    error = "kept"
    try:
        if x > 1:
            raise ValueError(x)
    except ValueError as error:
        if x > 2:
            return error.args
    return error


@program((1,), (2,), (3,))
def nested_try(x):
    try:
        try:
            if x == 1:
                raise KeyError("inner")
            elif x == 2:
                raise IndexError("outer")
        except KeyError as error:
            print("caught", error)
            raise RuntimeError("again") from None
        finally:
            print("inner finally")
    except IndexError as error:
        return f"outer {error}"
    return "quiet"


@program((["a", "b"],), ([],))
def stop_iteration_by_hand(xs):
    items = iter(xs)
    seen = []
    while True:
        try:
            item = next(items)
        except StopIteration:
            break
        seen.append(item)
    return seen


@program((1,), (2,), (3,))
def exception_groups(x):
    caught = []
    try:
        if x > 1:
            raise ExceptionGroup("several", [ValueError(x), TypeError("t"), KeyError("k")][:x])
    except* ValueError as group:
        caught.append([str(e) for e in group.exceptions])
    except* (TypeError, KeyError) as group:
        caught.append(len(group.exceptions))
    return caught


class ParseError(Exception):
    """An error of the user's own."""

    def __init__(self, text, position):
        super().__init__(f"unexpected {text[position]!r} at {position}")
        self.position = position


@program(("1+2",), ("1-2",), ("",))
def custom_exception(text):
    for position, letter in enumerate(text):
        if letter not in "0123456789+":
            raise ParseError(text, position)
    return len(text)


# -- with ------------------------------------------------------------------------------------------


class Tracked:
    """A context manager that tells what happens, and may swallow exceptions."""

    def __init__(self, name, swallows=()):
        self.name = name
        self.swallows = swallows

    def __enter__(self):
        print("enter", self.name)
        return self

    def __exit__(self, kind, error, traceback):
        print("exit", self.name, kind and kind.__name__)
        return kind is not None and issubclass(kind, self.swallows)


@program((1,), (0,))
def with_that_swallows(x):
    result = "none"
    with Tracked("a", (ZeroDivisionError,)):
        result = 1 / x
        print("after")
    return result


@program((1,), (0,))
def with_that_raises(x):
    with Tracked("outer", (KeyError,)) as outer, Tracked("inner"):
        return outer.name, 1 // x


@program((3,), (9,))
def with_and_jumps(n):
    for k in range(6):
        with Tracked(k):
            if k % 2:
                continue
            if k == 4:
                break
            if k == n:
                return "returned"
    else:
        return "else"
    return k


@program((2,), (3,))
def with_and_return_in_loop(n):
    for k in range(5):
        with Tracked(k, (IndexError,)):
            if k == n:
                return [10, 20, 30][k]
            if k == 3:
                raise IndexError(k)
    return "end"


@contextlib.contextmanager
def section(name, log):
    log.append(f"<{name}>")
    try:
        yield len(log)
    finally:
        log.append(f"</{name}>")


@program((True,), (False,))
def with_contextmanager(fails):
    log = []
    try:
        with section("a", log) as a, section("b", log) as b:
            if fails:
                raise LookupError("inside")
            log.append((a, b))
    except LookupError as error:
        log.append(str(error))
    return log


@program(({},), ({"k": "1"},), ({"k": "x"},))
def with_suppress(settings):
    value = 0
    with contextlib.suppress(KeyError, ValueError):
        value = int(settings["k"])
    return value


@program((0,), (3,))
def with_exit_stack(n):
    with contextlib.ExitStack() as stack:
        for k in range(n):
            stack.enter_context(Tracked(k))
        if n > 2:
            return "many"
    return "few"


# -- match -----------------------------------------------------------------------------------------

Point = namedtuple("Point", "x y")


@program((["go", "north"],), (["go", "up", 3],), (["stop"],), ({"verb": "look"},), (5,), ("",))
def match_commands(command):
    match command:
        case ["go", ("north" | "south") as where]:
            return f"to the {where}"
        case ["go", where, *rest]:
            return where, rest
        case ["stop"]:
            result = "stopped"
        case {"verb": verb, **others}:
            result = verb, others
        case int(n) if n > 3:
            result = n
        case _:
            return None
    return result


@program((Point(0, 0),), (Point(0, 5),), (Point(2, 2),), (Point(1, 2),), ((1, 2),))
def match_points(point):
    match point:
        case Point(x=0, y=0):
            return "origin"
        case Point(x=0, y=y):
            return f"y = {y}"
        case Point(x=x, y=y) if x == y:
            return "diagonal"
        case Point():
            return "somewhere"
    return "no point"


@program((["push 1", "push 2", "add", "noop", "halt", "push 3"],), (["pop"],))
def match_in_a_loop(lines):
    stack = []
    for line in lines:
        match line.split():
            case ["push", number]:
                stack.append(int(number))
            case ["add"]:
                stack.append(stack.pop() + stack.pop())
            case ["noop"]:
                continue
            case ["halt"]:
                break
            case [other, *_]:
                return f"cannot {other}"
        print(stack)
    else:
        stack = None
    return stack


@program((1,), (2,), ("x",))
def match_binds_on_some_paths(x):
    match x:
        case 1:
            name = "one"
        case str():
            name = "text"
    return name


# -- expressions -----------------------------------------------------------------------------------


@program((3,), (1,), staged=[(i64(3),), (i64(1),)])
def walrus_in_if(x):
    if (double := x * 2) > 5:
        return double
    return x


@program(([4, 0, 7],), ([1],))
def walrus_in_while(xs):
    total = 0
    while xs and (x := xs.pop(0)):
        total += x
    return total, xs, x


@program((0, 5), (3, 5), ("", "b"))
def walrus_in_and(a, b):
    if a and (c := b):
        return c
    try:
        return c
    except UnboundLocalError as error:
        return str(error)


@program(([1, 2, 3, 4],))
def walrus_in_comprehension(xs):
    squares = [y for x in xs if (y := x * x) > 3]
    return squares, y


@program((2, 5), (5, 2), (3, 3), staged=[(i64(2), i64(5)), (i64(5), i64(2))])
def ternary(a, b):
    return a - b if a > b else b - a


@program((7,), (3,), (-1,), staged=[(i64(7),), (i64(3),), (i64(-1),)])
def nested_ternary(x):
    return 1 if x > 5 else 2 if x > 0 else 3


@program((0, 5, []), (1, 0, "a"), ("", None, 0), (2, 3, 4))
def boolean_operands(a, b, c):
    return a and b, a or b, a and b or c, not a, (a or b) and c, not (a and b)


@program((3, 4), (-3, 4), staged=[(i64(3), i64(4)), (i64(-3), i64(4))])
def boolean_of_comparisons(x, y):
    return x > 0 and y > 0, x > 0 or y > 5, not x < y


@program((3,), (0,), (12,), staged=[(i64(3),), (i64(0),), (i64(12),)])
def chained_comparison(x):
    return 0 < x < 10


@program((1, 2, 3), (3, 2, 1), (2, 2, 2))
def long_chain(a, b, c):
    def tell(x):
        print("see", x)
        return x

    return tell(a) <= tell(b) < tell(c) != 7, 1 < 2 > 0 in [0, 1]


@program((0,), (1,))
def short_circuit_order(x):
    def say(value):
        print(value)
        return value

    return say(x) and say(2) or say(3), say(0) or say(""), not say(x)


@program((2,), (7,), staged=[(i64(2),), (i64(7),)])
def membership(x):
    return 1 if x in (1, 2, 3) else 0


@program((3, [1, 2]), (1, [1, 2]), ("a", "abc"), ("k", {"k": 1}), (1, 5))
def plain_membership(x, things):
    if x not in things:
        return "absent"
    return "present", x in things


@program((None,), (1,))
def identity_tests(x):
    return x is None, x is not None, "none" if x is None else "some"


@program(([1, 2, 3, 4, 5],), ((1, 2),), ([1],), ("abc",))
def starred_unpacking(xs):
    first, *middle, last = xs
    return first, middle, last, [*middle, first], {*middle, 0}, (last, *xs)


@program((3.14159, 7), (-1.5, 0))
def f_strings(x, n):
    width = 10
    return f"{x:.2f}|{n:>{width}}|{x!r}|{'yes' if n else 'no'}|{n + 1 = }|{{}}"


@program(([5, 3, 8],))
def comprehensions(xs):
    squares = [x * x for x in xs]
    odd = {x for x in xs if x % 2}
    index = {x: i for i, x in enumerate(xs)}
    pairs = [(a, b) for a in xs if a > 3 for b in range(2) if a != b]
    return squares, odd, index, pairs, sum(x for x in xs), any(x > 7 for x in xs)


@program(([[1, 2], [3, 4]],), ([],))
def nested_comprehensions(rows):
    return [[row[i] for row in rows] for i in range(2)], [x for row in rows for x in row]


@program((5,))
def comprehension_conditions(n):
    return [("even" if k % 2 == 0 else "odd") if k and k < 4 else None for k in range(n)]


@program((10, 3), (-7, 2), (7.5, 2), (1, 0), staged=[(i64(10), i64(3)), (i64(-7), i64(2))])
def arithmetic(a, b):
    return a + b, a - b, a * b, a / b, a // b, a % b, -a, +b, a**2


@program((12, 10), (5, 3), staged=[(i64(12), i64(10)), (i64(5), i64(3))])
def bits(a, b):
    return a & b, a | b, a ^ b, ~a, a << 2, a >> 1


@program((7, 2), (-7, 2), staged=[(i64(7), i64(2)), (i64(-7), i64(2))])
def quotient_and_remainder(a, b):
    q, r = divmod(a, b)
    return q, r, abs(r - q), max(q, r), min(a, b)


# -- assignment, del, names ------------------------------------------------------------------------


class Account:
    """An account that refuses overdrafts."""

    rate = 0.02

    def __init__(self, balance=0):
        self.balance = balance
        self.history = []

    @property
    def is_rich(self):
        return self.balance > 1000

    @classmethod
    def with_bonus(cls, bonus):
        return cls(100 + bonus)

    @staticmethod
    def fee(amount):
        if amount > 50:
            return 2
        return 1

    def withdraw(self, amount):
        if amount > self.balance:
            raise ValueError("insufficient funds")
        self.balance -= amount + self.fee(amount)
        self.history.append(-amount)
        return self.balance

    def __eq__(self, other):
        return type(other) is Account and vars(self) == vars(other)

    __hash__ = None


@program((Account(100), 30), (Account(100), 60), (Account(5), 30))
def account_withdraws(account, amount):
    for _ in range(2):
        account.withdraw(amount)
    return account.balance, account.history, account.is_rich


@program((50,), (2000,))
def account_classmethod(bonus):
    account = Account.with_bonus(bonus)
    if account.is_rich:
        account.rate = 0.05
    return account.balance * account.rate, Account.rate


@program(({"n": 1}, [1, 2]))
def augmented_assignment(d, xs):
    x = 5
    x += 1
    x <<= 2
    d["n"] *= 10
    d["n"] -= 3
    xs += [3]
    xs[-1] **= 2
    xs[0:2] += ["a"]
    return x, d, xs


@program(([0, 0],))
def augmented_evaluates_once(xs):
    def index():
        print("index")
        return 1

    xs[index()] += 5
    return xs


@program((4,), staged=[(i64(4),), (i64(0),)])
def attribute_in_a_loop(n):
    account = Account()
    account.balance = 0
    while n > 0:
        account.balance += 2
        n -= 1
    return account.balance


@program((4,), staged=[(i64(4),), (i64(0),)])
def item_in_a_loop(n):
    d = {"k": 0}
    while n > 0:
        d["k"] += 2
        n -= 1
    return d


@program((3,), (-3,), staged=[(i64(3),), (i64(-3),)])
def attribute_in_a_branch(x):
    account = Account(10)
    if x > 0:
        account.balance = account.balance + x
    else:
        account.balance = account.balance - x
    return account.balance


@program((True,), (False,))
def del_in_a_branch(drop):
    value = 1
    if drop:
        del value
    return value


@program(
    (3,),
)
def del_in_a_loop(n):
    for k in range(n):
        square = k * k
        del square
    try:
        print(square)  # noqa: F821
    except UnboundLocalError as error:
        print(error)
    return k


@program(([1, 2, 3, 4], {"a": 1, "b": 2}))
def del_of_items(xs, d):
    del xs[0], d["a"]
    del xs[1:]
    if d:
        del d["zzz"]
    return xs, d


@program((True,), (False,))
def unbound_local(x):
    if x:
        value = 1
    print("before")
    return value


@program((0,), (2,))
def unbound_before_loop(n):
    for _ in range(n):
        if _ == 1:
            return later  # noqa: F821
        later = _ + 5
    return later


@program((False,), (True,))
def undefined_global(x):
    if x:
        return no_such_name  # noqa: F821
    while not x:
        x = no_such_name_either  # noqa: F821
    return x


@program((False,), (True,))
def unbound_in_nested_function(x):
    def read():
        return value

    if x:
        value = 1
    return read()


@program((5,))
def swap_and_chain(n):
    a = b = n
    a, b = b + 1, a - 1
    xs = [a, b]
    xs[0], xs[1] = xs[1], xs[0]
    (c, [d, e]) = a, xs
    return a, b, c, d, e


@program((1,))
def annotated_names(x):
    total: int = 0
    later: str
    if x:
        total: int = 5
    try:
        return total, later  # noqa: F821
    except UnboundLocalError as error:
        return total, str(error)


@program((1, ""), (0, "no"))
def asserts(x, message):
    assert x or not message, f"x is {x} {message}"
    assert x
    return x


@program((2.0,), (0.0,), staged=[(f64(2),), (f64(0),)])
def assert_with_message(x):
    assert x != 0, "Do not pass zero!"
    return 1 / (x * x)


@program((3,), (11,), staged=[(i64(3),), (i64(11),)])
def assert_in_a_loop(n):
    total = 0
    for k in range(n):
        assert k < 10, "too many"
        total += k
    return total


@program((3,), (-3,), staged=[(i64(3),), (i64(-3),)])
def raise_in_a_branch(x):
    if x < 0:
        raise ValueError("negative", 3)
    return x * x


# -- functions, closures ---------------------------------------------------------------------------


@program((3,))
def late_binding(n):
    late, early = [], []
    for k in range(n):
        late.append(lambda: k)
        early.append(lambda k=k: k)
    return [f() for f in late], [f() for f in early]


@program((5,), staged=[(i64(5),), (i64(0),)])
def nonlocal_counter(n):
    count = 0

    def bump():
        nonlocal count
        count += 1

    while n > 0:
        bump()
        n -= 1
    return count


COUNTER = 0


@program((3,), (0,))
def global_counter(n):
    global COUNTER
    COUNTER = 10
    for _ in range(n):
        if n > 1:
            COUNTER += 1
    return COUNTER


@program((1,), (1, 2), (1, 2, 3, 4))
def all_kinds_of_parameters(a, b=5, /, *args, c=7, **kwargs):
    def inner(x, *rest, scale=2, **options):
        if not rest:
            return x * scale, options
        return x, rest, scale, options

    return inner(a), inner(b, *args, scale=c), inner(*args, a, **{"q": 1}), kwargs


@program((1,), ([5],))
def mutable_default(x, seen=None):
    def add(item, bag=[]):
        bag.append(item)
        return bag

    add(x)
    return add(x), seen


@program((5,), (0,), staged=[(f64(3),)])
def lambdas(x):
    double = lambda v: v * 2
    compose = lambda f, g: lambda v: f(g(v))
    return compose(double, lambda v: v + 1)(x)


@program((10,), (1,))
def recursive_fibonacci(n):
    return n if n < 2 else recursive_fibonacci(n - 1) + recursive_fibonacci(n - 2)


@program((3, "a", "b", "c"))
def hanoi(n, source, target, spare):
    if n == 0:
        return []
    moves = hanoi(n - 1, source, spare, target)
    moves.append(source + target)
    return moves + hanoi(n - 1, spare, target, source)


@program((7,), (0,))
def mutual_recursion(n):
    def is_even(k):
        return True if k == 0 else is_odd(k - 1)

    def is_odd(k):
        return False if k == 0 else is_even(k - 1)

    return is_even(n), is_odd(n)


@program(([3, [1, [2, []]], 4],))
def flatten_nested(items):
    flat = []

    def walk(item):
        if isinstance(item, list):
            for part in item:
                walk(part)
            return
        flat.append(item)

    walk(items)
    return flat


@program((4,))
def accumulator_closure(n):
    def make(total):
        def add(x):
            nonlocal total
            if x > 0:
                total += x
            return total

        return add

    first, second = make(0), make(100)
    for k in range(n):
        first(k)
        second(-k)
    return first(1), second(1)


def traced(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        print("call", function.__name__, args, kwargs)
        result = function(*args, **kwargs)
        if result is None:
            return "none"
        return result

    return wrapper


def repeated(times):
    def decorate(function):
        def wrapper(x):
            for _ in range(times):
                x = function(x)
            return x

        return wrapper

    return decorate


@program((5,), (-5,))
def decorators(x):
    @traced
    def half(v, scale=2):
        if v > 0:
            return v / scale

    @repeated(3)
    @repeated(2)
    def step(v):
        return v + 1 if v % 2 else v + 2

    return half(x), half(x, scale=5), step(x), half.__name__


@program((20,))
def memoised(n):
    @functools.lru_cache(maxsize=None)
    def ways(k):
        if k < 0:
            return 0
        if k == 0:
            return 1
        return ways(k - 1) + ways(k - 2) + ways(k - 3)

    return ways(n), ways.cache_info().misses


@program(([3, -1, 2],))
def higher_order(xs):
    return (
        sorted(xs, key=lambda x: -x if x > 0 else x),
        list(map(lambda x: x and 1 / x, xs)),
        list(filter(lambda x: x > 0, xs)),
        functools.reduce(lambda a, b: a if a > b else b, xs),
        functools.partial(max, 0)(*xs),
    )


@program((3,), (0,))
def function_defined_in_a_branch(n):
    if n:

        def f(x):
            return x + n
    else:
        f = None
    return f and f(1)


def clamp(x, low=0.0, high=1.0):
    if x < low:
        return low
    if x > high:
        return high
    return x


@program((0.5,), (7.0,), (-1.0,), staged=[(f64(0.5),), (f64(7),), (f64(-1),)])
def calls_another_function(x):
    return clamp(x), clamp(x, high=5.0)


@program((3.0,), staged=[(f64(3),), (f64(-3),)])
def nested_function_with_a_branch(x):
    def smooth(v):
        if v > 0:
            return np.log1p(v)
        return np.expm1(v)

    return smooth(x) + smooth(-x)


# -- classes ---------------------------------------------------------------------------------------


@program((3,), (0,))
def class_with_methods(n):
    class Stack:
        """A stack."""

        limit = 2 if n else 5

        def __init__(self):
            self.items = []

        def push(self, item):
            if len(self.items) >= self.limit:
                raise OverflowError("full")
            self.items.append(item)
            return self

        def __len__(self):
            return len(self.items)

    stack = Stack()
    for k in range(n):
        stack.push(k)
    return len(stack), bool(stack), Stack.push.__qualname__, Stack.__doc__


@program((4,), (5,))
def super_and_properties(n):
    class Shape:
        def __init__(self, size):
            self._size = size

        @property
        def size(self):
            return self._size

        @size.setter
        def size(self, value):
            if value < 0:
                raise ValueError("negative size")
            self._size = value

        def area(self):
            return 0

    class Square(Shape):
        def area(self):
            if self.size > 4:
                return super().area()
            return super().area() + self.size**2

    square = Square(n)
    areas = [square.area()]
    square.size += 1
    areas.append(square.area())
    try:
        square.size = -1
    except ValueError as error:
        areas.append(str(error))
    return areas


@program((3,), (0,))
def class_body_with_statements(n):
    class Table:
        rows = []
        for k in range(n):
            if k == 1:
                continue
            rows.append(k)
        else:
            complete = True
        if n:
            label = "full"
        else:
            label = "empty"
        size = len(rows) or None

    return Table.rows, Table.label, Table.size, Table.complete, hasattr(Table, "k")


@program((2,))
def private_names(n):
    class Safe:
        def __init__(self):
            self.__code = n

        def open(self, __code):
            while self.__code < 5:
                self.__code += __code
            return self.__code

    safe = Safe()
    return safe.open(2), vars(safe)


@program((5,))
def operator_overloading(n):
    class Vector:
        def __init__(self, *parts):
            self.parts = parts

        def __add__(self, other):
            if not isinstance(other, Vector):
                return NotImplemented
            return Vector(*(a + b for a, b in zip(self.parts, other.parts)))

        def __getitem__(self, i):
            return self.parts[i]

        def __bool__(self):
            return any(self.parts)

        def __contains__(self, item):
            print("contains", item)
            return item in self.parts

        def __lt__(self, other):
            return "less"

    total = Vector(0, 0)
    for k in range(n):
        total = total + Vector(k, 1)
    try:
        total + 1
    except TypeError as error:
        print(error)
    return total.parts, not total, 5 in total, total < total, [x for x in total]


@program((3,))
def iterator_class(n):
    class Countdown:
        def __init__(self, start):
            self.k = start

        def __iter__(self):
            return self

        def __next__(self):
            if self.k == 0:
                raise StopIteration
            self.k -= 1
            return self.k

    seen = []
    for k in Countdown(n):
        if k == 1:
            continue
        seen.append(k)
    return seen, list(Countdown(n))


@program((3,))
def descriptors_and_getattr(n):
    class Lazy:
        def __getattr__(self, name):
            if name.startswith("_"):
                raise AttributeError(name)
            print("make", name)
            value = name * n
            setattr(self, name, value)
            return value

    lazy = Lazy()
    return lazy.a, lazy.a, getattr(lazy, "_b", None)


@program(("circle", 2.0), ("square", 3.0), ("blob", 1.0))
def dispatch_table(kind, size):
    areas = {"circle": lambda r: round(math.pi * r * r, 6), "square": lambda a: a * a}
    if kind not in areas:
        raise KeyError(kind)
    return areas[kind](size)


@program((3,))
def dataclass_inside(n):
    @dataclass(order=True)
    class Item:
        weight: int
        name: str = "thing"

        def heavier(self, by):
            return Item(self.weight + by, self.name if by > 0 else "light")

    items = [Item(k) for k in range(n)]
    return max(items).heavier(-1) == Item(n - 2, "light"), repr(items[0])[-30:]


# -- generators ------------------------------------------------------------------------------------


@program((6,), (0,))
def generator(n):
    """Counts, with gaps."""
    for k in range(n):
        if k % 3 == 2:
            continue
        yield k
    return "done"


@program((4,))
def generator_pipeline(n):
    def numbers():
        k = 0
        while True:
            yield k
            k += 1

    def even(items):
        for item in items:
            if item % 2 == 0:
                yield item

    return list(islice(even(numbers()), n))


@program((3,))
def generator_with_send(n):
    def average():
        total, count = 0.0, 0
        mean = None
        while True:
            x = yield mean
            if x is None:
                return total
            total += x
            count += 1
            mean = total / count

    averager = average()
    next(averager)
    means = [averager.send(k) for k in range(n)]
    try:
        averager.send(None)
    except StopIteration as stop:
        means.append(stop.value)
    return means


@program((True,), (False,))
def generator_with_throw(catches):
    def worker():
        while True:
            try:
                yield "ready"
            except ValueError as error:
                if not catches:
                    raise
                yield f"caught {error}"

    steps = worker()
    seen = [next(steps)]
    try:
        seen.append(steps.throw(ValueError("bad")))
        seen.append(next(steps))
    except ValueError as error:
        seen.append(f"escaped {error}")
    return seen


@program((2,))
def generator_closed(n):
    def resource():
        try:
            for k in range(10):
                yield k
        finally:
            print("closed")

    for k in resource():
        if k == n:
            break
    steps = resource()
    next(steps)
    steps.close()
    return k


@program(([1, [2, [3]], 4],))
def yield_from(tree):
    def leaves(node):
        if isinstance(node, list):
            for child in node:
                yield from leaves(child)
        else:
            yield node
        return len(node) if isinstance(node, list) else 1

    def outer():
        size = yield from leaves(tree)
        yield size if size else None

    return list(outer())


@program((10,))
def prime_generator(n):
    def primes():
        known = []
        for candidate in count(2):
            for p in known:
                if p * p > candidate:
                    break
                if candidate % p == 0:
                    break
            if all(candidate % p for p in known):
                known.append(candidate)
                yield candidate

    return list(islice(primes(), n))


@program(([1, 2, 3, 4, 5], 2), ([], 2))
def chunks(xs, size):
    chunk = []
    for x in xs:
        chunk.append(x)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


# -- async -----------------------------------------------------------------------------------------


class Tick:
    """Awaiting it yields to the event loop once."""

    def __init__(self, value):
        self.value = value

    def __await__(self):
        yield self.value
        return self.value * 2


async def doubled(x):
    if x < 0:
        raise ValueError("negative")
    return await Tick(x)


@program((3,), (0,))
async def async_function(n):
    """Awaits in a loop."""
    total = 0
    for k in range(n):
        if k == 1:
            continue
        total += await doubled(k)
    return total


@program((2,), (-1,))
async def async_try(x):
    try:
        value = await doubled(x)
    except ValueError as error:
        return str(error)
    finally:
        print("finally")
    return value if value else None


@program((4,))
async def async_for_and_with(n):
    class Gate:
        async def __aenter__(self):
            await Tick(0)
            return self

        async def __aexit__(self, *details):
            print("exit", details[0])
            return True

    async def numbers():
        for k in range(n):
            yield await doubled(k)

    seen = []
    async for x in numbers():
        if x == 2:
            continue
        if x > 4:
            break
        seen.append(x)
    else:
        seen.append("else")
    async with Gate():
        seen.append([x async for x in numbers() if x])
        raise KeyError("swallowed")
    return seen


# -- lists, dicts, sets, strings -------------------------------------------------------------------


@program(([3, 1, 2],), ([],), staged=[(array([3, 1, 2]),)])
def squares_of_positive(xs):
    out = []
    for x in xs:
        out.append(x * x)
    return out


@program((4,), staged=[(i64(4),)])
def appended_in_a_loop(n):
    squares = []
    for k in range(n):
        squares.append(k * k)
    return squares


@program((3,), (-3,), staged=[(i64(3),), (i64(-3),)])
def appended_in_a_branch(x):
    found = []
    if x > 0:
        found.append(x)
    return len(found)


@program(("abracadabra",), ("",))
def letter_counts(text):
    counts = {}
    for letter in text:
        if letter in counts:
            counts[letter] += 1
        else:
            counts[letter] = 1
    return counts


@program((["eat", "tea", "tan", "ate", "nat"],))
def group_anagrams(words):
    groups = defaultdict(list)
    for word in words:
        groups["".join(sorted(word))].append(word)
    return dict(groups)


@program(([1, 2, 2, 3, 1],))
def unique(xs):
    seen = set()
    result = []
    for x in xs:
        if x in seen:
            continue
        seen.add(x)
        result.append(x)
    return result, len(seen)


@program(([2, 7, 11, 15], 9), ([1, 2], 9))
def two_sum(xs, target):
    places = {}
    for i, x in enumerate(xs):
        if (partner := target - x) in places:
            return places[partner], i
        places[x] = i


@program(({"a": {"b": {"c": 1}}}, "a.b.c"), ({"a": {}}, "a.b"), ({}, "x"))
def lookup_path(tree, path):
    for key in path.split("."):
        try:
            tree = tree[key]
        except KeyError:
            return None
    return tree


@program(({"x": 1}, {"x": 2, "y": 3}))
def merge_dicts(a, b):
    for key, value in b.items():
        a[key] = a.get(key, 0) + value
    return {**a, "n": len(a)}, a | b, list(a)


@program(("level",), ("No lemon, no melon",), ("python",))
def is_palindrome(text):
    letters = [c.lower() for c in text if c.isalpha()]
    i, j = 0, len(letters) - 1
    while i < j:
        if letters[i] != letters[j]:
            return False
        i, j = i + 1, j - 1
    return True


@program(("Hello, World!", 3), ("xyz", 29))
def caesar(text, shift):
    out = ""
    for c in text:
        if c.islower():
            out += chr((ord(c) - ord("a") + shift) % 26 + ord("a"))
        elif c.isupper():
            out += chr((ord(c) - ord("A") + shift) % 26 + ord("A"))
        else:
            out += c
    return out


@program(("aaabccd",), ("",), ("z",))
def run_lengths(text):
    runs = []
    i = 0
    while i < len(text):
        j = i
        while j < len(text) and text[j] == text[i]:
            j += 1
        runs.append((text[i], j - i))
        i = j
    return runs


@program(("([]{})",), ("([)]",), ("((",), ("",))
def balanced(text):
    pairs = {")": "(", "]": "[", "}": "{"}
    stack = []
    for c in text:
        if c in pairs.values():
            stack.append(c)
        elif not stack or stack.pop() != pairs[c]:
            return False
    return not stack


@program(("kitten", "sitting"), ("", "abc"))
def edit_distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        previous, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            previous, row[j] = (
                row[j],
                previous if x == y else 1 + min(previous, row[j], row[j - 1]),
            )
    return row[-1]


@program(("flower flow flight",), ("a b",))
def common_prefix(text):
    words = text.split()
    prefix = words[0]
    for word in words[1:]:
        while not word.startswith(prefix):
            prefix = prefix[:-1]
            if not prefix:
                return None
    return prefix


@program((1994,), (49,), (4000,))
def roman(n):
    if not 0 < n < 4000:
        raise ValueError(f"{n} has no numeral")
    out = []
    for value, letters in [
        (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"),
        (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
    ]:  # fmt: skip
        while n >= value:
            out.append(letters)
            n -= value
    return "".join(out)


@program(("the cat the dog", 2))
def most_common_words(text, n):
    counts = Counter(text.split())
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    for rank, (word, times) in enumerate(ranked[:n], start=1):
        print(f"{rank}. {word:<5}{times:>3}")
    return ranked


@program(([1, 2, 3],))
def print_options(xs):
    print(*xs, sep=", ", end=".\n")
    print()
    print("list:", xs, {"k": xs[0]}, None)


@program((3,), ("k",))
def lru_order(capacity):
    cache = OrderedDict()
    for key in "abcabd":
        if key in cache:
            cache.move_to_end(key)
        cache[key] = cache.get(key, 0) + 1
        if len(cache) > capacity:
            cache.popitem(last=False)
    return list(cache.items())


@program(([5, 2, 8],), ([],))
def list_methods(xs):
    xs.append(1)
    xs.extend([7, 7])
    xs.insert(0, 9)
    popped = xs.pop(), xs.pop(0)
    xs.sort(reverse=True)
    xs.reverse()
    return popped, xs, xs.index(1), xs.count(7), xs[::2], xs.append(0)


@program(([],), ([1],))
def pop_from_list(xs):
    last = xs.pop()
    xs.append(last + 1)
    return xs


# -- algorithms: sorting, searching, graphs --------------------------------------------------------


@program(([5, 2, 9, 1],), ([],), ([3, 3],), staged=[(array([5, 2, 9, 1]),), (array([2.5, -1.0]),)])
def bubble_sort(xs):
    n = len(xs)
    for i in range(n):
        swapped = False
        for j in range(n - 1 - i):
            if xs[j] > xs[j + 1]:
                smaller = xs[j + 1]
                xs[j + 1] = xs[j]
                xs[j] = smaller
                swapped = True
        if not swapped:
            break
    return xs


@program(([5, 2, 9, 1],), ([],), staged=[(array([5, 2, 9, 1]),)])
def insertion_sort(xs):
    for i in range(1, len(xs)):
        x = xs[i]
        j = i - 1
        while j >= 0 and xs[j] > x:
            xs[j + 1] = xs[j]
            j -= 1
        xs[j + 1] = x
    return xs


@program(([5, 2, 9, 1],), staged=[(array([5, 2, 9, 1]),)])
def selection_sort(xs):
    for i in range(len(xs)):
        smallest = i
        for j in range(i + 1, len(xs)):
            if xs[j] < xs[smallest]:
                smallest = j
        if smallest != i:
            kept = xs[i]
            xs[i] = xs[smallest]
            xs[smallest] = kept
    return xs


@program(([5, 2, 9, 1, 5],), ([],))
def quicksort(xs):
    if len(xs) <= 1:
        return xs
    pivot, *rest = xs
    return (
        quicksort([x for x in rest if x < pivot])
        + [pivot]
        + quicksort([x for x in rest if x >= pivot])
    )


@program(([5, 2, 9, 1, 7],), ([1],))
def merge_sort(xs):
    if len(xs) < 2:
        return xs
    middle = len(xs) // 2
    left, right = merge_sort(xs[:middle]), merge_sort(xs[middle:])
    merged = []
    i = j = 0
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            merged.append(left[i])
            i += 1
        else:
            merged.append(right[j])
            j += 1
    return merged + left[i:] + right[j:]


@program(([3, 1, 2],), ([],))
def heap_sort(xs):
    def sift(start, end):
        root = start
        while True:
            child = 2 * root + 1
            if child > end:
                return
            if child + 1 <= end and xs[child] < xs[child + 1]:
                child += 1
            if xs[root] >= xs[child]:
                break
            xs[root], xs[child] = xs[child], xs[root]
            root = child

    for start in range((len(xs) - 2) // 2, -1, -1):
        sift(start, len(xs) - 1)
    for end in range(len(xs) - 1, 0, -1):
        xs[0], xs[end] = xs[end], xs[0]
        sift(0, end - 1)
    return xs


@program(
    ([1, 3, 5, 7], 5), ([1, 3, 5, 7], 4), ([], 1),
    staged=[(array([1, 3, 5, 7]), i64(5)), (array([1, 3, 5, 7]), i64(4))],
)  # fmt: skip
def binary_search(xs, wanted):
    low, high = 0, len(xs) - 1
    while low <= high:
        middle = (low + high) // 2
        if xs[middle] == wanted:
            return middle
        if xs[middle] < wanted:
            low = middle + 1
        else:
            high = middle - 1
    return -1


@program(({1: [2, 3], 2: [4], 3: [4], 4: []}, 1, 4), ({1: [], 2: []}, 1, 2))
def breadth_first(graph, start, goal):
    queue = deque([(start, 0)])
    seen = {start}
    while queue:
        node, distance = queue.popleft()
        if node == goal:
            return distance
        for neighbour in graph[node]:
            if neighbour not in seen:
                seen.add(neighbour)
                queue.append((neighbour, distance + 1))
    return None


@program(({"a": ["b"], "b": ["c"], "c": []},), ({"a": ["b"], "b": ["a"]},))
def topological_order(graph):
    done, path, order = set(), set(), []

    def visit(node):
        if node in done:
            return
        if node in path:
            raise ValueError(f"cycle through {node}")
        path.add(node)
        for other in graph[node]:
            visit(other)
        path.remove(node)
        done.add(node)
        order.append(node)

    for node in graph:
        visit(node)
    return order


@program(
    (array([[0.0, 3.0, 9.0], [3.0, 0.0, 1.0], [9.0, 1.0, 0.0]]),),
    staged=[(array([[0.0, 3.0, 9.0], [3.0, 0.0, 1.0], [9.0, 1.0, 0.0]]),)],
)
def floyd_warshall(distance):
    n = len(distance)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                through = distance[i, k] + distance[k, j]
                if through < distance[i, j]:
                    distance[i, j] = through
    return distance


@program((6,), (3,))
def queens(n):
    solutions = 0

    def place(row, columns):
        nonlocal solutions
        if row == n:
            solutions += 1
            return
        for column in range(n):
            for other, taken in enumerate(columns):
                if taken == column or abs(taken - column) == row - other:
                    break
            else:
                place(row + 1, columns + [column])

    place(0, [])
    return solutions


@program(
    ([60, 100, 120], [10, 20, 30], 50),
    staged=[(array([60, 100, 120]), array([1, 2, 3]), 5)],
)
def knapsack(values, weights, capacity):
    best = np.zeros(capacity + 1, dtype=np.int64)
    for i in range(len(values)):
        for room in range(capacity, 0, -1):
            if weights[i] <= room:
                best[room] = max(best[room], best[room - weights[i]] + values[i])
    return best[capacity]


@program(([-2, 1, -3, 4, -1, 2, 1],), staged=[(array([-2, 1, -3, 4, -1, 2, 1]),)])
def maximum_subarray(xs):
    best = current = xs[0]
    for x in xs[1:]:
        current = x if current < 0 else current + x
        if current > best:
            best = current
    return best


@program(([1, 5, 10, 25], 36), ([5], 3))
def fewest_coins(coins, amount):
    best = [0] + [None] * amount
    for total in range(1, amount + 1):
        for coin in coins:
            if coin <= total and best[total - coin] is not None:
                candidate = best[total - coin] + 1
                if best[total] is None or candidate < best[total]:
                    best[total] = candidate
    return best[amount]


# -- number theory ---------------------------------------------------------------------------------


@program((30,), (2,))
def sieve(n):
    is_prime = [True] * n
    for p in range(2, n):
        if not is_prime[p]:
            continue
        for multiple in range(p * p, n, p):
            is_prime[multiple] = False
    return [p for p in range(2, n) if is_prime[p]]


@program((30,), staged=[(np.zeros(30, dtype=bool),)])
def sieve_over_an_array(composite):
    if isinstance(composite, int):
        composite = np.zeros(composite, dtype=bool)
    n = len(composite)
    for p in range(2, n):
        if composite[p]:
            continue
        for multiple in range(p * p, n, p):
            composite[multiple] = True
    return n - 2 - composite[2:].sum()


@program((360,), (97,), (1,))
def prime_factors(n):
    factors, d = [], 2
    while n > 1:
        while n % d == 0:
            factors.append(d)
            n //= d
        d += 1 if d == 2 else 2
        if d * d > n:
            if n > 1:
                factors.append(n)
            break
    return factors


@program((28,), (12,), staged=[(i64(28),), (i64(12),)])
def is_perfect(n):
    total = 0
    for d in range(1, n):
        if n % d == 0:
            total += d
    return total == n


@program((3, 200, 13), (2, 0, 7), staged=[(i64(3), i64(200), i64(13))])
def modular_power(base, exponent, modulus):
    result = 1
    base %= modulus
    while exponent > 0:
        if exponent % 2 == 1:
            result = result * base % modulus
        exponent //= 2
        base = base * base % modulus
    return result


@program((240, 46), (7, 0), staged=[(i64(240), i64(46))])
def extended_gcd(a, b):
    x, next_x, y, next_y = 1, 0, 0, 1
    while b != 0:
        q = a // b
        a, b = b, a - q * b
        x, next_x = next_x, x - q * next_x
        y, next_y = next_y, y - q * next_y
    return a, x, y


@program((10,), (2,), staged=[(i64(10),), (i64(1),)])
def popcount(n):
    ones = 0
    while n:
        n &= n - 1
        ones += 1
    return ones


@program((6,), staged=[(i64(6),), (i64(1),)])
def catalan(n):
    c = 1
    for k in range(n):
        c = c * 2 * (2 * k + 1) // (k + 2)
    return c


@program((10, 3), staged=[(i64(10), i64(3)), (i64(3), i64(5))])
def binomial(n, k):
    if k > n:
        return 0 * n
    result = 1
    for i in range(1, k + 1):
        result = result * (n - k + i) // i
    return result


@program((19,), (4,), staged=[(i64(19),), (i64(4),)])
def happy_number(n):
    steps = 0
    while n != 1 and n != 4:
        total = 0
        while n > 0:
            digit = n % 10
            total += digit * digit
            n //= 10
        n = total
        steps += 1
    return n == 1, steps


@program((5,))
def pascal(n):
    rows = [[1]]
    for _ in range(n - 1):
        last = rows[-1]
        rows.append([1, *(a + b for a, b in zip(last, last[1:])), 1])
    return rows


@program((255, 16), (5, 2), (3, 1))
def in_base(n, base):
    if base < 2:
        raise ValueError("the base is too small")
    digits = ""
    while True:
        n, digit = divmod(n, base)
        digits = "0123456789abcdef"[digit] + digits
        if not n:
            return digits


@program((7, 4), staged=[(i64(7), i64(4)), (i64(2), i64(3))])
def josephus(n, k):
    survivor = 0
    for size in range(2, n + 1):
        survivor = (survivor + k) % size
    return survivor + 1


# -- parsing ---------------------------------------------------------------------------------------


@program(("3 4 + 2 *",), ("1 +",), ("2 0 /",), ("x",))
def reverse_polish(text):
    stack = []
    for token in text.split():
        if token in "+-*/":
            b, a = stack.pop(), stack.pop()
            if token == "+":
                stack.append(a + b)
            elif token == "-":
                stack.append(a - b)
            elif token == "*":
                stack.append(a * b)
            else:
                stack.append(a / b)
        else:
            stack.append(float(token))
    return stack.pop()


@program(("2*(3+4)-5",), ("(1",), ("1+",))
def expression_parser(text):
    tokens = re.findall(r"\d+|[-+*/()]", text)
    position = 0

    def peek():
        return tokens[position] if position < len(tokens) else None

    def take():
        nonlocal position
        token = peek()
        position += 1
        return token

    def factor():
        token = take()
        if token == "(":
            value = expression()
            if take() != ")":
                raise SyntaxError("missing )")
            return value
        if token is None:
            raise SyntaxError("unexpected end")
        return int(token)

    def term():
        value = factor()
        while peek() in ("*", "/"):
            value = value * factor() if take() == "*" else value / factor()
        return value

    def expression():
        value = term()
        while (operator := peek()) in ("+", "-"):
            take()
            value = value + term() if operator == "+" else value - term()
        return value

    return expression()


@program(("a=1;b = x y ;;c",), ("",))
def parse_settings(text):
    settings = {}
    for part in text.split(";"):
        part = part.strip()
        if not part:
            continue
        key, equals, value = part.partition("=")
        if not equals:
            settings[key] = True
            continue
        value = value.strip()
        settings[key.strip()] = int(value) if value.isdigit() else value
    return settings


@program(('a,"b,c",d',), ("",), ('"open',))
def split_csv(line):
    fields, field, quoted = [], "", False
    for c in line:
        if c == '"':
            quoted = not quoted
        elif c == "," and not quoted:
            fields.append(field)
            field = ""
        else:
            field += c
    if quoted:
        raise ValueError("unterminated quote")
    return [*fields, field]


@program(("  -42abc",), ("+7",), ("abc",))
def leading_integer(text):
    i, sign, value = 0, 1, 0
    while i < len(text) and text[i] == " ":
        i += 1
    if i < len(text) and text[i] in "+-":
        sign = -1 if text[i] == "-" else 1
        i += 1
    start = i
    while i < len(text) and text[i].isdigit():
        value = value * 10 + int(text[i])
        i += 1
    return sign * value if i > start else None


@program(("+[-.]",), ("+++[>++<-]>.",), ("]",))
def tiny_interpreter(code):
    tape, cell, place, out = [0] * 5, 0, 0, []
    while place < len(code):
        match code[place]:
            case ">":
                cell += 1
            case "<":
                cell -= 1
            case "+":
                tape[cell] += 1
            case "-":
                tape[cell] -= 1
            case ".":
                out.append(tape[cell])
            case "[" if tape[cell] == 0:
                while code[place] != "]":
                    place += 1
            case "]" if tape[cell]:
                while code[place] != "[":
                    place -= 1
                continue
        place += 1
    return out


# -- arrays ----------------------------------------------------------------------------------------

M = array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
S = array([[4.0, 1.0], [1.0, 3.0]])
V = array([1.0, -2.0, 3.0])
INTS = array([3, 1, 2, 5])


@program((M, V), staged=[(M, V)])
def dense_layer(x, w):
    y = np.dot(x, w) + 1
    if y.max() > 0:
        y = np.tanh(y)
    return y, x @ w


@program((M,), staged=[(M,)])
def slicing(a):
    return a[1:, ::2], a[:, 0], a[-1], a[0, 1], a[..., None], a[::-1]


@program((V, [0, 2]), staged=[(V, [0, 2])])
def fancy_indexing(x, places):
    return x[places], x[np.array([1, 1])], x[x > 0]


@program((M,), staged=[(M,)])
def reductions(a):
    return a.sum(), a.mean(axis=0), a.max(axis=1), np.prod(a), a.min(), a.argmax(), np.std(a)


@program((M,), staged=[(M,)])
def reshaping(a):
    flat = a.reshape(-1)
    return flat, a.T, np.concatenate([flat, flat[:2]]), np.stack([a[0], a[1]], axis=1), a.ravel()


@program((V,), staged=[(V,)])
def elementwise(x):
    return np.exp(-x * x), np.where(x > 0, x, 0.0), np.maximum(x, 1), np.sign(x), np.abs(x)


@program((INTS,), staged=[(INTS,)])
def integer_arrays(x):
    return x // 2, x % 2 == 0, x**2, x / 2, x << 1, -x, x.sum(), (x > 1) & (x < 5)


@program((V,), staged=[(V,), (array([-1.0, -1.0]),)])
def normalise(x):
    norm = np.sqrt((x * x).sum())
    if norm == 0:
        return x
    return x / norm


@program((M,), staged=[(M,)])
def row_sums(a):
    sums = np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        sums[i] = a[i].sum()
    return sums


@program((M,), staged=[(M,)])
def over_rows(a):
    total = np.zeros(3)
    for row in a:
        if row[0] > 2:
            total = total + row
    return total


@program((4,), staged=[(i64(4),), (i64(0),)])
def filled_in_a_loop(n):
    x = np.zeros(5)
    for k in range(n):
        x[k] = k * 2
    return x


@program((S, S), staged=[(S, S)])
def matrix_product(a, b):
    c = np.zeros((2, 2))
    for i in range(2):
        for j in range(2):
            for k in range(2):
                c[i, j] += a[i, k] * b[k, j]
    return c


@program((V,), staged=[(V,)])
def changes_its_argument(x):
    x[0] = 5
    x[1:] *= 2
    x += 1
    return x.sum()


@program((V,), staged=[(V,)])
def softmax(x):
    e = np.exp(x - np.max(x))
    return e / np.sum(e)


@program((V, 2), staged=[(V, 2)])
def moving_average(x, width):
    out = np.zeros(len(x) - width + 1)
    for i in range(len(out)):
        out[i] = x[i : i + width].mean()
    return out


@program((INTS,), staged=[(INTS,)])
def histogram(xs):
    counts = np.zeros(6, dtype=np.int64)
    for x in xs:
        counts[x] += 1
    return counts


@program((V,), staged=[(V,)])
def running_maximum(x):
    out = np.zeros(x.shape)
    best = x[0]
    for i in range(len(x)):
        if x[i] > best:
            best = x[i]
        out[i] = best
    return out


@program((M,), staged=[(M,)])
def transpose_by_hand(a):
    rows, columns = a.shape
    out = np.empty((columns, rows))
    for i in range(rows):
        for j in range(columns):
            out[j, i] = a[i, j]
    return out


@program((S,), staged=[(S,)])
def determinant_by_elimination(a):
    a = a.copy()
    n = a.shape[0]
    result = 1.0
    for i in range(n):
        pivot = a[i, i]
        if pivot == 0:
            return pivot
        result = result * pivot
        for j in range(i + 1, n):
            a[j] = a[j] - a[i] * (a[j, i] / pivot)
    return result


@program((array([0, 1, 1, 0]),), staged=[(array([0, 1, 1, 0]),)])
def cellular_automaton(cells):
    for _ in range(3):
        left, right = np.roll(cells, 1), np.roll(cells, -1)
        cells = left ^ (cells | right)
    return cells


@program((array([1.0, np.nan, 3.0]),), staged=[(array([1.0, np.nan, 3.0]),)])
def sum_without_nan(xs):
    total, seen = 0.0, 0
    for x in xs:
        if np.isnan(x):
            continue
        total += x
        seen += 1
    return total / seen, np.isnan(xs)


@program((np.float32(2.5),), staged=[(np.float32(2.5),), (np.int8(3),)])
def narrow_types(x):
    y = x * 2
    if y > 4:
        y = y + 1
    return y, x / 2


@program((True, 3), staged=[(np.bool_(True), i64(3)), (np.bool_(False), i64(3))])
def flag_argument(negate, x):
    if negate:
        x = -x
    return x, not negate


@program((1 + 2j,), staged=[(np.complex128(0.1 + 0.2j),), (np.complex128(1 + 2j),)])
def mandelbrot(c):
    z = c * 0
    steps = 0
    while steps < 30 and abs(z) < 2:
        z = z * z + c
        steps += 1
    return steps


@program((V, True), (V, False), staged=[(V, True), (V, False)])
def python_flag(x, squared):
    y = x * x if squared else np.abs(x)
    return np.sum(y)


@program(({"w": V, "b": 1.0}, V), staged=[({"w": V, "b": f64(1)}, V)])
def dict_of_parameters(parameters, x):
    y = np.dot(parameters["w"], x) + parameters["b"]
    return {"y": y, "positive": y > 0, "inputs": (x, parameters["b"])}


@program((V,), staged=[(V,)])
def prints_arrays(x):
    print("x =", x)
    if x[0] > 0:
        print("positive", x.sum())
    return x


# -- numerical methods -----------------------------------------------------------------------------


@program((2.0,), staged=[(f64(2),), (f64(10),)])
def newton_root(a):
    x = a
    for _ in range(50):
        step = (x * x - a) / (2 * x)
        x = x - step
        if abs(step) < 1e-12:
            break
    return x


@program((0.0, 2.0), (5.0, 6.0), staged=[(f64(0), f64(2)), (f64(1), f64(2))])
def bisection(low, high):
    def f(x):
        return x * x * x - x - 1

    assert f(low) * f(high) < 0, "no change of sign"
    while high - low > 1e-9:
        middle = (low + high) / 2
        if f(low) * f(middle) <= 0:
            high = middle
        else:
            low = middle
    return (low + high) / 2


@program((array([3.0, -4.0]), 0.1), staged=[(array([3.0, -4.0]), f64(0.1))])
def gradient_descent(x, rate):
    steps = 0
    while np.sum(x * x) > 1e-6 and steps < 1000:
        x = x - rate * 2 * x
        steps += 1
    return x, steps


@program((1.0, 10), staged=[(f64(1), i64(10)), (f64(1), 10)])
def euler_decay(y, n):
    h = 0.1
    for _ in range(n):
        y = y + h * -y
    return y


@program((array([1.0, 0.0]), 5), staged=[(array([1.0, 0.0]), 5), (array([1.0, 0.0]), i64(5))])
def runge_kutta(y, n):
    def f(y):
        return np.stack([y[1], -y[0]])

    h = 0.1
    for _ in range(n):
        k1 = f(y)
        k2 = f(y + h / 2 * k1)
        k3 = f(y + h / 2 * k2)
        k4 = f(y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return y


@program((S,), staged=[(S,)])
def power_iteration(a):
    v = np.ones(a.shape[0])
    value = 0.0
    for _ in range(100):
        w = a @ v
        new = np.sqrt(np.dot(w, w))
        v = w / new
        if abs(new - value) < 1e-10:
            break
        value = new
    return new, v


@program((S, array([1.0, 2.0])), staged=[(S, array([1.0, 2.0]))])
def jacobi(a, b):
    x = np.zeros(2)
    diagonal = np.stack([a[0, 0], a[1, 1]])
    for _ in range(25):
        x = (b - (a @ x - diagonal * x)) / diagonal
    return x


@program((S, array([1.0, 2.0])), staged=[(S, array([1.0, 2.0]))])
def conjugate_gradient(a, b):
    x = np.zeros(b.shape)
    r = b - a @ x
    p = r
    while r @ r > 1e-20:
        ap = a @ p
        alpha = (r @ r) / (p @ ap)
        x = x + alpha * p
        new = r - alpha * ap
        p = new + (new @ new) / (r @ r) * p
        r = new
    return x


@program((0.0, 1.0, 10), staged=[(f64(0), f64(1), 10), (f64(0), f64(1), i64(10))])
def simpson(a, b, n):
    h = (b - a) / n
    total = a * a + b * b
    for k in range(1, n):
        x = a + k * h
        if k % 2 == 1:
            total += 4 * x * x
        else:
            total += 2 * x * x
    return total * h / 3


@program((1.0,), staged=[(f64(1),), (f64(-2),)])
def exponential_series(x):
    term = total = 1.0
    k = 1
    while abs(term) > 1e-15:
        term = term * x / k
        total = total + term
        k += 1
    return total


@program((1.0, 1.0), staged=[(f64(1), f64(2))])
def arithmetic_geometric_mean(a, b):
    while abs(a - b) > 1e-12:
        a, b = (a + b) / 2, (a * b) ** 0.5
    return a


@program((1000,), staged=[(i64(1000),)])
def random_walk_by_congruence(n):
    state, position, furthest = 12345, 0, 0
    for _ in range(n):
        state = (1103515245 * state + 12345) % 2147483648
        if state // 65536 % 2 == 0:
            position += 1
        else:
            position -= 1
        furthest = max(furthest, abs(position))
    return position, furthest


@program((V, V + 1), staged=[(V, V + 1)])
def linear_regression(x, y):
    slope, offset = 0.0, 0.0
    for _ in range(20):
        error = slope * x + offset - y
        slope = slope - 0.05 * np.mean(error * x)
        offset = offset - 0.05 * np.mean(error)
    return slope, offset


@program((array([1.0, 2.0, 8.0, 9.0]),), staged=[(array([1.0, 2.0, 8.0, 9.0]),)])
def two_means(xs):
    a, b = xs[0], xs[-1]
    for _ in range(10):
        near = np.abs(xs - a) < np.abs(xs - b)
        new_a = np.sum(np.where(near, xs, 0.0)) / np.sum(near)
        new_b = np.sum(np.where(near, 0.0, xs)) / np.sum(~near)
        if new_a == a and new_b == b:
            break
        a, b = new_a, new_b
    return a, b


@program((array([1.0, 2.0, 4.0]), 2.5), staged=[(array([1.0, 2.0, 4.0]), f64(2.5))])
def interpolate(xs, x):
    for i in range(len(xs) - 1):
        if xs[i] <= x and x <= xs[i + 1]:
            return i + (x - xs[i]) / (xs[i + 1] - xs[i])
    return x * np.nan


@program((0.3,), staged=[(f64(0.3),)])
def logistic_map(x):
    low = high = x
    for _ in range(20):
        x = 3.7 * x * (1 - x)
        if x < low:
            low = x
        elif x > high:
            high = x
    return low, high


@program((array([5.0, 4.0, 3.0]),), staged=[(array([5.0, 4.0, 3.0]),), (array([1.0, 2.0]),)])
def early_stopping(losses):
    best, patience = losses[0], 2
    for step in range(len(losses)):
        if losses[step] < best:
            best = losses[step]
            patience = 2
        else:
            patience -= 1
        if patience == 0:
            print("stopped at", step)
            break
    return best


@program((array([4.0, 2.0, 9.0]),), staged=[(array([4.0, 2.0, 9.0]),)])
def newton_for_every_element(a):
    x = a / 2
    while np.max(np.abs(x * x - a)) > 1e-9:
        x = (x + a / x) / 2
    return x


@program((5,), (0,), staged=[(i64(5),), (i64(0),)])
def halving(n):
    x = 1
    for _ in range(n):
        x = x / 2
    return x


# -- Python code mixed with staged values ----------------------------------------------------------


@program((array([5, 2, 9]),), staged=[(array([5, 2, 9]),)])
def swap_of_elements(xs):
    for i in range(len(xs)):
        for j in range(len(xs) - 1):
            if xs[j] > xs[j + 1]:
                xs[j], xs[j + 1] = xs[j + 1], xs[j]
    return xs


@program((array([1, 2, 3]),), staged=[(array([1, 2, 3]),), (array([0.5, 2.0]),)])
def python_reductions(xs):
    return sum(xs), max(xs), min(xs), len(xs)


@program((array([1, -2, 3]),), staged=[(array([1, -2, 3]),)])
def comprehension_over_an_array(xs):
    doubled = [x * 2 for x in xs]
    return doubled, sum(x * x for x in xs), {i: x for i, x in enumerate(xs)}


@program((2.7,), (-2.5,), staged=[(f64(2.7),), (f64(-2.5),)])
def conversions(x):
    return int(x), float(x), abs(x), bool(x > 0), int(x) // 2


@program((array([3, 1, 2]),), staged=[(array([3, 1, 2]),)])
def sorting_functions(xs):
    return np.sort(xs), np.argsort(xs), xs[::-1], np.cumsum(xs), np.argmax(xs)


@program((5,), (0,), staged=[(i64(5),), (i64(0),)])
def walks_backwards(n):
    total = 0
    for k in range(n - 1, -1, -1):
        total = total * 2 + k
    return total


@program((5,), (0,), staged=[(i64(5),), (i64(0),)])
def walks_backwards_with_reversed(n):
    total = 0
    for k in reversed(range(n)):
        total = total * 2 + k
    return total


@program((array([1, 2, 3]), array([3, 2, 1])), staged=[(array([1, 2, 3]), array([3, 2, 1]))])
def zip_with_break(xs, ys):
    matches = 0
    for i, (x, y) in enumerate(zip(xs, ys)):
        if x > y:
            break
        matches += i + 1
    return matches


@program((3, 5), staged=[(i64(3), i64(5)), (i64(5), i64(3))])
def positional_and_keyword_arguments(*values, scale=2, **options):
    a, b = values
    if a < b:
        a = b * scale
    return a - b, options


@program((4.0,), staged=[(f64(4),), (f64(0.5),)])
def object_with_state(x):
    class Accumulator:
        def __init__(self):
            self.total = 0.0

        def add(self, value):
            if value > 1:
                self.total = self.total + value
            return self

        @property
        def doubled(self):
            return self.total * 2

    accumulator = Accumulator()
    for k in range(3):
        accumulator.add(x - k)
    return accumulator.doubled


@program((4,), staged=[(i64(4),), (i64(0),)])
def object_changed_by_a_method_in_a_loop(n):
    account = Account(100)
    while n > 0:
        account.balance -= account.fee(n)
        n -= 1
    return account.balance


@program((3.0, 4.0), staged=[(f64(3), f64(4)), (f64(-3), f64(4))])
def named_tuples(x, y):
    point = Point(x, y)
    if point.x > 0:
        point = point._replace(x=point.x * 2)
    return point, point.x + point.y


@program((7,), staged=[(i64(7),), (i64(0),)])
def tuple_carried_by_a_loop(n):
    pair = (0, 1)
    for _ in range(n):
        pair = (pair[1], pair[0] + pair[1])
    return pair


@program((3,), (0,), staged=[(i64(3),), (i64(0),)])
def dict_changed_in_a_branch(x):
    settings = {"scale": 1, "name": "x"}
    if x > 2:
        settings["scale"] = x
    return settings


@program((2.0,), staged=[(f64(2),), (f64(-2),)])
def functions_in_a_list(x):
    layers = [lambda v: v * 2, lambda v: np.maximum(v, 0.0), np.tanh]
    for layer in layers:
        x = layer(x)
    return x


@program((5, 3), staged=[(i64(5), 3), (i64(0), 3)])
def recursion_on_a_python_number(x, depth):
    if depth == 0:
        return x
    if x % 2 == 0:
        return recursion_on_a_python_number(x // 2, depth - 1)
    return recursion_on_a_python_number(3 * x + 1, depth - 1)


@program((6,), (1,), staged=[(i64(6),), (i64(1),)])
def two_loops_in_a_row(n):
    total = 0
    for k in range(n):
        if k == 4:
            break
        total += k
    while total > n:
        total -= n
    for k in range(total):
        n += k
    return n, total


@program((30,), staged=[(i64(30),), (i64(2),)])
def return_from_two_staged_loops(n):
    for a in range(1, n):
        for b in range(a, n):
            if a * a + b * b == n * n - 5 * n:
                return a * 100 + b
    return -1


@program((3,), (40,), staged=[(i64(3),), (i64(40),)])
def conditions_with_and_in_while(n):
    k = 1
    while k < n and not k % 7 == 0:
        k += 2 if k % 2 else 1
    return k


@program((5,), staged=[(i64(5),), (i64(50),)])
def assert_between_prints(n):
    print("start", n)
    total = 0
    while n > 0:
        total += n
        assert total < 100, "too much"
        print("total", total, n)
        n -= 1
    print("end", total)
    return total


@program((array([[2.0, 1.0], [1.0, 3.0]]), array([3.0, 5.0])), staged=[(S, array([3.0, 5.0]))])
def gaussian_elimination(a, b):
    a, b = a.copy(), b.copy()
    n = len(b)
    for i in range(n):
        for j in range(i + 1, n):
            factor = a[j, i] / a[i, i]
            a[j] -= factor * a[i]
            b[j] -= factor * b[i]
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - a[i, i + 1 :] @ x[i + 1 :]) / a[i, i]
    return x


@program((S,), staged=[(S,)])
def cholesky(a):
    n = a.shape[0]
    lower = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            rest = a[i, j] - lower[i, :j] @ lower[j, :j]
            if i == j:
                lower[i, j] = np.sqrt(rest)
            else:
                lower[i, j] = rest / lower[j, j]
    return lower


@program((V,), staged=[(V,)])
def broadcasting(x):
    table = x[:, None] * x[None, :]
    return table, table.sum(axis=1), table - x, np.outer(x, x), x.reshape(3, 1) + np.arange(2)


@program((V,), staged=[(V,)])
def clipping(x):
    return np.clip(x, -1.0, 1.0), np.minimum(x, 0.5), np.round(x / 3, 2), np.floor(x)


@program((V,), staged=[(V,)])
def masks(x):
    positive = x > 0
    y = x.copy()
    y[positive] = 0.0
    y[~positive] += 1.0
    return y, positive.any(), positive.all(), np.sum(positive)


@program(
    (array([[1, 0], [0, 1]]),), staged=[(array([[1, 0], [0, 1]]),), (array([[1, 0], [1, 1]]),)]
)
def is_identity(a):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            wanted = 1 if i == j else 0
            if a[i, j] != wanted:
                return False
    return True


@program((array([0.2, 0.9, 0.4]), 0.5), staged=[(array([0.2, 0.9, 0.4]), f64(0.5))])
def threshold_list(xs, limit):
    chosen = []
    for x in xs:
        if x < limit:
            chosen.append(x)
    return len(chosen)


@program((4,))
def global_in_a_staged_loop(n):
    global COUNTER
    COUNTER = 0
    for k in range(n):
        COUNTER += k
    return COUNTER


@program((5,), (-5,), staged=[(i64(5),), (i64(-5),)])
def finally_around_a_branch(x):
    try:
        if x > 0:
            y = x
        else:
            y = -x
    finally:
        print("done", x)
    return y


@program((True,), (False,))
async def async_branches(flag):
    async def numbers():
        try:
            for k in range(3):
                if flag and k == 1:
                    return
                yield await doubled(k)
        finally:
            print("numbers end")

    return [x async for x in numbers()], 1 if flag else await doubled(4)


@program((3, array([1, 2, 3])), (9, array([1, 2, 3])), staged=[(3, array([1, 2, 3]))])
def membership_in_an_array(x, xs):
    return x in xs, x not in xs


@program((array([1, 2, 3]),), staged=[(array([1, 2, 3]),)])
def appends_and_pops(xs):
    stack = []
    for x in xs:
        stack.append(x)
    last = stack.pop()
    return last, stack[0], stack


@program((array([1.0, 2.0, 3.0]),), staged=[(array([1.0, 2.0, 3.0]),)])
def write_through_a_view(x):
    front = x[:2]
    front += 10
    row = x[1:]
    row[0] = -1.0
    return x


# -- rarer corners of the language -----------------------------------------------------------------


@program((3,))
def generator_driven_by_a_while(n):
    def accumulate():
        total = 0
        while (x := (yield total)) is not None:
            if x < 0:
                continue
            total += x
        return "end", total

    steps = accumulate()
    seen = [next(steps)]
    for k in range(-1, n):
        seen.append(steps.send(k))
    try:
        steps.send(None)
    except StopIteration as stop:
        seen.append(stop.value)
    return seen


@program((1,), (2,), (3,))
def generator_that_returns_through_finally(n):
    for k in range(4):
        try:
            if k == n:
                return k
            if k == 2:
                continue
            yield k
        finally:
            yield "finally"


@program((2,), (0,))
def handlers_chosen_by_an_expression(n):
    def kinds():
        print("kinds")
        return (KeyError, IndexError) if n else ZeroDivisionError

    try:
        [][n]
    except kinds() as error:
        error.add_note("noted")
        return type(error).__name__, error.__notes__


@program((3,), (0,))
def reraise_from_a_loop(n):
    errors = []
    for k in range(n + 1):
        try:
            try:
                if k == 1:
                    raise LookupError(k)
                errors.append(10 // k)
            except ArithmeticError as error:
                errors.append(str(error))
                if not n:
                    raise
        except LookupError as error:
            errors.append(error.args)
            break
    return errors


@program((2,), (5,))
def class_with_keywords(n):
    class Base:
        known = {}

        def __init_subclass__(cls, /, key=None, **kwargs):
            super().__init_subclass__(**kwargs)
            if key is not None:
                Base.known[key] = cls.__name__

    class First(Base, key="one"):
        pass

    class Second(First, key="two" if n > 3 else None):
        def which(self):
            return __class__.__name__ if n > 3 else super().__class__.__name__

    return Base.known, Second().which()


@program((4,))
def slots_and_class_methods(n):
    class Node:
        __slots__ = ("value", "next")

        def __init__(self, value, next=None):
            self.value, self.next = value, next

        @classmethod
        def chain(cls, values):
            head = None
            for value in values:
                head = cls(value, head)
            return head

        def __iter__(self):
            node = self
            while node:
                yield node.value
                node = node.next

    head = Node.chain(range(n))
    previous = None
    while head is not None:
        head.next, previous, head = previous, head, head.next
    try:
        previous.other = 1
    except AttributeError:
        print("no such slot")
    return list(previous)


@program((0,), (1,))
def local_imports(x):
    if x:
        from math import floor as rounded
    else:
        from math import ceil as rounded
    import os.path as path

    return rounded(2.5), path.basename("a/b")


@program((3,))
def names_of_the_function_itself(n):
    import inspect

    def inner():
        if n > 2:
            return inspect.currentframe().f_code.co_name
        return None

    for _ in range(1):
        name = inspect.currentframe().f_code.co_name
    return name, inner(), inner.__qualname__


@program((3, 4))
def all_locals(a, b):
    if a < b:
        c = a
    else:
        d = b
    return sorted(locals()), eval("a + b")


@program((5,))
def loop_target_attributes_and_slices(n):
    class Box:
        pass

    box, xs = Box(), [0, 0, 0]
    for box.k, xs[0:2] in ((k, [k, -k]) for k in range(n)):
        if box.k == 3:
            break
    return box.k, xs


@program((3,))
def evaluation_order(n):
    log = []

    def tell(x):
        log.append(x)
        return x

    table = {}
    table[tell("key")] = tell("value") if tell(n) > 2 else tell("other")
    tell("f") and max(tell(1), *[tell(2)], key=lambda v: v if v else 0)
    {tell("a"): tell("b"), **{tell("c"): 1}}
    tell(1) < tell(0) < tell(5)
    return log


@program((3,))
def closures_over_a_loop_with_del(n):
    readers = []
    for k in range(n):
        square = k * k

        def read(offset=k):
            return square + offset if offset else square  # noqa: F821

        readers.append(read)
    results = [read() for read in readers]
    del square
    try:
        readers[0]()
    except NameError as error:
        results.append(str(error))
    return results


@program((2,), (7,))
def default_arguments_with_conditions(n):
    def f(x=n if n < 5 else 5, *, y=n and 3):
        return x * y

    g = lambda x=[1] * n, /, *rest: len(x) if not rest else rest
    return f(), f(1, y=2), g(), g(0, 1)


@program((2,))
def nested_scopes(n):
    x = "outer"

    def middle():
        nonlocal x
        if n:
            x = "middle"

        class Inner:
            x = "class"
            y = [x for _ in range(1)]

            def get(self):
                return x

        return Inner.x, Inner.y, Inner().get()

    return middle(), x


@program((True,), (False,))
def with_variable_unbound(enters):
    class Door:
        def __enter__(self):
            if not enters:
                raise PermissionError("closed")
            return "inside"

        def __exit__(self, *details):
            return None

    try:
        with Door() as where:
            pass
    except PermissionError as error:
        print(error)
    return where


@program((6,))
def enumerated(n):
    from enum import Enum

    class Colour(Enum):
        RED = 1
        GREEN = 2

        @property
        def next(self):
            return Colour.GREEN if self is Colour.RED else Colour.RED

    colour = Colour.RED
    for _ in range(n):
        match colour:
            case Colour.RED:
                colour = colour.next
            case Colour.GREEN if n > 5:
                break
    return colour.name, [c.value for c in Colour]


@program((1,), ("s",), (2.0,))
def single_dispatch(x):
    @functools.singledispatch
    def describe(value):
        return "thing"

    @describe.register
    def _(value: int):
        return "one" if value == 1 else "int"

    @describe.register(str)
    def _(value):
        return value or "empty"

    return describe(x)
