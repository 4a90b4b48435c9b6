"""Lists that the constructor of a dataclass makes.

    @dataclass
    class Track:
        y: list = field(default_factory=list)

    track = Track()              track.y is a TraceList
    for i in range(n):
        track.y.append(x[i])     so a staged loop may change it

The constructor is generated code without a source, so it calls `list` itself.
"""

import dataclasses
import sys
from typing import Any

from autograph.staging.dunder_methods import make_object
from autograph.staging.object_state import attributes
from autograph.staging.session import StagingSession
from runtime.staging.lists.trace_list import TraceList

# To a list that only an attribute holds: the attribute, the variable, and the argument.
REFERENCES = 3


def make_plain_object(session: StagingSession, kind: type, /, *args: Any, **options: Any) -> Any:
    """An object of a class whose objects hold attributes and nothing else."""
    made = make_object(session, kind, *args, **options)
    if dataclasses.is_dataclass(kind):
        for field in dataclasses.fields(kind):
            if field.default_factory is list:
                _follow(made, field.name)
    return made


def _follow(made, name):
    """Puts a list that can be followed in place of one that nothing else holds."""
    held = getattr(made, name, None)
    if type(held) is list and sys.getrefcount(held) == REFERENCES and name in attributes(made):
        object.__setattr__(made, name, TraceList(held))
