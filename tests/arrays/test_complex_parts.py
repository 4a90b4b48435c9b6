"""`complex(real, imag)` of staged numbers has exactly these parts."""

import numpy as np
import pytest

import runtime as rt

PROGRAMS = (
    lambda a, b: complex(a, b),
    lambda a, b: complex(a, 3),
    lambda a, b: complex(0, b) * 2,
    lambda a, b: complex(imag=b),
    lambda a, b: [complex(v, b) for v in np.array([a, 2.0])],
    lambda a, b: np.array([complex(a, b), 1]),
)
PAIRS = (
    (np.float64(1.5), np.float64(-2.0)),
    (np.float64(np.inf), np.float64(-0.0)),
    (np.float64(-0.0), np.float64(np.nan)),
    (np.float32(1.1), np.int64(3)),
)


@pytest.mark.parametrize("program", PROGRAMS)
def test_parts(program):
    staged = rt.function(program)
    for pair in PAIRS:
        assert repr(staged(*pair)) == repr(program(*pair))


def test_a_complex_part_is_refused():
    with pytest.raises(rt.errors.UnsupportedError, match="of a complex number and another one"):
        rt.function(complex_of)(np.complex128(1j), np.float64(2.0))


def complex_of(a, b):
    return complex(a, b)


def conjugates(a, b):
    return complex(a, b).conjugate(), float(a).conjugate(), bool(b).conjugate()


def test_the_conjugate_of_a_python_scalar_is_one():
    for pair in PAIRS:
        assert repr(rt.function(conjugates)(*pair)) == repr(conjugates(*pair))
