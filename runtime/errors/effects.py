"""Errors about effects and random numbers."""

from autograph.errors import StagingError


class EffectError(StagingError):
    """An effect that a graph cannot have in the right order, or in each run.

    Refused:
        @rt.function
        def quiet(x):
            np.seterr(all="ignore")
            return np.log(x)

        quiet(np.float64(0.0))
    Works:
        @rt.function
        def logarithm(x):
            return np.log(x)

        with np.errstate(all="ignore"):
            logarithm(np.float64(0.0))
    """

    code = "AG401"


class GeneratorError(StagingError):
    """A random generator is made or used in a way that graphs cannot repeat in each run.

    Refused:
        @rt.function
        def draw(seed):
            return rt.random.Generator(seed).normal()

        draw(np.int64(3))
    Works:
        generator = rt.random.Generator(3)

        @rt.function
        def draw():
            return generator.normal()

        draw()
    """

    code = "AG402"
