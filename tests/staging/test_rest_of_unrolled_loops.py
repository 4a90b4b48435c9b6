"""A loop whose first iteration is unrolled, and which may end there by `break`: what the iterations
that are left change, they change only if the loop goes on."""

from types import SimpleNamespace

import numpy as np
import pytest

import runtime as rt


def attributes(x, bounds, record):
    for k in range(5):
        if np.sum(x) < -1:
            continue
        new = x + k
        if any(np.sum(new) < bound for bound in bounds):
            continue
        record.count += 1
        if np.sum(new) > 5:
            break
    return record.count


def items(x, bounds, record):
    seen = {}
    for k in range(5):
        if np.sum(x) < -1:
            continue
        new = x + k
        if any(np.sum(new) < bound for bound in bounds):
            continue
        seen[k] = "seen"
        if np.sum(new) > 5:
            break
    return seen


def lists(x, bounds, record):
    numbers, arrays = [], [x]
    for k in range(5):
        if np.sum(x) < -1:
            continue
        new = arrays[-1] + 1
        if any(np.sum(new) < bound for bound in bounds):
            continue
        numbers.append(k)
        arrays.append(new)
        if np.sum(new) > 5:
            break
    return numbers, len(arrays), arrays[-1]


def written_arrays(x, bounds, record):
    found = np.zeros(5)
    for k in range(5):
        if np.sum(x) < -1:
            continue
        new = x + k
        if any(np.sum(new) < bound for bound in bounds):
            continue
        found[k] = len(record.names[k])
        if np.sum(new) > 5:
            break
    return found


def made(program):
    def call(x, bounds):
        record = SimpleNamespace(count=0, names=["a", "bb", "ccc", "dd", "e"])
        return program(x, bounds, record)

    return call


@pytest.mark.parametrize("program", [attributes, items, lists, written_arrays])
def test_changes_are_those_of_the_iterations_that_happen(program):
    compiled, plain = rt.function(made(program)), made(program)
    for start in (4.0, 0.0, 1.0, 4.0, -3.0):
        x = np.full(2, start)
        assert repr(compiled(x, np.zeros(2))) == repr(plain(x, np.zeros(2)))
    assert len(compiled.graphs) == 1
