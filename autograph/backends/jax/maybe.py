"""A value that is None or unbound in some runs: using it records a check.

best = None
for x in xs:
    if x > 3:
        best = x                    `best` is a `Maybe` from here on
return -1.0 if best is None else best
"""

import operator
from typing import Any

from jax.tree_util import register_pytree_node

from autograph.backends.jax.checks import Place, check, is_false_here
from autograph.staging.errors import asked_for
from autograph.staging.try_blocks import refuse_unbound_in_try

FORWARDED = [
    "add",
    "sub",
    "mul",
    "truediv",
    "floordiv",
    "mod",
    "pow",
    "matmul",
    "and",
    "or",
    "xor",
    "lshift",
    "rshift",
]
OTHERS = ["lt", "le", "gt", "ge", "eq", "ne", "neg", "pos", "abs", "invert", "getitem"]


class Maybe:
    """A value, with operands that say whether it is None and whether it is unbound."""

    def __init__(self, value: Any, none: Any, unbound: Any, name: str):
        self._value, self._name = value, name
        self.none, self.unbound = none, unbound  # None if it never is
        self._checked: Place | None = None  # where a run has checked that there is a value

    def parts(self) -> tuple[Any, Any, Any]:
        """The value and its flags, without a check."""
        return self._value, self.none, self.unbound

    def check_bound(self) -> None:
        """Records that a run raises if the variable is unbound."""
        self.read(self._name)

    def read(self, name: str, is_free: bool = False) -> Any:
        """The value of the variable, which belongs to an enclosing function if it `is_free`; a run
        raises if it is unbound."""
        if self.unbound is None:
            return self
        refuse_unbound_in_try(self._name)
        kind, scope, end = UnboundLocalError, "local", ""
        if is_free:
            kind, scope, end = NameError, "free", " in enclosing scope"
        text = (
            f"cannot access {scope} variable {name!r} where it is not associated with a value{end}"
        )
        if not is_false_here(self.unbound):
            check(~self.unbound, kind, (text,))
        return self._value if self.none is None else Maybe(self._value, self.none, None, name)

    def used(self) -> Any:
        """The value; a run raises if there is none."""
        if self._checked is None or not self._checked.is_open():
            self.check_bound()
            if self.none is not None and not is_false_here(self.none):
                check(~self.none, TypeError, (f"{self._name or 'a value'} is None",))
            self._checked = Place()
        return self._value

    def __jax_array__(self) -> Any:
        return self.used()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.used(), name)

    def __bool__(self) -> bool:
        raise asked_for("the truth of a value that may be None")

    def __iter__(self) -> Any:
        return iter(self.used())

    def __len__(self) -> int:
        return len(self.used())

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.used()(*args, **kwargs)

    __hash__ = object.__hash__


def present(value: Any) -> Any:
    """The value itself, if it may be None or unbound: a run checks that it is there."""
    return value.used() if isinstance(value, Maybe) else value


def _forwarded(name: str) -> Any:
    function = getattr(operator, f"__{name}__")

    def method(self: Maybe, *others: Any) -> Any:
        return function(self.used(), *map(present, others))

    return method


def _reflected(name: str) -> Any:
    function = getattr(operator, f"__{name}__")

    def method(self: Maybe, other: Any) -> Any:
        return function(present(other), self.used())

    return method


for _name in FORWARDED:
    setattr(Maybe, f"__{_name}__", _forwarded(_name))
    setattr(Maybe, f"__r{_name}__", _reflected(_name))
for _name in OTHERS:
    setattr(Maybe, f"__{_name}__", _forwarded(_name))

# What leaves `jax.jit` is flattened there: the place for the last check.
register_pytree_node(Maybe, lambda maybe: ((maybe.used(),), None), lambda aux, kids: kids[0])
