"""`np.copyto` casts a scalar that an integer array cannot hold, where an assignment raises."""

import numpy as np
import pytest

import runtime as rt

SCALARS = [np.float64(149.0), np.float64(-1.5), np.int64(149), np.int64(-3), np.uint8(200)]


def copied(x, y):
    np.copyto(x, y, casting="unsafe")
    return x


def copied_within_a_kind(x, y):
    np.copyto(x, y)
    return x


@pytest.mark.parametrize("engine", ["numpy", "native"])
@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.float32])
@pytest.mark.parametrize("function", [copied, copied_within_a_kind])
def test_a_scalar_is_cast(function, dtype, engine):
    compiled = rt.function(function, engine=engine)
    for y in SCALARS:
        found, wanted = np.zeros(3, dtype), np.zeros(3, dtype)
        try:
            function(wanted, y)
        except TypeError as error:
            with pytest.raises(TypeError, match=str(error)[:20]):
                compiled(found, y)
            continue
        for _ in range(2):
            assert np.array_equal(compiled(found, y), wanted)
            assert found.dtype == wanted.dtype and np.array_equal(found, wanted)
