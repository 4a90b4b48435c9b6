"""Where the arrays of an `rt.function` are: on a device, or divided over a mesh of devices.

    @rt.function(engine="xla", device=rt.devices()[0])
    @rt.function(engine="xla", mesh=mesh, in_shardings=(P(), P("data")), out_shardings=P())

Devices, meshes and shardings are objects of JAX.  An engine that runs such functions registers how
it does (`frameworks/jax_placement.py`); all others refuse them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from autograph.errors import message
from runtime.errors import users_location

Runner = Callable[[Any, "Placement"], Callable[[tuple[Any, ...]], Any]]

_runners: dict[str, Runner] = {}


@dataclass(frozen=True)
class Placement:
    """The options of `rt.function` that say where arrays are; None where XLA chooses."""

    device: Any = None
    mesh: Any = None
    in_shardings: Any = None
    out_shardings: Any = None

    @property
    def given(self) -> list[str]:
        """The names of the options that are given."""
        return [name for name, value in vars(self).items() if value is not None]


def register_runner(engine: str, runner: Runner) -> None:
    """Makes known how an engine runs functions that have a placement.

    `runner(function, placement)` returns a function of the bound arguments of a call.  Raises
    `ValueError` if the engine has one already.
    """
    if _runners.setdefault(engine, runner) is not runner:
        raise ValueError(f"the engine {engine!r} has a runner already")


def checked(placement: Placement, engine: str | None, name: str) -> Placement | None:
    """The placement, None if it says nothing.

    Raises `ValueError`, with the user's line, for an engine that has no devices, and for options
    that contradict each other.
    """
    options = placement.given
    if not options:
        return None
    shown = " and ".join(f"{option}=" for option in options)
    are = "are" if len(options) > 1 else "is"
    if engine not in _runners:
        engines = " or ".join(f"engine={known!r}" for known in _runners)
        raise ValueError(
            message(
                f"{shown} {are} given to rt.function for {name}, whose engine has no devices",
                users_location(),
                f"The engine {engine!r} computes in the memory of the CPU."
                if engine
                else "An engine that the settings name computes in the memory of the CPU.",
                f"Add {engines}.",
            )
        )
    if placement.device is not None and len(options) > 1:
        raise ValueError(
            message(
                f"{shown} are given to rt.function for {name}",
                users_location(),
                "The arrays are on one device, or divided over a mesh.",
                "Leave out device=, or the others.",
            )
        )
    if options == ["mesh"]:
        raise ValueError(
            message(
                f"mesh= is given to rt.function for {name}, without shardings",
                users_location(),
                "A mesh alone does not say how arrays are divided.",
                "Add in_shardings=, out_shardings=, or both.",
            )
        )
    return placement


def runner_of(function: Any, placement: Placement) -> Callable[[tuple[Any, ...]], Any]:
    """The function of the bound arguments of a call that runs a function with a placement."""
    return _runners[function.engine](function, placement)
