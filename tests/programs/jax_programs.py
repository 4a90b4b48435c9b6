"""Programs with control flow, as JAX users would write them if it were staged: their arguments.

Each runs in plain Python on the same arguments, too: that is what it has to return under `jax.jit`.

The file is long because it is a collection of independent programs.
"""

import enum
import functools
from dataclasses import dataclass
from typing import NamedTuple

import jax
import jax.numpy as jnp

import autograph

X = jnp.array([1.0, -2.0, 3.0, 0.5])
PROGRAMS = {}
DIFFERENTIABLE = []


EXPECTED = {}  # functions that JAX itself can run, for those which it cannot


def program(*cases, grad=True, like=None):
    """Registers a function with arguments for calls of it; `grad`: by the first argument."""

    def register(function):
        if like is not None:
            EXPECTED[function.__name__] = like
        PROGRAMS[function.__name__] = function, cases
        if grad:
            DIFFERENTIABLE.append(function.__name__)
        return function

    return register


@program((2.0,), (-3.0,))
def if_else(x):
    if x > 0:
        y = x * 2
    else:
        y = -x
    return y


@program((2.0,), (-3.0,))
def if_without_else(x):
    y = x
    if x < 0:
        y = y * x
    return y


@program((0.5,), (1.5,), (2.5,), (9.0,))
def elif_chain(x):
    if x < 1:
        y = x
    elif x < 2:
        y = x * x
    elif x < 3:
        y = x * x * x
    else:
        y = 0.0
    return y


@program((2.0, 1.0), (2.0, -1.0), (-2.0, 1.0))
def nested_if(x, z):
    if x > 0:
        if z > 0:
            x = x * z
        else:
            x = x - z
    return x


@program((2.0,), (-2.0,))
def early_return(x):
    if x < 0:
        return -x
    y = x * 3
    return y + 1


@program((5.0, 3.0), (5.0, 9.0))
def ternary(x, z):
    return x * z if x > z else z - x


@program((5.0,), (0.5,), (-3.0,))
def boolean_operators(x):
    if x > 0 and x * x > 1 or not x > -2:
        return x * 10
    return x


@program((0.5,), (1.5,), (3.0,))
def chained_comparison(x):
    return x * x if 0 < x <= 1.5 else -x


@program((27,), (1,), grad=False)
def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


@program((100.0,), (0.5,), grad=False)
def while_halves(x):
    while x > 1:
        x = x / 2
    return x


@program((100.0,), (3.0,), (0.5,), grad=False)
def while_with_break(x):
    n = 0
    while True:
        if x < 1:
            break
        x = x / 3
        n += 1
    return x, n


@program((12,), (1,), grad=False)
def while_with_continue(n):
    total = 0
    while n > 0:
        n = n - 1
        if n % 3 == 0:
            continue
        total = total + n
    return total


@program((3.0,), (30.0,), grad=False)
def return_in_while(x):
    while x < 100:
        x = x * 2
        if x > 50:
            return x
    return -x


@program((5.0,), (50.0,), grad=False)
def while_else(x):
    while x < 20:
        x = x * 2
        if x == 40:
            break
    else:
        x = x + 0.5
    return x


@program((X,))
def for_over_array(xs):
    total = 0.0
    for x in xs:
        total = total + x * x
    return total


@program((X,))
def for_with_if(xs):
    total = 0.0
    for x in xs:
        if x > 0:
            total += x
        else:
            total -= 2 * x
    return total


@program((X,), (X + 9,))
def for_with_break(xs):
    total = 0.0
    for x in xs:
        if total > 3:
            break
        total = total + x * x
    return total


@program((X,))
def for_with_continue(xs):
    total = 0.0
    for x in xs:
        if x < 0:
            continue
        total = total + x**3
    return total


@program((X, 2.0), (X, 99.0))
def return_in_for(xs, limit):
    for x in xs:
        if x > limit:
            return x * x
    return limit


@program((X, 3.0), (X, 7.0))
def for_else(xs, wanted):
    for x in xs:
        if x == wanted:
            found = x
            break
    else:
        found = wanted * 2
    return found + xs[0]


@program((X,))
def nested_loops(xs):
    total = 0.0
    for x in xs:
        for y in xs:
            if x < y:
                total = total + x * y
    return total


@program((X, 3), (X, 0), grad=False)
def for_over_traced_range(xs, n):
    total = 0.0
    for i in range(n):
        total = total + xs[i] * i
    return total


@program((2, 9, 2), (9, 2, 3), grad=False)
def range_with_bounds(start, stop, other):
    total = 0
    for i in range(start, stop, 2):
        total = total + i * other
    return total


@program((2.0,))
def for_over_known_range(x):
    for i in range(5):
        if x < 20:
            x = x * (i + 1)
    return x


