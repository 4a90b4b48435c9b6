"""Pipelines: passes in a row, each with a name, a reason for its place, and a contract.

    PIPELINE = (
        Pass("jumps", lower_jumps, "blocks cannot contain a jump", removes=(gast.Break,)),
        ...
    )
    tree = run(PIPELINE, tree, conversion, after=print_diff)

A pass is a function `(code, context) -> code`.  After each pass the code is checked, and an
observer sees the result.  The transpiler runs trees through this driver, and the runtime runs
graphs: nothing here knows what it carries.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass
class Pass:
    """One step of a pipeline.

    `why` says why the pass stands where it stands.  `removes` is its contract: the types of what
    must not be found in the result.  The pipeline's owner checks that.
    """

    name: str
    rewrite: Callable
    why: str
    removes: tuple[type, ...] = ()


class BrokenContract(AssertionError):
    """A pass left something behind that it promises to remove: a fault of this library."""


def run(
    passes: Iterable[Pass],
    code,
    context=None,
    after: Callable | None = None,
    check: Callable | None = None,
):
    """Sends `code` through the passes, in order, and returns what comes out.

    `check(code)` raises where a pass has made something invalid; `after(name, code)` sees what each
    of them has made.  An exception that is raised inside a pass carries a note with its name.
    """
    for step in passes:
        try:
            code = step.rewrite(code, context)
            if check is not None:
                check(code)
        except Exception as error:
            error.add_note(f"during pass {step.name!r}")
            raise
        if after is not None:
            after(step.name, code)
    return code


def upto(passes: tuple[Pass, ...], name: str) -> tuple[Pass, ...]:
    """The passes up to and including the one called `name`.

    Raises `ValueError` with the known names where there is no such pass.
    """
    for i, step in enumerate(passes):
        if step.name == name:
            return passes[: i + 1]
    known = ", ".join(step.name for step in passes)
    raise ValueError(f"there is no pass {name!r}; the passes are {known}")
