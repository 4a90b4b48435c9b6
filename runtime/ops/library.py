"""NumPy's functions that graphs call as they are: linear algebra, transforms, sets, statistics.

    q, r = linalg_qr(x, given=(_0,), named=())             q, r = np.linalg.qr(x)
    v = percentile(x, given=(_0, 50), named=())            v = np.percentile(x, 50)

`given` and `named` are the arguments; `_0`, `_1`... stand for the operands in them.

What the results are is asked of NumPy: the function is called with examples, arrays of the shapes
and dtypes of the operands.  A dimension that is not known is tried with two sizes; where the sizes
of a result differ between the two, they are not known either.  The results of `ragged` functions
have sizes that depend on the elements.

Left out are functions whose dtype depends on the elements (`eig`, `roots`), and those that return
views, which are written with ops that know what a view is (`composed.py`).
"""

import math
import warnings
from collections.abc import Callable
from functools import cache, partial

import numpy as np

from runtime.op import Op, records
from runtime.ops.index import Slot, filled
from runtime.structure import Structure, flatten
from runtime.types import INT, PythonType, TensorType, Type, type_of

SIZES = (3, 4)  # tried for a dimension that is not known

LINALG = (
    "cholesky cond det eigh eigvalsh inv lstsq matrix_norm matrix_power matrix_rank multi_dot pinv "
    "qr slogdet solve svd svdvals tensorinv tensorsolve vector_norm"
)
FFT = (
    "fft fft2 fftn fftshift hfft ifft ifft2 ifftn ifftshift ihfft irfft irfft2 irfftn rfft rfft2 "
    "rfftn"
)
PLAIN = (
    "allclose append argpartition array_equiv average choose convolve correlate corrcoef cov "
    "count_nonzero cross diagflat diff digitize ediff1d einsum geomspace gradient histogram "
    "histogram2d i0 inner insert interp isclose isin kron lexsort linspace logspace median "
    "meshgrid nan_to_num nanargmax nanargmin nancumprod nancumsum nanmax nanmean nanmedian nanmin "
    "nanpercentile nanprod nanquantile nanstd nansum nanvar packbits pad partition percentile "
    "polyadd polyder polydiv polyfit polyint polymul polysub polyval ptp quantile "
    "ravel_multi_index repeat resize searchsorted select sinc take_along_axis tensordot tile trace "
    "trapezoid tril triu unpackbits unravel_index unwrap vander vdot"
)
RAGGED = (
    "argwhere bincount compress delete extract flatnonzero intersect1d nonzero setdiff1d setxor1d "
    "union1d unique unique_all unique_counts unique_inverse unique_values"
)
MATH = (
    "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh degrees erf erfc exp "
    "exp2 expm1 fabs floor fmod gamma hypot isclose isfinite isinf isnan lgamma log log10 log1p "
    "log2 pow radians remainder sin sinh sqrt tan tanh trunc"
)


# -- the arguments ---------------------------------------------------------------------------------


def literal(template, texts) -> str:
    """The text of an argument in a program; the texts of the operands fill the slots."""
    match template:
        case Slot(index):
            return texts[index]
        case tuple():
            inside = ", ".join(literal(part, texts) for part in template)
            return f"({inside},)" if len(template) == 1 else f"({inside})"
        case np.dtype():
            return f"np.dtype({template.str!r})"
        case float() if not math.isfinite(template):
            return f"float({str(template)!r})"
    return repr(template)


# -- the results -----------------------------------------------------------------------------------


@cache
def results(function: Callable, ragged: bool, types: tuple, given: tuple, named: tuple):
    """The types of the results of a function, and the structure that holds them.

    Raises what the function raises for such arguments, `TypeError` for results that no graph holds.
    """
    sizes = SIZES if any(map(_is_open, types)) else SIZES[:1]
    runs = [_run(function, types, given, named, size) for size in sizes]
    failed = [run for run in runs if isinstance(run, Exception)]
    runs = [run for run in runs if not isinstance(run, Exception)]
    if not runs:
        raise failed[0]
    structure = flatten(runs[0])[1]
    found = [list(map(type_of, flatten(run)[0])) for run in runs]
    if None in found[0]:
        raise TypeError(f"{function.__name__} gives a result that graphs do not hold")
    is_certain = not ragged and not failed
    return tuple(_joined(kinds, is_certain) for kinds in zip(*found, strict=True)), structure


def _joined(kinds, is_certain):
    """The type of a result that had these types in several runs."""
    kind, *others = kinds
    if not isinstance(kind, TensorType):
        return kind
    shape = (
        size if is_certain and all(other.shape[axis] == size for other in others) else None
        for axis, size in enumerate(kind.shape)
    )
    return TensorType(kind.dtype, tuple(shape))


def _is_open(kind):
    """Whether the sizes of results may depend on what is not known of an operand: its size, or, as
    it may be a size itself, its value."""
    if not isinstance(kind, TensorType):
        return kind == INT
    is_number = not kind.shape and kind.dtype.kind in "iu"
    return is_number or any(not isinstance(size, int) for size in kind.shape)


def _run(function, types, given, named, size):
    """What the function gives for examples, or what it raises for all of them."""
    first = None
    for example in (_regular, _random, _zero):
        operands = [example(kind, size) for kind in types]
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                options = {name: filled(part, operands) for name, part in named}
                return function(*filled(given, operands), **options)
            except (TypeError, ValueError, IndexError, ArithmeticError) as error:
                first = first or error.with_traceback(None)
    return first


