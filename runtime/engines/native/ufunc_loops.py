"""The lowering of ufuncs: machine code calls the inner loop of NumPy, for one element.

    np.tanh(x)        store x; call DOUBLE_tanh(args, count 1, strides, data); load the result

So results have the bits that NumPy computes, whatever library it uses.  Some loops choose their
instructions by the strides: functions get zeros, operators the size of the result as its stride, as
from NumPy.  A loop may clear the floating-point flags, so they are looked at before it is called.
Operators (`x ** y`) are no calls of a ufunc for scalars: they have lowerings of their own, or none.
"""

import ctypes
from collections.abc import Iterable
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from runtime.engines.native.emitter import Emitter
from runtime.engines.native.kinds import (
    TRUTH,
    NotLowered,
    element_type,
    kind_of_dtype,
    options_of,
    part_of_dtype,
)
from runtime.engines.native.lowering import lowers_complex, lowers_others, why_none
from runtime.ir.graph import Node, Operand, operand_type
from runtime.ir.op import find
from runtime.ir.types import PythonType, TensorType, Type, is_array
from runtime.ops.ufunc_calls import OPS
from runtime.ops.ufunc_calls import PREFIX as UFUNC_CALL
from runtime.ops.unions import PREFIX

# Fields of an object that is a ufunc.
COUNTS, FUNCTIONS, DATA, TYPES = 16, 32, 40, 64


@cache
def loop_of(ufunc: np.ufunc, operands: tuple[Any, ...]) -> tuple[str, int, int]:
    """The types, address and data of the inner loop for some operands: dtypes, or `int`, `float`.

    Raises `NotLowered` if there is none with one result.
    """
    if ufunc.nout != 1 or ufunc.signature is not None or not _layout_is_known(ufunc):
        raise NotLowered("the function has no inner loop with one result")
    try:
        dtypes = ufunc.resolve_dtypes((*operands, None))
    except TypeError:
        raise NotLowered("the function has no inner loop for these types") from None
    types = "".join(dtype.char for dtype in dtypes[:-1]) + "->" + dtypes[-1].char
    if types not in ufunc.types:
        raise NotLowered(f"the function has no inner loop {types}")
    place = 8 * ufunc.types.index(types)
    return types, *_loop_at(ufunc, place)


def _loop_at(ufunc: np.ufunc, place: int) -> tuple[int, int]:
    function = _pointer(_pointer(id(ufunc) + FUNCTIONS) + place)
    data = _pointer(id(ufunc) + DATA)
    return function, _pointer(data + place) if data else 0


def loop_name(ufunc: np.ufunc, types: str) -> str:
    """The name of an inner loop in a text; no other loop has it."""
    return f"{ufunc.__name__}_{types.replace('->', '_').replace('?', 'truth')}"


@cache
def loop_in_table(ufunc: np.ufunc, types: str) -> tuple[int, int]:
    """The address and data of an inner loop by its types; zeros if there is none."""
    if types not in ufunc.types or not _layout_is_known(ufunc):
        return 0, 0
    return _loop_at(ufunc, 8 * ufunc.types.index(types))


def _pointer(address: int) -> int:
    return ctypes.c_void_p.from_address(address).value or 0


def _layout_is_known(ufunc: np.ufunc) -> bool:
    counts = (ctypes.c_int * 3).from_address(id(ufunc) + COUNTS)[:]
    codes = (ctypes.c_char * ufunc.nargs).from_address(_pointer(id(ufunc) + TYPES)).raw
    first = "".join(np.dtype(char).char for char in ufunc.types[0].replace("->", ""))
    same = [ufunc.nin, ufunc.nout, ufunc.nargs] == counts
    return same and [np.dtype(char).num for char in first] == list(codes)


@lowers_others
@lowers_complex("sqrt")
def ufunc_call(emitter: Emitter, node: Node) -> None:
    op = find(node.op.name.removeprefix(PREFIX))
    ufunc = op.numpy
    is_called = isinstance(op.eval, str) and op.eval.startswith(f"xp.{op.name}(")
    if not isinstance(ufunc, np.ufunc) or not is_called or node.attributes or len(node.outputs) > 1:
        raise NotLowered(why_none(node))
    if node.op is not op:
        raise NotLowered("a run decides the types of its operands")
    types, _, _ = loop_of(ufunc, _resolved(map(operand_type, node.inputs)))
    dtypes = [np.dtype(char) for char in types.replace("->", "")]
    if not all(dtype.kind in "fc" for dtype in dtypes[:-1]):
        raise NotLowered("the inner loops for integers have no machine code: they may raise")
    result = node.output.type
    is_scalar = isinstance(result, TensorType) and not is_array(result)
    if not is_scalar or dtypes[-1] != result.dtype:
        raise NotLowered(f"the function returns {types[-1]}, not {node.output.type}")
    operands = [_operand(emitter, *pair) for pair in zip(node.inputs, dtypes, strict=False)]
    called_loop(emitter, node, ufunc, dtypes, operands)


