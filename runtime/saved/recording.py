"""A loaded graph in a function that is being traced: each operation is recorded again.

rt.grad(f)(x)        the operations of f, and from them those of the gradient
"""

from typing import Any

from runtime.errors import unsupported
from runtime.ir.graph import Operand, Value, operand_type
from runtime.ir.types import ListType
from runtime.staging.lists.trace_list import TraceList
from runtime.staging.templates import (
    ArgumentRef,
    Const,
    ContainerTemplate,
    Output,
    Ref,
    RunValues,
    Updated,
    rebuilt,
)
from runtime.tracing import trace
from runtime.tracing.aliases import root_of
from runtime.tracing.tensor import Tensor, handle, operand
from runtime.transforms.replay import Replay


def recorded_again(name: str, loaded: Any, bound: tuple, leaves: list) -> Any:
    """The result of a loaded graph for staged arguments; its operations are recorded.

    Raises `StagingError` for results whose structure only a run decides.
    """
    recorder = trace.current()
    _check(name, loaded, leaves)
    given = [leaves[one] if type(one) is int else one.variable for one in loaded.inputs]
    known: dict[Value, Operand] = {
        value: _operand(one, value, recorder)
        for value, one in zip(loaded.graph.inputs, given, strict=True)
    }
    outputs = Replay(known).run(loaded.graph)
    last = len(outputs) - len(loaded.assigned)
    finals = outputs[last - len(loaded.written) : last]
    for i, new in zip(loaded.written, finals, strict=True):
        given[i][...] = handle(new, recorder.region)
    for state, new in zip(loaded.assigned, outputs[last:], strict=True):
        state.variable.assign(handle(new, recorder.region))
    parts = [_value(one, recorder) for one in outputs[: last - len(loaded.written)]]
    return rebuilt(_for_staged(loaded.result), RunValues(iter(parts), bound, tuple(given), {}))


def _operand(value, wanted, recorder):
    """The operand for an input of the graph, of exactly its kind."""
    found = operand(value, recorder)
    kind = operand_type(found)
    if getattr(kind, "ndim", 0) == 0 and type(kind) is not type(wanted.type):
        return operand(handle(found, recorder.region)[()], recorder)
    return found


def _check(name, loaded, leaves):
    roots = [id(root_of(leaf)) for leaf in leaves if isinstance(leaf, Tensor)]
    if loaded.written and len(set(roots)) < len(roots):
        raise unsupported(f"the loaded function {name}, with arguments that share memory,")


def _value(output, recorder):
    """An output as a value that code can use."""
    if not isinstance(output, Value):
        return output
    value = handle(output, recorder.region)
    return TraceList.of(value) if isinstance(operand_type(output), ListType) else value


def _for_staged(template):
    """The template, if it holds for staged values as well."""
    match template:
        case Output(optional=False) | ArgumentRef() | Const() | Ref() | Updated(is_view=False):
            return template
        case ContainerTemplate():
            for part in template.parts:
                _for_staged(part)
            return template
    raise unsupported(
        "a loaded function whose result may be None, or one of several objects,",
        "Call it outside of the function.",
        "Only a run knows which it is.",
    )
