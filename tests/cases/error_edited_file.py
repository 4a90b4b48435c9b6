"""An error: a file that was edited after it was compiled."""

import linecache

import autograph


def f():
    namespace = {}
    exec(compile("def made(x):\n    return x or 1\n", "edited.py", "exec"), namespace)
    text = "def made(x):\n    return x or 2\n"
    linecache.cache["edited.py"] = len(text), None, text.splitlines(True), "edited.py"
    return autograph.to_graph(namespace["made"])


# == error ==

# StaleSourceError: made cannot be converted: its file has changed
#   edited.py, line 1
#       def made(x):
# The file was edited after it was imported, so its source is not what runs.
# Import it again, or exclude it with @autograph.do_not_convert.  [AG003]
