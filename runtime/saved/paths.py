"""The variables and arrays of objects by their paths: `layer.kernel`, `cells[0].bias`."""

from collections import deque
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any

from runtime.saved.loaded import LoadedFunction, LoadedModel
from runtime.state.variable import Variable


def variables_by_path(target: Any) -> dict[str, Variable]:
    """The variables of an object, each once, by the shortest path to it.

    It looks into attributes, lists, tuples and dicts, as `rt.nn.variables` does.  Variables of a
    loaded model have the paths that they had in the object that was saved.
    """
    return _variables(target, ("variable",))


def paths_of(target: Any) -> dict[int, str]:
    """The paths of the variables of an object, by identity, and of the arrays that loaded functions
    read, which they keep as variables."""
    found = _variables(target, ("variable", "array", "scalar"))
    return {id(one): path for path, one in found.items()}


def _variables(target, kinds):
    return {path: one for path, one in _parts(target, kinds) if isinstance(one, Variable)}


def _parts(target: Any, kinds: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    """Everything that an object holds, with its path, the nearest parts first; of loaded functions
    and models the states of these kinds."""
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
        if isinstance(value, (LoadedFunction, LoadedModel)):
            records = value.made_from.program["states"]
            states = zip(records, value.made_from.values, strict=True)
            known = [(one, state) for one, state in states if one["kind"] in kinds]
            pending += [(_joined(path, one["path"]), state) for one, state in known]
        elif isinstance(value, Mapping):
            pending += [(f"{path}[{key!r}]", one) for key, one in value.items()]
        elif isinstance(value, (list, tuple)):
            pending += [(f"{path}[{i}]", one) for i, one in enumerate(value)]
        else:
            held = getattr(value, "__dict__", {})
            pending += [(_joined(path, key), one) for key, one in held.items()]


def _joined(path, name):
    return f"{path}.{name}" if path else name
