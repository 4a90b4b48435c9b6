"""Writes into dicts and objects that are elements of staged lists: whether a recording has them.

counts[v]["n"] += 1          the first recording notes that dicts are changed
                             the second one records the writes (`dict_writes.py`)
"""

from typing import Any

from runtime.tracing import trace


class Inner:
    """The kind of the dicts and objects that are inside of elements."""


class ElementWrites:
    """Whether a function changes objects, or dicts, that are elements of staged lists.

    The first recording of a function finds this out; only in another one such writes are recorded.
    """

    def __init__(self, recorded: frozenset[type] = frozenset()):
        self.recorded = recorded  # the kinds of elements into which writes are recorded
        self.wanted: set[type] = set()

    def next(self) -> "ElementWrites":
        """For another recording."""
        return ElementWrites(self.recorded | self.wanted)

    @property
    def are_missing(self) -> bool:
        """Whether another recording would have them."""
        return bool(self.wanted - self.recorded)


def records_writes(*items: Any) -> bool:
    """Whether writes into objects or dicts that are elements are recorded; if items are given,
    whether they are for one of these."""
    recorder = trace.current()
    known = frozenset() if recorder is None else recorder.state(ElementWrites).recorded
    return any(kind_of_element(item) in known for item in items) if items else bool(known)


def kind_of_element(item: Any) -> type:
    """The kind of element that an item is: a dict, or an object."""
    return dict if isinstance(item, dict) else object


def want_writes(item: Any) -> None:
    """Requests another recording in which writes into an element of this kind are recorded."""
    trace.current().state(ElementWrites).wanted.add(kind_of_element(item))


def follows_inner() -> bool:
    """Whether writes into dicts and objects inside of elements are recorded."""
    return Inner in trace.current().state(ElementWrites).recorded


def want_inner_writes() -> None:
    """Requests another recording in which writes into these are recorded."""
    trace.current().state(ElementWrites).wanted.add(Inner)
