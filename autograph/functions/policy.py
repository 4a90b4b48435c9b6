"""Which code is the user's, and which belongs to Python or to installed packages.

The user's functions are converted when converted code calls them, and the user's objects are
inspected when a block is staged.  All other code is left alone, except packages that the user
names:  `to_graph(fn, convert_packages=["mylib"])`.
"""

import functools
import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from types import CodeType, FrameType, FunctionType, MethodType, ModuleType

PACKAGE = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "")


@functools.cache
def _library() -> tuple[str, ...]:
    """The folders of the standard library and of installed packages."""
    import sysconfig  # here, because it is slow to import

    paths = sysconfig.get_paths()
    kinds = ("stdlib", "platstdlib", "purelib", "platlib")
    return tuple(os.path.join(os.path.realpath(paths[kind]), "") for kind in kinds)


_left_alone: list[str] = []
_ordinary: list[str] = []  # files and folders of such packages that are converted


def leave_alone(module: ModuleType | str, ordinary: Iterable[str] = ()) -> None:
    """Makes a package or module one that is never converted, as the code of a backend must be.

    `module` is the package or module, or its file; the file `__init__.py` means the whole package.
    Its `ordinary` files and folders are excepted: they are converted as the user's own.
    """
    filename = module if isinstance(module, str) else module.__file__
    if filename is None:
        raise ValueError(f"{module!r} has no file")
    path = os.path.realpath(filename)
    folder, name = os.path.split(path)
    _left_alone.append(os.path.join(folder, "") if name == "__init__.py" else path)
    _ordinary.extend(os.path.join(folder, name) for name in ordinary)
    is_left_alone.cache_clear()
    is_users_file.cache_clear()
    is_skipped.cache_clear()


_skipped: list[str] = []


def skip_frames_of(filename: str) -> None:
    """Makes the package in whose folder `filename` is one whose frames errors do not show."""
    _skipped.append(os.path.join(os.path.dirname(os.path.realpath(filename)), ""))
    is_skipped.cache_clear()


def skip_frames_named(prefix: str) -> None:
    """Makes generated code whose file names start with `prefix` code that is not the user's."""
    _skipped.append(prefix)
    is_skipped.cache_clear()


@functools.cache
def is_skipped(filename: str) -> bool:
    """Whether the frames of a file are not the user's: it is left alone, skipped, or frozen."""
    return filename.startswith((*_skipped, "<frozen ")) or is_left_alone(filename)


@functools.cache
def is_left_alone(filename: str) -> bool:
    """Whether a file belongs to a package that is never converted."""
    path = os.path.realpath(filename)
    return path.startswith(tuple(_left_alone)) and not _is_ordinary(path)


def _is_ordinary(path):
    return path.startswith(tuple(_ordinary))


@functools.cache
def is_users_file(filename: str) -> bool:
    """Whether a file belongs to the user (also a prompt or notebook cell, which is no file)."""
    if filename.startswith("<frozen "):
        return False
    if _is_ordinary(os.path.realpath(filename)):
        return True
    return not (is_left_alone(filename) or os.path.realpath(filename).startswith(_library()))


leave_alone(os.path.join(PACKAGE, "__init__.py"))


def is_of_dataclass(code: CodeType) -> bool:
    """Whether `dataclass` has made a method of a text, which has no line in any file."""
    return code.co_filename == "<string>" and code.co_qualname.startswith("__create_fn__.")


def _is_users_own(function: FunctionType) -> bool:
    """Whether a function is the user's own, and not one that a package has made from a text."""
    filename = function.__code__.co_filename
    if not is_users_file(filename):
        return False
    name = function.__globals__.get("__name__", "__main__")
    if not filename.startswith("<") or name == "__main__":
        return True
    maker = getattr(sys.modules.get(name), "__file__", None)
    return maker is None or is_users_file(maker)


# -- which functions are converted where they are called -------------------------------------------


@dataclass(frozen=True)
class Policy:
    """Which functions are converted: the user's own, and those of some packages."""

    packages: tuple[str, ...] = ()

    def converts(self, function: FunctionType) -> bool:
        """Whether a function is converted where converted code calls it."""
        filename = function.__code__.co_filename
        return _is_users_own(function) or (
            bool(self.packages)
            and _is_in(function.__globals__.get("__name__"), self.packages)
            and not is_left_alone(filename)
        )

    def names(self, callee: object) -> bool:
        """Whether a callable is a function, method, class or object of one of the packages."""
        if isinstance(callee, MethodType):
            callee = callee.__func__
        if isinstance(callee, FunctionType):
            return not _is_users_own(callee) and self.converts(callee)
        kind = callee if isinstance(callee, type) else type(callee)
        is_written = isinstance(vars(kind).get("__call__", kind.__init__), FunctionType)
        return is_written and _is_in(kind.__module__, self.packages)


USERS_OWN = Policy()

_asked_for: set[str] = set()  # all packages named in `convert_packages`


def policy_of(packages: Iterable[str]) -> Policy:
    """The policy that also converts the functions of `packages` (names of packages or modules).

    Raises `TypeError` if they are not a collection of names, `ValueError` for a name that cannot be
    found and for a package of this library.
    """
    if isinstance(packages, str):
        raise TypeError(f'convert_packages takes names in a list: convert_packages=["{packages}"]')
    try:
        names = tuple(sorted(set(packages)))
    except TypeError:
        raise TypeError(
            f"convert_packages takes a list of names of packages, not {packages!r}"
        ) from None
    for name in names:
        _check(name)
    _asked_for.update(names)
    return Policy(names)


def _check(name):
    if not isinstance(name, str):
        raise TypeError(f"convert_packages takes names of packages, not {name!r}")
    import importlib.util

    module = sys.modules.get(name)
    try:
        spec = importlib.util.find_spec(name) if module is None else None
    except (ImportError, ValueError):
        spec = None
    if module is None and spec is None:
        raise ValueError(f"convert_packages names {name!r}, but there is no such package")
    filename = getattr(module, "__file__", None) or getattr(spec, "origin", None)
    if filename is not None and is_left_alone(filename):
        raise ValueError(f"convert_packages names {name!r}, which belongs to the converter itself")


def _is_in(module, packages):
    """Whether a module, which may have no name, is or belongs to one of the packages."""
    return isinstance(module, str) and f"{module}.".startswith(
        tuple(f"{package}." for package in packages)
    )


# -- which functions and objects are inspected -----------------------------------------------------


def is_users_function(function: FunctionType) -> bool:
    """Whether a function is the user's own, or in a package named in `convert_packages`."""
    return _is_users_own(function) or (
        bool(_asked_for) and _is_in(function.__globals__.get("__name__"), _asked_for)
    )


def is_named(entity: object) -> bool:
    """Whether a function or class belongs to a package named in `convert_packages`."""
    return bool(_asked_for) and _is_in(getattr(entity, "__module__", None), _asked_for)


def is_of_named_package(frame: FrameType) -> bool:
    """Whether a frame runs code of a package named in `convert_packages`."""
    return bool(_asked_for) and _is_in(frame.f_globals.get("__name__"), _asked_for)


def is_users_class(kind: type) -> bool:
    """Whether a class is the user's own, or in a package named in `convert_packages`."""
    if kind.__module__ == "builtins" and not _asked_for:
        return False
    module = sys.modules.get(kind.__module__)
    if module is None or _asked_for and _is_in(kind.__module__, _asked_for):
        return True
    filename = getattr(module, "__file__", None)
    return kind.__module__ == "__main__" if filename is None else is_users_file(filename)
