"""Exceptions that an operation may raise in a run, although its record declares none.

    try:
        y = np.partition(x, k)        the record does not say that k may be out of bounds;
    except ValueError:                the run that raises ValueError is left to Python all the same
        y = np.zeros(3)

A record declares the exceptions that are worth a refusal (`Traits.raises`).  Whether the rest of an
operation may raise is known (`analyses/exceptions.may_fail`), not which classes: library functions
take arguments of any kind.  So each class that a handler around the operation would catch is noted,
and the run is left to Python as those that raise declared ones are.  A program whose effects do
not let it be run before without them (`function/rehearsal.py`) is not refused for these classes.
"""

import numpy as np

from autograph.staging.try_blocks import handled_among
from runtime.analyses.exceptions import may_fail, may_raise
from runtime.ir.graph import Node, operand_type
from runtime.staging.calls.contexts import OpenContexts
from runtime.staging.calls.suppressing import OpenSuppress
from runtime.staging.control_flow.try_blocks import HandledErrors, keep_operations
from runtime.tracing import trace

POSSIBLE = (
    *(IndexError, KeyError, OverflowError, ZeroDivisionError),
    *(TypeError, ValueError, np.linalg.LinAlgError),
)


class UndeclaredErrors:
    """The exceptions that handlers would catch, and the operations inside."""

    def __init__(self) -> None:
        self._classes: dict[type[Exception], None] = {}
        self._nodes: set[Node] = set()

    def note(self, node: Node, errors: list[type[Exception]]) -> None:
        """Notes an operation, and the classes of its exceptions that handlers would catch."""
        self._classes.update(dict.fromkeys(errors))
        self._nodes.add(node)

    def keep(self, recorder: trace.Trace) -> tuple[type[Exception], ...]:
        """The exceptions for which a run is left to Python; keeps the operations."""
        if self._nodes:
            keep_operations(recorder.graph, lambda node: node in self._nodes)
        return tuple(self._classes)


def _note(recorder: trace.Trace, node: Node) -> None:
    """Notes the classes of exceptions that handlers around an operation would catch."""
    is_left = recorder.state(HandledErrors).are_allowed and not recorder.is_mapped
    if not is_left or node.op.effect is not None or node.regions or not may_fail(node):
        return
    suppressing, contexts = recorder.state(OpenSuppress), recorder.state(OpenContexts)
    handled = handled_among(POSSIBLE)
    if not (suppressing or contexts or handled):
        return
    declared = tuple(may_raise(node.op, tuple(map(operand_type, node.inputs)), node.attributes))
    caught = [
        error
        for error in POSSIBLE
        if error in handled
        or any(issubclass(error, kinds) for kinds in suppressing)
        or any(context.catches(error) for context in contexts)
    ]
    if not all(issubclass(error, declared) for error in caught):
        recorder.state(UndeclaredErrors).note(node, caught)


trace.RECORDED.append(_note)
