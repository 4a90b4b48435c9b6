"""Elementwise ops, with NumPy's dtypes (NEP 50), and Python's meaning for Python scalars."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from runtime.analyses.computed_dtypes import computed_dtypes, is_python
from runtime.engines.xla.evaluation import Evaluation, Rows, is_known
from runtime.engines.xla.lowering import NotLowered, lowers
from runtime.ir.graph import Node, operand_type
from runtime.ir.slot import Slot
from runtime.ir.types import INT, is_array

# op names: those that are functions of real floats, computed by JAX's function of that name
FUNCTIONS = (
    "sqrt", "cbrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan",
    "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "arcsinh", "arccosh", "arctanh",
    "degrees", "radians", "deg2rad", "rad2deg", "fabs", "arctan2", "hypot", "logaddexp",
    "logaddexp2", "copysign", "nextafter", "float_power",
)  # fmt: skip
# op names: those that neither warn nor depend on more than the elements
EXACT = (
    "maximum", "minimum", "fmax", "fmin", "isnan", "isinf", "isfinite", "signbit", "logical_and",
    "logical_or", "logical_xor", "logical_not", "equal", "not_equal", "less", "less_equal",
    "greater", "greater_equal", "bitwise_and", "bitwise_or", "bitwise_xor", "invert",
    "floor", "ceil", "trunc", "rint", "conjugate", "real", "imag",
)  # fmt: skip
# op names: functions of module `math`, with those of JAX
MATHEMATICS: dict[str, Any] = {
    "math_exp": jnp.exp, "math_exp2": jnp.exp2, "math_expm1": jnp.expm1, "math_log2": jnp.log2,
    "math_log10": jnp.log10, "math_log1p": jnp.log1p, "math_sqrt": jnp.sqrt, "math_sin": jnp.sin,
    "math_cos": jnp.cos, "math_tan": jnp.tan, "math_asin": jnp.arcsin, "math_acos": jnp.arccos,
    "math_atan": jnp.arctan, "math_atan2": jnp.arctan2, "math_sinh": jnp.sinh,
    "math_cosh": jnp.cosh, "math_tanh": jnp.tanh, "math_asinh": jnp.arcsinh,
    "math_acosh": jnp.arccosh, "math_atanh": jnp.arctanh, "math_fabs": jnp.fabs,
    "math_degrees": jnp.degrees, "math_radians": jnp.radians, "math_copysign": jnp.copysign,
    "math_erf": jax.scipy.special.erf, "math_erfc": jax.scipy.special.erfc,
    "math_log": jnp.log, "math_hypot": jnp.hypot, "math_cbrt": jnp.cbrt,
}  # fmt: skip
MOST = 9.2e18  # floats below it are integers that fit into 64 bits, in spite of their rounding


def operands_of(run: Evaluation, node: Node) -> list[Any]:
    """The operands in the dtypes in which NumPy computes the op."""
    try:
        dtypes = computed_dtypes(node)
    except TypeError as error:
        raise NotLowered(str(error)) from error
    if len(set(dtypes)) > 1:
        raise NotLowered("the operands have two dtypes that NumPy does not convert")
    return [run.cast(operand, dtype) for operand, dtype in zip(node.inputs, dtypes, strict=True)]


def result_dtype(node: Node) -> np.dtype:
    """The dtype of the first result."""
    dtype: np.dtype = node.outputs[0].type.dtype
    return dtype


def is_checked(node: Node) -> bool:
    """Whether an integer result must not wrap: NumPy warns for scalars, Python's ints are exact."""
    return result_dtype(node).kind in "iu" and not is_array(node.outputs[0].type)


# -- sums, differences, products -------------------------------------------------------------------


@lowers("add", "subtract", "multiply", "square")
def ring(run: Evaluation, node: Node, *_: Any) -> Any:
    """Sums, differences, products, squares."""
    operands = operands_of(run, node)
    operands = operands * 2 if node.op.name == "square" else operands
    # op names: operations of JAX
    operation = {"add": jnp.add, "subtract": jnp.subtract}.get(node.op.name, jnp.multiply)
    found = operation(*operands)
    if is_checked(node):
        check_integers(run, operation, operands, found)
    return run.finite(found, *operands)


def check_integers(run: Evaluation, operation: Any, operands: list[Any], found: Any) -> None:
    """Fails if the sum, difference or product of integers does not fit into their dtype."""
    x, y = operands
    bounds = np.iinfo(found.dtype)
    if found.dtype.itemsize < 8:
        wide = operation(x.astype(np.int64), y.astype(np.int64))
        run.warn_if((wide < bounds.min) | (wide > bounds.max))
        return
    exact = operation(x.astype(np.float64), y.astype(np.float64))
    if bounds.min == 0:
        run.warn_if((exact < -0.5) | (exact > 2 * MOST))
        if operation is jnp.subtract:
            run.warn_if(x < y)
        return
    run.warn_if(jnp.abs(exact) > MOST)


