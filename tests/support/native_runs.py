"""Runs of one program by two engines, compared bit by bit, with their warnings."""

import numpy as np
from outcomes import outcome
from warning_records import recorded_warnings


def same_bits(found, expected):
    """Asserts that two results have the same types, shapes, layouts and bits; one nan is as good
    as another."""
    assert type(found) is type(expected)
    if isinstance(found, tuple):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            same_bits(one, other)
        return
    if not isinstance(found, np.ndarray | np.generic):
        assert found == expected or found != found and expected != expected
        return
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    assert getattr(found, "strides", ()) == getattr(expected, "strides", ())
    if found.dtype.kind == "f":
        assert np.array_equal(np.isnan(found), np.isnan(expected))
        found, expected = (np.where(np.isnan(one), 0, one) for one in (found, expected))
    assert found.tobytes() == expected.tobytes()


def run(function, given):
    """What a call returns or raises, and its warnings."""
    with recorded_warnings() as found:
        result = outcome(function, given)
    return result, sorted((one.category.__name__, str(one.message), one.lineno) for one in found)


def compared(native_function, expected_function, given):
    found, expected = run(native_function, given), run(expected_function, given)
    assert repr(found[0].error) == repr(expected[0].error)
    same_bits(found[0].result, expected[0].result)
    assert found[1] == expected[1], f"native: {found[1]}; NumPy: {expected[1]}"
