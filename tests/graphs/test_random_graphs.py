"""Random graphs: each pass preserves results bit for bit, output, exceptions and memory sharing."""

import contextlib
import io
import itertools
import random

import numpy as np
import pytest
from budget import random_seeds
from prefixes import graphs_after_passes
from random_graphs import Maker, arguments

import runtime as rt
from runtime.engines.numpy import compile_graph
from runtime.ir.graph import InvalidGraph, copy, verify
from runtime.passes import (
    PIPELINE,
    algebra,
    branch_simplification,
    common_subexpressions,
    dead_code,
    rewriter,
)
from runtime.passes.dead_code import remove_dead_code
from runtime.passes.patterns import rule


def run(graph, leaves):
    """The outcome of a graph: results, output, error, and the arguments after the run."""
    leaves = [leaf.copy() if isinstance(leaf, np.ndarray) else leaf for leaf in leaves]
    results, error = None, None
    random.seed(0)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        try:
            results = compile_graph(copy(graph))(*leaves)
        except (AssertionError, ArithmeticError, IndexError, ValueError, TypeError) as raised:
            error = raised
    return results, printed.getvalue(), error, leaves


def bits(value):
    if isinstance(value, (np.ndarray, np.generic)):
        return type(value), value.dtype, value.shape, without_payload(value).tobytes()
    return type(value), repr(value)


def without_payload(value):
    """The value with one canonical nan: if two are added, the processor chooses the payload."""
    return np.where(np.isnan(value), np.nan, value) if value.dtype.kind == "f" else value


def sharing(arrays):
    """The groups of arrays that share memory."""
    arrays = [a for a in arrays if isinstance(a, np.ndarray)]
    return [np.shares_memory(a, b) for a, b in itertools.combinations(arrays, 2)]


def check(graph, optimised, leaves):
    """Fails if the outcome of a graph changes."""
    wanted, shown, error, before = run(graph, leaves)
    got, printed, raised, after = run(optimised, leaves)
    if error is not None and not isinstance(error, AssertionError):
        assert printed.startswith(shown)  # a failing node may have become unused
        return
    assert (printed, type(raised), str(raised)) == (shown, type(error), str(error))
    assert [bits(leaf) for leaf in after] == [bits(leaf) for leaf in before]
    if error is None:
        assert list(map(bits, got)) == list(map(bits, wanted))
        assert sharing([*got, *after]) == sharing([*wanted, *before])


def made(seed):
    """A random graph without unused nodes, and its arguments."""
    graph = remove_dead_code(Maker(random.Random(seed)).graph())
    verify(graph)
    return graph, arguments(graph, random.Random(seed))


@pytest.mark.parametrize("step", PIPELINE, ids=[step.name for step in PIPELINE])
@pytest.mark.parametrize("warnings", ["ignore", "raise"])
@random_seeds(150)
def test_a_pass_preserves_the_outcome_of_a_graph(step, warnings, seed):
    graph, leaves = made(seed)
    optimised = remove_dead_code(step.rewrite(copy(graph), None))
    verify(optimised)
    with np.errstate(all=warnings):
        check(graph, optimised, leaves)


@pytest.mark.parametrize("warnings", ["ignore", "raise"])
@random_seeds(200)
def test_all_passes_preserve_the_outcome_of_a_graph(warnings, seed):
    graph, leaves = made(seed)
    with np.errstate(all=warnings):
        for _, changed in graphs_after_passes(graph):
            check(graph, remove_dead_code(changed), leaves)


@random_seeds(200)
def test_a_random_graph_survives_printing_and_parsing(seed):
    graph, leaves = made(seed)
    text = rt.show(graph)
    assert rt.show(rt.parse(text)) == text
    with np.errstate(all="ignore"):
        check(graph, rt.parse(text), leaves)


# -- the check finds faults ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def some_graphs():
    return [made(seed) for seed in range(700)]


def forgets_what_the_caller_holds(monkeypatch):
    monkeypatch.setattr(common_subexpressions, "escaping_values", lambda graph: set())
    return common_subexpressions.eliminate_common_subexpressions


def forgets_that_numbers_have_a_sign(monkeypatch):
    monkeypatch.setattr(
        algebra, "_rules_of", lambda op: [rule("absolute(x) -> x")] * (op.name == "absolute")
    )
    return algebra.simplify_algebra


def takes_an_array_for_a_copy(monkeypatch):
    monkeypatch.setattr(
        rewriter.GraphRewriter, "can_replace", lambda self, value, other, is_same_view=False: True
    )
    return algebra.simplify_algebra


def drops_assertions(monkeypatch):
    monkeypatch.setattr(dead_code, "has_effect", lambda node: node.op.name == "print")
    return dead_code.remove_dead_code


def drops_the_state_that_effects_need(monkeypatch):
    found = dead_code.needed_results
    monkeypatch.setattr(
        dead_code,
        "needed_results",
        lambda node, needed, effects: found(node, needed, ()),
    )
    return dead_code.remove_dead_code


def takes_the_wrong_branch(monkeypatch):
    def asked(self, operand):
        return found(self, operand)[0], False

    found = branch_simplification._Branches.asked
    monkeypatch.setattr(branch_simplification._Branches, "asked", asked)
    return branch_simplification.simplify_branches


@pytest.mark.slow
@pytest.mark.parametrize(
    "plant",
    [
        forgets_what_the_caller_holds,
        forgets_that_numbers_have_a_sign,
        takes_an_array_for_a_copy,
        drops_assertions,
        drops_the_state_that_effects_need,
        takes_the_wrong_branch,
    ],
)
def test_a_fault_in_a_pass_is_found(plant, some_graphs, monkeypatch):
    rewrite = plant(monkeypatch)
    with np.errstate(all="raise"), pytest.raises((AssertionError, InvalidGraph)):
        for graph, leaves in some_graphs:
            optimised = rewrite(copy(graph), None)
            verify(optimised)
            check(graph, optimised, leaves)
