"""Errors about arrays, lists and other containers that staged code changes."""

from autograph.errors import StagingError


class SharedMemoryError(StagingError):
    """A write may be seen through another name, which depends on the run or on memory layout.

    Refused:
        @rt.function
        def last(x, n):
            y = x[0]
            for i in range(n):
                y = x[i + 1]
            y[0] = 9.0
            return x

        last(np.ones((3, 2)), np.int64(2))
    Works:
        @rt.function
        def last(x, n):
            row = 0
            for i in range(n):
                row = i + 1
            x[row, 0] = 9.0
            return x

        last(np.ones((3, 2)), np.int64(2))
    """

    code = "AG301"


class OutsideWriteError(StagingError):
    """A staged value is written into an object that is not staged.

    Refused:
        @rt.function
        def fill(x):
            table = np.frombuffer(bytearray(24))
            np.add(x, 1.0, out=table)
            return table

        fill(np.ones(3))
    Works:
        @rt.function
        def fill(x):
            table = np.zeros(3)
            np.add(x, 1.0, out=table)
            return table

        fill(np.ones(3))
    """

    code = "AG302"


class ElementError(StagingError):
    """A staged list gets an element that it cannot hold beside the others.

    Refused:
        @rt.function
        def rows(x, n):
            found = []
            for i in range(n):
                found.append(x)
                found.append("end")
            return autograph.stack(found)

        rows(np.ones(2), np.int64(3))
    Works:
        @rt.function
        def rows(x, n):
            found = []
            for i in range(n):
                found.append(x)
                found.append(x * 0)
            return autograph.stack(found)

        rows(np.ones(2), np.int64(3))
    """

    code = "AG303"


class StagedListError(StagingError):
    """Code that is not converted uses a list that a staged loop or branch changes.

    Refused:
        @rt.function
        def order(x, n):
            found = []
            for i in range(n):
                found.append(x * i)
            return list(heapq.merge(found, [x], [x + 1]))

        order(np.float64(1.0), np.int64(3))
    Works:
        @rt.function
        def order(x, n):
            found = []
            for i in range(n):
                found.append(x * i)
            return sorted(found + [x, x + 1])

        order(np.float64(1.0), np.int64(3))
    """

    code = "AG304"
