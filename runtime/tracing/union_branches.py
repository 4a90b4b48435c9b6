"""Operations on scalars of which only the run knows the type, as a branch for each type.

    np.round(x, 2)          an i64 if x is an int, and an f64 if x is one:
                            cond(has_type(x, int), then: round(number(x)), orelse: round(cast(x)))

Operators have a form without branches, and arrays one type for all runs: see `unions.py`.
"""

from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from runtime.ir.graph import Graph, Operand, Value, operand_type
from runtime.ir.op import Op, find
from runtime.ir.types import PythonType, Type, UnionType, type_of
from runtime.ir.unions import is_scalar, options_of, union_of
from runtime.ops.unions import choices, results_of
from runtime.tracing.unions import Unions, dynamic_form, has_one_type

MOST_BRANCHES = 8


def by_each_type(
    recorder: Any, op: Op, inputs: tuple[Operand, ...], attributes: dict[str, Any]
) -> tuple[Value, ...] | None:
    """The results of an op that are scalars whose types depend on the types of its operands; None
    for other ops."""
    if op.traits.takes_unions or op.control_flow is not None or not recorder.state(Unions).are_kept:
        return None
    kinds = tuple(map(operand_type, inputs))
    if dynamic_form(recorder, op, kinds, attributes) is not None:
        return None
    results = _results(op, kinds, attributes)
    return None if results is None else Branches(recorder, op, attributes, results).recorded(inputs)


def first_of_branches(recorder: Any, op: Op, operands: list, attributes: dict) -> int | None:
    """The place of the first operand that has several types, if the results of an op are scalars
    whose types depend on it; None for others."""
    kinds = [one.type if hasattr(one, "each_type") else None for one in operands]
    places = [i for i, kind in enumerate(kinds) if isinstance(kind, UnionType)]
    if not places or not recorder.state(Unions).are_kept:
        return None
    pairs = zip(operands, kinds, strict=True)
    known = tuple(kind or type_of(np.asarray(one)[()]) for one, kind in pairs)
    is_each = _results(op, known, attributes) is not None or _fails_for_some(op, known, attributes)
    return places[0] if is_each else None


def _fails_for_some(op: Op, kinds: tuple[Type, ...], attributes: dict[str, Any]) -> bool:
    """Whether an op that gives scalars fails for some of the types that its operands may have."""
    failed = []
    for chosen in choices(kinds):
        try:
            found = op.infer(*chosen, **attributes)
        except (TypeError, ValueError, IndexError):
            failed.append(True)
        else:
            failed.append(False)
            if not all(map(is_scalar, found if isinstance(found, tuple) else (found,))):
                return False
    return any(failed) and not all(failed)


def _results(op: Op, kinds: tuple[Type, ...], attributes: dict[str, Any]) -> tuple | None:
    """The types of the results in any run, if they are scalars that have several types."""
    if (
        has_one_type(op, kinds, attributes)
        or prod(len(options_of(kind)) for kind in kinds) > MOST_BRANCHES
    ):
        return None
    try:
        found = results_of(op, kinds, attributes)
    except (TypeError, ValueError, IndexError):
        return None
    rows = [one if isinstance(one, tuple) else (one,) for one in found]
    if not all(is_scalar(kind) for row in rows for kind in row):
        return None
    return tuple(union_of(*column) for column in zip(*rows, strict=True))


@dataclass
class Branches:
    """The branches of one operation."""

    recorder: Any
    op: Op
    attributes: dict[str, Any]
    results: tuple[Type, ...]

    def recorded(self, inputs: tuple[Operand, ...]) -> tuple[Value, ...]:
        """The results for some operands, as values of the types of any run."""
        for place, value in enumerate(inputs):
            if isinstance(value, Value) and isinstance(value.type, UnionType):
                return self._of_types(inputs, place, value.type.options)
        found = self.recorder.record(self.op, inputs, self.attributes)
        return tuple(map(self._option, found, self.results))

    def _of_types(
        self, inputs: tuple[Operand, ...], place: int, options: tuple[Type, ...]
    ) -> tuple[Value, ...]:
        """The results for an operand that has one of some types."""
        first, rest = options[0], options[1:]
        if not rest:
            return self.recorded(self._narrowed(inputs, place, first))
        (is_it,) = self.recorder.record(find("has_type"), (inputs[place],), {"types": (first,)})
        regions: dict[str, Graph] = {}
        for name, kinds in (("then", (first,)), ("orelse", rest)):
            with self.recorder.open_region(name) as region:
                region.outputs += self._of_types(inputs, place, kinds)
            regions[name] = region
        return self.recorder.record(find("cond"), (is_it,), {}, regions)

    def _narrowed(self, inputs: tuple[Operand, ...], place: int, kind: Type) -> tuple:
        name, attributes = "number", {"type": kind}
        if not isinstance(kind, PythonType):
            name, attributes = "cast", {"dtype": kind.dtype}  # type: ignore[attr-defined]
        (found,) = self.recorder.record(find(name), (inputs[place],), attributes)
        return (*inputs[:place], found, *inputs[place + 1 :])

    def _option(self, value: Value, kind: Type) -> Value:
        if value.type == kind:
            return value
        return self.recorder.record(find("option"), (value,), {"type": kind})[0]
