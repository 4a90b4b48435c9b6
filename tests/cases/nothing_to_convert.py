"""A function with nothing to convert comes out as it was."""


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
