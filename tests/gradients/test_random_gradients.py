"""Gradients of random functions with staged control flow equal complex-step derivatives.

Some programs are refused instead.  A step of 1e-30 along the imaginary axis yields a derivative
that is exact to the last digits, since nothing is subtracted; second derivatives are differences
of two of them, a real step apart.  A failing program is reduced before it is shown.
"""

import random
from collections import OrderedDict
from dataclasses import dataclass

import numpy as np
import pytest
from budget import examples
from loading import load
from outcomes import quiet
from prefixes import graphs_after_passes
from random_gradients import PRELUDE, Writer, arguments
from reduce import ends, smaller_program

import runtime as rt
from runtime.engines.numpy import compile_graph

MANY = 150
MOST_REFUSED = 0.15  # of the programs, mostly because arrays may share memory
BY = (0, 1, 2, 3)  # the differentiated arguments: x, y, a, b
STEP = 1e-30


# -- complex-step derivatives ----------------------------------------------------------------------


def complex_step(fn, given, along):
    """The derivative of a plain function along directions, one for each of its first arguments."""
    moved = [x + 1j * STEP * u for x, u in zip(given, along, strict=False)]
    return np.imag(fn(*moved, *given[len(along) :])) / STEP


def units(given):
    """The unit vectors of all arguments."""
    for k, x in enumerate(given):
        for place in np.ndindex(*np.shape(x)):
            zeros = [np.zeros(np.shape(other)) for other in given]
            zeros[k][place] = 1.0
            yield [zero[()] for zero in zeros]


def slopes(fn, given):
    """The gradient of a plain function as one flat vector."""
    floats = given[: len(BY)]
    return np.array([complex_step(fn, given, unit) for unit in units(floats)])


def curvatures(fn, given, along, step=1e-5):
    """The derivative of the gradient along directions; nan where it jumps."""
    found = []
    for size in (step, step / 3):
        ahead, behind = (
            [x + sign * size * u for x, u in zip(given, along, strict=False)] for sign in (1, -1)
        )
        rest = given[len(along) :]
        found.append((slopes(fn, (*ahead, *rest)) - slopes(fn, (*behind, *rest))) / (2 * size))
    one, other = found
    return np.where(np.isclose(one, other, rtol=1e-4, atol=1e-5), other, np.nan)


def in_a_row(gradients):
    return np.concatenate([np.ravel(g) for g in gradients])


def directions(given):
    """A direction for each differentiated argument."""
    rng = np.random.default_rng(7)
    return [rng.uniform(-1, 1, np.shape(x)) for x in given[: len(BY)]]


# -- comparisons -----------------------------------------------------------------------------------


def loaded(source, checkpoint):
    """The function of a program, with a replacement for `checkpoint`."""
    module = load(source, f"<program {hash(source)} {checkpoint is rt.checkpoint}>")
    module.checkpoint = checkpoint
    return module.f


def plainly(fn):
    return fn


def first_order(source):
    """Pairs of gradients: from graphs and from complex steps."""
    plain, gradient = loaded(source, plainly), rt.grad(loaded(source, rt.checkpoint), BY)
    for given in copies():
        yield in_a_row(gradient(*given)), slopes(plain, fresh(given))


def second_order(source):
    """Pairs of Hessian-vector products."""
    plain, fn = loaded(source, plainly), loaded(source, rt.checkpoint)
    first = rt.grad(fn, BY)

    def along(x, y, a, b, n, u, v, c, d):
        gx, gy, ga, gb = first(x, y, a, b, n)
        return u * gx + v * gy + np.sum(c * ga) + np.sum(d * gb)

    second = rt.grad(along, BY)
    for given in copies():
        u = directions(given)
        wanted = curvatures(plain, fresh(given), u)
        got = in_a_row(second(*given, *u))
        yield np.where(np.isnan(wanted), np.nan, got), wanted


def forward(source):
    """Pairs of derivatives along a direction, in forward mode and from complex steps."""
    plain, fn = loaded(source, plainly), loaded(source, rt.checkpoint)
    for given in copies():
        along = directions(given)
        _, tangent = rt.jvp(fn, given, (*along, None))
        yield np.array(tangent), np.array(complex_step(plain, fresh(given), along))


def forward_of_gradients(source):
    """Pairs of Hessian-vector products, by forward mode of reverse mode."""
    plain, gradient = loaded(source, plainly), rt.grad(loaded(source, rt.checkpoint), BY)
    for given in copies():
        along = directions(given)
        wanted = curvatures(plain, fresh(given), along)
        got = in_a_row(rt.jvp(gradient, given, (*along, None))[1])
        yield np.where(np.isnan(wanted), np.nan, got), wanted


def gradients_of_forward(source):
    """Pairs of Hessian-vector products, by reverse mode of forward mode."""
    plain, fn = loaded(source, plainly), loaded(source, rt.checkpoint)

    def along(x, y, a, b, n, u, v, c, d):
        return rt.jvp(fn, (x, y, a, b, n), (u, v, c, d, None))[1]

    second = rt.grad(along, BY)
    for given in copies():
        u = directions(given)
        wanted = curvatures(plain, fresh(given), u)
        got = in_a_row(second(*given, *u))
        yield np.where(np.isnan(wanted), np.nan, got), wanted


