"""Functions that are pickled by value: code, source, closure, and the globals that they name.

    pickle.dumps(rt.function(lambda x: x * w))        a lambda, which no name leads to

Pickle writes functions as the name of a module and a name in it.  Where no other process can find
them so (lambdas, local functions, the functions of a notebook), an object in their place is
pickled, and becomes the function again when it is loaded:

    ByValue(function)    code, defaults, attributes;  its cells, its namespace, its source

Functions that share cells, and global variables, share them afterwards if they were pickled
together.  The source travels because code is converted from it: a notebook has no file elsewhere.
"""

import builtins
import functools
import marshal
import re
import sys
import weakref
from collections.abc import Iterator
from importlib import import_module
from types import CellType, CodeType, FrameType, FunctionType, ModuleType
from typing import Any

from autograph.functions import rebuild
from autograph.functions.bytecode import instructions
from autograph.functions.frames import BLOCKS
from autograph.functions.policy import is_users_function
from autograph.syntax import sources

PYTHON = sys.implementation.cache_tag


def is_by_value(pickler: FrameType) -> bool:
    """Whether a pickler, by the frame that runs it, writes functions of `__main__` by value."""
    return "cloudpickle" in pickler.f_globals.get("__name__", "")


def is_found_by_name(value: Any) -> bool:
    """Whether the name of a function or class leads to it, in a module that can be imported."""
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    return module != "__main__" and name is not None and named(module, name) is value


def named(module: str | None, qualname: str) -> Any:
    """The object that a module holds under a name, None if there is none."""
    found: Any = sys.modules.get(module or "")
    for name in qualname.split("."):
        found = getattr(found, name, None)
    return found


def portable(value: Any) -> Any:
    """The object to pickle for a value: the value itself, unless pickle cannot write it."""
    if isinstance(value, ModuleType):
        return ImportedModule(value.__name__)
    if isinstance(value, FunctionType) and not is_found_by_name(value):
        return _shared(ByValue, value) if is_users_function(value) else value
    if type(value) is functools.partial:
        return partial(value.func, *value.args, **value.keywords)
    return value


class _Wrapper:
    """Something that is pickled in place of the object that it holds."""

    def __init__(self, held: Any):
        self.held = held


# By class and identity of what they hold, so that pickle sees one wrapper for one object.
_wrappers: "weakref.WeakValueDictionary[tuple[type, int], _Wrapper]" = weakref.WeakValueDictionary()


def _shared(kind: type, held: Any) -> Any:
    key = kind, id(held)
    known = _wrappers.get(key)
    if known is None:
        known = _wrappers[key] = kind(held)
    return known


class partial(functools.partial):  # noqa: N801
    """A `functools.partial` whose arguments are pickled by value where no name leads to them."""

    def __reduce__(self):
        parts = portable(self.func), *map(portable, self.args)
        return _new_partial, parts, _portable_values(self.keywords), None, None, _fill_partial


class ImportedModule:
    """A module, which is imported again by name."""

    def __init__(self, name: str):
        self.name = name

    def __reduce__(self):
        return import_module, (self.name,)


class Namespace(_Wrapper):
    """The global variables of functions; each function brings those that it names."""

    def __reduce__(self):
        names = ("__name__", "__package__", "__file__")
        return _new_namespace, ({name: self.held.get(name) for name in names if name in self.held},)


class Cell(_Wrapper):
    """A free variable, whose value a function brings."""

    def __reduce__(self):
        return _new_cell, ()

    def contents(self) -> tuple:
        """Its value, in a tuple; an empty one if it is unbound."""
        try:
            return (portable(self.held.cell_contents),)
        except ValueError:
            return ()


class SourceText:
    """The source of a file; one object for each, so that pickle writes it once."""

    def __init__(self, text: str):
        self.text = text

    def __reduce__(self):
        return SourceText, (self.text,)


_texts: "weakref.WeakValueDictionary[str, SourceText]" = weakref.WeakValueDictionary()


