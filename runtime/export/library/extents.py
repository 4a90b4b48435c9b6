"""Bounds of sizes: sums of products of the sizes that the caller names.

    n        n + 1        n*m + 2*n        at most as many elements

A number or a name stands for itself; other sums are an `Extent`.
"""

from collections import Counter
from dataclasses import dataclass

Product = tuple[str, ...]  # the names of factors, in order; none for a number


@dataclass(frozen=True)
class Extent:
    """A sum of products, each with how often it is counted."""

    terms: tuple[tuple[Product, int], ...]

    def __str__(self) -> str:
        return " + ".join(_shown(*term) for term in self.terms)


Size = int | str | Extent | None  # None: no bound is known


def terms_of(size: int | str | Extent) -> tuple[tuple[Product, int], ...]:
    """The terms of a bound."""
    if isinstance(size, Extent):
        return size.terms
    return (((), size),) if isinstance(size, int) else (((size,), 1),)


def added(*sizes: Size) -> Size:
    """The sum of bounds; None if one of them is unknown."""
    found: Counter[Product] = Counter()
    for size in sizes:
        if size is None:
            return None
        for product, count in terms_of(size):
            found[product] += count
    return _proper(found)


def multiplied(*sizes: Size) -> Size:
    """The product of bounds; None if one of them is unknown."""
    found: Counter[Product] = Counter({(): 1})
    for size in sizes:
        if size is None:
            return None
        terms = terms_of(size)
        grown: Counter[Product] = Counter()
        for product, count in found.items():
            for other, factor in terms:
                grown[tuple(sorted((*product, *other)))] += count * factor
        found = grown
    return _proper(found)


def _proper(found: Counter[Product]) -> Size:
    known = [(product, count) for product, count in found.items() if count]
    terms = tuple(sorted(known, key=lambda term: (-len(term[0]), term)))
    if not terms:
        return 0
    (product, count), *others = terms
    if not others and not product:
        return count
    if not others and len(product) == count == 1:
        return product[0]
    return Extent(terms)


def _shown(product: Product, count: int) -> str:
    factors = [str(count)] * (count != 1 or not product) + list(product)
    return "*".join(factors)
