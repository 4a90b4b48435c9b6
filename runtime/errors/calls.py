"""Errors about calls of functions of the library, which are raised before anything is staged."""

from autograph.errors import Explained


class SignatureError(Explained, TypeError):
    """The arguments of a call do not match the function's `input_signature`, or it is no signature.

    Refused:
        @rt.function(input_signature=[rt.TensorSpec((None, 3), np.float64)])
        def total(x):
            return np.sum(x)

        total(np.ones((2, 4)))
    Works:
        @rt.function(input_signature=[rt.TensorSpec((None, None), np.float64)])
        def total(x):
            return np.sum(x)

        total(np.ones((2, 4)))
    """

    code = "AG701"


class DtypeError(Explained, TypeError):
    """An argument is an array of texts, objects, dates or records, or a subclass of np.ndarray.

    Refused:
        count = rt.function(lambda names: len(names))
        count(np.array(["a", "b"]))
    Works:
        count = rt.function(lambda names: len(names))
        count(["a", "b"])
    """

    code = "AG702"


class DecoratorError(Explained, TypeError):
    """`rt.function`, or a transformation, is applied to an object that is not a function.

    Refused:
        square = lambda x: x * x
        rt.grad(square(3.0))
    Works:
        square = lambda x: x * x
        rt.grad(square)(3.0)
    """

    code = "AG703"
