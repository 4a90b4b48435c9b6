"""What a call does, for the recorder that meets it: the table, and the user's own marks.

    rt.pure(fetch)          fetch has no effect: it may be called while the graph is being built
    rt.effect(send)         send has one: each run calls it, in order with the other effects

The user's own functions are converted, so the calls inside them are seen; a mark makes one of them
a call of its own.
"""

import functools
import weakref
from collections import deque
from dataclasses import dataclass
from types import BuiltinFunctionType, FunctionType, MethodType, MethodWrapperType
from typing import Any

import numpy as np

from autograph.backend import describe_calls
from autograph.conversion.converter import is_kept
from autograph.functions.policy import is_left_alone, is_named, is_users_class, is_users_function
from autograph.staging import memory
from runtime.ir.types import BOOL, FLOAT, INT, STRING, Type
from runtime.staging.calls.effect_rules import Rule
from runtime.staging.calls.effect_table import DESCRIPTORS, rule_of, table
from runtime.staging.calls.package_functions import (
    CHANGING,
    NOT_KNOWN,
    PURE,
    TRANSPARENT,
    kind_in_package,
)

OWN = "own"  # the user's own code, which is converted, or a part of this library
UNKNOWN = "unknown"  # of another package
AT_ONCE = ("pure", "iterator", "frame")  # kinds of calls that need no run


@dataclass(frozen=True)
class Nature:
    """What a call does: a class of the table, OWN or UNKNOWN; the arguments that it changes; and
    the types of its result: none if it returns None, None if that is not known."""

    kind: str
    changed: tuple[str, ...] = ()
    types: tuple[Type, ...] | None = None
    kinds: tuple[str, ...] = ()
    name: str = ""
    is_marked: bool = False
    is_library: bool = False  # pure, and called by each run if an argument is staged

    @property
    def shows_callers(self) -> bool:
        """Whether the function looks at the frames of its callers to say where they are."""
        return self.name in SHOW_CALLERS or self.name.startswith("logging.")


# Calls with an effect that does not matter: they register an object, and return it ever after.
HARMLESS = ("logging.getLogger", "logging.Logger.getChild")

SHOW_CALLERS = ("warnings.warn",)
NATURE_OF_OWN = Nature(OWN)
NATURE_OF_UNKNOWN = Nature(UNKNOWN)
NATURES_IN_PACKAGES = {
    PURE: Nature("pure", is_library=True),
    TRANSPARENT: Nature("pure"),
    CHANGING: Nature("effect", is_marked=True),
    NOT_KNOWN: NATURE_OF_UNKNOWN,
}


def _named(module: str, names: str, *types: Type) -> dict[str, tuple[Type, ...]]:
    return {f"{module}.{name}": types for name in names.split()}


# The results of host calls whose type is known, by the name of the rule.
RESULTS: dict[str, tuple[Type, ...]] = {
    **_named("os.path", "exists lexists isdir isfile islink ismount samefile", BOOL),
    **_named("os.path", "getsize", INT),
    **_named("os.path", "getatime getctime getmtime", FLOAT),
    **_named("os.path", "abspath realpath expanduser expandvars", STRING),
    **_named("os", "access isatty", BOOL),
    **_named("os", "getpid getppid getuid geteuid getgid getegid umask", INT),
    **_named("os", "getcwd ctermid", STRING),
    **_named("os", "remove unlink mkdir makedirs rmdir removedirs rename renames replace"),
    **_named("os", "chdir chmod chown link symlink truncate utime close closerange fsync"),
    **_named("os", "putenv unsetenv kill killpg sync _exit abort"),
    **_named("pathlib.Path", "exists is_dir is_file is_symlink is_mount samefile", BOOL),
    **_named("pathlib.Path", "write_text write_bytes", INT),
    **_named("pathlib.Path", "read_text", STRING),
    **_named("pathlib.Path", "unlink mkdir rmdir touch chmod symlink_to hardlink_to"),
    **_named("shutil", "rmtree copyfileobj copymode copystat"),
    **_named("sys", "setrecursionlimit settrace setprofile setswitchinterval"),
    **_named("sys", "getrecursionlimit", INT),
    **_named("time", "sleep"),
    **_named("queue.Queue", "qsize", INT),
    **_named("queue.Queue", "empty full", BOOL),
    **_named("queue.Queue", "put put_nowait task_done join"),
    **_named("queue.SimpleQueue", "qsize", INT),
    **_named("queue.SimpleQueue", "empty", BOOL),
    **_named("queue.SimpleQueue", "put put_nowait"),
    **_named("threading.Event", "is_set", BOOL),
    **_named("threading.Event", "set clear"),
    **_named("threading.Thread", "is_alive", BOOL),
    **_named("threading.Thread", "start join"),
    **_named("threading", "active_count get_ident", INT),
    **_named("logging", "debug info warning error exception critical log basicConfig disable"),
    **_named("logging", "warn fatal addLevelName captureWarnings setLoggerClass shutdown"),
    **_named("logging.Logger", "debug info warning error exception critical log warn fatal handle"),
    **_named("logging.Logger", "setLevel addHandler removeHandler addFilter removeFilter"),
    **_named("logging.LoggerAdapter", "debug info warning error exception critical log warn"),
    **_named("logging.Handler", "emit handle flush close setLevel setFormatter"),
    **_named("warnings", "warn warn_explicit simplefilter filterwarnings resetwarnings"),
    **_named("builtins", "print setattr delattr"),
    **_named("gc", "enable disable"),
    **_named("random", "seed setstate"),
    **_named("json", "dump"),
    **_named("pickle", "dump"),
    **_named("numpy", "save savetxt savez savez_compressed set_printoptions"),
}


