"""Files that a function opens to write: each run opens them, also outside of staged branches.

with open(path, "a") as f:      a call of each run ...
    f.write("begin")            ... and so is whatever the code does with the file
    if x > limit:
        f.write(f"{x}")

A file that was opened while the graph is being built would have lost its contents, or got other
ones, before it is known that each run has to write.  A file that is only read is opened while the
graph is being built, with a warning (`impure.py`).
"""

import os
from typing import Any

from runtime.staging.calls.host_values import HostValue
from runtime.tracing.strings import StagedString

# Functions that open a file by its path, with the position of the parameter `mode`.
MODES = {
    "io.open": 1,
    "io.FileIO": 1,
    "codecs.open": 1,
    "gzip.open": 1,
    "gzip.GzipFile": 1,
    "bz2.open": 1,
    "bz2.BZ2File": 1,
    "lzma.open": 1,
    "lzma.LZMAFile": 1,
    "zipfile.ZipFile": 1,
    "tarfile.open": 1,
    "pathlib.Path.open": 1,
}
# Functions that make files and folders with new names.
NEW = ("TemporaryFile", "NamedTemporaryFile", "TemporaryDirectory", "mkstemp", "mkdtemp")
TEMPORARY = tuple(f"tempfile.{name}" for name in NEW)
PATHS = (str, bytes, os.PathLike, StagedString, HostValue)
WRITING = frozenset("wax+")


def opens_for_writing(function: Any, name: str, args: tuple, kwargs: dict) -> bool:
    """Whether a call opens a file or folder that the program may change; `name` is that of the
    function in the table of effects."""
    if name in TEMPORARY:
        return True
    if name not in MODES:
        return False
    owner = getattr(function, "__self__", None)
    given = (owner, *args) if isinstance(owner, os.PathLike) else args
    at = MODES[name]
    mode = kwargs.get("mode", given[at] if len(given) > at else "")
    is_path = not given or isinstance(given[0], PATHS)
    return is_path and isinstance(mode, str) and not WRITING.isdisjoint(mode)
