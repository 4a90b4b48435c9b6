"""Random functions of whole arrays: elementwise operations with broadcasting, and reductions."""

import random

import numpy as np

DTYPES = ("b1", "i1", "i4", "i8", "u1", "u8", "f4", "f8")
SHAPES = ((), (1,), (5,), (4, 5), (4, 1), (1, 5), (3, 4, 5), (3, 1, 1))
SPECIAL = (0.0, -0.0, 1.0, -1.0, np.nan, np.inf, -np.inf, 1e-310, 1e300, 0.5)
# op names: the functions of the programs
UNARY = ("-{}", "abs({})", "np.square({})", "np.sqrt(abs({}))", "np.floor({})", "np.tanh({})")
UNARY += ("np.exp(-abs({}))", "np.sin({})", "{}.astype('f4')", "({} > 0)", "({} != 0)", "+{}")
UNARY += ("np.isnan({})", "np.log1p(abs({}))", "{} ** 2", "np.arctan({})", "{} * 2 - 1")
BINARY = ("{} + {}", "{} - {}", "{} * {}", "{} / {}", "np.maximum({}, {})", "np.minimum({}, {})")
BINARY += ("({} < {})", "({} == {})", "np.where({} > 0.5, {}, 0.25)", "np.logical_and({}, {})")
BINARY += ("np.arctan2({}, {})", "np.where({} > 0, 1, {})", "({} >= {}) * 1.5", "np.hypot({}, {})")
REDUCTIONS = ("sum", "mean", "max", "min", "any", "all", "prod")


class Writer:
    """Writes one function; its arrays x, y and z can be broadcast together."""

    def __init__(self, source: random.Random) -> None:
        self.source = source
        self.names = ["x", "y", "z"]
        self.results: list[str] = []

    def module(self) -> str:
        lines = [self.statement(f"v{i}") for i in range(self.source.randint(2, 7))]
        returned = self.source.sample(self.names[3:], min(3, len(self.names) - 3))
        returned.append(self.names[-1])
        body = [*lines, f"return ({', '.join(returned)},)"]
        return "import numpy as np\n\n\ndef f(x, y, z):\n    " + "\n    ".join(body) + "\n"

    def statement(self, name: str) -> str:
        recent = self.names[-4:]
        if self.source.random() < 0.2:
            axis = self.source.choice(("", "axis=-1", "axis=0", "axis=-1, keepdims=True"))
            function = self.source.choice(REDUCTIONS)
            given = f"np.atleast_1d({self.source.choice(recent)} + x)"
            text = f"{given}.{function}({axis})"
        elif self.source.random() < 0.45:
            text = self.source.choice(UNARY).format(self.source.choice(recent))
        else:
            text = self.source.choice(BINARY).format(*self.source.choices(recent, k=2))
        self.names.append(name)
        return f"{name} = {text}"


def array(source: np.random.Generator, dtype: str, shape: tuple[int, ...]) -> np.ndarray:
    """Small numbers of a dtype, some of them special."""
    kind = np.dtype(dtype)
    if kind.kind != "f":
        found = source.integers(0, 2, shape) if dtype == "b1" else source.integers(0, 100, shape)
        return np.asarray(found).astype(kind)
    numbers = np.asarray(source.normal(size=shape))
    if source.random() < 0.4:
        with np.errstate(all="ignore"):
            special = source.choice(np.array(SPECIAL), shape)
            numbers = np.where(source.random(shape) < 0.2, special, numbers)
    with np.errstate(all="ignore"):
        return numbers.astype(kind)


def laid_out(source: np.random.Generator, given: np.ndarray) -> np.ndarray:
    """The same elements in some memory layout."""
    way = source.integers(0, 8)
    if given.ndim == 0 or way > 4:
        return given
    if way == 0:
        return np.repeat(given, 2, axis=-1)[..., ::2]
    if way == 1:
        return given[::-1].copy()[::-1]
    if way == 2:
        return np.asfortranarray(given)
    if way == 3:
        return (
            np.frombuffer(b"\0" + given.tobytes(), np.uint8)[1:]
            .view(given.dtype)
            .reshape(given.shape)
        )
    return given[..., ::-1].copy()[..., ::-1]


def arguments(seed: int, number: int) -> tuple[np.ndarray, ...]:
    """Arrays for a function: of the same types for each number, unless the layout differs."""
    source = np.random.default_rng(seed)
    shapes = [SHAPES[i] for i in source.integers(1, len(SHAPES), 3)]
    scale = int(source.choice([1, 1, 7, 150]))
    dtypes = [DTYPES[i] for i in source.choice(len(DTYPES), 3, p=[0.06] * 6 + [0.24, 0.4])]
    values = np.random.default_rng((seed, number))
    found = []
    for dtype, shape in zip(dtypes, shapes, strict=True):
        wide = tuple(scale * size if size == 5 else size for size in shape)
        given = array(values, dtype, wide)
        found.append(laid_out(values, given) if number > 1 else given)
    return tuple(found)
