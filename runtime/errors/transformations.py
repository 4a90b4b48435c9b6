"""Errors about gradients, batches, and other transformations of functions."""

from autograph.errors import StagingError


class NotDifferentiableError(StagingError):
    """A gradient is taken of, or with respect to, values that have none.

    Refused:
        rt.grad(lambda x: x * 2)(np.ones(3))
    Works:
        rt.grad(lambda x: np.sum(x * 2))(np.ones(3))
    """

    code = "AG501"


class NoDerivativeError(StagingError):
    """A gradient needs the derivative of an operation that has none.

    Refused:
        rt.grad(lambda x: np.sum(np.pad(x, 1, mode="median")))(np.ones(3))
    Works:
        rt.grad(lambda x: np.sum(np.pad(x, 1, mode="constant")))(np.ones(3))
    """

    code = "AG502"


class TapeError(StagingError):
    """A GradientTape is used where it has no recording.

    Refused:
        tape = rt.GradientTape()
        tape.watch(np.ones(3))
    Works:
        with rt.GradientTape() as tape:
            tape.watch(np.ones(3))
    """

    code = "AG503"
    is_misuse = True


class CustomGradientError(StagingError):
    """A function with a custom gradient returns something else than its value and its gradient.

    Refused:
        @rt.custom_gradient
        def double(x):
            return 2 * x

        rt.grad(double)(np.float64(1.0))
    Works:
        @rt.custom_gradient
        def double(x):
            return 2 * x, lambda d: 2 * d

        rt.grad(double)(np.float64(1.0))
    """

    code = "AG504"


class BatchError(StagingError):
    """`vmap` cannot map a function over a batch in this way.

    Refused:
        rt.vmap(lambda x: x * 2, in_axes=None)(np.ones(3))
    Works:
        rt.vmap(lambda x: x * 2)(np.ones(3))
    """

    code = "AG505"


class ImpureTransformError(StagingError):
    """A mapped function writes outside of it, or a transformed one returns staged objects.

    Refused:
        total = np.zeros(1)

        def square(x):
            total[0] += x
            return x * x

        rt.vmap(square)(np.ones(3))
    Works:
        def square(x):
            return x * x, x

        squares, terms = rt.vmap(square)(np.ones(3))
        total = terms.sum()
    """

    code = "AG506"
