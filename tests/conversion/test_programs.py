"""Every program of `programs.py` does the same however it is run: as it is, converted, after each
pass of the conversion, staged, and from the printed text of its graph."""

import contextlib
import copy
import inspect
import io
from dataclasses import dataclass
from typing import Any

import language_binding  # noqa: F401  (fills PROGRAMS, like those that follow)
import language_classes  # noqa: F401
import language_comprehensions  # noqa: F401
import language_lists  # noqa: F401
import language_match  # noqa: F401
import language_none  # noqa: F401
import language_text  # noqa: F401
import numpy as np
import pytest
from prefixes import prefix
from programs import PROGRAMS

import autograph
import runtime as rt
from autograph.conversion.passes import PIPELINE
from autograph.pipeline import upto
from runtime import passes
from runtime.engines.numpy import compile_graph
from runtime.ir import graph as ir
from runtime.ir.pytree import flatten
from runtime.passes import optimized

NUMBERS = (bool, int, float, complex, np.generic, np.ndarray)


# -- what a run does -------------------------------------------------------------------------------


@dataclass
class Outcome:
    """All that a run of a program shows."""

    result: Any = None
    error: BaseException | None = None
    printed: str = ""
    arguments: tuple = ()  # as they are after the run


def outcome(function, arguments) -> Outcome:
    """What a function does with copies of the arguments."""
    seen = Outcome(arguments=copy.deepcopy(arguments))
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        try:
            seen.result = finished(function(*seen.arguments))
        except Exception as error:
            seen.error = error
    seen.printed = printed.getvalue()
    return seen


def finished(result):
    """What a coroutine returns, or all that a generator yields and returns."""
    if inspect.iscoroutine(result):
        return driven(result)
    if inspect.isgenerator(result):
        return driven_generator(result)
    return result


def driven(coroutine):
    """Runs a coroutine: a loop that gives back nothing to what it awaits."""
    try:
        while True:
            coroutine.send(None)
    except StopIteration as stop:
        return stop.value


def driven_generator(generator):
    """The values of a generator, and at the end what it returns."""
    values = []
    try:
        while True:
            values.append(next(generator))
    except StopIteration as stop:
        return [*values, stop.value]


# -- whether two runs do the same ------------------------------------------------------------------


def check_same(got: Outcome, wanted: Outcome, same) -> None:
    """Fails where two runs differ; `same` compares values."""
    if got.error is not None and wanted.error is None:
        raise got.error
    assert type(got.error) is type(wanted.error)
    if wanted.error is not None:
        assert same(got.error.args, wanted.error.args), (got.error, wanted.error)
        assert str(got.error) == str(wanted.error)
        assert list(map(repr, chain(got.error))) == list(map(repr, chain(wanted.error)))
    assert same(got.result, wanted.result), f"{got.result!r} is not {wanted.result!r}"
    assert got.printed == wanted.printed
    assert same(got.arguments, wanted.arguments), "an argument is changed otherwise"


def chain(error):
    """The exceptions that a traceback shows above an exception, last first."""
    while error := error.__cause__ or (None if error.__suppress_context__ else error.__context__):
        yield error


def same_exactly(a, b) -> bool:
    """Whether two values are equal, and everything in them is of the same types."""
    if type(a) is not type(b):
        return False
    if isinstance(a, (np.ndarray, np.generic)):
        return a.dtype == b.dtype and same_numbers(a, b)
    if isinstance(a, float | complex):
        return repr(a) == repr(b)
    if isinstance(a, (set, frozenset)):
        return sorted(map(repr, a)) == sorted(map(repr, b))
    return same_containers(a, b, same_exactly) if is_container(a) else a == b


def same_but_wider(a, b) -> bool:
    """Whether two values are equal, and every number in `a` is of the type of its counterpart in
    `b` or a wider one."""
    if isinstance(b, NUMBERS):
        return isinstance(a, NUMBERS) and is_as_wide(a, b) and same_numbers(a, b)
    if type(a) is not type(b):
        return False
    return same_containers(a, b, same_but_wider) if is_container(b) else a == b


def is_container(value):
    return isinstance(value, (tuple, list, dict))


def same_containers(a, b, same):
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    return len(a) == len(b) and all(map(same, a, b))


def same_numbers(a, b):
    return np.shape(a) == np.shape(b) and all(
        x == y or (x != x and y != y) for x, y in zip(np.ravel(a), np.ravel(b), strict=True)
    )


def is_as_wide(a, b):
    """Whether a number is of a type that a branch or loop may have made from the type of `b`."""
    if isinstance(a, np.ndarray) != isinstance(b, np.ndarray):
        return False
    if isinstance(b, (np.ndarray, np.generic)):
        of_numpy = isinstance(a, (np.ndarray, np.generic))
        return of_numpy and np.result_type(a.dtype, b.dtype) == a.dtype
    return kind_of(a) >= kind_of(b)  # a NumPy number has a width, which one of Python's lacks


