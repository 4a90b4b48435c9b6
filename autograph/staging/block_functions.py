"""The functions that generated code makes from blocks, and the variables that they bind."""

import functools
from collections.abc import Callable, Iterable
from types import FunctionType

from autograph.functions.bytecode import bound_names, used_names
from autograph.functions.frames import BLOCKS, GENERATED
from autograph.functions.policy import is_users_function
from autograph.staging.held_objects import cell_contents, cells


def block_functions(blocks: list[Callable]) -> list[FunctionType]:
    """The functions of blocks, and of the blocks inside them, which are their siblings.

    Operators combine several blocks in a closure or `functools.partial` of their own (the rest of
    an `elif` chain, of an `and`): the blocks in it are found too.
    """
    found, seen = [], set()
    pending = list(blocks)
    while pending:
        block = pending.pop(0)
        if id(block) in seen:
            continue
        seen.add(id(block))
        kind = type(block)  # `isinstance` would ask staged values for their class
        if kind is FunctionType:
            held = _read_cells(block)
            if not is_inspected(block):
                pending += held
                continue
            found.append(block)
            pending += [f for f in held if type(f) is FunctionType and _is_sibling(f, block)]
        elif issubclass(kind, functools.partial):
            pending += [block.func, *block.args, *block.keywords.values()]
        elif issubclass(kind, tuple):
            pending += block
    return found


def are_inspected(blocks: Iterable[Callable | None]) -> bool:
    """Whether the code of all blocks is the user's, or what operators of this package make of it: a
    backend may have blocks of its own, of which no search knows what they change."""
    pending = [block for block in blocks if block is not None]
    seen = set()
    while pending:
        block = pending.pop()
        if id(block) in seen:
            continue
        seen.add(id(block))
        if type(block) is functools.partial:
            pending += [block.func, *block.args] if block.func is not itself else []
        elif type(block) is tuple:
            pending += block
        elif type(block) is not FunctionType:
            return False
        elif not is_inspected(block):
            package = block.__globals__.get("__name__", "").partition(".")[0]
            if package != "autograph":
                return False
            pending += [held for held in _read_cells(block) if type(held) is FunctionType]
    return True


def given_values(blocks: tuple[Callable | None, ...]) -> list[object]:
    """The values that blocks have as arguments: the element of a loop that is unrolled, or a value
    that exists before, which a block of `if_expr` only gives."""
    partials = [block for block in blocks if isinstance(block, functools.partial)]
    return [value for block in partials for value in (*block.args, *block.keywords.values())]


def itself(value: object) -> object:
    """The value itself.  `functools.partial(itself, value)` is a block that gives a value."""
    return value


def bound_cells(block):
    """The cells of the variables that a block binds."""
    bound = bound_names(block.__code__)
    return [cell for name, cell in cells(block).items() if name in bound]


def is_inspected(function):
    """Whether a function is the user's, or a block of one that was converted explicitly."""
    return is_users_function(function) or function.__code__ in BLOCKS


def _read_cells(function):
    """The values of the variables of enclosing functions that a function mentions."""
    code = function.__code__
    if not code.co_freevars:
        return []
    used, cells = used_names(code), zip(code.co_freevars, function.__closure__, strict=True)
    return [value for name, cell in cells if name in used for value in cell_contents(cell)]


def _is_sibling(function, block):
    """Whether a function was made from a block of the same user function as `block`.

    Rebuilt code has the user's names; in a printed file the names are those in the file.
    """
    ours, theirs = function.__code__.co_qualname, block.__code__.co_qualname
    if ours == theirs:
        return function.__code__ in BLOCKS  # else it is the user function itself
    outer, _, name = ours.rpartition(".")
    return outer == theirs.rpartition(".")[0] and GENERATED.fullmatch(name) is not None
