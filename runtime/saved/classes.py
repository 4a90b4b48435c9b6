"""Classes that the graphs and results of saved programs may have: closed tables.

    KINDS      by the names that graphs state: Python's exceptions and containers, those of NumPy
    RESULTS    named tuples that functions of NumPy return, such as `np.linalg.eig`

Some classes of NumPy are private (`_UFuncOutputCastingError` of `integers += 0.5`), so a version
of it may lack them.
"""

import builtins
from collections import OrderedDict, defaultdict, deque
from collections.abc import Iterable, Iterator

import numpy as np
from numpy._core import _exceptions
from numpy.lib import _arraysetops_impl
from numpy.linalg import _linalg

from runtime.errors import LibraryResultError


def _found(module: object, names: Iterable[str]) -> Iterator[type]:
    kinds = (getattr(module, name, None) for name in names)
    return (kind for kind in kinds if isinstance(kind, type))


def _full_name(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


_RAISED = (
    "UFuncTypeError", "_UFuncNoLoopError", "_UFuncBinaryResolutionError",
    "_UFuncInputCastingError", "_UFuncOutputCastingError", "_ArrayMemoryError",
)  # fmt: skip
_OF_MATRICES = ("EigResult", "EighResult", "QRResult", "SVDResult", "SlogdetResult")
_OF_SETS = ("UniqueAllResult", "UniqueCountsResult", "UniqueInverseResult")

_TUPLES = (*_found(_linalg, _OF_MATRICES), *_found(_arraysetops_impl, _OF_SETS))
RESULTS = {kind.__name__: kind for kind in _TUPLES}

EXCEPTIONS = {
    name: kind
    for name, kind in vars(builtins).items()
    if isinstance(kind, type) and issubclass(kind, Exception)
}
KINDS: dict[str, type] = {
    **EXCEPTIONS,
    **{k.__name__: k for k in (bool, int, float, complex, str, bytes, tuple, list, dict, set)},
    **{k.__name__: k for k in (frozenset, slice, range)},
    **{f"collections.{k.__name__}": k for k in (OrderedDict, defaultdict, deque)},
    # of checks that would leave a run to the Python function, such as of two NaN in lists
    f"{LibraryResultError.__module__}.LibraryResultError": LibraryResultError,
    "numpy.linalg.LinAlgError": np.linalg.LinAlgError,
    "numpy.exceptions.AxisError": np.exceptions.AxisError,
    "numpy.ndarray": np.ndarray,
    **{_full_name(kind): kind for kind in _found(_exceptions, _RAISED)},
    **{_full_name(kind): kind for kind in _TUPLES},
    **{f"numpy.{k.__name__}": k for k in np.sctypeDict.values() if k.__module__ == "numpy"},
}
KNOWN = frozenset(KINDS.values())