# -- marks -----------------------------------------------------------------------------------------

_marks: dict[tuple, tuple[Any, Nature]] = {}


def pure(function: Any) -> Any:
    """Says that calls of a function of another package have no effect; returns the function.

    It may be a function, a class, or a method of a class or object (of all objects of the class
    then).  Such a call in a staged branch or loop happens while the graph is being built, and its
    result is part of the graph.  May be used as a decorator.  Raises `TypeError` for an object that
    cannot be called.
    """
    return _marked(function, Nature("pure", is_marked=True, is_library=True))


def effect(function: Any) -> Any:
    """Says that calls of a function have an effect; returns the function.

    Each run calls it with plain values where the program does, in order with prints and other
    effects, also if the function is the user's own, which is not converted then.  It may be a
    function, a class, or a method of a class or object (of all objects of the class then).  May be
    used as a decorator.  Raises `TypeError` for an object that cannot be called.
    """
    return _marked(function, Nature("effect", is_marked=True))


def _marked(function: Any, nature: Nature) -> Any:
    if not callable(function):
        raise TypeError(f"a function, class or method is marked, not {type(function).__name__}")
    key, holder = _key(function)
    try:
        held: Any = weakref.ref(holder, lambda _: _marks.pop(key, None))
    except TypeError:
        held = holder  # it lives as long as the mark
    _marks[key] = held, nature
    return function


def has_marks() -> bool:
    """Whether the user has marked a function."""
    return bool(_marks)


def _key(function: Any) -> tuple[tuple, Any]:
    """What identifies a callable, and the object that must be alive for that."""
    if isinstance(function, MethodType):
        function = function.__func__
    owner = getattr(function, "__self__", None)
    is_method = isinstance(function, (BuiltinFunctionType, MethodWrapperType))
    if is_method and owner is not None and not isinstance(owner, type(functools)):
        kind = owner if isinstance(owner, type) else type(owner)
        return (id(kind), function.__name__), kind
    if isinstance(function, DESCRIPTORS):
        return (id(function.__objclass__), function.__name__), function.__objclass__
    return (id(function),), function


# -- the nature of a callable ----------------------------------------------------------------------


def nature_of(function: Any) -> Nature:
    """What a call of an object does."""
    if _marks:
        marked = _marks.get(_key(function)[0])
        if marked is not None and (marked[1].kind != "pure" or not _is_users(function)):
            return marked[1]
    kind = type(function)
    if kind is MethodType:
        return _of_method(function)
    if kind is FunctionType:
        return _of_function(function)
    if isinstance(function, type):
        return _of_class(function)
    if kind in (BuiltinFunctionType, MethodWrapperType) or kind in DESCRIPTORS:
        owner = getattr(function, "__self__", None)
        if owner is None or isinstance(owner, type(functools)):
            return _of_builtin(function)
        if isinstance(owner, type) or not _is_own(type(owner)):
            return _of_rule(function)
        return _of_bound(function)
    if isinstance(function, np.ufunc):
        return Nature("pure")
    if kind is functools.partial:
        return NATURE_OF_OWN
    if kind_in_package(function) == NOT_KNOWN and _is_own(kind):
        return NATURE_OF_OWN
    return _of_rule(function)


def _of_bound(method: Any) -> Nature:
    """A method written in C of a user's object, such as `dict.update`."""
    found = _of_rule(method)
    return NATURE_OF_OWN if found.kind == UNKNOWN else found


def _of_method(method: Any) -> Nature:
    function = method.__func__
    if type(function) is not FunctionType:
        return nature_of(function)
    if _is_ours_or_users(function) and kind_in_package(method) == NOT_KNOWN:
        return NATURE_OF_OWN
    return _of_rule(method)


