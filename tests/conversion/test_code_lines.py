"""The map from generated code to the user's lines."""

import pytest
from programs import PROGRAMS

import autograph
from autograph import code_lines


def settled(x, limit):
    rounds = 0
    while abs(x) > limit:
        if x > 0:
            x = x / 2
        else:
            x = -x
        rounds += 1
    return x, rounds


FIRST = settled.__code__.co_firstlineno


def test_each_generated_line_has_the_line_of_its_statement():
    found = {}
    for line in code_lines(settled):
        if not line.is_state:
            found.setdefault(line.text.strip(), line.lineno and line.lineno - FIRST)
    assert found["def settled(x, limit):"] == 0
    assert found["rounds = 0"] == 1
    assert found["x = x / 2"] == 4
    assert found["x = -x"] == 6
    assert found["rounds += 1"] == 7
    assert found["return (x, rounds)"] == 8
    assert found["def loop_body():"] == 2 and found["def if_body():"] == 3
    assert found["nonlocal x"] in (2, 3)
    loop = next(number for text, number in found.items() if text.startswith("ag__.while_stmt"))
    assert loop == 2


def test_lines_that_hold_state_are_marked():
    state = [line.text.strip() for line in code_lines(settled) if line.is_state]
    assert "return (x,)" in state and "x = x / 2" not in state


@pytest.mark.parametrize("program", list(PROGRAMS)[::12])
def test_the_lines_are_those_of_the_generated_code(program):
    function = PROGRAMS[program].function
    lines = code_lines(function)
    assert "\n".join(line.text for line in lines) == autograph.to_code(function)
    first = function.__code__.co_firstlineno
    known = [line.lineno for line in lines if line.lineno is not None]
    assert known and min(known) >= first
    texts = {line.text.strip() for line in lines if line.lineno is None}
    assert texts <= {"", "else:", "try:", "finally:"}


def test_a_lambda_and_a_function_that_is_not_converted_have_lines():
    half = lambda x: x / 2 if x > 0 else x

    @autograph.do_not_convert
    def kept(x):
        return x

    assert {line.lineno for line in code_lines(half)} == {half.__code__.co_firstlineno}
    assert [line.text.strip() for line in code_lines(kept)][-1] == "return x"


def test_a_class_has_no_lines_of_its_own():
    with pytest.raises(autograph.ConversionError):
        code_lines(int)
