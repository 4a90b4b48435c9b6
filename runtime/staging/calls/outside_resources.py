"""Objects that stand for something outside of the process: files, databases, connections.

db = sqlite3.connect(path)
db.execute("insert ...")        done while the graph is being built: it cannot be done again
if x > limit:
    db.execute("insert ...")    in another recording, each run would connect: refused

The same holds for objects that code outside of the function has made, and that hold one that the
function makes: `log.addHandler(logging.StreamHandler(text))`.
"""

import itertools
from collections.abc import Container, Iterable, Sequence
from typing import Any

from autograph.staging.accessors import has_contents
from runtime.staging.reached_objects import reached_objects

MODULES = ("socket", "ssl", "subprocess", "mmap", "shelve", "dbm", "multiprocessing")
MOST = 500  # objects that are looked at


def has_changed_outside(made: Sequence[Any], owners: Iterable[Any], own: Container[int]) -> bool:
    """Whether the methods of `owners`, which were called, have used one of the objects `made` to
    change something outside; `own` are the objects that the recording has made, by identity."""
    wanted = set(map(id, made))
    stand_outside = any(map(_is_outside, itertools.chain(*map(_reached, made))))
    for owner in owners:
        is_new = id(owner) in own or has_contents(owner)  # whose contents are put back
        if (stand_outside or not is_new) and not wanted.isdisjoint(map(id, _reached(owner))):
            return True
    return False


def _reached(value):
    return reached_objects(value, most=MOST)


def _is_outside(value: Any) -> bool:
    kind = type(value)
    if (kind.__module__, kind.__name__) == ("_io", "FileIO"):
        return True
    if (kind.__module__, kind.__name__) == ("sqlite3", "Connection"):
        return any(row[2] for row in value.execute("PRAGMA database_list"))  # their files
    return kind.__module__.partition(".")[0].lstrip("_") in MODULES
