"""A `Counter` that the user's code creates and whose elements are staged.

a + b, a - b, a | b, a & b      counters of the elements whose counts are positive
a += b, a -= b                  the same counter, without elements whose counts are not positive
a == b                          whether all counts are equal; those of missing elements are 0
"""

import operator
from collections import Counter
from typing import Any

from autograph.constructs.ternary import if_expr
from autograph.functions.calls import converted_call
from runtime.staging.dicts import counters, operations
from runtime.staging.dicts.trace_dict import TraceDict, is_dict, pairs_in
from runtime.staging.generators import in_python
from runtime.staging.lists.python_classes import named_as


@named_as(Counter)
class TraceCounter(TraceDict):
    """A `Counter` that is created while tracing."""

    kind = Counter

    def staged_text(self) -> Any:
        return in_python(operations.text_of_counts)(self.most_common())

    def __getitem__(self, key: Any) -> Any:
        return self.get(key, 0)

    def __delitem__(self, key: Any) -> None:
        self.pop(key, None)

    def _update_with(self, pairs):
        in_python(operations.counts_added)(self, pairs)

    def update(self, other: Any = (), /, **others: Any) -> None:
        """Adds counts, or counts elements."""
        if is_dict(other):
            self._update_with(pairs_in(other))
        else:
            in_python(operations.counted)(self, other)
        if others:
            self._update_with(others.items())

    def subtract(self, other: Any = (), /) -> None:
        """Subtracts counts."""
        if not is_dict(other):
            other = TraceCounter.of(other)
        in_python(operations.counts_subtracted)(self, pairs_in(other))

    @classmethod
    def of(cls, elements: Any) -> "TraceCounter":
        """The counts of elements."""
        made = cls()
        made.update(elements)
        return made

    def total(self) -> Any:
        """The sum of the counts."""
        return converted_call(sum)(self.values_held)

    def elements(self) -> Any:
        """Each element as often as it was counted."""
        return in_python(operations.repeated)(self.keys_held, self.values_held)

    def most_common(self, n: Any = None) -> Any:
        """The elements with the greatest counts, and these counts."""
        pairs = in_python(operations.pairs_of)(self.keys_held, self.values_held)
        found = converted_call(sorted)(pairs, key=operator.itemgetter(1), reverse=True)
        if n is None:
            return found
        return found[: if_expr(n > 0, lambda: n, lambda: 0)]

    def _refused_operator(self, other):
        raise self.refused("an operator")

    def _keep_positive(self):
        self.note_removal()
        in_python(counters.kept_positive)(self, self.items().as_list())
        return self

    def __iadd__(self, other: Any) -> "TraceCounter":
        if not is_dict(other):
            self._refused_operator(other)
        in_python(counters.added)(self, pairs_in(other))
        return self._keep_positive()

    def __isub__(self, other: Any) -> "TraceCounter":
        if not is_dict(other):
            self._refused_operator(other)
        in_python(operations.counts_subtracted)(self, pairs_in(other))
        return self._keep_positive()

    def __eq__(self, other: Any) -> Any:
        return in_python(counters.same)(self, other) if _is_counter(other) else NotImplemented

    __iand__ = __ior__ = _refused_operator  # type: ignore[assignment]
    __lt__ = __le__ = __gt__ = __ge__ = _refused_operator
    __pos__ = __neg__ = lambda self: self._refused_operator(None)
    __hash__ = None  # type: ignore[assignment]


def _is_counter(value):
    return isinstance(value, (Counter, TraceCounter))


def _operators(combine):
    """An operator that makes a counter of two, and its reflected form."""

    def operate(self, other):
        if not _is_counter(other):
            return NotImplemented
        made = TraceCounter()
        in_python(combine)(self, other, made)
        return made

    def reflected(self, other):
        if not _is_counter(other):
            return NotImplemented
        made = TraceCounter()
        in_python(combine)(other, self, made)
        return made

    return operate, reflected


for _name, _combine in {
    "add": counters.sums,
    "sub": counters.differences,
    "or": counters.greater,
    "and": counters.lesser,
}.items():
    _operator, _reflected = _operators(_combine)
    setattr(TraceCounter, f"__{_name}__", _operator)
    setattr(TraceCounter, f"__r{_name}__", _reflected)