def kind_of(number):
    """The rank of a number: bools, integers, floats, complex numbers."""
    return "bifc".index(np.asarray(number).dtype.kind.replace("u", "i"))


def test_the_comparison_tells_types_apart():
    assert same_exactly(np.array([1.0, np.nan]), np.array([1.0, np.nan]))
    assert same_exactly({"k": (1, [2.5, None])}, {"k": (1, [2.5, None])})
    for a, b in [(1, True), (1, 1.0), (True, np.True_), (1, np.int64(1)), (0.0, -0.0), ([1], (1,))]:
        assert not same_exactly(a, b)
    assert not same_exactly(np.zeros(2, "f4"), np.zeros(2, "f8"))
    assert not same_exactly(np.zeros(1), np.zeros(()))


def test_the_comparison_of_staged_results_allows_wider_types_only():
    assert same_but_wider(np.float64(1), 1)
    assert same_but_wider(np.int64(1), np.int32(1))
    assert not same_but_wider(1, np.int64(1))
    assert not same_but_wider(np.float32(1), np.float64(1))
    assert not same_but_wider(np.int64(1), 1.0)
    assert not same_but_wider(np.float64(1.5), 1)
    assert not same_but_wider(np.array(1), np.int64(1))
    assert not same_but_wider(np.array(1), 1)


# -- the tests -------------------------------------------------------------------------------------


def each_program():
    return pytest.mark.parametrize("name", PROGRAMS)


def each_staged_program():
    return pytest.mark.parametrize("name", [n for n, p in PROGRAMS.items() if p.staged])


def inputs_of(program):
    return (*program.inputs, *program.staged)


@each_program()
def test_a_converted_program_does_what_the_original_does(name):
    program = PROGRAMS[name]
    converted = autograph.to_graph(program.function)
    for arguments in inputs_of(program):
        wanted = outcome(program.function, arguments)
        check_same(outcome(converted, arguments), wanted, same_exactly)


@each_program()
def test_every_prefix_of_the_pipeline_preserves_what_a_program_does(name):
    program = PROGRAMS[name]
    wanted = [outcome(program.function, arguments) for arguments in program.inputs]
    for step in PIPELINE:
        function = prefix(program.function, step.name)
        for arguments, expected in zip(program.inputs, wanted, strict=True):
            try:
                check_same(outcome(function, arguments), expected, same_exactly)
            except BaseException as error:
                error.add_note(f"after the pass {step.name!r}, with {arguments!r}")
                raise


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


@each_staged_program()
def test_a_staged_program_does_what_python_does(name):
    program = PROGRAMS[name]
    staged = rt.function(program.function)
    same = same_but_wider if program.widens else same_exactly
    for arguments in program.staged:
        wanted = outcome(program.function, arguments)
        check_same(outcome(staged, arguments), wanted, same)


def seen(concrete, arguments, run):
    """What a caller sees of a run: the result, and what is written into its arrays."""

    def call(*leaves):
        outputs = run(*leaves)
        count = len(outputs) - len(concrete.written)
        bound = concrete.parameters.bind(*arguments)
        finals = dict(zip(concrete.written, outputs[count:], strict=True))
        return concrete.result.made(iter(outputs), bound, leaves, finals), outputs[count:]

    return call


@each_staged_program()
def test_every_pass_over_a_graph_preserves_what_a_program_does(name):
    program = PROGRAMS[name]
    staged = rt.function(program.function)
    for arguments in program.staged:
        concrete = staged.get_concrete_function(*copy.deepcopy(arguments))
        leaves = tuple(
            leaf for leaf in flatten(arguments)[0] if isinstance(leaf, (np.ndarray, np.generic))
        )
        as_recorded = seen(concrete, arguments, compile_graph(ir.copy(concrete.graph)))
        wanted = outcome(as_recorded, leaves)
        for step in passes.PIPELINE:
            graph = optimized(ir.copy(concrete.graph), upto(passes.PIPELINE, step.name))
            try:
                run = seen(concrete, arguments, compile_graph(graph))
                check_same(outcome(run, leaves), wanted, same_exactly)
            except BaseException as error:
                error.add_note(f"after the pass {step.name!r}, with {arguments!r}")
                raise


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


@each_staged_program()
def test_a_staged_program_does_the_same_in_threads_and_while_it_is_profiled(name, monkeypatch):
    for figure in ("LEAST_GAIN", "LEAST_PART", "START", "TURN"):  # everything is worth a thread
        monkeypatch.setattr(f"runtime.engines.numpy.parallel_regions.{figure}", 0.0)
    program = PROGRAMS[name]
    staged = rt.function(program.function)
    for arguments in program.staged:
        outcome(staged, arguments)  # what is printed once, is printed while the graph is recorded
        wanted = outcome(staged, arguments)
        for settings in ({"threads": 3}, {"profile": rt.Profile()}):
            with rt.config.temporarily(**settings):
                check_same(outcome(staged, arguments), wanted, same_exactly)
