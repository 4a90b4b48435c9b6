"""An error: a function created by `exec`, without its source."""

import autograph


def f():
    namespace = {}
    exec("def made(x):\n    return x or 1\n", namespace)
    return autograph.to_graph(namespace["made"])


# == error ==

# NoSource: made cannot be converted: its source is not available
#   <string>, line 1
# It was compiled from text that nothing keeps (exec, a prompt).
# Write it in a file, give the text that was compiled, to_graph(made, source=...), or leave it out with @autograph.do_not_convert.
