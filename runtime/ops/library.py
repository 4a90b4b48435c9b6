"""NumPy functions that graphs call directly: linear algebra, transforms, sets, statistics.

    q, r = linalg_qr(x, given=(_0,), named=())             q, r = np.linalg.qr(x)
    v = percentile(x, given=(_0, 50), named=())            v = np.percentile(x, 50)

`given` and `named` are the positional and keyword arguments; `_0`, `_1`... are slots for operands.

Result types are found by calling NumPy (`sampling.py`).  The sizes of the results of `ragged`
functions depend on the elements.  A function that has an op of its own also has a record here,
`np_sum` beside `sum`, for arguments that the op does not take.

Excluded are functions whose result dtype depends on the elements (`eig`, `roots`), and functions
that return several views, which are decomposed into ops that track views
(`tracing/numpy_api/decompositions.py`).
"""

import builtins
import cmath
import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from runtime.ir.derivative import NoDerivative, PartialCotangent
from runtime.ir.op import Op, records
from runtime.ir.pytree import flatten
from runtime.ir.slot import Slot, fill_slots
from runtime.ir.traits import Aliasing, Batching, Cost, NoTraits, Per, Traits
from runtime.ir.types import DTYPE_NAMES
from runtime.ops import elementwise, joining, linalg, reduce, shape  # noqa: F401  (fills the registry)
from runtime.ops.adjoints.library import beside_rule, rule_of
from runtime.ops.adjoints.roots import ROOTS
from runtime.ops.adjoints.selection import array
from runtime.ops.examples import INDICES, LARGE, MATRIX, ROW, SCALAR, SQUARE, call
from runtime.ops.sampling import Results, results

LINALG = (
    "cholesky cond cross det eigh eigvalsh inv lstsq matmul matrix_norm matrix_power matrix_rank "
    "multi_dot norm outer pinv qr slogdet solve svd svdvals tensordot tensorinv tensorsolve trace "
    "vecdot vector_norm"
)
FFT = (
    "fft fft2 fftn fftshift hfft ifft ifft2 ifftn ifftshift ihfft irfft irfft2 irfftn rfft rfft2 "
    "rfftn"
)
PLAIN = (
    "allclose append argpartition array_equal array_equiv average choose clip column_stack "
    "convolve correlate corrcoef cov count_nonzero cross cumulative_prod cumulative_sum diagflat "
    "diff digitize dstack ediff1d einsum eye fix full_like geomspace gradient histogram "
    "histogram2d histogramdd hstack i0 identity indices inner insert interp iscomplex isclose "
    "isin isneginf isposinf isreal kron lexsort linspace logspace median meshgrid nan_to_num "
    "nanargmax nanargmin nancumprod nancumsum nanmax nanmean nanmedian nanmin nanpercentile "
    "nanprod nanquantile nanstd nansum nanvar packbits pad partition percentile polyadd polyder "
    "polydiv polyfit polyint polymul polysub polyval ptp quantile ravel_multi_index repeat resize "
    "round searchsorted select sinc sort_complex take_along_axis tensordot tile trace trapezoid "
    "tri tril tril_indices triu triu_indices unpackbits unravel_index unwrap vander vdot vstack"
)
VIEWING = {  # functions that may return a view
    **dict.fromkeys(("ascontiguousarray", "asfortranarray"), Aliasing.VIEW_OR_COPY),
    **dict.fromkeys(("diff", "einsum", "trim_zeros"), Aliasing.VIEW),
}
OPERATORS = "sorted sum max min"  # Python built-ins, called with arrays
RAGGED = (
    "argwhere bincount compress delete extract flatnonzero histogram_bin_edges intersect1d "
    "nonzero setdiff1d setxor1d trim_zeros union1d unique unique_all unique_counts unique_inverse "
    "unique_values"
)
MATH = (
    "acos acosh asin asinh atan atan2 atanh cbrt ceil comb copysign cos cosh degrees dist erf "
    "erfc exp exp2 expm1 fabs factorial floor fma fmod frexp fsum gamma gcd hypot isclose "
    "isfinite isinf isnan isqrt lcm ldexp lgamma log log10 log1p log2 modf nextafter perm pow "
    "prod radians remainder sin sinh sqrt sumprod tan tanh trunc ulp"
)
CMATH = (
    "acos acosh asin asinh atan atanh cos cosh exp isclose isfinite isinf isnan log log10 phase "
    "polar rect sin sinh sqrt tan tanh"
)


