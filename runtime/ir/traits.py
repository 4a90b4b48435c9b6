"""Traits: facts that passes, transformations and engines may assume about an op.

    Traits(elementwise=True, commutative=True, speculatable=integers_that_wrap, cost=Cost(1.0))
    Traits(aliases=Aliasing.VIEW, raises=(IndexError,))
    NoTraits("Each element of the result depends on all elements of the operand.")

Every record of an op has traits, or says why none of them applies (`NoTraits`).  Passes read a
trait and never compare the name of an op, so they work for a new op without changes.

The default of each trait is the safe one: an op that does not claim a trait is optimised less.
Traits are claims about facts, which `tests/graphs/test_traits.py` checks by evaluating the ops.

Not a trait is what differs from op to op in more than a word: the type rule, the value, the
derivative (fields of `Op`), and tables with a function for each op, such as the rules of `vmap`.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from runtime.ir.graph import Node
from runtime.ir.types import Type

Exceptions = tuple[type[Exception], ...]

# As `Traits.linear`: linear in all operands, however many there are.
ALL_OPERANDS = range(1 << 30)


class Aliasing(Enum):
    """Whether the results of an op share memory with its operands.

    FRESH            they share none
    VIEW             the result is the first operand, or a view of it
    VIEW_OR_COPY     a view if the operand's memory layout permits, else a copy: known in a run only
    READ_ONLY_VIEW   a view in which elements overlap, so that nothing may be written into it
    CONTAINER        the first result is a list or tuple that holds operands, or items of theirs
    ITEM             results are items of the list or tuple that the first operand is: of a tuple
                     all results, of a list the last
    ANY              each result may be an operand, or show or hold parts of it
    """

    FRESH = "fresh"
    VIEW = "view"
    VIEW_OR_COPY = "view or copy"
    READ_ONLY_VIEW = "read-only view"
    CONTAINER = "container"
    ITEM = "item"
    ANY = "any"


VIEWS = frozenset({Aliasing.VIEW, Aliasing.VIEW_OR_COPY, Aliasing.READ_ONLY_VIEW})


class Effect(Enum):
    """The effect of an op besides its results: the op is kept, in order, even if these are unused.

    RAISES        raises the exception that the program states, under its condition
    EXTERNAL      reads or changes something outside of the graph: prints, draws, asks the time.
                  It happens for each element of a batch
    ERROR_STATE   sets how NumPy reports floating-point errors from here on
    REPORT        reports the new contents of an input to the caller
    CALL          runs a graph that the op does not hold, which may have effects
    """

    RAISES = "raises"
    EXTERNAL = "external"
    ERROR_STATE = "error state"
    REPORT = "report"
    CALL = "call"


class Per(Enum):
    """The unit in which the cost of an op is counted."""

    RESULT = "element of the largest result"
    OPERAND = "element of the first operand"
    PRODUCT = "product of two elements"
    MATRIX = "third power of the size of a matrix"
    NOTHING = "nothing: the op takes no time worth counting"


@dataclass(frozen=True)
class Cost:
    """How long an op takes: nanoseconds for each unit, on one core of an ordinary machine."""

    nanoseconds: float
    per: Per = Per.RESULT


FREE = Cost(0.0, Per.NOTHING)


class Batching(Enum):
    """How a function that is called as it is treats further leading axes of its first argument.

    ELEMENTWISE   each element by itself, arguments broadcast
    REDUCTION     along the argument `axis`
    STACK         as a stack of matrices, the matrices along the last two axes
    LAST_AXIS     along the last axis, unless the argument `axis` names another
    """

    ELEMENTWISE = "elementwise"
    REDUCTION = "reduction"
    STACK = "stack of matrices"
    LAST_AXIS = "last axis"


@dataclass(frozen=True, kw_only=True)
class Traits:
    """The traits of an op.

    elementwise   Each element of the result depends on the operands' elements that broadcast to its
                  place, and on the attributes.  The result is a new array of the broadcast shape,
                  without gaps in memory, or a scalar.
    reduction     Sums up axes of its operand, in one loop over the elements.
    keeps_sizes   The result has the sizes of the first operand.
    commutative   Exchanging the two operands changes no bit of the result.
    swapped       The op that has the same result with its two operands exchanged, by name.
    negated       The op that is false where this one is true and the other way round, by name; for
                  floats only if neither operand is nan.
    comparison    Compares two operands: the result is a truth value for each pair of elements.
    linear        The operands in which the op is linear, all of them together, the others fixed.
                  Forward mode applies the op to the tangents of these operands.  Linear elementwise
                  operators say it by constant partial derivatives instead.
    bilinear      Linear in each of two operands, the other one fixed.
    speculatable  Decides for a node whether it may be executed although the original program would
                  not (MLIR's word): it then can neither raise nor warn, whatever values the
                  operands have.  None: never.
    raises        The exceptions that an execution may raise although the types are right, or a
                  function that decides it by the types and attributes.
    total         Raises nothing else, whatever values the operands have, if their sizes match.
                  Elementwise ops, reductions, and ops that are linear or return views claim it.
    warns         Decides for a node whether NumPy may issue a warning other than of floating-point
                  errors.
    aliases       Which memory the results share with the operands.
    updates       The operand whose memory the result may take if the operand is not used later.
    effect        What the op does besides computing its results.
    marker        The results are the first operands themselves: only differentiation needs the op.
    foldable      With known operands the result is worth computing beforehand.  It is not where it
                  stands for no value, or is made as fast as it is copied.
    recomputable  For scalars, computing the result again costs no more than keeping it.
    cost          How long the op takes beside others on other threads; None if that is not known.
    batching      How a function that is called as it is treats further leading axes.
    method        The array method that does the same, as a template like `Op.eval`; it is faster
                  than the function, which calls it.
    takes_out     Is written with `out=` where a large operand's memory can take the result.
    ignores_integer_kind   The result is the same for a Python int and a NumPy integer of its value.
    integer_arithmetic     Of integers it is an integer, the same for Python ints and NumPy integers
                           as long as nothing overflows.
    takes_unions  Takes scalars of which only the run knows the type (`UnionType`) as they are.
    keeps_truth   If the operand or the result is a bool, both have the same truth.
    """

    elementwise: bool = False
    reduction: bool = False
    keeps_sizes: bool = False
    commutative: bool = False
    swapped: str | None = None
    negated: str | None = None
    comparison: bool = False
    linear: tuple[int, ...] | range = ()
    bilinear: bool = False
    speculatable: Callable[[Node], bool] | None = None
    raises: Exceptions | Callable[[tuple[Type, ...], dict[str, Any]], Exceptions] = ()
    total: bool = False
    warns: Callable[[Node], bool] | None = None
    aliases: Aliasing = Aliasing.FRESH
    updates: int | None = None
    effect: Effect | None = None
    marker: bool = False
    foldable: bool = True
    recomputable: bool = False
    cost: Cost | None = None
    batching: Batching | None = None
    method: str | None = None
    takes_out: bool = False
    ignores_integer_kind: bool = False
    integer_arithmetic: bool = False
    takes_unions: bool = False
    keeps_truth: bool = False


@dataclass(frozen=True, kw_only=True)
class NoTraits(Traits):
    """The traits of an op to which none applies, for a reason."""

    why: str = field(kw_only=False, default="")
