"""Requests machine code of whole calls from an engine, and makes it what Python calls.

    f(x) -> the entry of the graph used last -> that of the next one -> ... -> f.__call__

The engine gets the guard, the template of the result and the settings as plain data
(`engines/entry.py`).  Entries are tried in the order of the function's graphs.  The Python function
`__call__` takes all calls that the entries leave, so a function works without any.
"""

import ast
import ctypes
import sys
from collections.abc import Callable, Iterable
from functools import cache
from itertools import pairwise
from typing import Any

from runtime import config
from runtime.engines import registry
from runtime.engines.entry import Conditions, Entry, Field, Part, Request, Step
from runtime.engines.executable import Executable
from runtime.function.guards.guard import Guard
from runtime.function.guards.records import Names, Record, python
from runtime.function.vectorcall import has_place, set_address
from runtime.ir.syntax import parsed
from runtime.staging.templates import ArgumentRef, Const, ContainerTemplate, Output, Template
from runtime.tracing import trace
from runtime.tracing.parameters import Parameters

CONTAINERS = {tuple: "tuple", list: "list", dict: "dict"}


def entry_for(
    function: Any,
    parameters: Parameters,
    guard: Guard,
    executable: Executable,
    template: Template,
    engine: str,
) -> Entry | None:
    """The entry of a graph of a function; None if the engine has none for such calls.

    It runs the graph while the settings name `engine`.
    """
    are_variables = all(name.isidentifier() for name in guard.inputs)
    if not executable.has_entries or not has_place(function) or not are_variables:
        return None
    defaults, result = parameters.last_defaults, _part(template, parameters.names)
    kind: Any = type(function)
    conditions, call_place = _conditions(engine), _place(kind, "__call__")
    if defaults is None or result is None or conditions is None or call_place is None:
        return None
    steps = [_step(record, guard.names) for record in guard.records]
    return executable.entry(
        Request(
            parameters=parameters.names,
            positional=parameters.positional,
            defaults=defaults,
            conditions=conditions,
            steps=steps,
            constants=guard.names.constants,
            inputs=guard.inputs,
            result=result,
            call_place=call_place,
        )
    )


def link(function: Any, entries: Iterable[Entry], known: list[Entry]) -> list[Entry]:
    """Makes entries, in this order, the ones that take the calls of a function.

    Returns the entries that must be kept: these, and those of `known` that are running.
    """
    found = list(entries)
    set_address(function, 0)
    for one in known:
        one.follow_with(None)  # so that no order of the changes makes a circle
    for one, following in pairwise(found):
        one.follow_with(following)
    if found:
        set_address(function, found[0].address)
    return [*found, *(one for one in known if one.is_running and one not in found)]


def _step(record: Record, names: Names) -> Step:
    def evaluated() -> tuple[Callable[..., Any], list[str]]:
        expression = python(record, names)
        used = sorted(_names(expression) - names.constants.keys())
        text = expression if record.target else f"True if {expression} else False"
        made = eval(f"lambda {', '.join(used)}: {text}", dict(names.constants))
        return made, used

    return Step(record.kind, record.source, record.constant, record.target, evaluated)


def _names(expression: str) -> set[str]:
    nodes = ast.walk(parsed(expression))
    return {node.id for node in nodes if isinstance(node, ast.Name)}


def _part(template: Template, names: list[str]) -> Part | None:
    """A template as plain data; None if it has anything else in it."""
    match template:
        case Output(optional=False):
            return Part("output")
        case Const():
            return Part("constant", template.value)
        case ArgumentRef(path=(first,)):
            return Part("argument", names[first])
        case ContainerTemplate() if template.is_whole:
            return None
        case ContainerTemplate(serial=None, base=None) if template.kind in CONTAINERS:
            parts = [_part(part, names) for part in template.parts]
            if None not in parts:
                kept = tuple(part for part in parts if part is not None)
                return Part(CONTAINERS[template.kind], None, kept, tuple(template.keys))
    return None


# -- fields of objects -----------------------------------------------------------------------------


@cache
def _place(kind: Any, name: str) -> int | None:
    """Where objects of a class keep the value of a slot, in bytes; None if that is not clear."""
    probe, sentinel = kind.__new__(kind), object()
    setattr(probe, name, sentinel)
    size = kind.__basicsize__
    places = [place for place in range(16, size, 8) if _at(probe, place) == id(sentinel)]
    return places[0] if len(places) == 1 else None


def _at(value: Any, place: int) -> int:
    return ctypes.c_size_t.from_address(id(value) + place).value


@cache
def _conditions(engine: str) -> Conditions | None:
    """When a call just runs a graph, while the settings name an engine."""
    names = "is_unusual", "is_plain", "plain_engine"
    unusual, plain, plain_engine = (_place(config.Process, name) for name in names)
    if unusual is None or plain is None or plain_engine is None:
        return None
    is_default = engine == registry.DEFAULT
    return Conditions(
        trace.current.__self__,  # type: ignore[attr-defined]
        config.local_settings.__self__,  # type: ignore[attr-defined]
        Field(config.PROCESS, unusual, False) if is_default else None,
        Field(config.PROCESS, plain, True)
        if is_default
        else Field(config.PROCESS, plain_engine, sys.intern(engine)),
    )