# -- the arguments ---------------------------------------------------------------------------------


def literal(template, texts) -> str:
    """The source of an argument in a program; the source of the operands fills the slots."""
    match template:
        case Slot(index):
            return texts[index]
        case tuple():
            inside = ", ".join(literal(part, texts) for part in template)
            return f"({inside},)" if len(template) == 1 else f"({inside})"
        case slice():
            bounds = (template.start, template.stop, template.step)
            return f"slice({', '.join(literal(bound, texts) for bound in bounds)})"
        case np.dtype():
            return f"np.dtype({template.str!r})"
        case float() if not math.isfinite(template):
            return f"float({str(template)!r})"
    return repr(template)


# -- the records -----------------------------------------------------------------------------------


def results_of(op: Op, types: tuple, given: tuple, named: tuple) -> Results:
    """The results of an op of this module for operands of some types."""
    return op.infer.keywords["found"](types, given, named)


def _rule(*types, given, named, found):
    return found(types, given, named).types


def _evaluate(function, xp, operands, attributes):
    named = {name: fill_slots(part, operands) for name, part in attributes["named"]}
    leaves, _ = flatten(function(*fill_slots(attributes["given"], operands), **named))
    return leaves[0] if len(leaves) == 1 else tuple(leaves)


def _text(path, texts, given, named):
    parts = [literal(part, texts) for part in given]
    parts += [f"{name}={literal(part, texts)}" for name, part in named]
    return f"{path}({', '.join(parts)})"


def operand_cotangents(rule: Callable, d, r, operands: tuple, given: tuple, named: tuple):
    """The cotangents of the operands of a function that is called directly, by its rule.

    The rule returns cotangents by parameter name; the slots map parameters to operands.  If the
    rule returns a `NoDerivative` instead, so does this function.
    """
    arguments = fill_slots(given, operands)
    options = {name: fill_slots(part, operands) for name, part in named}
    places = inspect.signature(rule).bind(d, r, *given, **dict(named)).arguments
    by_name = rule(d, r, *arguments, **options)
    if isinstance(by_name, NoDerivative):
        return by_name
    found: list[Any] = [None] * len(operands)
    for name, cotangent in by_name.items():
        if name in places:
            if isinstance(cotangent, PartialCotangent) and isinstance(places[name], tuple):
                whole = array(fill_slots(places[name], operands))
                cotangent = cotangent.added(np.zeros_like(whole, order="C"))
            _sort_in(places[name], cotangent, found)
    return found


def _sort_in(place, cotangent, found):
    """Stores the cotangent of an argument at the indices of its operands."""
    if cotangent is None:
        return
    if isinstance(place, Slot):
        found[place.index] = cotangent
    elif isinstance(place, tuple):
        for i, part in enumerate(place):
            _sort_in(part, cotangent[i], found)


# -- traits ----------------------------------------------------------------------------------------

# Nanoseconds per unit of the third power of a matrix's size.
CUBIC = {
    **dict.fromkeys(("inv", "det", "solve", "cholesky", "qr"), 0.1),
    **dict.fromkeys(("svd", "eigh", "eigvalsh", "pinv"), 0.5),
}
BATCHING = {
    Batching.ELEMENTWISE: (
        "clip fix i0 iscomplex isclose isneginf isposinf isreal nan_to_num round sinc"
    ),
    Batching.REDUCTION: (
        "nanmax nanmin nansum nanprod nanmean nanstd nanvar median nanmedian ptp count_nonzero"
    ),
    Batching.STACK: (
        "linalg_cholesky linalg_det linalg_eigh linalg_eigvalsh linalg_inv linalg_matrix_power "
        "linalg_matrix_rank linalg_pinv linalg_qr linalg_slogdet linalg_svd linalg_svdvals"
    ),
    Batching.LAST_AXIS: "fft_fft fft_ifft fft_rfft fft_irfft fft_hfft fft_ihfft",
}
_batchings = {name: how for how, names in BATCHING.items() for name in names.split()}
RAISES: dict[str | None, tuple[type[Exception], ...]] = {
    "numpy.linalg": (np.linalg.LinAlgError,),
    "math": (ValueError, OverflowError),
    "cmath": (ValueError, OverflowError),
}


DEFAULT_TRAITS, UNCLAIMED = Traits(), NoTraits("It is called with arguments of any kind.")


