"""Functions of Python ints: `bin(n)`, `hex(n)`, `oct(n)`, `pow(a, n, m)`."""

from collections.abc import Callable
from typing import Any

from runtime.ir.types import BOOL, INT, type_of
from runtime.staging.calls.formatting import string_of
from runtime.staging.calls.registry import answers
from runtime.staging.calls.run_errors import check
from runtime.staging.calls.staged_range import as_integer
from runtime.staging.generators import in_python
from runtime.tracing.tensor import Tensor


def _digits(function: Callable[[Any], str], spec: str) -> None:
    """Registers the replacement of a function that writes an int in some base."""

    @answers(function)
    def written(*numbers: Any) -> Any:
        if len(numbers) != 1 or not isinstance(numbers[0], Tensor):
            return function(*numbers)
        return string_of(as_integer(numbers[0]), spec)


_digits(bin, "#b")
_digits(oct, "#o")
_digits(hex, "#x")


@answers(pow)
def staged_pow(base: Any, exp: Any, mod: Any = None) -> Any:
    """A power; with `mod` its remainder, which Python computes for its own ints only."""
    given = base, exp, mod
    kinds = {one.type if isinstance(one, Tensor) else type_of(one) for one in given}
    if mod is not None and kinds <= {INT, BOOL} and any(isinstance(one, Tensor) for one in given):
        check(mod != 0, ValueError, "pow() 3rd argument cannot be 0")
        base, exp = in_python(with_natural_exponent)(base, exp, mod)
        return in_python(remainder_of_power)(base, exp, mod)
    return pow(base, exp) if mod is None else pow(base, exp, mod)


def remainder_of_power(base, exp, mod):
    """`base**exp % mod` for an exponent of at least 0, by squaring."""
    found = 1 % mod
    base = base % mod
    while exp > 0:
        if exp % 2 == 1:
            found = found * base % mod
        base = base * base % mod
        exp = exp // 2
    return found


def with_natural_exponent(base, exp, mod):
    """A base and an exponent of at least 0 with the same power; a negative one takes the inverse,
    by Euclid's algorithm."""
    if exp < 0:
        one, other = base % mod, mod
        factor, next_factor = 1, 0
        while other != 0:
            whole = one // other
            one, other = other, one - whole * other
            factor, next_factor = next_factor, factor - whole * next_factor
        check((one == 1) | (one == -1), ValueError, "base is not invertible for the given modulus")
        base = factor * one
        exp = -exp
    return base, exp
