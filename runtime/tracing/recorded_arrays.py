"""Arrays that are known while the graph is recorded: constants, in the layout that they have.

    x @ y                        constant(x)
    x.T @ y                      transpose(constant(x))
    np.array(3)                  box(constant(x)): it can be written into, as a scalar cannot
    x[:, 1] @ y                  a column of a constant of two columns
    np.broadcast_to(x, s) @ y    broadcast_to(constant(x), shape=s)

The elements are copied, as the user's code may write into the array.
"""

import numpy as np

from runtime.ir.graph import Operand, Value
from runtime.ir.layout import layout_of, memory_of
from runtime.ir.op import find
from runtime.ir.slot import Slot
from runtime.tracing import trace


def recorded_array(value: np.ndarray | np.generic, recorder: trace.Trace, name: str = "") -> Value:
    """The constant of a scalar or an array, or the view of a constant that has its layout."""
    array = np.asarray(value)
    if array is value and not array.shape:
        constant = recorded_array(array[()], recorder, name)
        return recorder.record(find("box"), (constant,), {}, hints=[name])[0]
    repeated = [
        size > 1 and not step for size, step in zip(array.shape, array.strides, strict=True)
    ]
    if any(repeated) and array.size:
        once = array[tuple(slice(1) if one else slice(None) for one in repeated)]
        base = recorded_array(once, recorder, name)
        shape = {"shape": array.shape}
        return recorder.record(find("broadcast_to"), (base,), shape, hints=[name])[0]
    layout = layout_of(array)
    memory = array.copy("K") if layout is None else memory_of(array, layout)
    (value,) = recorder.record(find("constant"), (), {"value": memory}, hints=[name])
    if layout is None:
        return value
    if not layout.is_whole:
        indices = [one for one in layout.part if isinstance(one, int)]
        slots = iter(map(Slot, range(len(indices))))
        at = tuple(next(slots) if isinstance(one, int) else one for one in layout.part)
        inputs: tuple[Operand, ...] = (value, *indices)
        (value,) = recorder.record(find("getitem"), inputs, {"at": at}, hints=[name])
    if not layout.is_ordered:
        is_reversal = layout.axes == tuple(range(array.ndim))[::-1]
        attributes = {} if is_reversal else {"axes": layout.axes}
        (value,) = recorder.record(find("transpose"), (value,), attributes, hints=[name])
    return value
