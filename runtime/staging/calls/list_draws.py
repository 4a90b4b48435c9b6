"""`shuffle` of arrays and lists, and `choice` of lists, in each run.

rng.choice([-1, 1])          the element at an index that each run draws
rng.shuffle(x)               an array gets a permutation of itself as its new value
rng.shuffle(deck)            each run draws the places of the elements, by which they are sorted:
                             v: i64[52] = ask(function='shuffle', given=(52,), generator=...)
"""

from collections.abc import Callable
from typing import Any

from autograph.constructs.ternary import if_expr
from runtime.errors import GeneratorError, staging_error
from runtime.staging.calls.iterables import as_list, known_items
from runtime.staging.calls.sorting import put_in_order
from runtime.staging.lists.trace_list import TraceList
from runtime.tracing.tensor import Tensor, is_object

MOST_BRANCHES = 4
SCALARS = (bool, int, float, complex, str)


def shuffling(
    permutation: Callable[..., Any] | None, places: Callable[[Any], Any]
) -> Callable[..., None]:
    """The replacement of `shuffle`; `permutation` returns a permuted array, and `places` the new
    places of a number of elements.  Without `permutation` the elements of a vector are moved."""

    def shuffle(x, *args, **kwargs):
        if type(x) is TraceList and not args and not kwargs:
            shuffle_list(x, places)
        elif isinstance(x, Tensor) and not is_object(x) and permutation is not None:
            x._assign(permutation(x, *args, **kwargs))
        elif isinstance(x, Tensor) and not is_object(x) and x.type.ndim == 1:
            x[places(x.shape[0])] = x.copy()
        else:
            raise staging_error(
                "shuffle is called with an object that is neither a staged array nor a list of the "
                "function's",
                "It would be shuffled once, while the graph is being built.",
                "Shuffle an array that is an argument, or that the function creates.",
                GeneratorError,
            )

    return shuffle


def shuffle_list(items: TraceList, places: Callable[[Any], Any]) -> None:
    """Puts the elements of a list into the places that each run draws: none for less than two."""
    if items.value is None and list.__len__(items) < 2:
        return
    drawn = places(items.length())
    if items.value is None:
        put_in_order(items, TraceList(drawn[i] for i in range(list.__len__(items))))
    else:
        put_in_order(items, as_list(drawn))


def choosing(index: Callable[[int], Any], otherwise: Callable[..., Any]) -> Callable[..., Any]:
    """The replacement of `choice` of `random`, which draws an index below a number as `index`
    does; `otherwise` is called for elements that are neither numbers nor texts."""

    def choice(*args, **kwargs):
        known = () if kwargs or len(args) != 1 else _scalars(args[0])
        return _chosen(known, index(len(known))) if known else otherwise(*args, **kwargs)

    return choice


def _chosen(items: list[Any], index: Any) -> Any:
    """The element at a staged index; of few elements by branches, without a list in each run."""
    if len(items) > MOST_BRANCHES:
        return TraceList(items)[index]
    first, *others = items
    if not others:
        return first
    return if_expr(index == 0, lambda: first, lambda: _chosen(others, index - 1))


def _scalars(items: Any) -> list[Any]:
    """The elements of a list or tuple, if they are numbers or texts of one type, plain or staged;
    else none."""
    if type(items) not in (TraceList, list, tuple) or getattr(items, "value", None) is not None:
        return []
    known = known_items(items)
    kinds = {one.type if isinstance(one, Tensor) else type(one) for one in known}
    is_one = len(kinds) == 1 and (type(known[0]) in SCALARS or isinstance(known[0], Tensor))
    return known if is_one else []
