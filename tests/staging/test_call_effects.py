"""The table of what calls do: every public callable of the standard library and NumPy has a rule."""

import collections
import contextlib
import csv
import decimal
import functools
import hashlib
import importlib
import inspect
import io
import logging
import os
import pathlib
import queue
import random
import re
import select
import struct
import subprocess
import sys
import tempfile
import threading
import types
import unittest.mock
import warnings
import zlib

import numpy as np
import pytest

import runtime as rt
from runtime.staging.calls.effect_rules import FILE
from runtime.staging.calls.effect_table import EffectTable, rule_of, table
from runtime.staging.calls.natures import OWN, UNKNOWN, is_stateful, nature_of

# Modules that print, open a browser or start a loop when they are imported.
NOT_IMPORTED = {"this", "antigravity", "idlelib", "__main__", "turtledemo", "test", "lib2to3"}
CALLED_BY_STATEMENTS = [
    f"__{name}__"
    for name in (
        "call enter exit aenter aexit next anext iter len contains getitem setitem delitem iadd "
        "isub imul imatmul itruediv ifloordiv imod ipow iand ior ixor ilshift irshift"
    ).split()
]


def documented_modules():
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and line[0] not in "# *"]


def walked_modules():
    return dict.fromkeys([*documented_modules(), *public_modules()])


def public_modules():
    return [name for name in sorted(sys.stdlib_module_names) if not name.startswith("_")]


def imported(name):
    if name.partition(".")[0] in NOT_IMPORTED:
        return None
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            return importlib.import_module(name)
    except Exception:  # of another platform or version
        return None


def public_callables(module):
    package = module.__name__.partition(".")[0]
    listed = getattr(module, "__all__", None)
    for name, value in vars(module).items():
        home = getattr(value, "__module__", None)
        own = isinstance(home, str) and home.partition(".")[0].lstrip("_") == package
        if callable(value) and (name in listed if listed else own and not name.startswith("_")):
            yield name, value


def methods(kind):
    for name in dir(kind):
        if name.startswith("_") and name not in CALLED_BY_STATEMENTS:
            continue
        owner = next((base for base in kind.__mro__ if name in vars(base)), object)
        value = inspect.getattr_static(kind, name, None)
        if owner is not object and (
            callable(value) or isinstance(value, staticmethod | classmethod)
        ):
            yield name


def hidden_types():
    """Types of values that functions return, and no module names."""
    found = {}
    values = [found.keys(), found.values(), found.items(), iter(found), iter([]), os.environ]
    values += [csv.reader([]), csv.writer(io.StringIO()), zlib.compressobj(), hashlib.sha256()]
    values += [re.finditer("a", ""), struct.iter_unpack("b", b""), decimal.localcontext()]
    values += [threading.Lock(), threading.RLock()] + (
        [select.poll()] if hasattr(select, "poll") else []
    )
    kinds = [*map(type, values), functools._lru_cache_wrapper, tempfile._TemporaryFileWrapper]
    return [*kinds, contextlib._GeneratorContextManager]


def test_every_public_callable_of_the_standard_library_and_numpy_has_a_rule():
    kinds, asked, missing = hidden_types(), 0, []
    for name in walked_modules():
        module = imported(name)
        for attribute, value in public_callables(module) if module else ():
            asked += 1
            if rule_of(value) is None:
                missing.append(f"{name}.{attribute}")
            if isinstance(value, type) and value not in kinds:
                kinds.append(value)
    for kind in kinds:
        for method in methods(kind):
            asked += 1
            if table().method(kind, method) is None:
                missing.append(f"{kind.__module__}.{kind.__qualname__}.{method}")
    assert missing == []
    assert asked > 15_000


def test_every_module_of_the_standard_library_is_in_the_table():
    known = {name.partition(".")[0] for name in documented_modules()}
    without_functions = {"errno", "pydoc_data", "posix", "nt"}
    assert set(public_modules()) - known - without_functions == set()