def _of_function(function: Any) -> Nature:
    is_own = _is_ours_or_users(function) and kind_in_package(function) == NOT_KNOWN
    return NATURE_OF_OWN if is_own else _of_builtin(function)


@functools.lru_cache(4096)
def _of_builtin(function: Any) -> Nature:
    return _of_rule(function)


def _of_class(kind: type) -> Nature:
    if issubclass(kind, BaseException):
        return NATURE_OF_OWN
    return NATURE_OF_OWN if _is_own(kind) else _of_rule(kind)


def _is_ours_or_users(function: FunctionType) -> bool:
    written = getattr(function, "__wrapped__", None)  # as `contextlib.contextmanager` leaves it
    if type(written) is FunctionType and is_left_alone(written.__code__.co_filename):
        return True
    return is_users_function(function) or is_left_alone(function.__code__.co_filename)


def _is_users(function: Any) -> bool:
    """Whether a function or class is the user's own, whose calls are decided one by one."""
    if is_named(function) or is_kept(function):
        return False
    if isinstance(function, type):
        return is_users_class(function)
    function = getattr(function, "__func__", function)
    return type(function) is FunctionType and is_users_function(function)


def _is_own(kind: type) -> bool:
    """Whether a class is the user's or ours; those of packages that are known are not, even if the
    user wants the packages converted."""
    if kind.__module__.partition(".")[0] in ("autograph", "runtime"):
        return True
    return is_users_class(kind) and kind_in_package(kind) == NOT_KNOWN


def _of_rule(function: Any) -> Nature:
    rule = rule_of(function)
    if rule is None:
        return NATURES_IN_PACKAGES[kind_in_package(function)]
    return nature_by(rule)


@functools.lru_cache(4096)
def nature_by(rule: Rule) -> Nature:
    """The nature that a rule of the table states."""
    if rule.name in HARMLESS:
        return Nature("pure", name=rule.name)
    return Nature(rule.kind, rule.changed, RESULTS.get(rule.name), rule.kinds, rule.name)


# Modules whose objects are values, although some of their methods change something.
OF_VALUES = ("numpy", "pathlib", "decimal", "datetime", "fractions", "logging", "types", "typing")

VALUES = frozenset(OF_VALUES) - {"numpy", "logging"}
CONSTANTS = (np.ndarray, np.generic, np.dtype, np.ufunc, BaseException)
COMPARED = (dict, list, set, bytearray, deque)  # whose contents are compared


def is_stateful(kind: type, is_new: bool = False) -> bool:
    """Whether objects of a class of the standard library change, so that each run needs its own:
    queues, streams, locks.  Loggers do if a call of their class has made them (`is_new`)."""
    module = kind.__module__.partition(".")[0]
    if module in OF_VALUES and not (is_new and module == "logging"):
        return False
    return hides_state(kind) if _is_own(kind) else _has_changing_methods(kind)


@functools.lru_cache(1024)
def hides_state(kind: type) -> bool:
    """Whether objects of a class keep a state where comparing their attributes does not show it:
    the class derives from one written in C, such as `random.Random` or `io.StringIO`."""
    if not has_state(kind) or issubclass(kind, COMPARED) or memory.is_known(kind):
        return False
    return any(map(_is_written_in_c, kind.__mro__[:-1]))


def _is_written_in_c(kind: type) -> bool:
    names = {type(value).__name__ for value in vars(kind).values()}
    return not names.isdisjoint(("method_descriptor", "cython_function_or_method"))


def has_state(kind: type) -> bool:
    """Whether objects of a class change: one of the standard library, a random generator of NumPy,
    or a class that derives from one of these."""
    return not is_of_values(kind) and _has_changing_methods(kind)


def is_of_values(kind: type) -> bool:
    """Whether objects of a class are values, or are followed in another way."""
    modules = {base.__module__.partition(".")[0] for base in kind.__mro__}
    return not modules.isdisjoint(VALUES) or issubclass(kind, CONSTANTS)


@functools.lru_cache(1024)
def _has_changing_methods(kind: type) -> bool:
    is_builtin = kind.__module__ == "builtins" and kind is not memoryview
    return not is_builtin and table().has_changing_methods(kind)


# -- reports ---------------------------------------------------------------------------------------

DESCRIPTIONS = {
    "effect": "an effect: happens while the graph is built; in a staged branch or loop, in each "
    "run that reaches it",
    "noreturn": "it ends the program, where a run reaches it",
}


def described(function: Any) -> str:
    """What a call does, as reports show it; "" if it has no effect."""
    return DESCRIPTIONS.get(nature_of(function).kind, "") if callable(function) else ""


describe_calls(described)
