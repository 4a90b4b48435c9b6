"""The programs of `jax_tracing`: Python with JAX's functions, and the same written with `lax`."""

import jax
import jax.numpy as jnp
from jax import lax

PAIRS = {}
X = jnp.array([1.0, -2.0, 3.0, 0.5])


def beside(by_hand, *arguments):
    """Registers a program with the one written by hand, and the arguments of both."""

    def register(fn):
        PAIRS[fn.__name__] = fn, by_hand, arguments
        return fn

    return register


def _branch(x):
    return lax.cond(x > 0, lambda: x * 2, lambda: -x)


@beside(_branch, 2.0)
def branch(x):
    if x > 0:
        y = x * 2
    else:
        y = -x
    return y


def _chain(x):
    return lax.cond(
        x < 1,
        lambda: x,
        lambda: lax.cond(
            x < 2, lambda: x * x, lambda: lax.cond(x < 3, lambda: x * x * x, lambda: 0.0 * x)
        ),
    )


@beside(_chain, 1.5)
def chain_of_branches(x):
    if x < 1:
        y = x
    elif x < 2:
        y = x * x
    elif x < 3:
        y = x * x * x
    else:
        y = 0.0 * x
    return y


def _several(x, y):
    def then():
        return x + y, y * 2, x - y, jnp.sin(x)

    def orelse():
        return x - y, y, x + y, jnp.cos(y)

    a, b, c, d = lax.cond(x > y, then, orelse)
    return a * b + c * d


@beside(_several, 2.0, 3.0)
def branch_of_four_names(x, y):
    if x > y:
        a = x + y
        b = y * 2
        c = x - y
        d = jnp.sin(x)
    else:
        a = x - y
        b = y
        c = x + y
        d = jnp.cos(y)
    return a * b + c * d


