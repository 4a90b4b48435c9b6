"""Errors about branches, loops, recursion and iteration."""

from autograph.errors import StagingError


class BranchError(StagingError):
    """The branches of a staged `if` leave values in a place that no one type holds.

    Refused:
        @rt.function
        def limits(x):
            if x[0] > 0:
                y = {"low": x[0]}
            else:
                y = b"none"
            return y

        limits(np.ones(3))
    Works:
        @rt.function
        def limits(x):
            if x[0] > 0:
                y = {"low": x[0]}
            else:
                y = None
            return y

        limits(np.ones(3))
    """

    code = "AG201"


class LoopError(StagingError):
    """A variable of a staged loop changes in a way that no one type holds.

    Refused:
        @rt.function
        def grow(x, n):
            for _ in range(n):
                x = np.stack([x, x])
            return x

        grow(np.ones(2), np.int64(3))
    Works:
        @rt.function
        def grow(x, n):
            for _ in range(n):
                x = np.concatenate([x, x])
            return x

        grow(np.ones(2), np.int64(3))
    """

    code = "AG202"


class RecursionShapeError(StagingError):
    """A function that calls itself in a staged branch or loop does so in a way that has no end.

    Refused:
        def grow(x, name):
            if x > 100:
                return x
            return grow(x * 2, name + "a")

        rt.function(grow)(np.float64(1.0), "")
    Works:
        def grow(x, count):
            if x > 100:
                return x
            return grow(x * 2, count + 1)

        rt.function(grow)(np.float64(1.0), np.int64(0))
    """

    code = "AG205"


class GuardError(StagingError):
    """A guard of a `match` on staged values has an effect.

    Refused:
        @rt.function
        def kind(x):
            match x:
                case y if print(y) is None and y > 0:
                    return 1
            return 0

        kind(np.float64(2.0))
    Works:
        @rt.function
        def kind(x):
            print(x)
            match x:
                case y if y > 0:
                    return 1
            return 0

        kind(np.float64(2.0))
    """

    code = "AG206"
