"""Signatures that accept the calls of two others, or of one."""

import numpy as np
import pytest

from runtime.ir.types import COMPLEX, FLOAT, INT, tensor_type
from runtime.ir.unions import union_of
from runtime.tracing.signature import _relaxed as relaxed
from runtime.tracing.signature import accepts, key_of

F64 = tensor_type("f8")
MIXED = union_of(INT, F64)
OBJECT = key_of(object())


@pytest.mark.parametrize(
    "one, other, wanted",
    [
        (key_of(1), key_of(2), INT),
        (key_of(1), INT, INT),
        (key_of(1.0), key_of(2.0), FLOAT),
        (key_of(1j), COMPLEX, COMPLEX),
        (key_of(1), key_of(2.0), None),
        (key_of(True), key_of(False), None),
        (key_of("a"), key_of("b"), None),
        (key_of(1), F64, None),
        (key_of(1), OBJECT, None),
        (key_of(1), key_of("a"), None),
        (MIXED, key_of(1), MIXED),
        (MIXED, FLOAT, union_of(INT, FLOAT, F64)),
        (MIXED, F64, MIXED),
        (MIXED, key_of("a"), None),
        (MIXED, OBJECT, None),
        (MIXED, tensor_type("f8", (3,)), None),
        (tensor_type("f8", (3,)), tensor_type("f8", (4,)), tensor_type("f8", (None,))),
        (tensor_type("f8"), tensor_type("f4"), None),
    ],
)
def test_the_key_of_two_calls_accepts_both(one, other, wanted):
    for found in (relaxed(one, other), relaxed(other, one)):
        assert str(found) == str(wanted)
        assert found is None or accepts(found, one) and accepts(found, other)


def test_keys_that_are_not_accepted():
    for declared, given in [(INT, F64), (INT, MIXED), (INT, key_of(1.0)), (MIXED, key_of(1.0))]:
        assert not accepts(declared, given)
    assert not accepts(MIXED, key_of("a")) and not accepts(INT, OBJECT)
    assert accepts(MIXED, key_of(np.float64(1.0)))
