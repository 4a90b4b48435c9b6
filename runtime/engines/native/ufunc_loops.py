"""The lowering of ufuncs: machine code calls the inner loop of NumPy, for one element.

    np.tanh(x)        store x; call DOUBLE_tanh(args, count 1, strides 0, data); load the result

So results have the bits that NumPy computes, whatever library it uses.  A loop may clear the
floating-point flags, so they are looked at before it is called.  Operators (`x ** y`) are no calls
of a ufunc for scalars: they have lowerings of their own, or none.
"""

import ctypes
from functools import cache
from typing import Any

import numpy as np

from runtime.engines.native.emitter import Emitter
from runtime.engines.native.kinds import TRUTH, Kind, NotLowered, kind_of, kind_of_dtype
from runtime.engines.native.lowering import lowers_others, why_none
from runtime.ir.graph import Node, operand_type
from runtime.ir.op import find
from runtime.ir.types import PythonType, TensorType
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
def ufunc_call(emitter: Emitter, node: Node) -> None:
    op, text = find(node.op.name.removeprefix(PREFIX)), emitter.text
    ufunc = op.numpy
    is_called = isinstance(op.eval, str) and op.eval.startswith(f"xp.{op.name}(")
    if not isinstance(ufunc, np.ufunc) or not is_called or node.attributes or len(node.outputs) > 1:
        raise NotLowered(why_none(node))
    if node.op is not op:
        raise NotLowered("a run decides the types of its operands")
    result = kind_of(node.output.type)
    types, function, data = loop_of(ufunc, tuple(_resolved(node)))
    if not function:
        raise NotLowered("the function has no inner loop of C")
    kinds = [kind_of_dtype(np.dtype(char)) for char in types.replace("->", "")]
    if not all(kind.is_float for kind in kinds[:-1]):
        raise NotLowered("the inner loops for integers have no machine code: they may raise")
    if kinds[-1] != result:
        raise NotLowered(f"the function returns {types[-1]}, not {node.output.type}")
    operands = [emitter.scalar(o, kind) for o, kind in zip(node.inputs, kinds, strict=False)]
    text.uses_loops = True
    text.leave_if_flagged()
    arguments = text.local(f"[{len(kinds)} x ptr]")
    places = [text.local(kind.memory) for kind in kinds]
    for place, kind, operand in zip(places, kinds, operands, strict=False):
        stored = text.register(f"zext i1 {operand} to i8") if kind == TRUTH else operand
        text.line(f"store {kind.memory} {stored}, ptr {place}")
    for i, place in enumerate(places):
        slot = text.register(f"getelementptr ptr, ptr {arguments}, i64 {i}")
        text.line(f"store ptr {place}, ptr {slot}")
    name = loop_name(ufunc, types)
    call = text.declare(f"loop_{name}", f"declare void @loop_{name}(ptr, ptr, ptr, ptr)", function)
    given = "null"
    if data:
        given = text.declare(f"data_{name}", f"@data_{name} = external global i8", data)
    count, strides = text.constant("i64", ["1"]), text.constant("i64", ["0"] * len(kinds))
    text.line(f"call void {call}(ptr {arguments}, ptr {count}, ptr {strides}, ptr {given})")
    emitter.result(node, _loaded(emitter, places[-1], kinds[-1]))


def _resolved(node: Node) -> list[Any]:
    """The operands' dtypes; for Python scalars, which are weak, their classes."""
    found: list[Any] = []
    for operand in node.inputs:
        type = operand_type(operand)
        if isinstance(type, PythonType):
            found.append(np.dtype(bool) if type.kind is bool else type.kind)
        elif isinstance(type, TensorType):
            found.append(type.dtype)
        else:
            raise NotLowered("a run decides the types of its operands")
    if not any(isinstance(one, np.dtype) for one in found):
        found = [np.dtype(one) for one in found]
    return found


def _loaded(emitter: Emitter, place: str, kind: Kind) -> str:
    found = emitter.text.register(f"load {kind.memory}, ptr {place}")
    return emitter.text.register(f"icmp ne i8 {found}, 0") if kind == TRUTH else found
