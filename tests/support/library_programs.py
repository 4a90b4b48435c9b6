"""Programs that call functions of installed packages, written as lines of text."""

import numpy as np
from loading import load

RNG = np.random.default_rng(3)
SQUARE = RNG.normal(size=(4, 4))
POSITIVE = SQUARE @ SQUARE.T + 4 * np.eye(4)
ROW = RNG.normal(size=4)
TALL = RNG.normal(size=(6, 4))
SIGNAL, SHORT = RNG.normal(size=32), RNG.normal(size=9)
IMAGE = RNG.normal(size=(8, 8))
ABOVE_ZERO = np.abs(SIGNAL) + 0.1
POINTS, FEW_POINTS = RNG.normal(size=(10, 3)), RNG.normal(size=(7, 3))
TIMES = np.linspace(0, 3, 12)
SINE = np.sin(TIMES)
CLASSES = (np.arange(10) % 3).astype(np.int64)


def programs(text: str, imports: str, name: str) -> list:
    """The functions that lines `x, y = ARGUMENTS: expression` describe, with their arguments."""
    lines = [line for line in text.splitlines() if line]
    heads = [line.partition(": ")[::2] for line in lines]
    source = imports + "".join(
        f"\n\ndef call_{i}({head.partition(' = ')[0]}):\n    return {body}\n"
        for i, (head, body) in enumerate(heads)
    )
    module = load(source, name, **{key: value for key, value in globals().items() if key.isupper()})
    found = []
    for i, (head, body) in enumerate(heads):
        given = eval(f"({head.partition(' = ')[2]},)", vars(module))
        found.append((body, getattr(module, f"call_{i}"), given))
    return found


def same_bits(one, other) -> bool:
    """Whether two results are of the same types and bits; objects of packages of the same class."""
    if isinstance(one, (tuple, list)) and type(one) is type(other):
        return len(one) == len(other) and all(map(same_bits, one, other))
    if type(one) is not type(other):
        return False
    if isinstance(one, (np.ndarray, np.generic)):
        first, second = np.asarray(one), np.asarray(other)
        if first.dtype == object and second.dtype == object:
            return first.shape == second.shape and same_bits(first.tolist(), second.tolist())
        is_same_type = first.dtype == second.dtype and first.shape == second.shape
        return is_same_type and first.tobytes() == second.tobytes()
    if isinstance(one, dict):
        return same_bits(list(one.items()), list(other.items()))
    if type(one).__module__.partition(".")[0] == "pandas":
        return bool(one.equals(other))
    is_number = isinstance(one, (bool, int, float, complex, str))
    return one == other or one != one if is_number else True


def copies(arguments) -> list:
    return [one.copy() if isinstance(one, np.ndarray) else one for one in arguments]
