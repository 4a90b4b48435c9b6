"""Modules made from source strings, which tracebacks and `inspect.getsource` can read."""

import linecache
import types


def load(source: str, name: str, **names) -> types.ModuleType:
    """The module that `source` defines; its source can be found under the file name `name`.

    `names` are defined in the module before it runs.
    """
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    module = types.ModuleType("program")
    module.__dict__.update(names)
    exec(compile(source, name, "exec"), module.__dict__)
    return module
