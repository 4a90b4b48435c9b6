"""The work and the memory of a conversion."""

import ast
import builtins
import gc
import importlib.util
import linecache
import os
import subprocess
import sys
import tracemalloc
import types
import weakref
from collections import Counter
from pathlib import Path

import pytest

import autograph
from autograph.functions import origin
from autograph.syntax import quote, sources

MODULES = ("textwrap", "shlex", "csv", "cmd", "fractions", "string", "json.decoder", "html.parser")


def functions_of_library(names=MODULES[:3]):
    """Fresh copies of the functions and methods in modules of the standard library."""
    found = []
    for name in names:
        path = importlib.util.find_spec(name).origin
        module = types.ModuleType(name)
        module.__package__ = name.rpartition(".")[0]
        with open(path, encoding="utf-8") as file:
            exec(compile(file.read(), path, "exec"), vars(module))
        classes = [v for v in vars(module).values() if isinstance(v, type)]
        for holder in (module, *(one for one in classes if one.__module__ == name)):
            functions = [v for v in vars(holder).values() if isinstance(v, types.FunctionType)]
            found += [one for one in functions if one.__code__.co_filename == path]
    return found


def kept():
    """The bytes that each converted function of some modules keeps, and the files whose lines do."""
    for function in functions_of_library(MODULES):
        autograph.to_graph(function)  # which parses the templates, once
    functions = functions_of_library(MODULES)
    assert len(functions) > 50
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    converted = [autograph.to_graph(function) for function in functions]
    for function in functions:  # the texts of the last four files are kept, the lines of the last
        sources._read.forget(function.__code__.co_filename)
        sources._split.forget(function.__code__.co_filename)
    gc.collect()
    bytes_kept = tracemalloc.get_traced_memory()[0] - before
    files = {function.__code__.co_filename for function in functions}
    return bytes_kept / len(converted), sorted(files & set(linecache.cache))


def test_a_converted_function_keeps_little_memory():
    """In a process of its own: what other tests have filled changes the measure."""
    program = "import sys, test_conversion_cost; print(test_conversion_cost.kept())"
    found = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    bytes_kept, files = ast.literal_eval(found.stdout)
    limit = 5.0 if sys.version_info < (3, 13) else 5.5  # where code objects are larger
    assert bytes_kept < limit * 1024
    assert files == []


def test_nothing_is_kept_after_the_function_dies():
    def round_of_conversions():
        converted = [autograph.to_graph(function) for function in functions_of_library()]
        return [weakref.ref(one.__code__) for one in converted]

    for _ in range(2):
        round_of_conversions()
        gc.collect()
    before = Counter(type(one) for one in gc.get_objects())
    codes = round_of_conversions()
    for _ in range(2):
        gc.collect()
    assert not [code for code in codes if code() is not None]
    codes.clear()
    after = Counter(type(one) for one in gc.get_objects())
    grown = {kind: n - before[kind] for kind, n in after.items() if n - before[kind] > 40}
    assert not grown
    assert len(list(sources._read)) <= 4
    assert len(list(origin._indexes)) <= 4


@pytest.mark.parametrize("name", ["wrap", "shorten", "dedent"])
def test_a_conversion_parses_and_compiles_once(name, monkeypatch):
    """It parses the definition; compiles it, to compare it with what runs; compiles the result."""
    function = next(one for one in functions_of_library() if one.__name__ == name)
    # A first copy of the function needs templates that no conversion has parsed yet.
    autograph.to_graph(next(one for one in functions_of_library() if one.__name__ == name))
    done = []
    parsed, compiled = quote._tree, builtins.compile

    def compile_(*args, **kwargs):
        done.append("parse" if kwargs.get("flags", 0) & ast.PyCF_ONLY_AST else "compile")
        return compiled(*args, **kwargs)

    with monkeypatch.context() as changed:
        changed.setattr(quote, "_tree", lambda *args: done.append("parse") or parsed(*args))
        changed.setattr(builtins, "compile", compile_)
        converted = autograph.to_graph(function)
    assert converted is not function
    assert Counter(done)["compile"] <= 3  # of which the parser is one
    assert Counter(done)["parse"] == 1
