"""Programs of the backend in `recorder.py`: regions of steps over Python scalars, and symbols."""

import operator
from collections.abc import Callable
from dataclasses import dataclass, field

from autograph.functions.policy import leave_alone
from autograph.staging.abstract_values import AbstractDomain
from autograph.staging.accessors import register_accessor
from autograph.staging.errors import asked_for
from autograph.staging.session import RegionStack

leave_alone(__file__)


@dataclass(eq=False)
class Region:
    """A list of steps, with the values that it takes and those that it returns."""

    inputs: list = field(default_factory=list)
    steps: list = field(default_factory=list)
    outputs: list = field(default_factory=list)

    def run(self, values, known):
        """Runs the steps; `known` maps symbols to their values."""
        known.update(zip(self.inputs, values, strict=True))
        for step in self.steps:
            operands = [known.get(operand, operand) for operand in step.operands]
            known.update(zip(step.results, step.run(operands, known), strict=True))
        return [known.get(output, output) for output in self.outputs]


@dataclass(eq=False)
class Step:
    """One operation: its name, operands, results, regions, and the function that computes it."""

    name: str
    operands: tuple
    results: list
    regions: tuple = ()
    function: Callable | None = None

    def run(self, operands, known):
        """The values of the results."""
        if self.name == "if":
            return self.regions[0 if operands[0] else 1].run((), known)
        if self.name == "while":
            goes_on, *values = operands
            while goes_on:
                goes_on, *values = self.regions[0].run(values, known)
            return values
        result = self.function(*operands)
        return [result] if self.results else []


class Symbol:
    """A staged bool, int, float or string."""

    def __init__(self, type):
        self.type = type

    def __bool__(self):
        answer = session().state(Answers).answer
        if answer is None:
            raise asked_for("the truth of a symbol is needed, but it is staged")
        return answer(self)

    __hash__ = object.__hash__


class MaybeMissing(Symbol):
    """A staged value that may be unbound or None in a run, as its flags tell; they may be absent."""

    def __init__(self, present, is_bound, is_none, path):
        super().__init__(present.type)
        self.present, self.is_bound, self.is_none, self.path = present, is_bound, is_none, path

    def checked(self):
        """The value, after a step that checks that it is there."""
        if self.is_bound is not None:
            text = f"cannot access local variable '{self.path}'"
            check(self.is_bound, UnboundLocalError(text))
        if self.is_none is not None:
            check(negated(self.is_none), TypeError("unsupported operand type: 'NoneType'"))
        return self.present


register_accessor(Symbol, None)  # a symbol never changes


@dataclass
class Answers:
    """How the truth of symbols is answered while a `match` chooses its case."""

    answer: Callable | None = None


# -- recording -------------------------------------------------------------------------------------

sessions: list[RegionStack] = []


def session():
    """The session of the program that is being recorded."""
    return sessions[-1]


def record(name, operands, kind, function):
    """Adds a step to the innermost region; returns its result, if it has a type."""
    results = [] if kind is None else [Symbol(kind)]
    session().regions[-1].steps.append(Step(name, tuple(operands), results, (), function))
    return results[0] if results else None


def check(condition, error):
    """Adds a step that raises `error` if the condition does not hold."""

    def fail(holds):
        if not holds:
            raise error

    record("check", (condition,), None, fail)


def negated(flag):
    """`not flag`, for a symbol of type bool."""
    return record("not", (flag,), bool, operator.not_)


NUMBERS = (bool, int, float)
RELATIONS = ("lt", "le", "gt", "ge", "eq", "ne")
ARITHMETIC = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "neg")


def _operation(name, is_reflected=False):
    function = getattr(operator, name)

    def operate(self, *others):
        operands = (*others, self) if is_reflected else (self, *others)
        operands = [o.checked() if isinstance(o, MaybeMissing) else o for o in operands]
        types = [o.type if isinstance(o, Symbol) else type(o) for o in operands]
        if not all(kind in NUMBERS for kind in types):
            return NotImplemented
        widest = max(int, *types, key=NUMBERS.index)
        kind = bool if name in RELATIONS else float if name == "truediv" else widest
        return record(name, operands, kind, function)

    return operate


for _name in (*RELATIONS, *ARITHMETIC):
    setattr(Symbol, f"__{_name}__", _operation(_name))
for _name in ARITHMETIC[:-1]:
    setattr(Symbol, f"__r{_name}__", _operation(_name, is_reflected=True))


# -- abstract values ------------------------------------------------------------------------------


class Domain(AbstractDomain):
    """The leaf operations: Python's scalar types, and strings."""

    @property
    def session(self):
        return session()

    def type_of(self, value):
        kind = value.type if isinstance(value, Symbol) else type(value)
        return kind if kind in (*NUMBERS, str) else None

    def is_staged(self, value):
        return isinstance(value, Symbol)

    def unify(self, left, right):
        if left is right:
            return left
        both = left in NUMBERS and right in NUMBERS
        return max(left, right, key=NUMBERS.index) if both else None

    def cast(self, value, leaf):
        kind = self.type_of(value)
        return value if kind is leaf.type else record("cast", (value,), leaf.type, leaf.type)

    def zero(self, type):
        return type()

    def wrap(self, leaf, operand, is_bound, is_none, path):
        is_plain = is_bound is None and is_none is None
        return operand if is_plain else MaybeMissing(operand, is_bound, is_none, path)

    def flags(self, value):
        is_maybe = isinstance(value, MaybeMissing)
        return is_maybe and value.is_bound is not None, is_maybe and value.is_none is not None

    def split(self, value):
        if not isinstance(value, MaybeMissing):
            return super().split(value)
        is_bound = True if value.is_bound is None else value.is_bound
        return value.present, is_bound, False if value.is_none is None else value.is_none


DOMAIN = Domain()
