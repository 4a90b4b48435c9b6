"""The types of the results of a function of a package: asked of the function, by examples.

    scipy.linalg.expm, (f64[3, 3])         ->  f64[3, 3]
    scipy.linalg.lu, (f64[n, n])           ->  (f64[None, None], f64[None, None], f64[None, None])
    Rotation.from_rotvec, (f64[3])         ->  no value of a graph: an object

A pure function may be called with examples of the right types, and with the values of the call for
which the graph is recorded.  What differs from example to example is not known: a size is None; if
it is a dtype, a rank or the structure, the result is an object.
"""

import warnings
from collections import OrderedDict
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from runtime.ir.pytree import Structure, flatten
from runtime.ir.slot import Slot
from runtime.ir.types import STRING, Type, type_of
from runtime.ops.library_call import template_of
from runtime.ops.open_sizes import filled, matching
from runtime.ops.sampling import LAST, SIZES, NoResult, few_examples, is_open, joined_type

SMALL = 10_000  # elements; with fewer, the values of the call are an example, too
MOST_KNOWN = 512

_known: OrderedDict[Any, Any] = OrderedDict()


class LibraryTypes:
    """The types of the values in a result, and the template of its structure; `objects`: the
    result is an object of Python."""

    def __init__(self, types: tuple[Type, ...], structure: Any):
        self.types, self.structure = types, structure


@dataclass(frozen=True, eq=False)
class Question:
    """A call whose result types are needed: `function(*operands)`.

    `key` identifies the function; `known` are values of operands that are probably the same in all
    calls, None for the others, of which the `types` are known.
    """

    key: Any
    function: Callable
    types: tuple[Type, ...]
    known: tuple[Any, ...]
    name: str = ""

    def identity(self) -> Any:
        """The key of the question: the contents of the known operands, too."""
        known = (np.asarray(one).tobytes() for one in self.known if one is not None)
        return self.key, self.types, tuple(map(hash, known))

    def operands(self, example: Callable, size: int) -> list[Any]:
        """The known operands, copied, and examples of the others."""
        return [
            example(kind, size, place) if known is None else copy(known)
            for place, (kind, known) in enumerate(zip(self.types, self.known, strict=True))
        ]

    def sizes(self) -> tuple[int, ...]:
        """The sizes that are tried for dimensions of unknown size."""
        pairs = zip(self.types, self.known, strict=True)
        return SIZES if any(is_open(kind) for kind, one in pairs if one is None) else SIZES[:1]


def library_types(question: Question, actual: Sequence[Any] | None) -> LibraryTypes | None:
    """The types of the results of a call.

    None if no graph can hold the results, or if no call succeeds.  `actual` are operands of a call,
    if they are known.
    """
    if question.name in LIKE_ARGUMENT and question.types[0].dtype.kind in "fc":
        return LibraryTypes(question.types[:1], Slot(0))
    key = question.identity()
    if key in _known:
        return _known[key]
    found = _asked(question, actual)
    if actual is None or found is not None:
        _keep(key, found)
    return found


def library_example(question: Question, actual: Sequence[Any] | None) -> Any:
    """A result of a call for examples, or for `actual`; None if no call succeeds."""
    key = question.identity(), "example"
    if key not in _known:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            found = (run for size in question.sizes() for run in _results(question, size))
            example = next(found, None)
            if example is None and actual is not None:
                example = next(iter(_result(question.function, actual)), None)
            if example is None and actual is None:
                return None
            _keep(key, example)
    return _known[key]


def _keep(key: Any, found: Any) -> None:
    _known[key] = found
    if len(_known) > MOST_KNOWN:
        _known.popitem(last=False)


# Functions whose result is of the type of their argument in all but rare cases: a run with one
# of these is refused, since a graph of objects has no derivatives.
LIKE_ARGUMENT = ("scipy.linalg.sqrtm",)


def _asked(question: Question, actual: Sequence[Any] | None) -> LibraryTypes | None:
    runs: list[Any] = []
    is_certain = True
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for size in question.sizes():
            found = list(map(flatten, _results(question, size)))
            is_certain = is_certain and bool(found)
            runs += found
        others = iter(()) if runs else matching(question.types, SIZES, [])
        while not runs and (tried := next(others, None)) is not None:
            runs += map(flatten, _results(replace(question, types=tried), SIZES[0]))
        count = 0 if actual is None else sum(map(np.size, actual))
        if actual is not None and (not runs or count < SMALL):
            runs += map(flatten, _result(question.function, actual))
    if not runs:
        return None
    try:
        return _joined(runs, is_certain)
    except NoResult:
        return None


def _results(question, size):
    """The results for examples, without the calls that fail."""
    question = replace(question, types=filled(question.types, size))
    examples = few_examples(question.types)
    has_succeeded = False
    for example in examples:
        if example in examples[-LAST:] and has_succeeded:
            return
        try:
            found = question.function(*question.operands(example, size))
        except Exception:
            continue
        has_succeeded = True
        yield found


def _result(function, operands):
    """The result of a call, in a list; an empty one if the call fails."""
    try:
        return [function(*operands)]
    except Exception:
        return []


def _joined(runs: list[tuple[list[Any], Structure]], is_certain: bool) -> LibraryTypes | None:
    structure = runs[0][1]
    if any(other != structure for _, other in runs) or not _is_known(structure):
        return None
    columns = list(zip(*(leaves for leaves, _ in runs), strict=True))
    leaves = [_joined_leaf(column, is_certain) for column in columns]
    if any(leaf is NotImplemented for leaf in leaves):
        return None
    types = tuple(leaf for leaf in leaves if isinstance(leaf, Type))
    return LibraryTypes(types, template_of(structure, leaves)) if types else None


def _is_known(structure: Structure) -> bool:
    """Whether containers consist of their items only: some named tuples have more."""
    kind = structure.kind
    if kind is None:
        return True
    is_plain = kind in (tuple, list, dict) or kind.__bases__ == (tuple,) and hasattr(kind, "_make")
    return is_plain and all(map(_is_known, structure.children))


def _joined_leaf(column: Sequence[Any], is_certain: bool) -> Any:
    """The type of a value in several results; a constant; NotImplemented if there is none."""
    if all(one is None for one in column):
        return None
    if all(type(one) is str for one in column):
        return column[0] if len(set(column)) == 1 else STRING
    kinds = [type_of(one) if _is_plain(one) else None for one in column]
    if None in kinds:
        return NotImplemented
    return joined_type("the function", kinds, is_certain)


def _is_plain(value: Any) -> bool:
    """Whether a value is no object of a subclass of arrays, such as a matrix."""
    return not isinstance(value, np.ndarray) or type(value) is np.ndarray