@lowers_complex(*OPS.values())
def call_of_scalars(emitter: Emitter, node: Node) -> None:
    """`np.absolute(z)` and `np.multiply(z, w)`, which operators do not compute."""
    ufunc = getattr(np, node.op.name.removeprefix(PREFIX).removeprefix(UFUNC_CALL))
    choices = product(*(options_of(operand_type(operand)) for operand in node.inputs))
    found = {loop_of(ufunc, _resolved(choice))[0] for choice in choices}
    if len(found) > 1:
        raise NotLowered("the run decides which inner loop NumPy calls")
    (types,) = found
    dtypes = [np.dtype(char) for char in types.replace("->", "")]
    operands = [_operand(emitter, *pair) for pair in zip(node.inputs, dtypes, strict=False)]
    called_loop(emitter, node, ufunc, dtypes, operands, dtypes[-1].itemsize)


def called_loop(
    emitter: Emitter,
    node: Node,
    ufunc: np.ufunc,
    dtypes: list[np.dtype[Any]],
    operands: list[str],
    step: int = 0,
) -> None:
    """The result of a node by an inner loop, of which `dtypes` are the types, and `step` is the
    stride of the result.

    Raises `NotLowered` if there is no such loop of C.
    """
    text = emitter.text
    types = "".join(dtype.char for dtype in dtypes[:-1]) + "->" + dtypes[-1].char
    function, data = loop_in_table(ufunc, types)
    if not function:
        raise NotLowered("the function has no inner loop of C")
    text.uses_loops = True
    text.leave_if_flagged()
    arguments = text.local(f"[{len(dtypes)} x ptr]")
    places = [text.local(element_type(dtype)) for dtype in dtypes]
    for place, dtype, operand in zip(places, dtypes, operands, strict=False):
        text.line(f"store {element_type(dtype)} {operand}, ptr {place}")
    for i, place in enumerate(places):
        slot = text.register(f"getelementptr ptr, ptr {arguments}, i64 {i}")
        text.line(f"store ptr {place}, ptr {slot}")
    name = loop_name(ufunc, types)
    call = text.declare(f"loop_{name}", f"declare void @loop_{name}(ptr, ptr, ptr, ptr)", function)
    given = "null"
    if data:
        given = text.declare(f"data_{name}", f"@data_{name} = external global i8", data)
    steps = ["0"] * (len(dtypes) - 1) + [str(step)]
    count, strides = text.constant("i64", ["1"]), text.constant("i64", steps)
    text.line(f"call void {call}(ptr {arguments}, ptr {count}, ptr {strides}, ptr {given})")
    _load(emitter, node, places[-1], dtypes[-1])


def _resolved(types: Iterable[Type]) -> tuple[Any, ...]:
    """The dtypes of operands; for Python scalars, which are weak, their classes."""
    found: list[Any] = []
    for type in types:
        if isinstance(type, PythonType):
            found.append(np.dtype(bool) if type.kind is bool else type.kind)
        elif isinstance(type, TensorType):
            found.append(type.dtype)
        else:
            raise NotLowered("a run decides the types of its operands")
    if not any(isinstance(one, np.dtype) for one in found):
        found = [np.dtype(one) for one in found]
    return tuple(found)


def _operand(emitter: Emitter, operand: Operand, dtype: np.dtype[Any]) -> str:
    part = part_of_dtype(dtype)
    if part is not None:
        return emitter.pair(operand, part)
    return emitter.scalar(operand, kind_of_dtype(dtype))


def _load(emitter: Emitter, node: Node, place: str, dtype: np.dtype[Any]) -> None:
    found = emitter.text.register(f"load {element_type(dtype)}, ptr {place}")
    part = part_of_dtype(dtype)
    if part is not None:
        emitter.results(node, emitter.unpaired(found, part))
        return
    if kind_of_dtype(dtype) == TRUTH:
        found = emitter.text.register(f"icmp ne i8 {found}, 0")
    emitter.result(node, found)
