"""A function with nothing to convert is unchanged."""


def f(x: int, *, scale: float = 2.0) -> float:
    """Doubles."""
    y = x * scale
    return y


INPUTS = [(2,)]


# == generated ==

def f(x: int, *, scale: float=2.0) -> float:
    """Doubles."""
    y = x * scale
    return y