@dataclass
class Parameters:
    """The differentiated arguments of a program, in an object and containers."""

    numbers: OrderedDict
    arrays: list


def in_containers(source):
    """Pairs of gradients with respect to the arguments, in containers and by themselves."""
    fn = loaded(source, rt.checkpoint)
    gradient, plain = rt.grad(fn, BY), rt.grad(lambda p, n: fn(*parts(p), n), argnums="p")
    for given in copies():
        x, y, a, b, n = fresh(given)
        found = plain(Parameters(OrderedDict(x=x, y=y), [a, (b,)]), n)
        yield in_a_row(parts(found)), in_a_row(gradient(*given))


def parts(p):
    a, (b,) = p.arrays
    return p.numbers["x"], p.numbers["y"], a, b


def with_checkpoints(source):
    """Pairs of gradients with and without checkpoints, which sum in different orders."""
    pair = [rt.grad(loaded(source, what), BY) for what in (rt.checkpoint, plainly)]
    for given in copies():
        yield tuple(in_a_row(gradient(*fresh(given))) for gradient in pair)


def passes(source):
    """Pairs of gradients: from the graph after some passes and from the traced graph."""
    gradient = rt.grad(loaded(source, rt.checkpoint), BY)
    given = next(copies())
    graph = gradient.get_concrete_function(*given).graph
    outcomes = []
    for _, changed in graphs_after_passes(graph):
        leaves = fresh(given)
        outcomes.append(compile_graph(changed)(*leaves[: len(graph.inputs)]))
    for outcome in outcomes[1:]:
        yield in_a_row(outcome), in_a_row(outcomes[0])


def copies():
    return map(fresh, arguments())


def fresh(given):
    return tuple(x.copy() if isinstance(x, np.ndarray) else x for x in given)


TOLERANCES = {
    first_order: {"rtol": 1e-9, "atol": 1e-10},
    second_order: {"rtol": 1e-3, "atol": 1e-4},
    forward: {"rtol": 1e-9, "atol": 1e-10},
    forward_of_gradients: {"rtol": 1e-3, "atol": 1e-4},
    gradients_of_forward: {"rtol": 1e-3, "atol": 1e-4},
    in_containers: {"rtol": 1e-12, "atol": 1e-12},
    with_checkpoints: {"rtol": 1e-12, "atol": 1e-12},
    passes: {"rtol": 0, "atol": 0},
}


@dataclass
class Difference:
    """Two derivatives differ."""

    got: np.ndarray
    wanted: np.ndarray


def outcome(source, compared):
    """A Difference, an exception, 'refused', 'senseless' if Python raises, or None."""
    try:
        for given in copies():
            loaded(source, plainly)(*given)
    except Exception:
        return "senseless"
    try:
        for got, wanted in compared(source):
            scale = max(1.0, np.max(np.abs(wanted[np.isfinite(wanted)]), initial=0.0))
            if not np.allclose(got / scale, wanted / scale, equal_nan=True, **TOLERANCES[compared]):
                return Difference(got, wanted)
    except rt.StagingError:
        return "refused"
    except Exception as error:
        return error
    return None


# -- the programs ----------------------------------------------------------------------------------


def smallest(source, compared):
    """The smallest failing program found, with its outcome."""
    kind = type(outcome(source, compared))

    def differs(text):
        found = outcome(text, compared)
        return type(found) is kind and not isinstance(found, str)

    reduced = smaller_program(source, PRELUDE, ends(differs))
    return f"{reduced.removeprefix(PRELUDE)}\n\n{outcome(reduced, compared)!r}"


def refusals(seeds, compared):
    """The number of programs that are refused; fails if one differs."""
    refused = 0
    for seed in seeds:
        source = Writer(random.Random(seed)).module()
        with quiet():
            match outcome(source, compared):
                case None:
                    pass
                case "refused":
                    refused += 1
                case _:
                    pytest.fail(f"seed {seed}\n{smallest(source, compared)}")
    return refused


def check(first, number, compared):
    assert refusals(range(first, first + number), compared) <= max(1, number * MOST_REFUSED)


def test_gradients_agree_with_complex_steps():
    check(0, examples(25), first_order)


def test_second_derivatives_agree_with_differences_of_complex_steps():
    check(100, examples(8), second_order)


def test_forward_mode_agrees_with_complex_steps():
    check(400, examples(15), forward)


def test_forward_mode_of_gradients_agrees_with_differences_of_complex_steps():
    check(500, examples(6), forward_of_gradients)


def test_gradients_of_forward_mode_agree_with_differences_of_complex_steps():
    check(600, examples(6), gradients_of_forward)


def test_gradients_with_respect_to_containers_are_equal():
    check(720, examples(12), in_containers)


def test_gradients_with_and_without_checkpoints_are_equal():
    check(200, examples(25), with_checkpoints)


def test_each_pass_preserves_gradients_bit_for_bit():
    check(300, examples(12), passes)


@pytest.mark.thorough
@pytest.mark.parametrize("compared", TOLERANCES)
@pytest.mark.parametrize("first", [1000, 2000])
def test_more_gradients_are_correct(first, compared):
    check(first, MANY, compared)
