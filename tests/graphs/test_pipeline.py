"""The order of passes is checked against a table of reasons; removed constructs stay removed."""

import textwrap
from dataclasses import replace
from types import FunctionType

import gast
import pytest

import autograph
import runtime as rt
from autograph import pipeline
from autograph.constructs.expressions import Expressions
from autograph.conversion import converter
from autograph.conversion import passes as conversion_passes
from autograph.pipeline import BrokenContract, Constraint, Pass, WrongOrder, ordered
from autograph.syntax import quote
from runtime import passes as graph_passes
from tests.programs import programs

BOTH = pytest.mark.parametrize("wing", [conversion_passes, graph_passes], ids=["trees", "graphs"])

MARKED = "def f(x: f64):\n    y: f64 = alias(x)\n    return y"


def keep(code, context):
    return code


# -- order -----------------------------------------------------------------------------------------


@BOTH
def test_the_passes_satisfy_the_constraints(wing):
    assert ordered(wing.PASSES, wing.ORDER) == wing.PASSES == wing.PIPELINE


@BOTH
def test_every_constraint_names_two_passes_and_a_reason(wing):
    names = {step.name for step in wing.PASSES}
    for first, then, why in wing.ORDER:
        assert {first, then} <= names and first != then
        assert why
    assert len({(first, then) for first, then, _ in wing.ORDER}) == len(wing.ORDER)


@BOTH
def test_every_constraint_is_violated_by_swapping_its_passes(wing):
    for constraint in wing.ORDER:
        passes = {step.name: step for step in wing.PASSES}
        one, other = passes[constraint.first], passes[constraint.then]
        exchanged = [
            other if step is one else one if step is other else step for step in wing.PASSES
        ]
        with pytest.raises(WrongOrder) as caught:
            ordered(exchanged, [constraint])
        assert str(caught.value) == (
            f"the pass {one.name!r} must run before {other.name!r}: {constraint.why}"
        )


def test_a_constraint_must_name_existing_passes():
    with pytest.raises(WrongOrder, match="the pass 'second', which does not exist"):
        ordered([Pass("first", keep)], [Constraint("first", "second", "a reason")])


def test_two_passes_must_have_two_names():
    with pytest.raises(WrongOrder, match="the same name"):
        ordered([Pass("first", keep), Pass("first", keep)], [])


# -- contracts -------------------------------------------------------------------------------------


def test_a_graph_pass_that_leaves_what_it_promises_to_remove_is_caught():
    first, *others = graph_passes.PASSES
    assert "alias" in first.removes
    lazy = Pass(first.name, keep, first.removes)
    with pytest.raises(BrokenContract, match="a node of alias .* remains") as caught:
        graph_passes.optimized(rt.parse(MARKED), (lazy, *others))
    assert caught.value.__notes__ == ["during pass 'strip_autodiff_markers'"]


def test_a_later_pass_that_reintroduces_a_removed_construct_is_caught():
    def restore(graph, context):
        graph.nodes[:], graph.outputs[:] = marked.nodes, marked.outputs
        graph.inputs[:] = marked.inputs
        return graph

    marked = rt.parse(MARKED)
    passes = (graph_passes.PASSES[0], Pass("restore", restore))
    with pytest.raises(BrokenContract, match="a node of alias"):
        graph_passes.optimized(rt.parse(MARKED), passes)


def test_a_tree_pass_that_leaves_what_it_promises_to_remove_is_caught(monkeypatch):
    def f(x):
        return x and 1

    lazy = tuple(
        Pass(step.name, keep, step.removes) if gast.BoolOp in step.removes else step
        for step in conversion_passes.PASSES
    )
    run = pipeline.run
    monkeypatch.setattr(pipeline, "run", lambda passes, *given, **named: run(lazy, *given, **named))
    with pytest.raises(BrokenContract, match="a BoolOp in line .* is left") as caught:
        autograph.to_graph(f)
    assert caught.value.__notes__ == ["during pass 'boolean'"]


def test_removals_are_checked_at_the_end_and_before_an_observer_sees_them():
    seen = []

    def remainder(code, context, kinds):
        seen.append((code, sorted(kinds)))

    def then(name):
        return lambda code, context: code + name

    passes = [
        Pass("a", then("a")),
        Pass("b", then("b"), ("x",)),
        Pass("c", then("c")),
        Pass("d", then("d"), ("y", "z")),
        Pass("e", then("e")),
    ]
    assert pipeline.run(passes, "", remainder=remainder) == "abcde"
    assert seen == [("abcde", ["x", "y", "z"])]
    seen.clear()
    assert pipeline.run(passes, "", after=lambda *_: None, remainder=remainder) == "abcde"
    assert seen == [("ab", ["x"]), ("abcd", ["x", "y", "z"]), ("abcde", ["x", "y", "z"])]


def test_a_pass_is_skipped_where_nothing_occurs_that_it_meets():
    passes = [
        Pass("a", lambda code, context: code + "a", meets=("x",), makes=("y",)),
        Pass("b", lambda code, context: code + "b", meets=("y", "z")),
        Pass("c", lambda code, context: code + "c"),
    ]
    assert pipeline.run(passes, "") == "abc"
    assert pipeline.run(passes, "", kinds=frozenset("x")) == "abc"
    assert pipeline.run(passes, "", kinds=frozenset("z")) == "bc"
    assert pipeline.run(passes, "", kinds=frozenset()) == "c"


def test_what_passes_skip_needs_no_rewriting(monkeypatch):
    functions = [f for f in vars(programs).values() if isinstance(f, FunctionType)]
    functions = [f for f in functions if f.__module__ == programs.__name__]
    functions += [f for f in vars(textwrap.TextWrapper).values() if isinstance(f, FunctionType)]

    def converted():
        texts = []
        for function in functions[::5]:
            found = converter.origin_of(function)
            tree, _ = converter.converted_definition(found, function, True, passes)
            texts.append(quote.source(tree))
        return texts

    passes = conversion_passes.PIPELINE
    skipping = converted()
    assert len(skipping) > 40
    monkeypatch.setattr(Expressions, "concerns", lambda self, statement: True)
    passes = tuple(replace(step, meets=()) for step in passes)
    assert converted() == skipping
