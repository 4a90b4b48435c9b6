"""Random numbers: generators whose state is a variable, so that graphs draw as Python does.

    rng = rt.random.Generator(0)        its state: a key, derived from the seed, and a counter of
    rng.normal(size=3)                  calls.  Each call draws the numbers of the current state
    rng.integers(10)                    and increments the counter

A stream is the same in graphs and outside of them, whatever the engine and the number of threads:
the numbers of a call depend only on the key and the counter (`ops/counter_rng.py`).  The first call
returns the same as the first call of `np.random.Generator(np.random.Philox(seed))`.

The functions of this module draw from one shared generator; without `rt.random.seed(n)` its seed is
different in each process.
"""

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from autograph.errors import with_article
from autograph.spellings import module_getattr
from runtime.errors import GeneratorError, staging_error
from runtime.function.boundary import shown_to_user
from runtime.ir.op import find
from runtime.ops.counter_rng import METHODS, advance, draw
from runtime.spellings.modules import RANDOM
from runtime.state.random_streams import ElementStreams, RandomStreams
from runtime.state.variable import WRITING, HoldsVariables, Variable
from runtime.tracing import trace
from runtime.tracing.array_like import ArrayLike, read
from runtime.tracing.numpy_api.foreign_calls import template
from runtime.tracing.tensor import Tensor, apply


def _method(name: str) -> Callable[..., Any]:
    """A method that draws, like the NumPy method of this name."""

    def method(self, *args, **options):
        if "out" in options:
            raise TypeError(f"{name} of rt.random takes no out=; write x[...] = rng.{name}(...)")
        return self._draw(name, args, options)

    original = METHODS.get(name) or getattr(np.random.Generator, name)
    method.__name__, method.__qualname__ = name, f"Generator.{name}"
    if name in METHODS:
        method.__doc__ = original.__doc__
    else:
        method.__doc__ = f"The same as `numpy.random.Generator.{name}`, with its parameters."
    return shown_to_user(method)


