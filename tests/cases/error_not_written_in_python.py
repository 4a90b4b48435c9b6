"""An error: the code of a function that is not written in Python."""

import autograph


def f():
    return autograph.to_code(len)


# == error ==

# ConversionError: <built-in function len> has no source in Python
# It is not a function that is written in Python, and has no such `__call__`.
# Ask for one of its methods, or for the function that it wraps.
