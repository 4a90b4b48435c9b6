"""What a run of an operation raises is caught by the handlers around it, declared or not.

Each op is given hostile operands of the types of its examples; those that make it raise are given
to a function that calls the op inside of a `try`.
"""

import contextlib
import itertools
import warnings

import numpy as np
import pytest
from exact_outcomes import outcome as exact_outcome
from hostile_operands import hostile_operands
from op_samples import EVALUATED, kind_of, name, samples_of, staged
from support.every_mode import Programs, check_in_every_mode

import runtime as rt
from runtime.ir.op import METHOD
from runtime.ir.pytree import flatten

FEW = 2  # operands of each op that make it raise

pytestmark = pytest.mark.filterwarnings("ignore")


def raised_by(sample):
    """The class of the exception that the op raises for its operands; None if it raises none."""
    try:
        sample.result  # noqa: B018
    except MemoryError:
        return None
    except Exception as error:
        return type(error)
    return None


def open_signature(arrays):
    """The types of arrays without their sizes."""
    return tuple(rt.TensorSpec((None,) * np.ndim(one), one.dtype) for one in arrays)


def raising_samples(op):
    """A sample of an op with arrays, and others of the same types that raise."""
    for sample in samples_of(op):
        given = [x for x in flatten(sample.operands)[0] if isinstance(x, (np.ndarray, np.generic))]
        if not given or not flatten(sample.result)[0]:
            continue
        found = (sample.given(one) for one in hostile_operands(sample.operands))
        raising = (one for one in found if raised_by(one) is not None and same_types(one, sample))
        few = list(itertools.islice(raising, FEW))
        if few:
            return sample, few
    return None


def same_types(one, other):
    """Whether the arrays of two samples have the same dtypes and numbers of dimensions."""

    def types(sample):
        leaves, structure = flatten(sample.operands)
        return structure, [
            (x.dtype, x.ndim) if isinstance(x, (np.ndarray, np.generic)) else x for x in leaves
        ]

    try:
        return types(one) == types(other) and kind_of(one.operands) is not None
    except (TypeError, ValueError):
        return False


def in_try(function):
    """A function that returns the name of the exception that a function raises."""

    def guarded(arrays):
        try:
            function(*arrays)
        except Exception as error:
            return type(error).__name__
        return "nothing"

    return guarded


def differing(op):
    """The calls of an op in which a handler misses the exception of a run."""
    found = raising_samples(op)
    if found is None:
        return []
    sample, hostile = found
    function, arrays = staged(sample)
    guarded = rt.function(in_try(function), input_signature=(open_signature(arrays),))
    try:
        if guarded(tuple(arrays)) != "nothing":
            return []  # its type rule needs sizes
    except rt.StagingError:
        return []
    missed = []
    for one in hostile:
        given = staged_arrays(one)
        try:
            outcome = guarded(tuple(given))
        except rt.StagingError:
            continue
        except Exception as error:
            outcome = error
        if outcome != raised_by(one).__name__:
            missed.append((one, outcome, raised_by(one)))
    return missed


def staged_arrays(sample):
    return [x for x in flatten(sample.operands)[0] if isinstance(x, (np.ndarray, np.generic))]


CALLED = [op for op in EVALUATED if op.effect is None]
METHODS = [op for op in CALLED if METHOD.search(op.name)]  # of ufuncs: one rule for all


@pytest.mark.sampled(6)
@pytest.mark.parametrize("op", [op for op in CALLED if op not in METHODS] + METHODS[::16], ids=name)
def test_a_handler_catches_what_a_run_of_an_op_raises(op):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        assert not differing(op)


# -- programs --------------------------------------------------------------------------------------

PROGRAMS = Programs()
X = np.array([1.0, 2.0, 3.0])
OUTSIDE, LEAST = np.int64(9), np.int64(-7)


@PROGRAMS.program(X, OUTSIDE)
def caught_at_top_level(x, k):
    try:
        return np.partition(x, k)
    except ValueError as error:
        return str(error)


@PROGRAMS.program(X, LEAST)
def caught_in_a_branch(x, k):
    y = np.float64(2.0)
    if x[0] > 0:
        try:
            y = np.repeat(x, k).sum()
        except ValueError:
            y = np.float64(-1.0)
    return y


@PROGRAMS.program(X, LEAST)
def caught_in_a_loop(x, k):
    total = 0.0
    for i in range(12):
        try:
            total = total + np.repeat(x, k + i).sum()
        except ValueError:
            total = total - 100.0
    return total


@PROGRAMS.program(X, LEAST)
def caught_with_effects(x, k):
    print("before", k)
    try:
        y = np.repeat(x, k)
    except ValueError as error:
        print("caught", error)
        y = x
    print("after", y)
    return y


@PROGRAMS.program(X, LEAST)
def caught_where_the_result_is_not_used(x, k):
    try:
        np.repeat(x, k)
    except ValueError:
        print("caught")
    return x


@PROGRAMS.program(X, LEAST)
def suppressed(x, k):
    y = x
    with contextlib.suppress(ValueError):
        y = np.repeat(x, k)
    return y


@contextlib.contextmanager
def forgiving():
    try:
        yield
    except ValueError:
        pass


@PROGRAMS.program(X, LEAST)
def forgiven(x, k):
    y = x
    with forgiving():
        y = np.repeat(x, k)
    return y


def repeated(x, k):
    return np.repeat(x, k)


@PROGRAMS.program(X, LEAST)
def caught_by_the_caller(x, k):
    try:
        return repeated(x, k)
    except ValueError:
        return x * 0


@PROGRAMS.program(X, LEAST)
def replaced(x, k):
    try:
        return np.repeat(x, k)
    except ValueError as error:
        raise KeyError("repeats") from error


@PROGRAMS.program(X, OUTSIDE)
def another_handler(x, k):
    try:
        try:
            return np.take(x, k)
        except ValueError:
            return x
    except LookupError:
        return -x


@pytest.mark.parametrize("name", PROGRAMS)
def test_handlers_of_programs(name):
    check_in_every_mode(PROGRAMS[name])


@pytest.mark.parametrize("engine", ["numpy", "native", "eager", "auto"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_runs_after_one_that_raises_nothing(name, engine, capsys):
    program = PROGRAMS[name]
    traced = rt.function(program.function, engine=engine)
    for k in (np.int64(1), *program.arguments[1:], np.int64(2)):
        wanted, printed = exact_outcome(program.function, (X, k)), capsys.readouterr()
        assert exact_outcome(traced, (X, k)) == wanted
        assert capsys.readouterr() == printed
