"""An error: the given source is not the one that the function was compiled from."""

import autograph


def f():
    namespace = {}
    exec("def made(x):\n    return x or 1\n", namespace)
    return autograph.to_graph(namespace["made"], source="def made(x):\n    return x or 2\n")


# == error ==

# StaleSourceError: made cannot be converted: it was compiled from another source
#   <string>, line 1
# The `source` argument is not the source that it was compiled from.
# Pass exactly the string that was passed to compile or exec.  [AG003]
