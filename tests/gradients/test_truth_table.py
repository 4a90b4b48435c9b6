"""The truth table: our derivative of each program is the true one, and the page says so."""

import numpy as np
import pytest
import truth_table
from truth.programs import PROGRAMS
from truth.values import argument, flat, is_right, ours, truth

import runtime as rt

GRADIENTS = [program for program in PROGRAMS if program.kind == "gradient"]


def named(programs):
    return pytest.mark.parametrize("program", programs, ids=lambda program: program.name)


@named(PROGRAMS)
def test_the_derivative_is_the_true_one(program):
    assert is_right(program, ours(program), truth(program))


@named(GRADIENTS)
def test_a_tape_computes_the_true_derivative(program):
    with rt.GradientTape() as tape, np.errstate(all="ignore"):
        x = tape.watch(argument(program))
        y = program.function(x)
    assert is_right(program, flat(tape.gradient(y, x)), truth(program))


@named(GRADIENTS)
def test_forward_mode_computes_the_true_derivative(program):
    x = argument(program)
    with np.errstate(all="ignore"):
        _, slope = rt.jvp(program.function, (x,), (np.ones_like(x),))
    assert flat(slope) == pytest.approx([sum(truth(program))], rel=1e-6, abs=1e-9)


@pytest.mark.thorough
@pytest.mark.parametrize("engine", ["eager", "native"])
@named(PROGRAMS)
def test_the_derivative_is_the_true_one_in_each_engine(program, engine):
    with rt.config.temporarily(engine=engine):
        assert is_right(program, ours.__wrapped__(program), truth(program))


def test_the_table_has_sixty_programs_or_more():
    assert len(PROGRAMS) >= 60
    assert {program.group for program in PROGRAMS} == set(truth_table.TITLES)


def test_the_page_is_current():
    made = truth_table.page(truth_table.stored())
    assert truth_table.PAGE.read_text() == made, "run: python tools/truth_table.py"


def test_a_wrong_value_and_a_refusal_are_shown_as_such():
    assert truth_table.cell([1.0, 2.0], [1.0, 2.0]) == "right"
    assert truth_table.cell([1.0, float("nan")], [1.0, 2.0]) == "**1, nan**"
    assert truth_table.cell([1.0], [1.0, 2.0]) == "**1**"
    assert truth_table.cell("TypeError", [1.0]) == "`TypeError`"


@pytest.mark.parametrize("found", [[0.5], [float("nan")], [1.0, 1.0], [1.0 + 1e-6]])
def test_a_value_that_is_not_the_true_one_is_not_right(found):
    program = GRADIENTS[0]
    assert is_right(program, [1.0], [1.0])
    assert not is_right(program, found, [1.0])
