"""Pipelines: passes that run one after the other, with constraints on their order, and contracts.

    PIPELINE = ordered(
        (
            Pass("jumps", lower_jumps, removes=(gast.Continue,)),
            Pass("blocks", make_blocks, removes=(gast.If, gast.While, gast.For, gast.Break)),
            ...
        ),
        (
            Constraint("jumps", "blocks", "no jump can leave a block that becomes a function"),
            ...
        ),
    )
    tree = run(PIPELINE, tree, conversion, after=print_diff)

A pass is a function `(code, context) -> code`.  After each pass the code is checked, and an
observer sees the result.  The transpiler runs trees through this driver, and the runtime runs
graphs: nothing here depends on what the code is.  The table of constraints is modelled on that of
Go's compiler (`cmd/compile/internal/ssa/compile.go`).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple


@dataclass(frozen=True)
class Pass:
    """One step of a pipeline.

    `removes` is its contract: kinds of code (types of tree nodes, names of ops) that are not in its
    result, nor in that of any later pass.  The pipeline's owner knows how to look for them.
    """

    name: str
    rewrite: Callable[[Any, Any], Any]
    removes: tuple[Any, ...] = ()


class Constraint(NamedTuple):
    """The pass `first` must run before the pass `then`, and why."""

    first: str
    then: str
    why: str


class WrongOrder(AssertionError):
    """The passes of a pipeline are in an order that a constraint forbids."""


class BrokenContract(AssertionError):
    """A pass has left something that it promises to remove: a fault of this library."""


def ordered(passes: Iterable[Pass], constraints: Iterable[Constraint]) -> tuple[Pass, ...]:
    """The passes, as they are, if their order satisfies all constraints.

    Raises `WrongOrder`, with the reason, if it does not, if two passes have one name, or if a
    constraint names a pass that does not exist.
    """
    passes = tuple(passes)
    places = {step.name: place for place, step in enumerate(passes)}
    if len(places) < len(passes):
        raise WrongOrder("two passes have the same name")
    for first, then, why in constraints:
        for name in (first, then):
            if name not in places:
                raise WrongOrder(f"a constraint names the pass {name!r}, which does not exist")
        if places[first] >= places[then]:
            raise WrongOrder(f"the pass {first!r} must run before {then!r}: {why}")
    return passes


def run(
    passes: Iterable[Pass],
    code: Any,
    context: Any = None,
    after: Callable[[str, Any], None] | None = None,
    check: Callable[[Any], None] | None = None,
    remainder: Callable[[Any, Any, frozenset[Any]], str | None] | None = None,
) -> Any:
    """Sends `code` through the passes, in order, and returns the result.

    `check(code)` raises if a pass has made the code invalid; `after(name, code)` sees the result of
    each pass.  `remainder(code, context, kinds)` describes code of the kinds that have been
    removed, or returns None if there is none; it is called after each pass that removes any, and at
    the end.

    An exception that is raised by a pass or a check carries a note with the pass's name.  Raises
    `BrokenContract` if something remains that was to be removed.
    """
    removed: frozenset[Any] = frozenset()
    last = None
    for step in passes:
        try:
            code = step.rewrite(code, context)
            if check is not None:
                check(code)
            if step.removes:
                removed = removed.union(step.removes)
                _check_removed(code, context, removed, remainder)
        except Exception as error:
            error.add_note(f"during pass {step.name!r}")
            raise
        last = step
        if after is not None:
            after(step.name, code)
    if removed and last is not None and not last.removes:
        _check_removed(code, context, removed, remainder)
    return code


def _check_removed(
    code: Any,
    context: Any,
    kinds: frozenset[Any],
    remainder: Callable[[Any, Any, frozenset[Any]], str | None] | None,
) -> None:
    fault = None if remainder is None else remainder(code, context, kinds)
    if fault is not None:
        raise BrokenContract(fault)


def upto(passes: tuple[Pass, ...], name: str) -> tuple[Pass, ...]:
    """The passes up to and including the one called `name`.

    Raises `ValueError`, which lists the passes, if there is none of that name.
    """
    for i, step in enumerate(passes):
        if step.name == name:
            return passes[: i + 1]
    known = ", ".join(step.name for step in passes)
    raise ValueError(f"there is no pass {name!r}; the passes are {known}")
