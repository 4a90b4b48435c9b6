"""The variables and arrays of objects by their paths: `layer.kernel`, `cells[0].bias`."""

from collections import deque
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any

from runtime.state.variable import Variable


def variables_by_path(target: Any) -> dict[str, Variable]:
    """The variables of an object, each once, by the shortest path to it.

    It looks into attributes, lists, tuples and dicts, as `rt.nn.variables` does.
    """
    return {path: one for path, one in _parts(target) if isinstance(one, Variable)}


def paths_of(target: Any) -> dict[int, str]:
    """The paths of the variables of an object, by identity."""
    return {id(one): path for path, one in variables_by_path(target).items()}


def _parts(target: Any) -> Iterator[tuple[str, Any]]:
    """Everything that an object holds, with its path, the nearest parts first."""
    pending: deque[tuple[str, Any]] = deque([("", target)])
    seen: dict[int, Any] = {}
    while pending:
        path, value = pending.popleft()
        if id(value) in seen or isinstance(value, (type, ModuleType)):
            continue
        seen[id(value)] = value  # alive, so that no other object gets its identity
        yield path, value
        if isinstance(value, Variable):
            continue
        if isinstance(value, Mapping):
            pending += [(f"{path}[{key!r}]", one) for key, one in value.items()]
        elif isinstance(value, (list, tuple)):
            pending += [(f"{path}[{i}]", one) for i, one in enumerate(value)]
        else:
            held = getattr(value, "__dict__", {})
            pending += [(f"{path}.{key}".lstrip("."), one) for key, one in held.items()]
