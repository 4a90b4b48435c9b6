"""The runtime's errors: problem, location, reason and remedy, as in `autograph.errors`.

Each kind has a class, a code, and an example: the pages `docs/errors/CODE.md` are made from them.
"""

from autograph.errors import ContainerError as ContainerError
from autograph.errors import ConversionError as ConversionError
from autograph.errors import Explained as Explained
from autograph.errors import GivenArgumentError as GivenArgumentError
from autograph.errors import HandledInRunError as HandledInRunError
from autograph.errors import IterationError as IterationError
from autograph.errors import LibraryResultError as LibraryResultError
from autograph.errors import NoSource as NoSource
from autograph.errors import OneSidedError as OneSidedError
from autograph.errors import StagingError as StagingError
from autograph.errors import StaleSourceError as StaleSourceError
from autograph.errors import ValueNeededError as ValueNeededError
from autograph.staging.errors import asked_for as asked_for
from autograph.staging.errors import staging_error as staging_error
from autograph.staging.errors import users_location as users_location
from runtime.errors.calls import DecoratorError as DecoratorError
from runtime.errors.calls import DtypeError as DtypeError
from runtime.errors.calls import SignatureError as SignatureError
from runtime.errors.containers import ElementError as ElementError
from runtime.errors.containers import OutsideWriteError as OutsideWriteError
from runtime.errors.containers import SharedMemoryError as SharedMemoryError
from runtime.errors.containers import StagedListError as StagedListError
from runtime.errors.control_flow import BranchError as BranchError
from runtime.errors.control_flow import GuardError as GuardError
from runtime.errors.control_flow import LoopError as LoopError
from runtime.errors.control_flow import RecursionShapeError as RecursionShapeError
from runtime.errors.effects import EffectError as EffectError
from runtime.errors.effects import GeneratorError as GeneratorError
from runtime.errors.functions import NoGraphError as NoGraphError
from runtime.errors.functions import ResultError as ResultError
from runtime.errors.functions import VariableError as VariableError
from runtime.errors.saving import ExportError as ExportError
from runtime.errors.saving import LoadError as LoadError
from runtime.errors.saving import RunLimitError as RunLimitError
from runtime.errors.saving import SaveError as SaveError
from runtime.errors.transformations import BatchError as BatchError
from runtime.errors.transformations import CustomGradientError as CustomGradientError
from runtime.errors.transformations import ImpureTransformError as ImpureTransformError
from runtime.errors.transformations import NoDerivativeError as NoDerivativeError
from runtime.errors.transformations import NotDifferentiableError as NotDifferentiableError
from runtime.errors.transformations import TapeError as TapeError
from runtime.errors.values import ArgumentError as ArgumentError
from runtime.errors.values import HashNeededError as HashNeededError
from runtime.errors.values import LeakedValueError as LeakedValueError
from runtime.errors.values import MaybeNoneError as MaybeNoneError
from runtime.errors.values import MemoryLayoutError as MemoryLayoutError
from runtime.errors.values import NotStageableError as NotStageableError
from runtime.errors.values import UnknownTypeError as UnknownTypeError
from runtime.errors.values import UnsupportedError as UnsupportedError


def unsupported(
    what: str, instead: str = "", why: str = "Graphs have no operation for it."
) -> BaseException:
    """An error about a function, or a way to call it, that graphs do not have."""
    remedy = instead or "Write it with other functions, or do it outside of the function."
    return staging_error(f"{what} does not work on staged values", why, remedy, UnsupportedError)


def listed_error(path: str) -> BaseException:
    """The error about a write into an array that is an element of a staged list."""
    return staging_error(
        f"{path} is written into, and is in a list that a staged loop or branch changes",
        "The graph's list holds the old value of the array; a Python list would see the write.",
        "Put a copy into the list: z.append(y.copy())",
        SharedMemoryError,
    )


for _kind in [kind for kind in globals().values() if isinstance(kind, type)]:
    if _kind.__module__.startswith(f"{__name__}."):
        _kind.__module__ = __name__  # where users find it

del _kind