def _source(function):
    """The source that a function was compiled from, None if it is not known."""
    found = sources.texts_of(function)
    if not found:
        return None
    text = "".join(found[0])
    known = _texts.get(text)
    if known is None:
        known = _texts[text] = SourceText(text)
    return known


class ByValue(_Wrapper):
    """A function."""

    def __reduce__(self):
        function = self.held
        code = function.__code__
        cells = tuple(_shared(Cell, cell) for cell in function.__closure__ or ())
        marks = [(part in rebuild.MADE, part in BLOCKS) for part in _parts(code)]
        made_of = (
            PYTHON,
            marshal.dumps(code),
            marks,
            function.__name__,
            _shared(Namespace, function.__globals__),
            cells,
        )
        return _new_function, made_of, self._state(cells), None, None, _fill_function

    def _state(self, cells):
        function = self.held
        names = {name for part in _parts(function.__code__) for name in _global_names(part)}
        held = function.__globals__
        attributes = {
            name: value for name, value in vars(function).items() if not name.startswith("__")
        }
        return {
            "cells": [(cell, cell.contents()) for cell in cells],
            "globals": _portable_values({n: held[n] for n in sorted(names) if n in held}),
            "defaults": function.__defaults__ and tuple(map(portable, function.__defaults__)),
            "kwdefaults": function.__kwdefaults__ and _portable_values(function.__kwdefaults__),
            "attributes": _portable_values(attributes),
            "names": (function.__qualname__, function.__module__, function.__doc__),
            "source": _source(function),
        }


def _portable_values(named):
    return {name: portable(value) for name, value in named.items()}


# Instructions that use a variable of the module, or may use one.
_GLOBAL = re.compile("(LOAD|STORE|DELETE)_(GLOBAL|NAME)|LOAD_FROM_DICT_OR_GLOBALS")


def _global_names(code):
    """The global variables that a code object names, without the code inside it."""
    return {one.argval for one in instructions(code) if _GLOBAL.fullmatch(one.opname)}


def _parts(code: CodeType) -> Iterator[CodeType]:
    """A code object and all code inside it, in a fixed order."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _parts(constant)


# -- loading ---------------------------------------------------------------------------------------


def _new_partial(function: Any, *arguments: Any) -> partial:
    return partial(function, *arguments)


def _fill_partial(made: partial, keywords: dict[str, Any]) -> None:
    made.keywords.update(keywords)


# Code by its bytes: code that is loaded again is converted once.
_codes: "weakref.WeakValueDictionary[bytes, CodeType]" = weakref.WeakValueDictionary()


def _new_namespace(names: dict[str, Any]) -> dict[str, Any]:
    return {"__builtins__": builtins, **names}


def _new_cell() -> CellType:
    return CellType()


def _new_function(
    python: str, code: bytes, marks: list, name: str, namespace: dict, cells: tuple
) -> FunctionType:
    if python != PYTHON:
        raise RuntimeError(
            f"the function {name} was pickled by value in {python}, and this is {PYTHON}\n"
            "Code differs between versions of Python.\n"
            "Put the function into a module that both can import, or use one version."
        )
    made = _codes.get(code)
    if made is None:
        made = _codes[code] = marshal.loads(code)
    for part, (is_made, is_block) in zip(_parts(made), marks, strict=True):
        if is_made:
            rebuild.MADE.add(part)
        if is_block:
            BLOCKS.add(part)
    return FunctionType(made, namespace, name, None, cells)


def _fill_function(function: FunctionType, state: dict[str, Any]) -> None:
    """Gives a function all that may refer back to it."""
    for cell, contents in state["cells"]:
        if contents:
            (cell.cell_contents,) = contents
    function.__globals__.update(state["globals"])
    function.__defaults__ = state["defaults"]
    function.__kwdefaults__ = state["kwdefaults"]
    function.__dict__.update(state["attributes"])
    function.__qualname__, function.__module__, function.__doc__ = state["names"]
    if state["source"] is not None:
        sources.give(state["source"].text, function.__code__)
