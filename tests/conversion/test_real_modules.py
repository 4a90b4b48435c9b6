"""Modules of the standard library compute the same after conversion.

Each module is loaded from a copy of its file, so that its functions count as user code: once
unchanged, once with every function replaced by `to_graph` of it, and once as printed by the command
line.  C accelerators are disabled, so that the functions written in Python run.
"""

import ast
import functools
import importlib.util
import inspect
import sys
import types
from dataclasses import dataclass
from pathlib import Path

import pytest
from real_modules import exercise

import autograph
from autograph.command import main
from autograph.functions import rebuild

ACCELERATORS = ("_heapq", "_bisect", "_statistics")


@dataclass(frozen=True)
class Expected:
    """The least number of conversions that a module must need."""

    functions: int  # that `to_graph` changes
    operators: int  # uses of `ag__` in the printed file
    calls: int  # that the exercise makes


MODULES = {
    "heapq": Expected(functions=15, operators=130, calls=800),
    "bisect": Expected(functions=6, operators=25, calls=800),
    "colorsys": Expected(functions=6, operators=20, calls=1400),
    "textwrap": Expected(functions=12, operators=100, calls=1500),
    "statistics": Expected(functions=45, operators=270, calls=1400),
    "fractions": Expected(functions=40, operators=150, calls=3400),
}

every_module = pytest.mark.parametrize("name", MODULES)


@pytest.fixture
def copy_of(tmp_path, monkeypatch):
    """Loads a source as a module of the given name, without C accelerators."""

    def load(name, text, suffix):
        path = tmp_path / f"{name}_{suffix}.py"
        path.write_text(text, encoding="utf-8")
        module = types.ModuleType(f"{name}_{suffix}")
        module.__file__ = str(path)
        with monkeypatch.context() as patch:
            for accelerator in ACCELERATORS:
                patch.setitem(sys.modules, accelerator, None)
            patch.setitem(sys.modules, module.__name__, module)
            exec(compile(text, str(path), "exec", dont_inherit=True), module.__dict__)
        return module

    return load


def text_of(name):
    """The source of a module of the standard library."""
    return Path(importlib.util.find_spec(name).origin).read_text(encoding="utf-8")


def printed(name, tmp_path):
    """The source of a module as the command line prints it."""
    source, output = tmp_path / f"{name}.py", tmp_path / f"{name}_printed.py"
    source.write_text(text_of(name), encoding="utf-8")
    assert main([str(source), "-o", str(output)]) == 0
    return output.read_text(encoding="utf-8")


# -- every function through to_graph, and put back -------------------------------------------------


def own_functions(module):
    """(owner, name, value) for each attribute of a module or its classes that holds functions."""
    owners = [module]
    for owner in owners:
        for name, value in list(vars(owner).items()):
            if isinstance(value, type) and value.__module__ == module.__name__:
                owners.append(value)
            elif any(is_of(module, function) for function in functions_in(value)):
                yield owner, name, value


def functions_in(value):
    """The Python functions in an attribute of a module or class."""
    match value:
        case types.FunctionType():
            return [value]
        case staticmethod() | classmethod():
            return functions_in(value.__func__)
        case property():
            return [f for f in (value.fget, value.fset, value.fdel) if f is not None]
        case functools.cached_property():
            return [value.func]
        case _ if isinstance(value, functools._lru_cache_wrapper):
            return [value.__wrapped__]
    return []


def is_of(module, function):
    return function.__code__.co_filename == module.__file__


def replaced(value, convert):
    """An attribute of a module or class with its functions converted."""
    match value:
        case types.FunctionType():
            return convert(value)
        case staticmethod() | classmethod():
            return type(value)(replaced(value.__func__, convert))
        case property():
            parts = (value.fget, value.fset, value.fdel)
            return property(*(part and convert(part) for part in parts), value.__doc__)
        case functools.cached_property():
            return functools.cached_property(convert(value.func))
    return functools.lru_cache(**value.cache_parameters())(convert(value.__wrapped__))


