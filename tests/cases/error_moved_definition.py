"""An error: a function whose definition has moved in the file."""

import linecache

import autograph


def f():
    namespace = {}
    exec(compile("def made(x):\n    return x or 1\n", "moved.py", "exec"), namespace)
    text = "LIMIT = 1\ndef made(x):\n    return x or 1\n"
    linecache.cache["moved.py"] = len(text), None, text.splitlines(True), "moved.py"
    return autograph.to_graph(namespace["made"])


# == error ==

# StaleSourceError: made cannot be converted: its definition is not where it was compiled from
#   moved.py, line 1
#       LIMIT = 1
# The file was edited after it was imported, or a tool generated the function.
# Import it again, or exclude it with @autograph.do_not_convert.  [AG003]
