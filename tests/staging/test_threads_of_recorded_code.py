"""A thread that a function starts while its graph is built cannot use staged values unnoticed.

The thread has no graph of its own: each use is as in Python, or the function is refused, also if
the thread handles the exception.
"""

import numpy as np
import pytest

import runtime as rt
from tests.support.loading import load

SOURCE = """
import threading

def grown(x, n):
    z = []
    for _ in range(n):
        z.append(x[0])
    return z

def f(x, n):
    y = {value}
    found = []

    def work():
        try:
            found.append(repr({use}))
        except Exception as error:
            found.append(type(error).__name__)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return found[0]
"""

VALUES = {
    "array": "x * 1.0",
    "number": "x[0]",
    "integer": "int(x[0])",
    "string": "f'{x[0]}'",
    "list": "grown(x, n)",
    "dict": "{x[0]: 1}",
    "none": "x[0] if n > 1 else None",
}
USES = (
    "str(y)",
    "repr(y)",
    "ascii(y)",
    "format(y)",
    "f'{y}'",
    "f'{y!r}'",
    "'%s' % y",
    "'%r' % (y,)",
    "'{}'.format(y)",
    "str([y])",
    "','.join(map(str, [y]))",
    "int(y)",
    "bool(y)",
    "len(y)",
    "list(y)",
    "y == 1",
    "y[0]",
    "hash(y) is None",
)


@pytest.mark.parametrize("value", VALUES)
def test_a_use_in_a_thread_is_refused_or_as_in_python(value):
    x, n = np.array([1.5, 2.5]), np.int64(2)
    for use in USES:
        source = SOURCE.format(value=VALUES[value], use=use)
        expected = load(source, f"<{value} {use}>").f(x, n)
        try:
            found = rt.function(load(source, f"<{value} {use}>").f)(x, n)
        except rt.StagingError:
            continue
        assert found == expected, use
