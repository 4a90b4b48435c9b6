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

A pass is a function `(code, context) -> code`.  An observer sees the result of each pass, and
the code is checked.  The transpiler runs trees through this driver, and the runtime runs
graphs: nothing here depends on what the code is.  The table of constraints is modelled on that of
Go's compiler (`cmd/compile/internal/ssa/compile.go`).
"""

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple


@dataclass(frozen=True)
class Pass:
    """One step of a pipeline.

    `removes` is its contract: kinds of code (types of tree nodes, names of ops) that are not in its
    result, nor in that of any later pass.  The pipeline's owner knows how to look for them.

    `meets` are the kinds for which it has something to do, if that is decided by kinds; it is
    skipped where none of them occurs.  `makes` are the kinds that later passes may meet because of
    it.
    """

    name: str
    rewrite: Callable[[Any, Any], Any]
    removes: tuple[Any, ...] = ()
    meets: tuple[Any, ...] = ()
    makes: tuple[Any, ...] = ()


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
    kinds: frozenset[Any] | None = None,
) -> Any:
    """Sends `code` through the passes, in order, and returns the result.

    `check(code)` raises if the passes have made the code invalid: it runs at the end, and under
    `is_strict()` after each pass.  `after(name, code)` sees the result of each pass.
    `remainder(code, context, kinds)` describes code of the kinds that have been removed, or returns
    None if there is none; it is called at the end, and if there is an observer also after each pass
    that removes any.  `kinds` are those that occur in the code, if known.

    An exception that is raised by a pass or a check carries a note with the pass's name.  Raises
    `BrokenContract` if something remains that was to be removed.
    """
    done, each = [], check if is_strict() else None
    for step in passes:
        done.append(step)
        try:
            if kinds is None or not step.meets or not kinds.isdisjoint(step.meets):
                code = step.rewrite(code, context)
                kinds = kinds and kinds.union(step.makes)
            if each is not None:
                each(code)
        except Exception as error:
            error.add_note(f"during pass {step.name!r}")
            raise
        if after is not None:
            if step.removes and remainder is not None:
                _check_removed(code, context, done, remainder)
            after(step.name, code)
    if check is not None and each is None:
        check(code)
    if remainder is not None:
        _check_removed(code, context, done, remainder)
    return code


def is_strict() -> bool:
    """Whether faults of this library are looked for at a cost, and never hidden.

    The tests set `AUTOGRAPH_STRICT`.  Nine of ten verifications take a tenth of a first call.
    """
    return "AUTOGRAPH_STRICT" in os.environ


def _check_removed(
    code: Any,
    context: Any,
    done: list[Pass],
    remainder: Callable[[Any, Any, frozenset[Any]], str | None],
) -> None:
    """Raises `BrokenContract` if something is left that one of the passes `done` removes."""
    removed = frozenset(kind for step in done for kind in step.removes)
    fault = remainder(code, context, removed) if removed else None
    if fault is None:
        return
    error = BrokenContract(fault)
    for step in done:
        if step.removes and remainder(code, context, frozenset(step.removes)) is not None:
            error.add_note(f"during pass {step.name!r}")
            break
    raise error


def upto(passes: tuple[Pass, ...], name: str) -> tuple[Pass, ...]:
    """The passes up to and including the one called `name`.

    Raises `ValueError`, which lists the passes, if there is none of that name.
    """
    for i, step in enumerate(passes):
        if step.name == name:
            return passes[: i + 1]
    known = ", ".join(step.name for step in passes)
    raise ValueError(f"there is no pass {name!r}; the passes are {known}")
