"""Errors about variables, results, and graphs that are built by hand."""

from autograph.errors import StagingError


class VariableError(StagingError):
    """A variable is created where every run would create another, or is used without a value.

    Refused:
        @rt.function
        def counted(x):
            v = rt.Variable(0.0)
            v.assign_add(x)
            return v.value

        counted(np.float64(1.0))
        counted(np.float64(1.0))
    Works:
        v = rt.Variable(0.0)

        @rt.function
        def counted(x):
            v.assign_add(x)
            return v.value

        counted(np.float64(1.0))
    """

    code = "AG601"


class ResultError(StagingError):
    """A function returns, or raises, an object that works with staged values.

    Refused:
        @rt.function
        def items(x):
            return map(lambda i: x * i, [1, 2])

        items(np.float64(1.0))
    Works:
        @rt.function
        def items(x):
            return list(map(lambda i: x * i, [1, 2]))

        items(np.float64(1.0))
    """

    code = "AG602"


class NoGraphError(StagingError):
    """A staged value is made or used where no graph is being built.

    Refused:
        rt.placeholder(np.float64)
    Works:
        with rt.Graph().as_default():
            rt.placeholder(np.float64)
    """

    code = "AG603"
    is_misuse = True