@lowers("accumulated")
def accumulated(run: Evaluation, node: Node, *_: Any) -> Any:
    """The sum, with the dtype of the first operand."""
    x, y = (run.cast(operand, result_dtype(node)) for operand in node.inputs)
    return run.finite(x + y, x, y)


@lowers("scaled", "jointly_scaled")
def scaled(run: Evaluation, node: Node, *_: Any) -> Any:
    """The product; zero where a cotangent is zero and the other operand is infinite or nan."""
    x, y = operands_of(run, node)
    is_zero = x == 0
    if node.op.name == "jointly_scaled":
        is_zero = is_zero | (y == 0)
    product = x * y
    found = jnp.where(is_zero & (product != product), jnp.zeros_like(product), product)
    return run.finite(found, x, y)


@lowers("negative", "absolute")
def sign_changed(run: Evaluation, node: Node, *_: Any) -> Any:
    """The negation, or the absolute value."""
    (x,) = operands_of(run, node)
    if x.dtype.kind == "b":
        return x
    if is_checked(node):
        run.warn_if(x == np.iinfo(x.dtype).min if x.dtype.kind == "i" else x != 0)
    return jnp.negative(x) if node.op.name == "negative" else jnp.abs(x)


@lowers("positive", "copy", "box", "stored", "relax", "alias", "stop_gradient", "recomputed",
        "option", "numpys")  # fmt: skip
def same(run: Evaluation, node: Node, *_: Any) -> Any:
    """The operand."""
    return run.cast(node.inputs[0], result_dtype(node))


# -- quotients -------------------------------------------------------------------------------------


@lowers("divide")
def divide(run: Evaluation, node: Node, *_: Any) -> Any:
    """The quotient of floats."""
    x, y = operands_of(run, node)
    run.warn_if(y == 0)
    return run.finite(x / y, x, y)


@lowers("reciprocal")
def reciprocal(run: Evaluation, node: Node, *_: Any) -> Any:
    """The reciprocal of floats."""
    (x,) = operands_of(run, node)
    if x.dtype.kind != "f":
        raise NotLowered("the reciprocal is of integers")
    run.warn_if(x == 0)
    return run.finite(1 / x, x)


@lowers("floor_divide", "remainder", "divmod", "fmod")
def floored(run: Evaluation, node: Node, *_: Any) -> Any:
    """The quotient rounded down, and the remainder, which has the sign of the divisor."""
    x, y = operands_of(run, node)
    run.fail_if(y == 0)
    safe = jnp.where(y == 0, jnp.ones_like(y), y)
    if x.dtype.kind == "b":
        raise NotLowered("bools are divided")
    if x.dtype.kind == "i":
        run.fail_if((x == np.iinfo(x.dtype).min) & (y == -1))
    if x.dtype.kind == "f":
        run.fail_if(~(jnp.isfinite(x) & jnp.isfinite(y)))
    rest = jax.lax.rem(x, safe)
    if node.op.name == "fmod":
        return rest
    if x.dtype.kind in "iu":
        differs = (rest != 0) & ((rest < 0) != (safe < 0))
        whole = jax.lax.div(x, safe) - differs.astype(x.dtype)
        remainder = jnp.where(differs, rest + safe, rest)
    else:
        whole, remainder = _floored_floats(x, safe, rest)
    # op names: the results
    return {"floor_divide": whole, "remainder": remainder, "divmod": (whole, remainder)}[
        node.op.name
    ]


def _floored_floats(x: Any, y: Any, rest: Any) -> tuple[Any, Any]:
    """NumPy's rule: the quotient of what the remainder leaves, rounded to the nearest integer."""
    differs = (rest != 0) & ((y < 0) != (rest < 0))
    remainder = jnp.where(differs, rest + y, jnp.where(rest == 0, jnp.copysign(0.0, y), rest))
    quotient = (x - rest) / y - differs.astype(x.dtype)
    down = jnp.floor(quotient)
    whole = jnp.where(quotient - down > 0.5, down + 1, down)
    return jnp.where(quotient == 0, jnp.copysign(0.0, x / y), whole), remainder.astype(x.dtype)


@lowers("pow", "power")
def power(run: Evaluation, node: Node, *_: Any) -> Any:
    """Powers; of Python ints and of integer scalars, squares only."""
    exponent = node.inputs[1]
    if type(exponent) is int and exponent == 2:
        x = run.cast(node.inputs[0], result_dtype(node))
        if is_checked(node):
            check_integers(run, jnp.multiply, [x, x], x * x)
        return run.finite(x * x, x)
    x, y = operands_of(run, node)
    if x.dtype.kind == "c" or is_checked(node):
        raise NotLowered("the power is of complex numbers or of integer scalars")
    if x.dtype.kind in "iu":
        run.fail_if(y < 0)
        return jnp.power(x, y)
    return run.finite(jnp.power(x, y), x, y)


