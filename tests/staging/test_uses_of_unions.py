"""Every use of a scalar that is of one type in some runs and of another in others has Python's
result, is refused, or is listed by `widenings`.

Each program binds such a scalar, and uses it once.
"""

import numpy as np
import pytest
from exact_outcomes import exact
from loading import load

import runtime as rt

BINDINGS = {
    "f64 or int": "x[0] if c else 7",
    "i64 or float": "np.int64(x[0]) if c else 7.5",
    "f32 or f64": "np.float32(x[0]) if c else x[1]",
    "bool or int": "bool(x[0] > 2) if c else 7",
}
SOURCE = """
import math
import statistics
import numpy as np

def f(x, c):
    v = {binding}
    return {use}
"""
USES = """
v.dtype; v.shape; v.ndim; v.size; v.T; v.itemsize; v.astype(int); v.item(); v.conjugate(); v.real
v.imag; v.bit_length(); hasattr(v, 'dtype'); getattr(v, 'dtype', 0); getattr(v, 'imag')
type(v); type(v).__name__; type(v) is int; np.dtype(type(v)); np.issubdtype(type(v), np.integer)
np.round(v, 2); np.round(v); np.clip(v, 0, 5); np.sum(v); np.max(v); np.prod(v); np.fix(v)
np.nan_to_num(v); np.real(v); np.imag(v); np.angle(v); np.dot(v, 2); np.median([v, 1])
np.array(v); np.asarray(v); np.asanyarray(v); np.ascontiguousarray(v); np.array([v, 1])
np.asarray(v).dtype; np.array2string(np.array(v)); np.full(3, v); np.result_type(v)
np.result_type(v, np.int8(1)); np.isrealobj(v); np.can_cast(np.result_type(v), np.int8)
np.broadcast_arrays(v, [1, 2]); np.broadcast_to(v, (2,)); np.atleast_1d(v); np.reshape(v, (1,))
np.where(True, v, 1); np.where(np.array([True, False]), v, 1); np.append([1, 2], v)
statistics.mean([v, 1]); statistics.median([v, 1]); math.prod([v, 2]); str(v); f'{v}'; round(v)
np.arange(3) * v; np.arange(3, dtype=np.int8) + v; np.outer([1, 2], v); np.cumsum(v); np.ptp([v, 1])
"""
USES = [use.strip() for line in USES.strip().splitlines() for use in line.split(";")]
ARRAY = np.array([2.0, 3.75])
EXACT = [
    "v.dtype", "v.item()", "v.imag", "hasattr(v, 'dtype')", "type(v).__name__", "np.round(v)",
    "np.clip(v, 0, 5)", "np.sum(v)", "np.fix(v)", "np.result_type(v)", "math.prod([v, 2])",
]  # fmt: skip


def outcome(function, c):
    """The result with its types, or the exception."""
    try:
        return exact(function(ARRAY, np.bool_(c)))
    except rt.StagingError:
        return rt.StagingError
    except Exception as error:
        return f"{type(error).__name__}: {error}"


@pytest.mark.parametrize("engine", ["numpy", "native"])
@pytest.mark.parametrize("name", BINDINGS)
def test_a_use_is_exact_or_listed(name, engine):
    uses = USES if engine == "numpy" else EXACT
    for use in uses:
        source = SOURCE.format(binding=BINDINGS[name], use=use)
        function = load(source, f"<{name} {use}>").f
        traced = rt.function(function, engine=engine)
        found = [outcome(traced, c) for c in (True, False)]
        wanted = [outcome(function, c) for c in (True, False)]
        if found == wanted or rt.StagingError in found and use not in EXACT:
            continue
        listed = traced.get_concrete_function(ARRAY, np.bool_(True)).widenings
        assert listed and use not in EXACT, (use, found, wanted)


@pytest.mark.parametrize("name", ["dtype", "shape", "ndim", "size", "T", "flat"])
@pytest.mark.parametrize("made", ["int", "float", "complex", "str", "bool"])
def test_a_scalar_of_python_has_no_attributes_of_arrays(made, name):
    source = f"def f(x):\n    v = {made}(x[0])\n    return v.{name}\n"
    function = load(source, f"<{made} {name}>").f
    told = f"'{made}' object has no attribute '{name}'"
    with pytest.raises(AttributeError, match=told):
        function(ARRAY)
    with pytest.raises((AttributeError, rt.StagingError), match=None if name == "flat" else told):
        rt.function(function)(ARRAY)


FIRST_CHOICES = """
np.sum(x if c else (1, 2.5)); np.dtype(np.float32 if c else np.int8); np.array((1, 2) if c else 5)
np.issubdtype(np.float32 if c else np.int8, np.integer); np.where(x > 2, (1, 2) if c else 5, 0)
"""


@pytest.mark.parametrize(
    "use", [u.strip() for u in FIRST_CHOICES.replace("\n", ";").split(";") if u]
)
def test_an_argument_of_numpy_may_be_the_first_choice(use):
    function = load(f"import numpy as np\ndef f(x, c):\n    return {use}\n", f"<{use}>").f
    traced = rt.function(function)
    assert [outcome(traced, c) for c in (True, False)] == [
        outcome(function, c) for c in (True, False)
    ]


DTYPES = """
np.zeros(2, np.float32 if c else np.int8); np.full(2, 3, np.float32 if c else np.int8)
x.astype(np.float32 if c else np.int8); np.array([1, 2], dtype=float if c else int)
np.cumsum(x, dtype=np.float32 if c else np.int8); np.zeros_like(x, dtype=np.dtype(float if c else int))
"""


@pytest.mark.parametrize("use", [u.strip() for u in DTYPES.replace("\n", ";").split(";") if u])
def test_arrays_of_one_of_several_dtypes_are_refused(use):
    function = load(f"import numpy as np\ndef f(x, c):\n    return {use}\n", f"<{use}>").f
    with pytest.raises(rt.StagingError, match="the dtype of an array is one of"):
        rt.function(function)(ARRAY, np.bool_(True))


FAILING = "np.round(v, 2); np.negative(v); np.sign(v); -v; np.positive(v)"


@pytest.mark.parametrize("engine", ["numpy", "native"])
@pytest.mark.parametrize("binding", ["x[0] > 2 if c else np.int8(7)", "bool(x[0] > 2) if c else 7"])
def test_a_type_that_an_operation_does_not_accept_raises_its_error(binding, engine):
    for use in FAILING.split("; "):
        function = load(SOURCE.format(binding=binding, use=use), f"<{binding} {use}>").f
        traced = rt.function(function, engine=engine)
        for c in (True, False, True):
            assert outcome(traced, c) == outcome(function, c), use