class Generator(HoldsVariables):
    """A stream of random numbers; the methods are those of `numpy.random.Generator`.

    Each call increments the counter by one and has a separate stream: later calls do not depend on
    how many numbers it draws.

    >>> rng = Generator(0)
    >>> rng.random(2).shape
    (2,)
    """

    def __init__(self, seed: Any = None):
        """`seed`: an argument of `np.random.SeedSequence`; by default a different one each time."""
        if isinstance(seed, Tensor):
            raise _staged_seed()
        self._state = Variable(_begun(seed), name="random_state", trainable=False)

    def __repr__(self):
        return f"{type(self).__name__} after {self.state[2]} calls"

    # -- the state ---------------------------------------------------------------------------------

    @property
    def state(self) -> Any:
        """The key and the number of calls so far: u64[3]; it can be assigned."""
        return self._state.value

    @state.setter
    def state(self, value: Any) -> None:
        self._state.assign(value)

    @property
    def variable(self) -> Variable:
        """The variable that holds the state."""
        return self._state

    @shown_to_user
    def split(self, count: int) -> "list[Generator]":
        """New generators, with streams that are independent of each other and of this one.

        It counts as one call.  Raises `StagingError` in a function that is traced.
        """
        if trace.current() is not None:
            raise staging_error(
                "a random generator is split in a function that is traced",
                "Each run would create other generators, which a graph cannot represent.",
                "Split it outside of the function.",
                GeneratorError,
            )
        return [_of(key) for key in self._draw("children", (count,), {})]

    spawn = split

    # -- draws -------------------------------------------------------------------------------------

    def _draw(self, method, args, options):
        """The result of a method at the current state, whose counter is incremented."""
        if trace.current() is None:
            with WRITING:
                state = self._state._read()
                self._state._write(advance(state))
            named = {name: read(value) for name, value in options.items()}
            return draw(state, method, tuple(map(read, args)), named)
        operands, given, named = template(method, args, options)
        recorder = trace.current()
        if recorder.is_eager:
            recorder.state(ElementStreams).enter(self._state)
        else:
            recorder.state(RandomStreams).add(self._state._input(recorder).tensor)
        state = self._state._read()
        self._state._write(apply(find("advanced"), state))
        return apply(find("drawn"), state, *operands, method=method, given=given, named=named)

    beta = _method("beta")
    binomial = _method("binomial")
    bernoulli = _method("bernoulli")
    choice = _method("choice")
    chisquare = _method("chisquare")
    dirichlet = _method("dirichlet")
    exponential = _method("exponential")
    gamma = _method("gamma")
    geometric = _method("geometric")
    gumbel = _method("gumbel")
    integers = _method("integers")
    laplace = _method("laplace")
    logistic = _method("logistic")
    lognormal = _method("lognormal")
    multinomial = _method("multinomial")
    multivariate_normal = _method("multivariate_normal")
    negative_binomial = _method("negative_binomial")
    normal = _method("normal")
    pareto = _method("pareto")
    permutation = _method("permutation")
    permuted = _method("permuted")
    poisson = _method("poisson")
    power = _method("power")
    random = _method("random")
    rayleigh = _method("rayleigh")
    standard_cauchy = _method("standard_cauchy")
    standard_exponential = _method("standard_exponential")
    standard_gamma = _method("standard_gamma")
    standard_normal = _method("standard_normal")
    standard_t = _method("standard_t")
    triangular = _method("triangular")
    truncated_normal = _method("truncated_normal")
    uniform = _method("uniform")
    vonmises = _method("vonmises")
    wald = _method("wald")
    weibull = _method("weibull")
    zipf = _method("zipf")

    def shuffle(self, x: Any, axis: int = 0) -> None:
        """Shuffles the slices of an array along an axis in place, in the order of `permutation`.

        Raises `TypeError` for objects other than arrays and variables.
        """
        if isinstance(x, ArrayLike):
            x.assign(self.permutation(x, axis=axis))
        elif isinstance(x, Tensor) or isinstance(x, np.ndarray) and trace.current() is None:
            x[...] = self.permutation(x, axis=axis)
        elif isinstance(x, np.ndarray):
            raise staging_error(
                "an array that is not staged is shuffled",
                "It would be shuffled only once, while the graph is traced.",
                "Shuffle an argument, or an array that the function creates.",
                GeneratorError,
            )
        else:
            raise TypeError(
                f"shuffle takes an array, not {with_article(type(x).__name__)}\n"
                "It shuffles in place, and graphs do this in arrays only.\n"
                "Write x = rt.random.permutation(x), which returns a new array."
            )


def _begun(seed):
    """The state of a generator before its first call; the key is that of `np.random.Philox`."""
    key = np.random.SeedSequence(seed).generate_state(2, np.uint64)
    return np.array([*key, 0], np.uint64)


def _of(key):
    made = Generator(0)
    made.state = np.array([*key, 0], np.uint64)
    return made


def _staged_seed():
    return staging_error(
        "a random generator is given a staged seed",
        "NumPy derives the key of a generator from its seed before the run.",
        "Create or seed the generator outside of the function, with a Python int.",
        GeneratorError,
    )


# -- the shared generator --------------------------------------------------------------------------

default_rng = Generator

_shared = Generator()


def seed(value: Any = None) -> None:
    """Seeds the shared generator; without a value, from the operating system's entropy."""
    if isinstance(value, Tensor):
        raise _staged_seed()
    _shared.state = _begun(value)


set_seed = seed


def shared_generator() -> Generator:
    """The generator that the functions of this module draw from."""
    return _shared


NAMES = [name for name, found in vars(Generator).items() if hasattr(found, "__get__")
         and not name.startswith("_") and name not in ("state", "variable", "spawn")]  # fmt: skip


def _function(name):
    method = getattr(Generator, name)

    @functools.wraps(method)
    def function(*args, **options):
        return method(_shared, *args, **options)

    function.__qualname__ = name
    return function


globals().update({name: _function(name) for name in NAMES})

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """The functions that `globals` gets above."""

else:
    __getattr__ = module_getattr(__name__, "rt.random", RANDOM)