def _collatz(n):
    def step(state):
        n, steps = state
        n = lax.cond(n % 2 == 0, lambda: n // 2, lambda: 3 * n + 1)
        return n, steps + 1

    return lax.while_loop(lambda state: state[0] != 1, step, (n, 0))[1]


@beside(_collatz, 27)
def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


def _sums(xs):
    return lax.scan(lambda total, x: (total + x * x, None), 0.0, xs)[0]


@beside(_sums, X)
def sum_of_squares(xs):
    total = 0.0
    for x in xs:
        total += x * x
    return total


def _recurrent(xs, w):
    def step(state, x):
        state = jnp.tanh(w @ state + x)
        return state, state

    return lax.scan(step, jnp.zeros(4), xs)[1]


@beside(_recurrent, jnp.ones((50, 4)) / 3, jnp.eye(4) / 2)
def recurrent(xs, w):
    state = jnp.zeros(4)
    states = []
    for x in xs:
        state = jnp.tanh(w @ state + x)
        states.append(state)
    return jnp.stack(states)


def _lstm(xs, w, u, b):
    def step(carry, x):
        h, c = carry
        i, f, g, o = jnp.split(x @ w + h @ u + b, 4)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    return lax.scan(step, (jnp.zeros(4), jnp.zeros(4)), xs)[1]


@beside(_lstm, jnp.ones((9, 3)), jnp.ones((3, 16)) / 9, jnp.ones((4, 16)) / 9, jnp.zeros(16))
def lstm(xs, w, u, b):
    h = c = jnp.zeros(4)
    states = []
    for x in xs:
        i, f, g, o = jnp.split(x @ w + h @ u + b, 4)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        states.append(h)
    return jnp.stack(states)


def _smooth(xs):
    def step(carry, x):
        def add():
            state = 0.5 * carry[0] + x
            return state, carry[1] + state

        return lax.cond(x < 0, lambda: carry, add), None

    return lax.scan(step, (0.0, 0.0), xs)[0][1]


@beside(_smooth, X)
def loop_with_continue(xs):
    state, total = 0.0, 0.0
    for x in xs:
        if x < 0:
            continue
        state = 0.5 * state + x
        total += state
    return total


def _first_above(xs, limit):
    def step(carry, x):
        def look():
            above = x > limit
            return above, jnp.where(above, x, carry[1])

        return lax.cond(carry[0], lambda: carry, look), None

    return lax.scan(step, (False, -1.0), xs)[0][1]


@beside(_first_above, X, 2.0)
def loop_with_break(xs, limit):
    found = -1.0
    for x in xs:
        if x > limit:
            found = x
            break
    return found


def _doubled(x):
    def step(state):
        x, _ = state
        x = x * 2
        return x, x > 50

    x, is_done = lax.while_loop(lambda state: (state[0] < 100) & ~state[1], step, (x, False))
    return lax.cond(is_done, lambda: x, lambda: -x)


@beside(_doubled, 3.0)
def return_in_while(x):
    while x < 100:
        x = x * 2
        if x > 50:
            return x
    return -x


def _pairs(xs):
    def outer(total, x):
        def inner(total, y):
            return lax.cond(x > y, lambda: total + x * y, lambda: total - y), None

        return lax.scan(inner, total, xs)[0], None

    return lax.scan(outer, 0.0, xs)[0]


@beside(_pairs, X)
def loop_in_loop(xs):
    total = 0.0
    for x in xs:
        for y in xs:
            if x > y:
                total += x * y
            else:
                total -= y
    return total


def _triples(xs):
    def outer(total, x):
        def middle(total, y):
            def inner(total, z):
                return total + x * y * z, None

            return lax.scan(inner, total, xs)[0], None

        return lax.scan(middle, total, xs)[0], None

    return lax.scan(outer, 0.0, xs)[0]


@beside(_triples, X)
def three_loops(xs):
    total = 0.0
    for x in xs:
        for y in xs:
            for z in xs:
                total += x * y * z
    return total


def _mandelbrot(c):
    def step(state):
        z, n = state
        return z * z + c, n + 1

    def goes_on(state):
        z, n = state
        return (n < 50) & (jnp.abs(z) < 2)

    return lax.while_loop(goes_on, step, (jnp.zeros_like(c), 0))[1]


@beside(_mandelbrot, 0.3 + 0.5j)
def mandelbrot(c):
    z = jnp.zeros_like(c)
    n = 0
    while n < 50 and jnp.abs(z) < 2:
        z = z * z + c
        n += 1
    return n


def _descent(w, x, y):
    def step(w, _):
        error = jnp.tanh(x @ w) - y
        return w - 0.1 * x.T @ (error * (1.0 - jnp.tanh(x @ w) ** 2)), None

    return lax.scan(step, w, None, length=100)[0]


@beside(_descent, jnp.zeros(3), jnp.ones((5, 3)) / 3, jnp.ones(5) / 2)
def descent(w, x, y):
    for _ in range(100):
        error = jnp.tanh(x @ w) - y
        w = w - 0.1 * x.T @ (error * (1.0 - jnp.tanh(x @ w) ** 2))
    return w


def _primes(n):
    def outer(state):
        i, count = state

        def inner(state):
            d, _ = state
            return d + 1, i % d == 0

        def goes_on(state):
            d, found = state
            return (d * d <= i) & ~found

        found = lax.while_loop(goes_on, inner, (2, False))[1]
        return i + 1, lax.cond(found, lambda: count, lambda: count + 1)

    return lax.while_loop(lambda state: state[0] < n, outer, (2, 0))[1]


@beside(_primes, 40)
def primes(n):
    count = 0
    for i in range(2, n):
        found = False
        d = 2
        while d * d <= i and not found:
            found = i % d == 0
            d += 1
        if not found:
            count += 1
    return count


def _largest(xs):
    def step(best, x):
        return lax.cond(x > best, lambda: x, lambda: best), None

    return lax.scan(step, -jnp.inf, xs)[0]


@beside(_largest, X)
def largest_or_none(xs):
    best = None
    for x in xs:
        if best is None or x > best:
            best = x
    return best


def _newton(x):
    def step(state):
        y, _ = state
        new = 0.5 * (y + x / y)
        return new, jnp.abs(new - y)

    return lax.while_loop(lambda state: state[1] > 1e-5, step, (x, jnp.inf))[0]


@beside(_newton, 2.0)
def newton(x):
    y = x
    while True:
        new = 0.5 * (y + x / y)
        is_done = jnp.abs(new - y) <= 1e-5
        y = new
        if is_done:
            break
    return y
