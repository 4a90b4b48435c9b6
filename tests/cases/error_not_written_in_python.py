"""An error: the code of a function that is not written in Python."""

import autograph


def f():
    return autograph.to_code(len)


# == error ==

# ConversionError: <built-in function len> has no source in Python
# It is not a function written in Python, and has no `__call__` written in Python.
# Pass one of its methods, or the function that it wraps.  [AG001]
