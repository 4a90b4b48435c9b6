"""Shardings of JAX for the leaves of arguments and results, from the options of `rt.function`.

    in_shardings=(P(), {"x": P("data")})    f(w, {"x": x, "n": n})    w: P()   x: P("data")

An entry holds for all leaves of the part that it stands for; None leaves the choice to XLA.
"""

from dataclasses import dataclass
from typing import Any

from jax.sharding import NamedSharding, PartitionSpec, Sharding, SingleDeviceSharding

from autograph.errors import message
from runtime.errors import users_location
from runtime.function.placement import Placement
from runtime.ir.pytree import Structure, is_dict, is_list


@dataclass(frozen=True)
class Shardings:
    """The options of a function, and its name for messages."""

    placement: Placement
    name: str

    def of_inputs(self, structure: Structure) -> list[Sharding | None]:
        """The sharding of each leaf of the bound arguments."""
        if self.placement.device is not None:
            return [self.whole] * count(structure)
        return self._spread("in_shardings", self.placement.in_shardings, structure)

    def of_results(self, structure: Structure) -> list[Sharding | None]:
        """The sharding of each leaf of the result."""
        if self.placement.device is not None:
            return [self.whole] * count(structure)
        return self._spread("out_shardings", self.placement.out_shardings, structure)

    @property
    def whole(self) -> Sharding | None:
        """That of arrays which each device has the whole of, such as variables."""
        if self.placement.device is not None:
            return SingleDeviceSharding(self.placement.device)
        mesh = self.placement.mesh or _mesh_in(
            (self.placement.in_shardings, self.placement.out_shardings)
        )
        return None if mesh is None else NamedSharding(mesh, PartitionSpec())

    def _spread(self, option: str, given: Any, structure: Structure) -> list[Sharding | None]:
        if given is None or isinstance(given, (Sharding, PartitionSpec)):
            return [self._complete(option, given)] * count(structure)
        entries = _entries(given, structure)
        if entries is None:
            raise ValueError(
                message(
                    f"{option} of {self.name} has {given!r} in place of {structure}",
                    users_location(),
                    "It has an entry for each parameter or part of the result, with the same "
                    "containers and keys, or one entry for all.",
                    "Give each part a PartitionSpec, a Sharding, or None, which leaves the choice "
                    "to XLA.",
                )
            )
        pairs = zip(entries, structure.children, strict=True)
        return [one for entry, part in pairs for one in self._spread(option, entry, part)]

    def _complete(self, option: str, given: Any) -> Sharding | None:
        if not isinstance(given, PartitionSpec):
            return given
        if self.placement.mesh is None:
            raise ValueError(
                message(
                    f"{option} of {self.name} has a PartitionSpec, and there is no mesh=",
                    users_location(),
                    "A PartitionSpec names the axes of a mesh.",
                    "Add mesh=, or give a NamedSharding(mesh, ...).",
                )
            )
        return NamedSharding(self.placement.mesh, given)


def count(structure: Structure) -> int:
    """The number of leaves of a structure."""
    return 1 if structure.kind is None else sum(map(count, structure.children))


def _entries(given: Any, structure: Structure) -> list[Any] | None:
    """The entries for the parts of a structure; None if they do not match."""
    if is_dict(type(given)):
        is_alike = structure.kind is dict and set(given) == set(structure.keys)
        return [given[key] for key in structure.keys] if is_alike else None
    if not isinstance(given, tuple) and not is_list(type(given)):
        return None
    kind = structure.kind
    is_sequence = kind is not None and (is_list(kind) or issubclass(kind, tuple))
    return list(given) if is_sequence and len(given) == len(structure.children) else None


def _mesh_in(given: Any) -> Any:
    """The mesh of the first `NamedSharding` in nested containers."""
    if isinstance(given, NamedSharding):
        return given.mesh
    parts = given.values() if isinstance(given, dict) else given
    if not isinstance(given, (tuple, list, dict)):
        return None
    return next((mesh for mesh in map(_mesh_in, parts) if mesh is not None), None)
