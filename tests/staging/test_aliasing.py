"""The lattice of `docs/aliasing.md`: the join of every pair of kinds, reads and writes of each."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

import runtime as rt
from autograph.backend import staging
from autograph.staging.mutations import MutableLocation
from runtime.ir.types import TensorType
from runtime.staging.backend import BACKEND
from runtime.staging.control_flow.aliasing import JOIN, Reach, join_aliases, reach_of
from runtime.tracing import aliases, trace
from runtime.tracing.aliases import (
    Kind,
    kind_of,
    loop_entry_alias,
    select_alias,
    snapshot_of,
    unknown_alias,
)
from runtime.tracing.tensor import Tensor

ARRAY, BOOL = TensorType(np.dtype(float), (3,)), TensorType(np.dtype(bool), ())

# -- the join --------------------------------------------------------------------------------------

OWN, OLDER, LOST = Reach.OWN, Reach.OLDER, Reach.LOST
EXPECTED = {
    (OWN, OWN): Kind.FRESH,
    (OWN, OLDER): Kind.SELECT,
    (OWN, LOST): Kind.UNKNOWN,
    (OLDER, OWN): Kind.SELECT,
    (OLDER, OLDER): Kind.SELECT,
    (OLDER, LOST): Kind.UNKNOWN,
    (LOST, OWN): Kind.UNKNOWN,
    (LOST, OLDER): Kind.UNKNOWN,
    (LOST, LOST): Kind.UNKNOWN,
}
REACHES = {
    "nothing": OWN,
    **{f"older {kind.name}": OLDER for kind in Kind if kind is not Kind.SNAPSHOT},
    "own FRESH": OWN,
    "own VIEW": OWN,
    "own SELECT": LOST,
    "own LOOP_ENTRY": LOST,
    "own UNKNOWN": LOST,
}


class Sides:
    """Arrays of every kind: created before a block, and inside of it."""

    def __init__(self, recorder):
        self.recorder = recorder
        self.predicate = self._input(BOOL)
        older = self._kinds("older")
        with recorder.open_region("block"):
            self.handles = older | self._kinds("own")
            left = {n: snapshot_of(handle._at, handle) for n, handle in self.handles.items()}
        self.left = left | {"nothing": None}  # as a block leaves them in a location

    def _input(self, kind):
        return Tensor(self.recorder.input(kind, "x"), self.recorder.graph)

    def _kinds(self, age):
        one, other = self._input(ARRAY) * 1, self._input(ARRAY) * 1
        return {
            f"{age} FRESH": one + other,
            f"{age} VIEW": one[:],
            f"{age} SELECT": select_alias((one + 1)._at, self.predicate, one, other),
            f"{age} LOOP_ENTRY": loop_entry_alias((one + 1)._at, one, "y"),
            f"{age} UNKNOWN": unknown_alias((one + 1)._at, [one], "y"),
        }


@pytest.fixture
def sides():
    recorder = trace.Trace()
    with trace.recording(recorder), staging(BACKEND):
        yield Sides(recorder)


def joined(sides, *pairs):
    """The joins of pairs of sides, as locations hold them."""
    values, rows = {}, {}
    for i, pair in enumerate(pairs):
        place = MutableLocation(("variable", i), f"y{i}", None)
        values[place] = sides._input(ARRAY) * 1
        rows[place] = tuple(sides.left[side] for side in pair)
    return list(join_aliases(values, rows, sides.predicate).values())


def test_the_table_of_joins_is_the_one_of_the_document():
    assert JOIN == EXPECTED


@pytest.mark.parametrize("side", REACHES)
def test_the_reach_of_a_side(sides, side):
    assert reach_of(sides.handles.get(side)) is REACHES[side]


@pytest.mark.parametrize("one, other", list(itertools.product(REACHES, REACHES)))
def test_the_join_of_two_kinds(sides, one, other):
    (found,) = joined(sides, (one, other))
    assert kind_of(found) is EXPECTED[REACHES[one], REACHES[other]]


def test_an_array_in_different_pairs_at_two_locations_is_lost(sides):
    pairs = ("own FRESH", "older FRESH"), ("own FRESH", "older VIEW")
    assert [kind_of(one) for one in joined(sides, *pairs)] == [Kind.UNKNOWN] * 2


def test_two_locations_with_the_same_pair_share_one_handle(sides):
    one, other = joined(sides, *[("older FRESH", "older VIEW")] * 2)
    assert one is other


def test_arrays_of_different_dtypes_cannot_be_selected(sides):
    sides.left["int"] = sides._input(TensorType(np.dtype(int), (3,)))
    (found,) = joined(sides, ("older FRESH", "int"))
    assert kind_of(found) is Kind.UNKNOWN


# -- programs --------------------------------------------------------------------------------------

POSITIVE, NEGATIVE, TWO, NONE = np.float64(1), np.float64(-1), np.int64(2), np.int64(0)
PROGRAMS = []


def program(*calls):
    def register(fn):
        PROGRAMS.extend(pytest.param(fn, call, id=f"{fn.__name__}-{call}") for call in calls)
        return fn

    return register


@program(())
def fresh():
    x = np.arange(3.0)
    y = x + 1
    y[0] = 9
    return x, y


@program((POSITIVE,))
def view(factor):
    x = np.arange(3.0) * factor
    v = x[1:]
    v[0] = 9
    x[2] = 7
    return x, v


@program((POSITIVE,), (NEGATIVE,))
def select(p):
    x, z = np.zeros(3), np.ones(3)
    y = x if p > 0 else z
    y[0] = 9
    x[1] = 8
    return x, z, y


@program((NONE,), (TWO,))
def loop_entry(n):
    y = np.zeros(2)
    for i in range(n):
        y[:] = i
        y = y + 1
    return y


@program((NONE,), (TWO,))
def unknown(n):
    x = np.arange(6.0).reshape(3, 2)
    y = x[0]
    for i in range(n):
        y = x[i + 1]
    return y + 1


@pytest.mark.parametrize("fn, args", PROGRAMS)
def test_an_array_of_each_kind_is_read_and_written_as_in_python(fn, args):
    found, expected = rt.function(fn)(*args), fn(*args)
    pairs = zip(found, expected, strict=True) if type(expected) is tuple else [(found, expected)]
    for one, other in pairs:
        np.testing.assert_array_equal(one, other)


def written_unknown(n):
    x = np.arange(6.0).reshape(3, 2)
    y = x[0]
    for i in range(n):
        y = x[i + 1]
    y[0] = 9
    return x


def unknown_whose_source_is_written(n):
    x = np.arange(6.0).reshape(3, 2)
    y = x[0]
    for i in range(n):
        y = x[i + 1]
    x[0] = 9
    return y


def entry_that_another_name_holds(n):
    y = first = np.zeros(2)
    for i in range(n):
        y[:] = i
        y = y + 1
    return y, first


@pytest.mark.parametrize(
    "fn, action",
    [
        (written_unknown, "y is written into"),
        (unknown_whose_source_is_written, "y is read after another was written into"),
        (entry_that_another_name_holds, "y is written into at the start of an iteration"),
    ],
)
def test_accesses_that_depend_on_the_run_are_refused(fn, action):
    with pytest.raises(rt.StagingError, match=f"{action}, and may share its memory"):
        rt.function(fn)(TWO)


# -- the work of a read ----------------------------------------------------------------------------


def halved(x):
    return x / 2


def still_after(x, steps):
    for step in steps:
        y = np.zeros_like(x)
        y[0] = step(x[0])
        if np.abs(x - y).max() < 1e-3:
            break
        x = y
    return x


def reads_of(iterations, monkeypatch):
    """How many aliases are read while a loop over functions is unrolled; its `break` is staged."""
    reads = []
    for kind, rule in aliases.RULES.items():

        def counted(alias, *rest, read=rule.read):
            reads.append(alias)
            return read(alias, *rest)

        monkeypatch.setitem(aliases.RULES, kind, replace(rule, read=counted))
    found = rt.function(lambda x: still_after(x, [halved] * iterations))(np.ones(2))
    monkeypatch.undo()
    assert found.tolist() == still_after(np.ones(2), [halved] * iterations).tolist()
    return len(reads)


def test_aliases_of_aliases_are_not_read_along_every_path(monkeypatch):
    """Twice as many iterations read four times as many aliases; along every path, thousands."""
    assert reads_of(16, monkeypatch) <= 6 * reads_of(8, monkeypatch)
