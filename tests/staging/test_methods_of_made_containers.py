"""The containers that stand for those of a function have each method that Python's have."""

import pytest

import runtime as rt
from runtime.staging.dicts.trace_counter import TraceCounter
from runtime.staging.dicts.trace_dict import TraceDefaultDict, TraceDict, TraceOrderedDict
from runtime.staging.dicts.trace_set import TraceSet
from runtime.staging.lists.trace_deque import TraceDeque
from runtime.staging.lists.trace_list import TraceList

CLASSES = [
    TraceCounter, TraceDefaultDict, TraceDeque, TraceDict, TraceList, TraceOrderedDict, TraceSet,
]  # fmt: skip
OF_CLASSES = ["default_factory", "fromkeys"]  # an attribute of objects, and another constructor
IN_PLACE = ["__iadd__", "__iand__", "__ior__", "__isub__", "__ixor__", "__imul__"]


def pythons(staged):
    """The class of Python that a class stands for."""
    return getattr(staged, "kind", None) or next(
        one for one in staged.__mro__ if one.__module__ in ("builtins", "collections")
    )


@pytest.mark.parametrize("staged", CLASSES)
def test_a_class_has_the_methods_of_pythons_and_its_operators_in_place(staged):
    assert rt.function
    kind = pythons(staged)
    names = [name for name in dir(kind) if not name.startswith("_") and name not in OF_CLASSES]
    names += [name for name in IN_PLACE if hasattr(kind, name)]
    missing = [name for name in names if not hasattr(staged, name)]
    assert missing == [], kind
