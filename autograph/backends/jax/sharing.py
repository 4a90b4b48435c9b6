"""Objects that two names may hold after a join, one of which would not see what the other writes.

    a, b = {"k": 1}, {"k": 2}
    c = a
    if x > 0:
        c = make()                  afterwards `c` is a new dict: neither `a` nor the one of `make`
    c["k"] = 9                      refused: only a run knows whether `a["k"]` changes

Reading such an object is exact.  Lists and dicts are refused when they are written into; an object
of the user's class when it is joined, if the code that runs writes into any of its attributes.
"""

import dis
import sys
from types import CodeType, FunctionType
from typing import Any

from autograph.errors import ContainerError, with_article
from autograph.functions.policy import is_users_file, is_users_function
from autograph.functions.rebuild import MADE
from autograph.staging.errors import staging_error
from autograph.staging.object_state import attributes

OLD_OR_NEW = "objects after a staged branch or loop, one of which existed before"
TWICE = "names of an object that a staged branch or loop has made"

separated: dict[int, tuple[Any, str]] = {}  # by identity, while JAX traces


def forget() -> None:
    """Forgets all objects: no function is being traced."""
    separated.clear()


def separate(value: Any, why: str) -> None:
    """Notes an object, of which another name may hold another version."""
    if type(value).__name__ == "GrowList":
        value.stale = why
    elif isinstance(value, (list, dict)):
        separated[id(value)] = value, why
    else:
        stored, held = _stored_names(type(value)), set(attributes(value))
        written = sorted(held if stored is None else held & stored)
        if written:
            raise staging_error(
                f"an object of {type(value).__name__} is one of two {why}",
                f"Only a run knows which, and the code sets {', '.join(written)}.",
                "Set the attributes of one object on all paths, or make its class a frozen "
                "dataclass.",
                ContainerError,
            )


def check_write(value: Any) -> None:
    """Raises `StagingError` if a write would have to be seen under another name."""
    found = separated.get(id(value))
    if found is not None:
        raise staging_error(
            f"{with_article(type(value).__name__)} is changed that is one of two {found[1]}",
            "Only a run knows which of them would have to change.",
            "Change a copy, or make a new one with the change in it.",
            ContainerError,
        )


def _stored_names(kind: type) -> set[str] | None:
    """The attributes that the code which is running, and what it calls, may set; None for any."""
    pending = _running() + _methods(kind)
    seen: set[CodeType] = set()
    found: set[str] = set()
    while pending:
        code, names = pending.pop()
        if code in seen:
            continue
        seen.add(code)
        pending += [(one, names) for one in code.co_consts if isinstance(one, CodeType)]
        if not {"setattr", "vars", "__dict__"}.isdisjoint(code.co_names):
            return None
        for step in dis.get_instructions(code):
            if step.opname in ("STORE_ATTR", "DELETE_ATTR"):
                found.add(step.argval)
        called = [names.get(name) for name in code.co_names]
        pending += [(f.__code__, f.__globals__) for f in called if _is_users(f)]
    return found


def _is_users(value):
    return isinstance(value, FunctionType) and is_users_function(value)


def _running():
    frame, found = sys._getframe(1), []
    while frame is not None:
        code = frame.f_code
        is_module = code.co_name == "<module>"  # it runs no further while JAX traces
        if code in MADE or is_users_file(code.co_filename) and not is_module:
            found.append((code, frame.f_globals))
        frame = frame.f_back
    return found


def _methods(kind):
    makers = ("__init__", "__post_init__", "__new__")
    return [
        (member.__code__, member.__globals__)
        for base in kind.__mro__
        for name, member in vars(base).items()
        if name not in makers and _is_users(member)
    ]