@program((2.0, 4), (2.0, 1), grad=False)
def bounded_loop(x, n):
    for i in range(n):
        autograph.set_loop_options(max_iterations=10)
        x = x * (i + 1)
    return x


@program((X,))
def zip_of_arrays(xs):
    total = 0.0
    for x, y in zip(xs, xs * 2):
        total = total + (x if x > 1 else y)
    return total


@program((X,))
def enumerate_of_array(xs):
    total = 0.0
    for i, x in enumerate(xs):
        total = total + i * x
    return total


@program((X,))
def reversed_array(xs):
    last = 0.0
    for x in reversed(xs):
        last = last * 0.5 + x
    return last


@program((jnp.ones((3, 2)),))
def for_over_rows(matrix):
    total = jnp.zeros(2)
    for row in matrix:
        total = total * 2 + row
    return jnp.sum(total * total)


@program((X,))
def list_that_grows(xs):
    z = []
    state = 0.0
    for x in xs:
        state = state * 0.5 + x
        z.append(state)
    return jnp.stack(z)


@program((X,))
def list_with_two_appends(xs):
    z = []
    for x in xs:
        z.append(x)
        z.append(x * x)
    return jnp.stack(z) + len(z)


@program((X, 3), (X, 0), grad=False)
def list_with_a_bound(xs, n):
    z = [xs[0]]
    for i in range(n):
        autograph.set_loop_options(max_iterations=4)
        z.append(xs[i] * 2)
    return z[-1], len(z)


@program((X,))
def list_that_is_read(xs):
    z = [xs[0]]
    for x in xs:
        z.append(z[-1] * 0.5 + x)
    return z[4] + z[0]


@program((X,))
def list_comprehension(xs):
    return jnp.stack([x * x if x > 0 else -x for x in xs])


@program((X,))
def sum_of_generator(xs):
    return sum(x * x for x in xs if x > 0)


@program((X,), (X + 10,), grad=False)
def any_and_all(xs):
    return any(x > 3 for x in xs), all(x > 0 for x in xs)


@program((X,), grad=False)
def min_and_max(xs):
    return min(xs), max(xs), max(xs[0], xs[1], 2.5)


@program((5.0,), (0.5,))
def walrus(x):
    if (y := x * 2) > 3:
        return y
    return y - 1


@program((X,), (X - 9,))
def none_on_one_path(xs):
    best = None
    for x in xs:
        if x > 0:
            best = x if best is None else best * x
    return xs[0] if best is None else best


@program((2.0,), (-2.0,))
def tuple_state(x):
    pair = (x, 1.0)
    if x > 0:
        pair = (pair[1], x * x)
    a, b = pair
    return a - b


@program((2.0,), (-2.0,))
def dict_item(x):
    found = {"a": x, "b": 1.0}
    if x > 0:
        found["a"] = x * x
    return found["a"] + found["b"]


@program((X,))
def dict_in_loop(xs):
    state = {"total": 0.0, "weight": 1.0}
    for x in xs:
        state["total"] += x * state["weight"]
        state["weight"] *= 0.5
    return state["total"]


class Counter:
    """An object with state."""

    def __init__(self, start):
        self.count, self.start = 0, start

    def add(self, x):
        if x > 0:
            self.count += 1
            self.start = self.start + x


@program((X,))
def state_in_attributes(xs):
    counter = Counter(xs[0])
    for x in xs:
        counter.add(x)
    return counter.start * counter.count


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Ball:
    """A registered pytree."""

    height: jax.Array
    speed: jax.Array


@program((3.0,))
def registered_pytree(height):
    ball = Ball(height, jnp.asarray(0.0))
    for _ in jnp.arange(20):
        ball = Ball(ball.height + 0.1 * ball.speed, ball.speed - 0.981)
        if ball.height < 0:
            ball = Ball(-ball.height, -0.8 * ball.speed)
    return ball.height


@dataclass
class Account:
    """A plain dataclass."""

    balance: float
    turns: int = 0


@program((2.0,), (-2.0,))
def plain_dataclass(x):
    account = Account(x)
    if x > 0:
        account.balance *= 3
        account.turns += 1
    return account.balance + account.turns


class Point(NamedTuple):
    """A named tuple."""

    x: float
    y: float


@program((2.0,), (-2.0,))
def named_tuple(x):
    p = Point(x, 1.0)
    if x < 0:
        p = p._replace(y=x * x)
    return p.x * p.y


@program((6,), (1,), grad=False)
def recursion_with_a_static_bound(n):
    return factorial(n, 8)


def factorial(n, depth):
    """The factorial, by at most `depth` calls."""
    if depth == 0:
        return 1
    return 1 if n <= 1 else n * factorial(n - 1, depth - 1)


@program((6,), (1,), grad=False)
def recursion(n):
    return 1 if n <= 1 else n * recursion(n - 1)


