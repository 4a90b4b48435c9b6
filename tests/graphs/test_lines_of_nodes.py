"""Every node of a graph has the line of the statement that made it.

A comment on a line of the programs lists the operations that the line makes.
"""

import inspect

import numpy as np
import pytest

import runtime as rt
from runtime.ir.graph import walk


def branch(x):
    if x > 0:  # greater cond
        y = x * 2  # multiply option
    else:
        y = 0.0  # option
    return y


def returned(x):
    if x > 1:  # greater cond
        return 0.0  # option
    return x + 1  # add option


def last_of_two(x):
    if x > 1:  # greater cond
        y = 1.0
        y = 2.0  # option
    else:
        y = x  # option
    return y


def chosen_while_recording(x, is_large=True):
    if x > 1:  # greater cond
        y = 1.0
        if is_large:  # option
            y = 2.0
    else:
        y = x  # option
    return y


def chain(x):
    if x > 3:  # greater cond option
        y = x  # option
    elif x > 2:  # greater cond
        y = 2  # option
    elif (
        x > 1  # greater cond
    ):
        y = x * 2  # multiply option
    else:
        y = 0.0  # option
    return y


def nested(x):
    y = 1.0
    if x > 1:  # greater cond
        if x > 2:  # greater cond option
            y = x  # option
        else:
            y = 2  # option
    else:
        y = 3.0  # option
    return y


def counted(x):
    counter = 0  # option
    total = 0.0  # option
    while x > 1:  # greater loop
        x = x / 2  # divide
        counter = counter + x  # dynamic_add option
        total += x  # dynamic_add option
    return counter, total


def started_as_none(x):
    found = None  # zero
    while x > 0:  # greater loop
        x = x - 1  # subtract
        found = x
    return found


def conditional(x):
    return (
        x * 2  # cond multiply option
        if x > 3  # greater
        else 1.0  # option
    )


def quiet(x):
    with np.errstate(all="ignore"):  # enter_errors leave_errors
        y = x / 0  # divide
        z = np.log(y)  # log
    return z


def checked(x):
    assert x > 0, "positive"  # greater assert_
    y = np.where(  # where
        x > 1,  # greater
        x * 2,  # multiply
        x - 1,  # subtract
    )
    return y


PROGRAMS = [
    branch,
    returned,
    last_of_two,
    chosen_while_recording,
    chain,
    nested,
    counted,
    started_as_none,
    conditional,
    quiet,
    checked,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_each_operation_has_the_line_of_the_statement_that_made_it(program):
    lines, first = inspect.getsourcelines(program)
    expected = {
        first + i: set(line.partition("  # ")[2].split())
        for i, line in enumerate(lines)
        if "  # " in line
    }
    found: dict[int, set] = {}
    for node in walk(rt.function(program).get_concrete_function(np.float64(5.0)).graph):
        assert node.location.filename == program.__code__.co_filename
        found.setdefault(node.location.lineno, set()).add(node.op.name)
    assert found == expected


def settled(x):
    z = 1.0
    stored = []
    while x > 1:
        x = x / 2
        z = z * np.sin(x)
        stored.append(z)
    if z > 3:
        return 0.0
    with np.errstate(divide="ignore"):
        return np.sum(np.stack(stored)) + np.log(x) + power(x, 3)


def power(x, n):
    if n == 0:
        return 1.0
    return x * power(x, n - 1)


TRANSFORMED = {
    "grad": rt.grad(settled),
    "value_and_grad": rt.value_and_grad(settled),
    "grad of grad": rt.grad(rt.grad(settled)),
    "jvp": lambda x: rt.jvp(settled, (x,), (1.0,)),
    "checkpoint": rt.grad(rt.checkpoint(settled)),
    "vmap": lambda x: rt.vmap(settled)(np.array([x, x + 1])),
    "vmap of grad": lambda x: rt.vmap(rt.grad(settled))(np.array([x, x + 1])),
}


@pytest.mark.parametrize("name", TRANSFORMED)
def test_nodes_of_transformed_functions_have_lines_of_the_function_and_of_its_call(name):
    graph = rt.function(TRANSFORMED[name]).get_concrete_function(np.float64(5.0)).graph
    allowed = _lines(settled) | _lines(power)
    if name in ("jvp", "vmap", "vmap of grad"):
        allowed |= _lines(TRANSFORMED[name])
    for node in walk(graph):
        where = node.location
        assert where is not None and where.filename == __file__, node.op.name
        assert where.lineno in allowed, (node.op.name, where.lineno)


def _lines(function):
    lines, first = inspect.getsourcelines(function)
    return set(range(first, first + len(lines)))
