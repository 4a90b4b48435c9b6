"""`hasattr` and `getattr` answer for a staged value what they answer for the value of a run."""

import numpy as np
import pytest

import runtime as rt

VALUES = {
    "array": np.ones((2, 2)),
    "number": np.float64(1.5),
    "int": np.int64(3),
    "bool": np.bool_(True),
}
KINDS = {"same": lambda x: x, "float": float, "text": lambda x: f"{x.dtype} {x.sum()}"}
NAMES = sorted(
    {*dir(np.ndarray), *dir(np.float64), *dir(float), *dir(str)}
    | {"__dict__", "__weakref__", "__slots__", "__name__", "mro", "_value", "_trace", "missing"}
)


def refused(function, *arguments):
    try:
        return function(*arguments)
    except rt.StagingError:
        return "refused"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("value", VALUES)
def test_hasattr_answers_as_in_a_run(value, kind):
    x, of_kind = VALUES[value], KINDS[kind]
    if kind == "float" and x.shape:
        return

    def existing(x):
        y = of_kind(x)
        return [hasattr(y, name) for name in NAMES]

    def with_default(x):
        y = of_kind(x)
        return [getattr(y, name, None) is None for name in NAMES if not hasattr(y, name)]

    assert rt.function(existing)(x) == existing(x)
    assert rt.function(with_default)(x) == with_default(x)


MEMORY = ["__array_interface__", "__array_struct__", "__dlpack__", "ctypes", "data", "base"]
READS = {
    "attribute": "x.{0}",
    "getattr": "getattr(x, name, None)",
    "item": "x.{0}['data']",
    "method": "x.{0}()",
}


@pytest.mark.parametrize("name", MEMORY)
@pytest.mark.parametrize("read", READS)
def test_what_only_memory_has_is_refused_by_its_name(name, read):
    from tests.support.loading import load

    text = "def f(x, name):\n    try:\n        found = EXPRESSION\n    except Exception:\n        x = x * 0\n    return x\n"
    module = load(text.replace("EXPRESSION", READS[read].format(name)), f"<{read} of {name}>")
    with pytest.raises(rt.errors.MemoryLayoutError, match=f"'{name}' of a staged array"):
        rt.function(module.f)(np.ones((2, 2)), name)


def asked_for(x):
    locals()  # so it is not converted
    return np.asarray(x)


def test_numpy_may_read_protocols():
    with pytest.raises(rt.errors.ValueNeededError):
        rt.function(lambda x: asked_for(x))(np.ones(2))
