"""An error: a function created by `exec`, without its source."""

import autograph


def f():
    namespace = {}
    exec("def made(x):\n    return x or 1\n", namespace)
    return autograph.to_graph(namespace["made"])


# == error ==

# NoSource: made cannot be converted: its source is not available
#   <string>, line 1
# Its source was typed at a prompt or passed to exec, so it cannot be read back.
# Write it in a file, pass the source: to_graph(made, source=...), or exclude it with @autograph.do_not_convert.  [AG002]
