"""The kinds of values of which a variable may hold several in turn.

    best = -1                     best is a number, or a tuple of two elements: a `Chosen`
    if x > 0:                     with both, and the number of the one that a run has
        best = (i, x)

Values of one kind are joined to one value: two numbers to one number, two tuples item by item.
"""

from typing import Any

from autograph.staging.abstract_values import AbstractValue
from autograph.staging.pytree import LEAF, Structure, is_dict
from runtime.ir.types import STRING, ListType, PythonType, TensorType, Type, UnionType, is_array
from runtime.staging.containers import OpenedContainer, StagedContainer, StagedView
from runtime.staging.lists.merged_list import MergedList, MergedStagedList
from runtime.staging.lists.trace_list import TraceList

MOST_KINDS = 8  # of one variable
LISTS = (TraceList, MergedList, MergedStagedList)


def kind_of_type(kind: Type | None) -> tuple | None:
    """The kind of the values of a type; None if they have none."""
    if kind == STRING:
        return ("text",)
    if isinstance(kind, ListType):
        return ("list",)
    if isinstance(kind, (PythonType, TensorType, UnionType)):
        return ("array", kind.ndim) if is_array(kind) else ("number",)  # type: ignore[union-attr]
    return None


def kind_of_abstract(value: AbstractValue) -> tuple | None:
    """The kind of a value with these properties; None if it has none."""
    if value.structure != LEAF:
        return _kind_of_structure(value.structure)
    leaf = value.leaves[0]
    if leaf.may_be_unbound or leaf.may_be_none:
        return None
    return ("list",) if type(leaf.plain) in LISTS else kind_of_type(leaf.type)


def _kind_of_structure(structure: Structure) -> tuple | None:
    kind = structure.kind
    if kind is MergedList:
        return ("list",)
    if kind is not None and is_dict(kind):
        return ("dict",)
    if kind is OpenedContainer:
        return "staged", structure.keys[0].kind
    if kind is not None and issubclass(kind, StagedView):  # a tuple of unknown length
        return "staged", kind.kind
    if kind is not None and issubclass(kind, tuple):
        return kind, len(structure.children)
    return None


def is_tuple_of_run(value: Any) -> bool:
    """Whether a value is a tuple of which only the run knows the length."""
    return isinstance(value, StagedView) and getattr(type(value), "kind", None) is tuple


def kind_of_value(value: Any, type_of: Any) -> tuple | None:
    """The kind of a value; `type_of` finds the type of a staged or plain one."""
    if value is None:
        return ("none",)
    if type(value) in LISTS:
        return ("list",)
    if is_dict(type(value)):
        return ("dict",)
    if isinstance(value, StagedContainer) or is_tuple_of_run(value):
        return "staged", type(value).kind
    if isinstance(value, tuple):
        return type(value), len(value)
    return kind_of_type(type_of(value))