def traits_of(function: Callable, name: str, aliases: Aliasing) -> Traits:
    """The traits of an op that calls a function directly, by the function's module and name.

    They cannot be those of an elementwise op, since other arguments may be arrays as well.
    """
    module = getattr(function, "__module__", None)
    is_linalg = module == "numpy.linalg"
    traits = Traits(
        raises=RAISES.get(module, ()),
        aliases=aliases,
        batching=_batchings.get(name),
        cost=Cost(CUBIC[function.__name__], Per.MATRIX)
        if is_linalg and function.__name__ in CUBIC
        else None,
    )
    return traits if traits != DEFAULT_TRAITS else UNCLAIMED


# Example operands and arguments of functions that need special ones (`Op.examples`).
EXAMPLES: dict[str, tuple[tuple[Any, ...], tuple[Any, ...]]] = {
    "linalg_matrix_power": ((SQUARE,), (Slot(0), 3)),
    "linalg_tensorinv": ((np.eye(6).reshape(2, 3, 6) + 0.1,), (Slot(0), 2)),
    "einsum": ((SQUARE, SQUARE), ("ij,jk->ik", Slot(0), Slot(1))),
    "polyfit": ((ROW, LARGE[0]), (Slot(0), Slot(1), 1)),
    "ravel_multi_index": ((INDICES, INDICES), ((Slot(0), Slot(1)), (2, 3))),
    "unravel_index": ((INDICES,), (Slot(0), (2, 3))),
    "unpackbits": ((INDICES.astype(np.uint8),), (Slot(0),)),
    "math_ldexp": ((SCALAR,), (Slot(0), 2)),
    "math_fma": ((SCALAR, SCALAR, SCALAR), (Slot(0), Slot(1), Slot(2))),
    "pad": ((MATRIX,), (Slot(0), 1)),
    "resize": ((MATRIX,), (Slot(0), (2, 2))),
    "sliding_window_view": ((MATRIX,), (Slot(0), (1, 2))),
    "np_take": ((MATRIX, INDICES), (Slot(0), Slot(1), 1)),
    "np_reshape": ((MATRIX,), (Slot(0), (3, 2))),
    "np_swapaxes": ((MATRIX,), (Slot(0), 0, 1)),
    "np_expand_dims": ((MATRIX,), (Slot(0), 0)),
    "put_along_axis_after": ((MATRIX, INDICES[None], ROW), (Slot(0), Slot(1), Slot(2), 0)),
}


def _examples(name):
    """The examples of the op of that name in the table; None if it is not there."""
    if name not in EXAMPLES:
        return None
    operands, given = EXAMPLES[name]
    return lambda: [call(*operands, given=given, named=())]


PATHS: dict[Op, str] = {}  # the path by which a program names the function that an op calls


def is_library_op(op: Op) -> bool:
    """Whether an op calls a function that a program names by its path."""
    return op in PATHS


@dataclass(frozen=True)
class LibraryFunction:
    """A function that programs call directly, by its `path`.

    `ragged`: the sizes of its results depend on the elements; `flat`: it has one result, which is
    no container; `aliases`: whether the result may be in the memory of the first operand.
    """

    path: str
    name: str = ""
    ragged: bool = False
    flat: bool = False
    aliases: Aliasing = Aliasing.FRESH

    def record(self, function: Callable, doc: str = "", derivative: Any = rule_of) -> Op:
        """Registers the op that calls a function; `derivative` is its rule or finds it."""
        name = self.name or self.path.removeprefix("np.").replace(".", "_")
        op = Op(
            name,
            doc or _sentence(function),
            partial(_rule, found=partial(results, function, self.ragged)),
            partial(_evaluate, function),
            function,
            arity=None,
            inline=partial(_text, self.path) if self.flat else None,
            traits=traits_of(function, name, self.aliases),
            derivative=derivative(function) if derivative is rule_of else derivative,
            examples=_examples(name),
            root=ROOTS.get(function),
        )
        PATHS[op] = self.path
        return op


def _sentence(function):
    """The first sentence of a function's docstring."""
    rest, named = (function.__doc__ or "").lstrip(), f"{function.__name__}("
    while rest:  # line by line, as docstrings are long
        line, _, rest = rest.partition("\n")
        line, rest = line.strip(), rest.lstrip()
        if not line.startswith(named):
            return line.rstrip(".") + "."
    return f"{function.__name__}."


LIBRARY: dict[Callable, Op] = {}
BESIDE: dict[Callable, Op] = {}  # functions with an op of their own, called with any arguments