def test_the_most_specific_line_holds():
    text = "shop\n    pure: * Till.*\n    effect: sell Till.open\n    effect(self): Till.take*\n"
    rules = EffectTable(text)
    kinds = {
        name: rules._first([f"shop.{name}"]) for name in ("look", "sell", "Till.see", "Till.open")
    }
    assert {name: rule.kind for name, rule in kinds.items()} == {
        "look": "pure",
        "sell": "effect",
        "Till.see": "pure",
        "Till.open": "effect",
    }
    assert rules._first(["shop.Till.take_all"]).changed == ("self",)
    assert rules._first(["shop.Till.__enter__"]) is None and rules._first(["store.look"]) is None


class Users:
    def method(self):
        return 1


def users_function():
    return 1


@pytest.mark.parametrize(
    "function, kind",
    [
        (os.remove, "effect"),
        (os.path.join, "pure"),
        (os.getcwd, "reads"),
        (os.environ.get, "reads"),
        (os.environ.update, "effect"),
        ([].append, "mutates"),
        (list.append, "mutates"),
        (collections.Counter().update, "mutates"),
        (pathlib.Path("a").unlink, "effect"),
        (pathlib.Path.unlink, "effect"),
        (pathlib.Path("a").with_suffix, "pure"),
        (queue.Queue().put, "effect"),
        (io.StringIO().write, "mutates"),
        (sys.stdout.write, "effect"),
        (subprocess.run, "effect"),
        (logging.getLogger("x").error, "effect"),
        (logging.getLogger, "pure"),
        (random.random, "effect"),
        (random.Random(1).random, "mutates"),
        (sorted, "higher"),
        (sys.exit, "noreturn"),
        (np.add, "pure"),
        (np.sum, "pure"),
        (np.save, "effect"),
        (np.ones(2).fill, "mutates"),
        (unittest.mock.Mock(), "effect"),
        (threading.Thread(target=print).start, "effect"),
        (Users, OWN),
        (Users().method, OWN),
        (users_function, OWN),
        (functools.partial(print), OWN),
        (rt.grad, OWN),
        (pytest.approx, UNKNOWN),
        (types.SimpleNamespace, "pure"),
    ],
    ids=lambda value: value if isinstance(value, str) else getattr(value, "__qualname__", "object"),
)
def test_the_nature_of_a_callable(function, kind):
    assert nature_of(function).kind == kind


@pytest.mark.parametrize("made", [queue.Queue(), io.StringIO(), threading.Lock(), random.Random(1)])
def test_objects_that_change_are_known(made):
    assert is_stateful(type(made))


@pytest.mark.parametrize(
    "made", [pathlib.Path("a"), decimal.Decimal(1), re.compile("a"), [], "a", 1.0]
)
def test_values_are_known(made):
    assert not is_stateful(type(made))


def test_marks_extend_the_table_and_die_with_the_function():
    import autograph.errors

    def local():
        return autograph.errors

    assert nature_of(pytest.approx).kind == UNKNOWN
    assert rt.pure(pytest.approx) is pytest.approx and nature_of(pytest.approx).kind == "pure"
    assert rt.effect(local) is local and nature_of(local).kind == "effect"
    buffer = io.BytesIO()
    rt.pure(buffer.getbuffer)
    assert nature_of(io.BytesIO().getbuffer).kind == "pure"
    with pytest.raises(TypeError, match="is marked, not int"):
        rt.effect(3)
    from runtime.staging.calls import natures

    del natures._marks[natures._key(pytest.approx)[0]]
    count = len(natures._marks)
    del local
    assert len(natures._marks) == count - 1


def test_the_table_is_read_when_it_is_first_needed():
    code = (
        "import sys, runtime\n"
        "from runtime.staging.calls import effect_table\n"
        "assert effect_table.table.cache_info().currsize == 0"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
