"""Why machine code is left: a table of the unusual cases that it does not compute itself.

Pieces of a program are left to the NumPy program, which raises, warns, or goes on with larger
integers.  Code without Python (`runtime/export/library/`) returns a status instead.
"""

from enum import Enum


class Exit(Enum):
    """An unusual case; the value says what has happened."""

    OVERFLOW = "an integer is outside of the range of its machine type"
    INEXACT = "an integer has no float of the same value"
    CONVERSION = "a float has no integer that it is converted to"
    ZERO_DIVISION = "division by zero"
    WARNED_DIVISION = "a float of NumPy is divided by zero, of which NumPy warns"
    FLAGS = "a floating-point operation was unusual, of which NumPy may warn"
    INDEX = "index out of bounds"
    SHAPE = "the sizes of the operands do not fit together"
    SIZE = "no array or list has such a size"
    EMPTY = "a reduction of no elements has no result"
    SIGN_OF_ZERO = "the order of the elements decides the sign of a zero"
    ORDER = "NumPy adds the elements in another order"
    ITERATIONS = "the loop has made its maximum number of iterations"
    DEPTH = "the calls of a function that calls itself are too deep"
    RAISED = "an exception is raised"
    MEMORY = "there is no memory"
    ARGUMENT = "an argument or a guard is another one than the code is for"
    SHARED = "a list is in several places"
