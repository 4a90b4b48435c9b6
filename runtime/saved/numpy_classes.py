"""Classes of NumPy that results and exceptions of saved programs have: closed tables.

    EXCEPTIONS    `_UFuncOutputCastingError` of `integers += 0.5`, by full names
    RESULTS       named tuples that functions return, such as `np.linalg.eig`

They are private, so a version of NumPy may lack some.
"""

from collections.abc import Iterable, Iterator

from numpy._core import _exceptions
from numpy.lib import _arraysetops_impl
from numpy.linalg import _linalg


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

EXCEPTIONS = {_full_name(kind): kind for kind in _found(_exceptions, _RAISED)}
_TUPLES = (*_found(_linalg, _OF_MATRICES), *_found(_arraysetops_impl, _OF_SETS))
RESULTS = {kind.__name__: kind for kind in _TUPLES}
RESULTS_IN_TEXT = {_full_name(kind): kind for kind in _TUPLES}
