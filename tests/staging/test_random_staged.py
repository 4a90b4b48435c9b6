"""Random functions with staged control flow behave as graphs as they do in Python, or are refused.

Compared are the results, bit for bit, with types and shapes; the output; the exception; and the
arguments after the call.  A failing program is reduced before it is shown.
"""

import ast
import random
from dataclasses import dataclass

import numpy as np
import pytest
from budget import examples
from loading import load
from outcomes import Outcome, check_same, is_container, outcome, quiet, same_but_wider, same_exactly
from random_staged import PRELUDE, Writer, arguments
from reduce import ends, smaller_program

import runtime as rt

EXAMPLES = examples(20)
ENOUGH = 300  # programs, within which every planted fault must be found
MANY = 50
MOST_REFUSED = 0.25  # of the programs, for guards that may raise and arrays that may share memory
MOST_WIDER = 0.02  # of the programs of mixed types: their arrays have one dtype in a graph


def same_bits(a, b):
    """Whether two values have the same types and bits; -0.0 differs from 0.0."""
    if isinstance(a, (np.ndarray, np.generic)) and same_exactly(a, b):
        return a.tobytes() == b.tobytes()
    if is_container(a) and type(a) is type(b):
        return len(a) == len(b) and all(map(same_bits, a, b))
    return same_exactly(a, b)


@dataclass
class Difference:
    """The outcomes of a program in Python and as a graph, which differ."""

    given: tuple
    wanted: Outcome
    got: Outcome

    @property
    def kind(self):
        """The property of a difference that must remain when a program is reduced."""
        return type(self.wanted.error), type(self.got.error)

    def __str__(self):
        return f"with {self.given}\nPython: {self.wanted}\ngraph:  {self.got}"


def difference(source, mixed, make=rt.function):
    """How the graph of a program differs from Python: a Difference, None, 'refused', or 'wider'.

    A result may have a wider type only in `mixed` programs, and only if the graph lists it.
    """
    fn = load(source, f"<program {hash(source)}>").f
    staged, found = make(fn), None
    for given in arguments():
        wanted, got = outcome(fn, given), outcome(staged, given)
        if isinstance(got.error, rt.StagingError):
            return "refused"
        try:
            check_same(got, wanted, same_bits)
        except Exception:
            if not (mixed and is_listed(staged, given) and is_wider(got, wanted)):
                return Difference(given, wanted, got)
            found = "wider"
    return found


def is_wider(got, wanted):
    """Whether a run differs from Python in nothing but wider types."""
    try:
        check_same(got, wanted, same_but_wider)
    except Exception:
        return False
    return True


def is_listed(staged, given):
    """Whether the graph of a function lists a place where a type is wider than in Python."""
    return bool(staged.get_concrete_function(*given).widenings)


def smallest(source, mixed):
    """The smallest failing program found, with its outcomes."""
    mixed = mixed or isinstance(difference(source, True), Difference)  # more than a wider type
    kind = difference(source, mixed).kind

    def differs(text):
        found = difference(text, mixed)
        return isinstance(found, Difference) and found.kind == kind

    reduced = smaller_program(source, PRELUDE, ends(differs))
    return f"{reduced.removeprefix(PRELUDE)}\n\n{difference(reduced, mixed)}"


def counted(seeds, mixed):
    """How many programs are refused, and how many have wider types; fails if one differs."""
    counts = {"refused": 0, "wider": 0}
    for seed in seeds:
        source = Writer(random.Random(seed), mixed).module()
        with quiet():
            match difference(source, mixed):
                case None:
                    pass
                case "refused" | "wider" as found:
                    counts[found] += 1
                case _:
                    pytest.fail(f"seed {seed}\n{smallest(source, mixed)}")
    return counts


def seeds(first, number):
    return range(first, first + number)


@pytest.mark.parametrize("mixed", [False, True], ids=["strict", "mixed"])
def test_a_random_function_behaves_as_in_python(mixed):
    counts = counted(seeds(0, EXAMPLES), mixed)
    assert counts["refused"] <= max(1, EXAMPLES * MOST_REFUSED)
    assert counts["wider"] <= max(1, EXAMPLES * MOST_WIDER)


@pytest.mark.thorough
@pytest.mark.parametrize("mixed", [False, True], ids=["strict", "mixed"])
@pytest.mark.parametrize("first", range(1000, 4000, 1000))
def test_more_random_functions_behave_as_in_python(mixed, first):
    counts = counted(seeds(first, MANY), mixed)
    assert counts["refused"] <= MANY * MOST_REFUSED
    assert counts["wider"] <= MANY * MOST_WIDER


# -- the programs are strong enough ----------------------------------------------------------------


class LoopElse(ast.NodeTransformer):
    """The `else` of a loop is dropped."""

    def visit_For(self, node):
        self.generic_visit(node)
        node.orelse = []
        return node

    visit_While = visit_For


class Breaks(ast.NodeTransformer):
    """A `break` does not leave its `for` loop."""

    def visit_While(self, node):
        return node

    def visit_Break(self, node):
        return ast.Continue()


class Guards(ast.NodeTransformer):
    """The guard of a pattern is ignored."""

    def visit_match_case(self, node):
        self.generic_visit(node)
        node.guard = node.guard and ast.Constant(True)
        return node


class Chains(ast.NodeTransformer):
    """Only the first part of a chained comparison is evaluated."""

    def visit_Compare(self, node):
        self.generic_visit(node)
        del node.ops[1:], node.comparators[1:]
        return node


class Nonlocals(ast.NodeTransformer):
    """A write of an inner function to a nonlocal variable is lost."""

    def visit_Nonlocal(self, node):
        return [ast.parse(f"{name} = v").body[0] for name in node.names]


class Writes(ast.NodeTransformer):
    """A write into an element is lost."""

    def visit_Assign(self, node):
        return ast.Pass() if isinstance(node.targets[0], ast.Subscript) else node


class Printing(ast.NodeTransformer):
    """Nothing is printed."""

    def visit_Expr(self, node):
        return ast.Pass() if ast.unparse(node).startswith("print(") else node


class Checks(ast.NodeTransformer):
    """An assertion always holds."""

    def visit_Assert(self, node):
        return ast.Pass()


class Ands(ast.NodeTransformer):
    """`and` returns a bool instead of its operand."""

    def visit_BoolOp(self, node):
        self.generic_visit(node)
        return ast.parse(f"bool({ast.unparse(node)})", mode="eval").body


FAULTS = (LoopElse, Breaks, Guards, Chains, Nonlocals, Writes, Printing, Checks, Ands)


def spoilt(source, fault):
    """Returns a function with a fault in place of the graph."""
    tree = ast.fix_missing_locations(fault().visit(ast.parse(source)))
    return lambda fn: load(ast.unparse(tree), f"<spoilt {hash(source)}>").f


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_planted_fault_is_found(fault):
    for seed in seeds(0, ENOUGH):
        source = Writer(random.Random(seed)).module()
        with quiet():
            if difference(source, False, spoilt(source, fault)) is not None:
                return
    pytest.fail(f"no program of {ENOUGH} shows it")
