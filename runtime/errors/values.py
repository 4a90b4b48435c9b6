"""Errors about values that are known only when the graph runs."""

from autograph.errors import StagingError


class ArgumentError(StagingError):
    """A staged value is given to a function of Python or of a library that takes none.

    Refused:
        @rt.function
        def text(x):
            return json.dumps({"x": x})

        text(np.float64(2.0))
    Works:
        @rt.function
        def value(x):
            return {"x": x}

        json.dumps(value(np.float64(2.0)))
    """

    code = "AG102"


class UnsupportedError(StagingError):
    """Graphs have no operation for a function, or for a way to call it.

    Refused:
        @rt.function
        def workdays(start, end):
            return np.busday_count(start, end)

        workdays(np.int64(0), np.int64(7))
    Works:
        @rt.function
        def workdays(start, end):
            return rt.library_call(np.busday_count, start, end)

        workdays(np.int64(0), np.int64(7))
    """

    code = "AG103"


class HashNeededError(StagingError):
    """A staged value is a key of a dict, or an element of a set, that the function has not made.

    Refused:
        table = {}

        @rt.function
        def remember(x):
            table[x] = x * x

        remember(np.int64(3))
    Works:
        @rt.function
        def squares(x):
            table = {}
            table[x] = x * x
            return table

        squares(np.int64(3))
    """

    code = "AG104"


class NotStageableError(StagingError):
    """A value of a class that graphs do not hold is used with a staged value.

    Refused:
        @rt.function
        def label(x):
            return np.where(x > 0, "positive", "negative")

        label(np.ones(2))
    Works:
        @rt.function
        def is_positive(x):
            return x > 0

        np.where(is_positive(np.ones(2)), "positive", "negative")
    """

    code = "AG105"


class LeakedValueError(StagingError):
    """A staged value is used outside of the code that computes it.

    Refused:
        kept = []

        @rt.function
        def keep(x):
            class Box:
                value = x + 1

            kept.append(lambda: Box.value)
            return x

        keep(np.float64(1.0))
        kept[0]() + 1
    Works:
        @rt.function
        def keep(x):
            return x, x + 1

        x, more = keep(np.float64(1.0))
        more + 1
    """

    code = "AG106"


class MemoryLayoutError(StagingError):
    """The result depends on how an array lies in memory, and graphs have values only.

    Refused:
        @rt.function
        def flat(x):
            return np.ravel(x, order="K")

        flat(np.ones((2, 2)))
    Works:
        @rt.function
        def flat(x):
            return np.ravel(x)

        flat(np.ones((2, 2)))
    """

    code = "AG107"


class UnknownTypeError(StagingError):
    """The type of a result depends on values that are known only when the graph runs.

    Refused:
        @rt.function
        def real(z):
            return np.real_if_close(z)

        real(np.ones(2, complex))
    Works:
        @rt.function
        def real(z):
            return z.real

        real(np.ones(2, complex))
    """

    code = "AG108"


class MaybeNoneError(StagingError):
    """A value that may be None, depending on the run, is used where None means something, too.

    Refused:
        @rt.function
        def total(x, n):
            axis = None
            if n > 0:
                axis = n
            return np.sum(x, axis=axis)

        total(np.ones((2, 2)), np.int64(1))
    Works:
        @rt.function
        def total(x, n):
            return np.sum(x, axis=1) if n > 0 else np.sum(x, axis=0)

        total(np.ones((2, 2)), np.int64(1))
    """

    code = "AG109"