def _shape(kind, size):
    if not isinstance(kind, TensorType):
        raise TypeError(f"a {kind} is given where an array is needed")
    return tuple(n if isinstance(n, int) else size for n in kind.shape)


def _regular(kind: Type, size: int):
    """A value that most functions take: a regular matrix, a positive number, an index."""
    if isinstance(kind, PythonType):
        return kind.kind(size if kind is INT else 1)
    shape = _shape(kind, size)
    if len(shape) > 1 and shape[-1] == shape[-2]:
        return np.broadcast_to(np.eye(shape[-1]), shape).astype(kind.dtype)
    if kind.dtype.kind in "fc":
        count = math.prod(shape)
        return np.linspace(0.25, 0.75, count).reshape(shape).astype(kind.dtype)[()]
    value = kind.dtype.kind == "b" if shape else size
    return np.full(shape, value, kind.dtype)[()]


def _random(kind: Type, size: int):
    """A value without a pattern; numbers are greater than one."""
    if isinstance(kind, PythonType):
        return kind.kind(2)
    found = 1 + np.random.default_rng(0).random(_shape(kind, size))
    return np.asarray(found).astype(kind.dtype)[()]


def _zero(kind: Type, size: int):
    """Zeros, which are indices of everything."""
    return (
        kind.kind(0) if isinstance(kind, PythonType) else np.zeros(_shape(kind, size), kind.dtype)
    )


def structure_of_results(op: Op, types: tuple, given: tuple, named: tuple) -> Structure:
    """The structure of what an op of this module gives."""
    return op.infer.keywords["found"](types, given, named)[1]


# -- the records -----------------------------------------------------------------------------------


def _rule(*types, given, named, found):
    return found(types, given, named)[0]


def _evaluate(function, xp, operands, attributes):
    named = {name: filled(part, operands) for name, part in attributes["named"]}
    leaves, _ = flatten(function(*filled(attributes["given"], operands), **named))
    return leaves[0] if len(leaves) == 1 else tuple(leaves)


def _text(path, texts, given, named):
    parts = [literal(part, texts) for part in given]
    parts += [f"{name}={literal(part, texts)}" for name, part in named]
    return f"{path}({', '.join(parts)})"


def _called(function: Callable, path: str, doc: str, ragged=False, is_flat=False) -> Op:
    """The record of a function that is called as it is; `path` is how a program writes it."""
    return Op(
        path.removeprefix("np.").replace(".", "_"),
        doc,
        partial(_rule, found=partial(results, function, ragged)),
        partial(_evaluate, function),
        function,
        arity=None,
        inline=partial(_text, path) if is_flat else None,
    )


def _sentence(function):
    """The first sentence of what NumPy says about a function."""
    lines = (function.__doc__ or "").strip().splitlines()
    texts = [line.strip() for line in lines if line.strip()]
    named = f"{function.__name__}("
    first = next((text for text in texts if not text.startswith(named)), function.__name__)
    return first.rstrip(".") + "."


LIBRARY: dict[Callable, Op] = {}
AT: dict[np.ufunc, Op] = {}  # what an array is after `ufunc.at`


def _after_at(ufunc):
    def at(a, indices, *operand):
        changed = np.array(a)
        ufunc.at(changed, indices, *operand)
        return changed

    return at


def _add(function, path, ragged=False, is_flat=False):
    op = _called(function, path, _sentence(function), ragged, is_flat)
    LIBRARY[function] = op


# Those with several results, or with one in a container; a program calls the others as they stand.
SEVERAL = (
    "eigh gradient histogram histogram2d lstsq meshgrid nonzero polydiv polyfit qr slogdet svd "
    "unique unique_all unique_counts unique_inverse unravel_index"
)
_several = frozenset(SEVERAL.split())

for _module, _prefix, _names in (
    (np.linalg, "np.linalg", LINALG),
    (np.fft, "np.fft", FFT),
    (np, "np", PLAIN),
):
    for _name in _names.split():
        _add(getattr(_module, _name), f"{_prefix}.{_name}", is_flat=_name not in _several)
for _name in RAGGED.split():
    _add(getattr(np, _name), f"np.{_name}", ragged=True, is_flat=_name not in _several)
for _name in MATH.split():
    if hasattr(math, _name):
        _add(getattr(math, _name), f"math.{_name}")

_answered = {record.numpy for record in records()}
for _name in sorted(vars(np)):
    _ufunc = getattr(np, _name)
    if not isinstance(_ufunc, np.ufunc) or _ufunc.__name__ != _name:
        continue
    if _ufunc.signature is not None or _ufunc is np.isnat:
        continue
    if _ufunc not in _answered:
        _add(_ufunc, f"np.{_name}", is_flat=_ufunc.nout == 1)
    if any(kinds[0] == kinds[1] for kinds in _ufunc.types if _ufunc.nin == 2 and _ufunc.nout == 1):
        for _method in ("reduce", "accumulate", "outer"):
            _add(getattr(_ufunc, _method), f"np.{_name}.{_method}", is_flat=True)
        AT[_ufunc] = _called(_after_at(_ufunc), f"np.{_name}.at", f"An array after {_name}.at.")