# -- functions -------------------------------------------------------------------------------------


@lowers(*FUNCTIONS)
def function(run: Evaluation, node: Node, *_: Any) -> Any:
    """A function of floats that JAX has under the same name."""
    operands = operands_of(run, node)
    if any(x.dtype.kind != "f" for x in operands):
        raise NotLowered(f"{node.op.name} is of complex numbers")
    return run.finite(getattr(jnp, node.op.name)(*operands), *operands)


@lowers(*EXACT)
def exact(run: Evaluation, node: Node, *_: Any) -> Any:
    """A function whose result is exact."""
    operands = operands_of(run, node) if isinstance(node.op.numpy, np.ufunc) else [
        run.cast(operand, operand_type(operand).dtype) for operand in node.inputs
    ]  # fmt: skip
    return getattr(jnp, node.op.name)(*operands)


@lowers("sign")
def sign(run: Evaluation, node: Node, *_: Any) -> Any:
    """-1, 0 or 1; nan for nan."""
    (x,) = operands_of(run, node)
    return jnp.where(x == 0, jnp.zeros_like(x), jnp.sign(x))


@lowers("left_shift", "right_shift")
def shift(run: Evaluation, node: Node, *_: Any) -> Any:
    """Shifted bits, by less than the width of the dtype."""
    x, y = operands_of(run, node)
    run.fail_if((y < 0) | (y >= x.dtype.itemsize * 8))
    if node.op.name == "right_shift":
        return jnp.right_shift(x, y)
    found = jnp.left_shift(x, y)
    if is_python(node):
        run.fail_if(jnp.right_shift(found, y) != x)
    return found


@lowers("where")
def where(run: Evaluation, node: Node, *_: Any) -> Any:
    """Elements of one of two operands."""
    condition, x, y = node.inputs
    dtype = result_dtype(node)
    is_first = run.cast(condition, operand_type(condition).dtype) != 0
    return jnp.where(is_first, run.cast(x, dtype), run.cast(y, dtype))


@lowers(*MATHEMATICS)
def mathematics(run: Evaluation, node: Node, *_: Any) -> Any:
    """A function of module `math`; one that raises fails."""
    count = len(node.inputs)
    is_plain = node.attributes["given"] == tuple(map(Slot, range(count)))
    if not is_plain or node.attributes["named"] or count > 2 or _log_of_two(node):
        raise NotLowered("the arguments are more than numbers")
    operands = [run.cast(operand, np.dtype(float)) for operand in node.inputs]
    found = MATHEMATICS[node.op.name](*operands)
    if any(operand_type(operand).dtype.kind == "c" for operand in node.inputs):
        raise NotLowered("the argument is complex")
    return run.finite(found, *operands)


def _log_of_two(node: Node) -> bool:
    return node.op.name == "math_log" and len(node.inputs) > 1


# -- conversions -----------------------------------------------------------------------------------


@lowers("cast")
def cast(run: Evaluation, node: Node, x: Any) -> Any:
    """The elements in another dtype."""
    kind, dtype = operand_type(node.inputs[0]), result_dtype(node)
    return run.to(x, kind, dtype)


@lowers("truth", "not_")
def truth(run: Evaluation, node: Node, x: Any) -> Any:
    """The truth value, or its negation."""
    if isinstance(x, Rows):
        return x.length == 0 if node.op.name == "not_" else x.length != 0
    if x.size != 1:
        raise NotLowered("it is the truth value of an array")
    found = jnp.reshape(x, ()) != 0
    return ~found if node.op.name == "not_" else found


@lowers("number")
def number(run: Evaluation, node: Node, x: Any) -> Any:
    """A Python scalar."""
    if x.size != 1:
        raise NotLowered("it is the number of an array")
    kind, wanted = operand_type(node.inputs[0]), node.attributes["type"]
    if wanted is INT and kind.dtype == np.uint64:
        run.fail_if(x > np.uint64(2**63 - 1))
    return run.to(jnp.reshape(x, ()), kind, wanted.dtype)


@lowers("python_max", "python_min")
def python_extreme(run: Evaluation, node: Node, *_: Any) -> Any:
    """`max(x, y)` and `min(x, y)`, of numbers of one type: the second only if it is beyond."""
    attributes = node.attributes
    if attributes["given"] != (Slot(0), Slot(1)) or attributes["named"]:
        raise NotLowered("the arguments are more than two numbers")
    kinds = {operand_type(operand) for operand in node.inputs}
    if kinds != {node.outputs[0].type} or any(is_array(kind) for kind in kinds):
        raise NotLowered("the arguments have two types")
    x, y = (run.cast(operand, result_dtype(node)) for operand in node.inputs)
    return jnp.where(y > x if node.op.name == "python_max" else y < x, y, x)


def known_size(value: Any) -> int:
    """A size, which must be known while JAX traces."""
    if not is_known(value):
        raise NotLowered("a size depends on the run")
    return int(value)
