"""Calls of functions in NumPy from the loops of a piece: for operations without instructions.

    np.roll(x, 1)       boxes x; calls a function of Python; takes the array that it returns

So one such operation does not keep the loops around it in NumPy.  A piece must have no effect
before it is left, so only functions are called that compute new values and warn of nothing but
floating-point errors, or of too few elements.  These are exceptions inside of the call.  Each
exception leaves the piece, and the NumPy program computes, warns and raises.  What a signal's
handler raises goes on.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.engines.native import python_objects as objects
from runtime.engines.native.call_wrapper import Shell
from runtime.engines.native.emitter import Emitter
from runtime.engines.native.kernels.plan import array_type
from runtime.engines.native.kinds import NotLowered, components
from runtime.engines.native.lowering import calls_numpy, lowers, why_none
from runtime.engines.native.storage import Objects, dtype_object, maker
from runtime.engines.native.text import Text
from runtime.engines.native.view_layout import View
from runtime.engines.numpy import Compiled
from runtime.engines.registry import Options
from runtime.ir.graph import Graph, Node, Value, operand_type
from runtime.ir.op import records
from runtime.ir.types import TensorType

# op names: functions that move, compare or count elements, and set no floating-point flags
MOVING = {
    "append", "argmax", "argmin", "argpartition", "argsort", "array_equal", "bincount",
    "column_stack", "compress", "concatenate", "delete", "diagflat", "digitize", "dstack", "eye",
    "extract", "full_like", "hstack", "identity", "insert", "intersect1d", "isin", "lexsort",
    "partition", "repeat", "roll", "searchsorted", "setdiff1d", "setxor1d", "sort", "stack",
    "take_along_axis", "tile", "tri", "tril", "triu", "union1d", "unique", "vstack",
    "is_integer", "bit_count",
}  # fmt: skip
# op names: functions that compute with floats
COMPUTING = {
    "allclose", "average", "clip", "convolve", "corrcoef", "correlate", "cov", "cumprod", "cumsum",
    "cumulative_prod", "cumulative_sum", "diff", "ediff1d", "einsum", "gradient",
    "inner", "interp", "kron", "linspace", "logaddexp_reduce", "median", "nan_to_num", "outer",
    "pad", "percentile", "polyval", "ptp", "quantile", "round", "std", "tensordot", "trace",
    "trapezoid", "vander", "var", "vdot",
    "linalg_cholesky", "linalg_cross", "linalg_det", "linalg_eigvalsh", "linalg_inv",
    "linalg_matmul", "linalg_matrix_power", "linalg_norm", "linalg_outer", "linalg_pinv",
    "linalg_solve", "linalg_svdvals", "linalg_trace", "linalg_vecdot", "linalg_vector_norm",
}  # fmt: skip
# op names: the fewest elements along each axis of an array; NumPy warns of fewer
FEWEST = {
    "corrcoef": 2, "cov": 2, "mean": 1, "median": 1, "percentile": 1, "quantile": 1, "std": 2,
    "var": 2,
}  # fmt: skip
CALLED = sorted(
    op.name
    for op in records()
    if op.name.removeprefix("np_") in MOVING | COMPUTING or op.name.startswith("math_")
)

# op names: the fewest elements along each axis of an array; NumPy warns of fewer
FEWEST = {"corrcoef": 2, "cov": 2, "mean": 1, "median": 1, "percentile": 1, "quantile": 1, "std": 2,
          "var": 2}  # fmt: skip

# op names: functions of `math`, of which some calls have instructions (`mathematics.py`)
OF_MATH = {
    "sqrt", "floor", "ceil", "trunc", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh",
    "tanh", "exp", "expm1", "log", "log2", "log10", "log1p",
}  # fmt: skip
WITH_CODE = {"linalg_norm", *(f"math_{name}" for name in OF_MATH)}

CALL = "declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr)"
FAILED = """
define internal i1 @is_exception() noinline {{
  %matches = call i32 @PyErr_ExceptionMatches(ptr {exception})
  %is_other = icmp eq i32 %matches, 0
  br i1 %is_other, label %other, label %exception
exception:
  call void @PyErr_Clear()
  ret i1 true
other:
  ret i1 false
}}
"""
_FUNCTIONS = {
    "PyErr_ExceptionMatches": "declare i32 @PyErr_ExceptionMatches(ptr)",
    "PyErr_Clear": "declare void @PyErr_Clear()",
}


def may_be_called(emitter: Emitter, node: Node) -> bool:
    """Whether a node may be a call: inside a loop, of a function with one new result."""
    is_new = len(node.outputs) == 1 and not node.regions and node.op.effect is None
    inside = bool(emitter.text.loops) and isinstance(emitter.storage, Objects)
    is_known = node.op.name in CALLED or _is_of_elements(node)
    is_alone = emitter.text.guard is None
    return is_new and inside and is_known and not _has_options(node) and is_alone


def _has_options(node: Node) -> bool:
    """Whether a call has options with which NumPy warns of more elements, or returns a view; or
    whether NumPy warns in each call, as it does where a complex number becomes a real one."""
    if node.op.name == "cast":
        return getattr(operand_type(node.inputs[0]), "dtype", np.dtype(bool)).kind == "c"
    if node.op.traits.reduction or node.op.name in ("var", "std"):
        return len(node.inputs) > 1 or node.attributes.get("ddof", 0) not in (0, 1)
    if node.op.name == "diff":
        return len(node.attributes["given"]) > 1 or bool(node.attributes["named"])
    if node.op.name == "einsum":
        return len(node.inputs) < 2
    return node.op.name in ("cov", "corrcoef") and bool(node.attributes["named"])


def _is_of_elements(node: Node) -> bool:
    """Whether a ufunc, or a reduction by one, computes an array or scalar from arrays."""
    if not any(array_type(operand) is not None for operand in node.inputs):
        return False
    traits = node.op.traits
    return bool(traits.reduction or traits.elementwise and node.op.name != "copy")


@calls_numpy
@lowers(*(name for name in CALLED if name not in WITH_CODE))
def numpy_call(emitter: Emitter, node: Node) -> None:
    if not may_be_called(emitter, node):
        raise NotLowered(why_none(node))
    text, owners = emitter.text, emitter.ownership
    shell = Shell(text, emitter)
    components(node.output.type)  # raises for results that no registers hold
    boxes = []
    for operand in _operands(node):
        box = Value(operand.type, "operand")
        reference = _object(shell, operand)
        text.fail_if_null(reference)
        owners.define(box, reference)
        boxes.append((box, reference))
    text.leave_if_flagged()
    function = text.object(f"called_{len(text.objects)}", _function(node, bool(emitter.ignoring)))
    found = _called(text, function, [reference for _, reference in boxes])
    for box, _ in boxes:
        owners.drop(box)
    result = Value(node.output.type, "result")
    owners.define(result, found)
    text.clear_flags()
    shell.take(node.output, found)
    owners.drop(result)


def _function(node: Node, ignores: bool) -> Callable[..., Any]:
    """A function of the operands that are values: the NumPy program of one node."""
    program: Callable[..., tuple[Any, ...]] | None = None

    def computed(*given: Any) -> Any:
        nonlocal program
        if program is None:
            graph = Graph("called", _operands(node), [node], list(node.outputs))
            program = Compiled(graph, Options()).function
        return program(*given)[0]

    if node.op.name.removeprefix("np_") in MOVING:
        return computed
    fewest = FEWEST.get(node.op.name, 0)

    def checked(*given: Any) -> Any:
        if fewest and any(size < fewest for one in given for size in np.shape(one)):
            raise ValueError("NumPy warns of so few elements")
        with np.errstate(all="ignore" if ignores else "raise"):
            return computed(*given)

    return checked


def _operands(node: Node) -> list[Value]:
    """The operands that are values, each once."""
    return [one for one in dict.fromkeys(node.inputs) if isinstance(one, Value)]


def _called(text: Text, function: str, references: list[str]) -> str:
    """Calls a function of Python; the piece is left if it raises an `Exception`."""
    text.polls = True  # the exception of a signal's handler ends the call
    call = text.declare("PyObject_Vectorcall", CALL, objects.python_function("PyObject_Vectorcall"))
    arguments = text.local(f"[{max(1, len(references))} x ptr]")
    for i, reference in enumerate(references):
        place = text.register(f"getelementptr ptr, ptr {arguments}, i64 {i}")
        text.line(f"store ptr {reference}, ptr {place}")
    given = f"ptr {function}, ptr {arguments}, i64 {len(references)}, ptr null"
    found = text.register(f"call ptr {call}({given})")
    for name, declaration in _FUNCTIONS.items():
        text.declare(name, declaration, objects.python_function(name))
    exception = text.object("class_Exception", Exception)
    text.declare("is_exception", FAILED.format(exception=exception))
    fails, going_on = text.label("fails"), text.label("on")
    is_null = text.register(f"icmp eq ptr {found}, null")
    text.line(f"br i1 {is_null}, label %{fails}, label %{going_on}, !prof !0")
    text.start(fails)
    is_known = text.register("call i1 @is_exception()")
    text.line(f"br i1 {is_known}, label %leave, label %raised")
    text.start(going_on)
    return found


def _object(shell: Shell, operand: Value) -> str:
    """A reference to an operand as an object."""
    view = shell.emitter.views.get(operand)
    return shell.box(operand) if view is None else _view_object(shell, operand, view)


def _view_object(shell: Shell, operand: Value, view: View) -> str:
    """An array that shows the elements of a view.  It lives shorter than their owner."""
    text, kind = shell.text, operand_type(operand)
    assert isinstance(kind, TensorType)
    places = []
    for values in (view.sizes, view.steps):
        places.append(text.local(f"[{max(1, len(values))} x i64]"))
        for axis, value in enumerate(values):
            place = text.register(f"getelementptr i64, ptr {places[-1]}, i64 {axis}")
            text.line(f"store i64 {value}, ptr {place}")
    array, dtype = shell.of_class(np.ndarray), dtype_object(text, kind.dtype)
    make = maker(text)
    shell.emitter.ownership.share(dtype)
    given = f"ptr {array}, ptr {dtype}, i32 {len(view.sizes)}, ptr {places[0]}, ptr {places[1]}"
    return text.register(f"call ptr {make}({given}, ptr {view.address}, i32 0, ptr null)")