def convert_in_place(module):
    """Replaces every function of a module; returns pairs of the functions before and after."""
    pairs = []

    def convert(function):
        converted = autograph.to_graph(function)
        pairs.append((function, converted))
        return converted

    for owner, name, value in list(own_functions(module)):
        new = replaced(value, convert)
        if hasattr(new, "__set_name__"):
            new.__set_name__(owner, name)
        setattr(owner, name, new)
    return pairs


@pytest.mark.sampled(3)
@every_module
def test_functions_converted_one_by_one_compute_what_the_originals_compute(name, copy_of):
    original = copy_of(name, text_of(name), "copy")
    converted = copy_of(name, text_of(name), "copy")
    pairs = convert_in_place(converted)
    changed = [new for old, new in pairs if new is not old]
    assert len(changed) >= MODULES[name].functions
    assert all(rebuild.made_code(new) is not None for new in changed)
    agree(name, original, converted)


@pytest.mark.sampled(3)
@every_module
def test_every_converted_function_looks_like_the_original(name, copy_of):
    for old, new in convert_in_place(copy_of(name, text_of(name), "copy")):
        for attribute in (
            "__name__",
            "__qualname__",
            "__module__",
            "__doc__",
            "__defaults__",
            "__kwdefaults__",
            "__annotations__",
        ):
            assert getattr(new, attribute) == getattr(old, attribute)
        assert inspect.signature(new) == inspect.signature(old)
        assert inspect.isgeneratorfunction(new) == inspect.isgeneratorfunction(old)


@pytest.mark.sampled(3)
@every_module
def test_the_code_of_every_converted_function_compiles_and_uses_the_operators(name, copy_of):
    for old, new in convert_in_place(copy_of(name, text_of(name), "copy")):
        code = autograph.to_code(old)
        if old.__name__ != "<lambda>":
            compile(code, name, "exec")
        assert ("ag__." in code) == (new is not old)


# -- the file through the command line -------------------------------------------------------------


@pytest.mark.sampled(3)
@every_module
def test_the_printed_file_computes_what_the_original_computes(name, copy_of, tmp_path):
    text = printed(name, tmp_path)
    assert text.count("ag__.") >= MODULES[name].operators
    original = copy_of(name, text_of(name), "copy")
    # Both have one name, since some reprs contain the names of modules.
    agree(name, original, copy_of(name, text, "copy"))


@pytest.mark.sampled(3)
@every_module
def test_a_printed_file_is_printed_unchanged(name, tmp_path, capsysbinary):
    text = printed(name, tmp_path)
    assert main([str(tmp_path / f"{name}_printed.py")]) == 0
    assert capsysbinary.readouterr().out == text.encode()


@pytest.mark.sampled(3)
@every_module
def test_the_functions_of_a_printed_file_are_not_converted_again(name, copy_of, tmp_path):
    for old, new in convert_in_place(copy_of(name, printed(name, tmp_path), "copy")):
        assert new is old


@pytest.mark.sampled(3)
@every_module
def test_code_outside_of_functions_is_kept_byte_for_byte(name, tmp_path):
    after = outside_functions(printed(name, tmp_path))
    after.remove("from autograph import operators as ag__\n")
    assert after == outside_functions(text_of(name))


def outside_functions(text):
    """The lines of a file outside of functions; decorators count as outside."""
    inside = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            inside.update(range(node.lineno, node.end_lineno + 1))
    lines = text.splitlines(keepends=True)
    return [line for i, line in enumerate(lines, start=1) if i not in inside]


# -- agreement -------------------------------------------------------------------------------------


def agree(name, original, converted):
    """Makes the same calls on both modules and compares the results one by one."""
    expected, got = exercise(name, original), exercise(name, converted)
    assert len(expected) >= MODULES[name].calls
    for one, other in zip(expected, got, strict=False):
        assert other == one
    assert len(got) == len(expected)