def _element_method(name):
    """A function that calls a method which NumPy scalars have and arrays lack."""

    def call(number):
        return getattr(number, name)()

    call.__name__ = name
    return call


def viewed(array, dtype):
    """The memory of an array, reinterpreted as elements of another dtype."""
    return array.view(dtype)


ELEMENT_METHODS = {
    name: _element_method(name) for name in ("is_integer", "as_integer_ratio", "bit_count")
}

# Functions with several results, or one in a container; others are called in expressions.
SEVERAL = (
    "eigh frexp gradient histogram histogram2d histogramdd indices lstsq meshgrid modf nonzero "
    "polar polydiv polyfit qr slogdet svd tril_indices triu_indices unique unique_all "
    "unique_counts unique_inverse unravel_index"
)


def _fill():
    several, ragged = set(SEVERAL.split()), set(RAGGED.split())
    for module, prefix, names in (
        (np.linalg, "np.linalg", LINALG),
        (np.fft, "np.fft", FFT),
        (np, "np", f"{PLAIN} {RAGGED} {' '.join(VIEWING)}"),
    ):
        for name in dict.fromkeys(names.split()):
            called = LibraryFunction(
                f"{prefix}.{name}",
                ragged=name in ragged,
                flat=name not in several,
                aliases=VIEWING.get(name, Aliasing.FRESH),
            )
            LIBRARY[getattr(module, name)] = called.record(getattr(module, name))
    path = "np.lib.stride_tricks.sliding_window_view"
    windows = np.lib.stride_tricks.sliding_window_view
    LIBRARY[windows] = LibraryFunction(
        path, "sliding_window_view", flat=True, aliases=Aliasing.VIEW
    ).record(windows)
    LIBRARY[viewed] = LibraryFunction("view", "viewed", aliases=Aliasing.VIEW).record(viewed)
    LIBRARY[np.copy] = LibraryFunction("np.copy", "np_copy", flat=True).record(np.copy)
    for module, names in ((math, MATH), (cmath, CMATH)):
        for name in names.split():
            if hasattr(module, name):
                function, path = getattr(module, name), f"{module.__name__}.{name}"
                called = LibraryFunction(path, flat=name not in several)
                LIBRARY[function] = called.record(function)
    for name in OPERATORS.split():
        function = getattr(builtins, name)
        LIBRARY[function] = LibraryFunction(name, f"python_{name}").record(function)
    for dtype in DTYPE_NAMES:
        path = f"np.{dtype.type.__name__}"
        doc = f"A Python scalar as a NumPy {dtype.name}."
        called = LibraryFunction(path, f"np_{dtype.name}", flat=True, aliases=Aliasing.VIEW)
        LIBRARY[dtype.type] = called.record(dtype.type, doc)
    for name, function in ELEMENT_METHODS.items():
        LIBRARY[function] = LibraryFunction(name).record(function, f"`x.{name}()`.")


def _fill_ufuncs(answered):
    for name in sorted(vars(np)):
        ufunc = getattr(np, name)
        if not isinstance(ufunc, np.ufunc) or ufunc.__name__ != name or ufunc is np.isnat:
            continue
        if ufunc not in answered:
            LIBRARY[ufunc] = LibraryFunction(f"np.{name}", flat=ufunc.nout == 1).record(ufunc)
        if ufunc.signature is not None or ufunc.nin != 2 or ufunc.nout != 1:
            continue
        LIBRARY[ufunc.outer] = LibraryFunction(f"np.{name}.outer", flat=True).record(ufunc.outer)
        if any(kinds[0] == kinds[1] for kinds in ufunc.types):
            for method in ("reduce", "accumulate", "reduceat"):
                function = getattr(ufunc, method)
                LIBRARY[function] = LibraryFunction(f"np.{name}.{method}", flat=True).record(
                    function
                )


_answered = {record.numpy: record for record in records() if record.numpy is not None}
_fill()
_fill_ufuncs(_answered)
for _function, _op in _answered.items():
    if _function not in LIBRARY:
        _path, _flat = f"np.{_function.__name__}", getattr(_function, "nout", 1) == 1
        _aliases = _op.traits.aliases if _op.shares else Aliasing.FRESH
        _called = LibraryFunction(_path, f"np_{_op.name}", flat=_flat, aliases=_aliases)
        BESIDE[_function] = _called.record(_function, derivative=beside_rule(_op))


def length_of(coordinates: list) -> float:
    """`math.hypot(*coordinates)`, which saved programs may call: the length of a vector."""
    return math.hypot(*coordinates)