@program((2.0,))
def power_of_static_exponent(x):
    def power(x, n):
        return 1.0 if n == 0 else x * power(x, n - 1)

    return power(x, 5)


@program((0,), (1,), (7,), (-3,), grad=False)
def match_statement(n):
    match n:
        case 0:
            return 10
        case 1 | 2:
            return 20
        case k if k > 5:
            return k * 2
        case _:
            return -1


@program((2.0,), (-2.0,))
def helper_functions(x):
    return absolute(x) + absolute(x - 1)


def absolute(x):
    """The absolute value."""
    if x < 0:
        return -x
    return x


@program((2.0,), (-2.0,))
def closure_with_nonlocal(x):
    total = x

    def add(y):
        nonlocal total
        if y > 0:
            total = total + y

    add(x)
    add(-x)
    return total


@program((2.0,), (-2.0,))
def lambda_argument(x):
    def twice(f, x):
        return f(f(x))

    return twice(lambda y: y * y if y > 0 else y - 1, x)


@program((X,), like=lambda xs: jnp.sum(jnp.where(xs > 0, xs, 0.1 * xs) ** 2))
def mapped(xs):
    def soften(x):
        if x > 0:
            return x
        return 0.1 * x

    return jnp.sum(jax.vmap(soften)(xs) ** 2)


@program((X,), like=jax.lax.cummax)
def with_lax_scan(xs):
    def step(carry, x):
        if x > carry:
            carry = x
        return carry, carry

    return jax.lax.scan(step, 0.0, xs)[1]


@program((1.0,), (6.0,))
def widening_in_a_branch(x):
    n = 1
    if x > 3:
        n = 2.5
    return n * x


@program((X,))
def widening_in_a_loop(xs):
    total = 0
    for x in xs:
        total = total + x
    return total


@program((3,), (0,), grad=False)
def variable_bound_in_a_loop(n):
    last = -1
    for i in range(n):
        last = i
        square = i * i
    return last if n == 0 else square


@program((4.0,), (9.0,))
def assert_that_holds(x):
    assert x > 0, f"x is {x}"
    return jnp.sqrt(x)


@program((5,), (0,), (12,), grad=False)
def try_finally(n):
    try:
        while n < 10:
            n = n + 3
    finally:
        n = n * 2
    return n


@program((X, 2), (X, -1), grad=False)
def traced_index_of_a_tuple(xs, i):
    layers = (xs[0], xs[1] * 2, xs[2] * 3)
    return layers[i]


class Mode(enum.Enum):
    """A choice that Python knows."""

    FAST = 1
    EXACT = 2


@program((X,))
def static_choice(xs):
    total = 0.0
    for mode in (Mode.FAST, Mode.EXACT):
        for x in xs:
            if mode is Mode.FAST and x > 0:
                total += x
    return total


@program((X, 1.5), (X, 0.0), grad=False)
def membership(xs, x):
    return (x in xs, x in (1.5, 2.5), 3.0 not in xs)


@program((X,))
def partial_and_reduce(xs):
    def step(scale, total, x):
        return total * scale + x if x > 0 else total

    step = functools.partial(step, 0.5)
    total = 0.0
    for x in xs:
        total = step(total, x)
    return total


@program((20.0,))
def newton(a):
    x = a
    for _ in jnp.arange(50):
        if abs(x * x - a) < 1e-3:
            break
        x = (x + a / x) / 2
    return x


@program((X,), (X[::-1],), grad=False)
def bubble_sort(xs):
    n = len(xs)
    for i in range(n):
        for j in range(n - 1 - i):
            if xs[j] > xs[j + 1]:
                a, b = xs[j], xs[j + 1]
                xs = xs.at[j].set(b).at[j + 1].set(a)
    return xs


@program((10, 4), (7, 7), grad=False)
def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


@program((X, 0.5), (X, 99.0), grad=False)
def binary_search(xs, wanted):
    xs = jnp.sort(xs)
    low, high = 0, xs.shape[0]
    while low < high:
        middle = (low + high) // 2
        if xs[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


@program((jnp.array([[2.0, 1.0], [1.0, 3.0]]),), grad=False)
def power_iteration(matrix):
    v = jnp.ones(2)
    change = 1.0
    while change > 1e-4:
        w = matrix @ v
        w = w / jnp.linalg.norm(w)
        change = jnp.max(abs(w - v))
        v = w
    return v @ matrix @ v


@program(((X, {"w": 2.0}),))
def nested_containers(params):
    xs, more = params
    layers = {"first": (xs, more["w"]), "second": (xs * 2, 1.0)}
    for name in layers:
        a, b = layers[name]
        if jnp.sum(a) > 2.6:
            layers[name] = (a * b, b)
    return jnp.sum(layers["first"][0]) + layers["second"][1]
