"""Every program of `programs.py` behaves the same in every form.

The forms are: unchanged, converted, after each pass of the conversion, staged, and as the printed
text of its graph.
"""

import copy
import inspect

import language_binding  # noqa: F401  (fills PROGRAMS, like those that follow)
import language_classes  # noqa: F401
import language_comprehensions  # noqa: F401
import language_lists  # noqa: F401
import language_match  # noqa: F401
import language_none  # noqa: F401
import language_text  # noqa: F401
import numpy as np
import pytest
from outcomes import check_same, outcome, same_exactly
from prefixes import graphs_after_passes, prefix
from programs import PROGRAMS

import autograph
import runtime as rt
from autograph.conversion.passes import PIPELINE
from runtime.engines.numpy import compile_graph
from runtime.ir import graph as ir
from runtime.ir.pytree import flatten
from runtime.passes import optimized


def each_program():
    return pytest.mark.parametrize("name", PROGRAMS)


def each_staged_program():
    return pytest.mark.parametrize("name", [n for n, p in PROGRAMS.items() if p.staged])


def inputs_of(program):
    return (*program.inputs, *program.staged)


@pytest.mark.sampled(2)
@each_program()
def test_a_converted_program_behaves_like_the_original(name):
    program = PROGRAMS[name]
    converted = autograph.to_graph(program.function)
    for arguments in inputs_of(program):
        wanted = outcome(program.function, arguments)
        check_same(outcome(converted, arguments), wanted, same_exactly)


@pytest.mark.sampled(20)
@each_program()
def test_every_prefix_of_the_pipeline_preserves_the_outcome(name):
    program = PROGRAMS[name]
    wanted = [outcome(program.function, arguments) for arguments in program.inputs]
    for step in PIPELINE:
        function = prefix(program.function, step.name)
        for arguments, expected in zip(program.inputs, wanted, strict=True):
            try:
                check_same(outcome(function, arguments), expected, same_exactly)
            except BaseException as error:
                error.add_note(f"after the pass {step!r}, with {arguments!r}")
                raise


@pytest.mark.sampled(5)
@each_program()
def test_a_converted_program_looks_like_the_original(name):
    function = PROGRAMS[name].function
    converted = autograph.to_graph(function)
    for attribute in ("__name__", "__qualname__", "__doc__", "__module__"):
        assert getattr(converted, attribute) == getattr(function, attribute)
    assert converted.__defaults__ is function.__defaults__
    assert converted.__kwdefaults__ is function.__kwdefaults__
    assert converted.__globals__ is function.__globals__
    assert inspect.signature(converted) == inspect.signature(function)
    assert inspect.isgeneratorfunction(converted) == inspect.isgeneratorfunction(function)
    assert inspect.iscoroutinefunction(converted) == inspect.iscoroutinefunction(function)


@pytest.mark.sampled(2)
@each_staged_program()
def test_a_staged_program_behaves_as_in_python(name):
    program = PROGRAMS[name]
    staged = rt.function(program.function)
    for arguments in program.staged:
        wanted = outcome(program.function, arguments)
        check_same(outcome(staged, arguments), wanted, same_exactly)


def seen(concrete, arguments, run):
    """The result of a run, and the contents of its arguments after it."""

    def call(*leaves):
        outputs = run(*leaves)
        count = len(outputs) - len(concrete.written)
        bound = concrete.parameters.bind(*arguments)
        finals = dict(zip(concrete.written, outputs[count:], strict=True))
        return concrete.result.made(iter(outputs), bound, leaves, finals), outputs[count:]

    return call


@pytest.mark.sampled(20)
@each_staged_program()
def test_every_graph_pass_preserves_the_outcome_of_a_program(name):
    program = PROGRAMS[name]
    staged = rt.function(program.function)
    for arguments in program.staged:
        concrete = staged.get_concrete_function(*copy.deepcopy(arguments))
        leaves = tuple(
            leaf for leaf in flatten(arguments)[0] if isinstance(leaf, (np.ndarray, np.generic))
        )
        as_recorded = seen(concrete, arguments, compile_graph(ir.copy(concrete.graph)))
        wanted = outcome(as_recorded, leaves)
        for step, graph in graphs_after_passes(concrete.graph):
            try:
                run = seen(concrete, arguments, compile_graph(graph))
                check_same(outcome(run, leaves), wanted, same_exactly)
            except BaseException as error:
                error.add_note(f"after the pass {step!r}, with {arguments!r}")
                raise


@pytest.mark.sampled(20)
@each_staged_program()
def test_a_graph_of_a_program_can_be_printed_parsed_and_run(name):
    program = PROGRAMS[name]
    staged = rt.function(program.function)
    for arguments in program.staged:
        concrete = staged.get_concrete_function(*copy.deepcopy(arguments))
        text = rt.show(concrete.graph)
        assert rt.show(rt.parse(text)) == text
        parsed = compile_graph(optimized(rt.parse(text)))
        leaves = tuple(
            leaf for leaf in flatten(arguments)[0] if isinstance(leaf, (np.ndarray, np.generic))
        )
        check_same(outcome(parsed, leaves), outcome(concrete.compiled, leaves), same_exactly)


@pytest.mark.sampled(20)
@each_staged_program()
def test_a_staged_program_behaves_the_same_in_threads_and_under_a_profiler(name, monkeypatch):
    for figure in ("LEAST_GAIN", "LEAST_TASK", "START", "SWITCH"):  # every part gets a thread
        monkeypatch.setattr(f"runtime.analyses.parallel_regions.{figure}", 0.0)
    program = PROGRAMS[name]
    staged = rt.function(program.function)
    for arguments in program.staged:
        outcome(staged, arguments)  # one-time output is printed while tracing
        wanted = outcome(staged, arguments)
        for settings in ({"threads": 3}, {"profile": rt.Profile()}):
            with rt.config.temporarily(**settings):
                check_same(outcome(staged, arguments), wanted, same_exactly)
