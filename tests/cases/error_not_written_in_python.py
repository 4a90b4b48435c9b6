"""An error: the code of a function that is not written in Python."""

import autograph


def f():
    return autograph.to_code(len)


# == error ==

# ConversionError: len has no source in Python
# It is not a function written in Python, and has no `__call__` written in Python.
# Pass a function, a method, or the function that it wraps.  [AG001]
