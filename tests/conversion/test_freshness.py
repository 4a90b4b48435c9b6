"""A function is converted from the source that it was compiled from, or not at all."""

import importlib
import linecache
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import autograph

FIRST = """\
def f(x):
    if x > 0:
        return x + 1
    return 0
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    """A module whose file can be edited: `module(text)` writes and imports it."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    name = f"edited_{tmp_path.name.replace('-', '_')}"
    path = tmp_path / f"{name}.py"

    def write(text):
        path.write_text(text)
        importlib.invalidate_caches()
        sys.modules.pop(name, None)
        return importlib.import_module(name)

    write.path = path
    yield write
    sys.modules.pop(name, None)


@pytest.mark.parametrize(
    "edited",
    [
        FIRST.replace("x + 1", "x * 1"),  # same length, same positions
        FIRST.replace("x > 0", "x < 0"),
        FIRST.replace("return 0", "return 7"),
        FIRST.replace("(x)", "(y)").replace(" x", " y"),
        FIRST.replace("    return 0", "    print(x)\n    return 0"),
        "\n" + FIRST,
        "def g(x):\n    return x if x else 1\n",
    ],
)
def test_a_file_edited_after_its_import_is_refused(module, edited):
    fn = module(FIRST).f
    module.path.write_text(edited)
    linecache.cache.pop(str(module.path), None)
    with pytest.raises(autograph.ConversionError) as caught:
        autograph.to_graph(fn)
    assert "edited after it was imported" in str(caught.value)
    with pytest.raises(autograph.ConversionError):
        autograph.to_code(fn)


def test_a_reimported_module_is_converted_from_its_new_source(module):
    assert autograph.to_graph(module(FIRST).f)(2) == 3
    again = module(FIRST.replace("x + 1", "x + 10"))
    assert autograph.to_graph(again.f)(2) == 12


def test_an_edit_elsewhere_in_the_file_does_not_matter(module):
    fn = module(FIRST + "\n\ndef other():\n    return 1\n").f
    module.path.write_text(FIRST + "\n\ndef other():\n    return 2\n")
    linecache.cache.pop(str(module.path), None)
    assert autograph.to_graph(fn)(2) == 3


def test_context_that_the_compiler_takes_from_the_rest_of_the_file_is_not_an_edit(module):
    text = """\
    import math, os.path as path
    from math import *
    known = super


    class Base:
        def area(self, r):
            return r

        late = lambda self, r: math.floor(r) if r else 0


    class Circle(Base):
        def area(self, r):
            if r > 0:
                return math.floor(super().area(r)) + self.__secret(r)
            return path.join("a", "b")

        def __secret(self, r):
            return 1 if r else 2
    """
    loaded = module(textwrap.dedent(text))
    circle = loaded.Circle()
    assert autograph.to_graph(circle.area)(2.5) == 3
    assert autograph.to_graph(circle.late)(2.5) == 2


@pytest.mark.parametrize("options", [[], ["-O"], ["-OO"], ["-X", "no_debug_ranges"]])
def test_options_of_the_interpreter_are_not_an_edit(options, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent(
            """\
            import autograph

            def f(x):
                "What it does."
                assert x is not None, "nothing"
                if x > 0:
                    return x
                return -x

            assert_free = autograph.to_graph(f)
            print(assert_free(-3), (lambda x: 1 if x else 2)(0))
            """
        )
    )
    root = str(Path(autograph.__file__).parent.parent)
    done = subprocess.run(
        [sys.executable, *options, str(script)],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": root, "PATH": ""},
    )
    assert done.stdout == "3 2\n", done.stderr


def test_two_lambdas_that_only_columns_distinguish_are_refused_without_columns(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import autograph\n"
        "pair = (lambda x: x or 1), (lambda x: x or 2)\n"
        "try:\n"
        "    print(autograph.to_graph(pair[0])(0), autograph.to_graph(pair[1])(0))\n"
        "except autograph.ConversionError as error:\n"
        "    print(str(error).splitlines()[0])\n"
    )
    root = str(Path(autograph.__file__).parent.parent)
    outputs = [
        subprocess.run(
            [sys.executable, *options, str(script)],
            capture_output=True,
            text=True,
            env={"PYTHONPATH": root, "PATH": ""},
        ).stdout
        for options in ([], ["-X", "no_debug_ranges"])
    ]
    assert outputs[0] == "1 2\n"
    assert "there are 2 functions on this line" in outputs[1]


def test_functions_of_this_file_are_converted_although_pytest_rewrites_its_assertions():
    def checked(x):
        assert x is not None, f"{x} is nothing"
        if x > 0:
            return [y for y in range(x)]
        return lambda: x

    assert autograph.to_graph(checked)(2) == [0, 1]
    with pytest.raises(AssertionError, match="None is nothing"):
        autograph.to_graph(checked)(None)


# -- functions that converted code calls -----------------------------------------------------------

CALLER = """\
import {name}_helper as helper
import functools

def first(x):
    return helper.f(x) + 1

def second(x):
    return first(x) if x > 0 else helper.f(-x)
"""


def test_a_callee_whose_file_was_edited_is_called_as_it_is_with_one_warning(module, monkeypatch):
    monkeypatch.setenv("AUTOGRAPH_CONVERTED", "1")
    name = f"{module.path.stem}_helper"
    helper = module.path.with_name(f"{name}.py")
    helper.write_text(FIRST)
    made = module(CALLER.replace("{name}", module.path.stem))
    helper.write_text(FIRST.replace("x + 1", "x * 1"))
    linecache.cache.pop(str(helper), None)
    second = autograph.to_graph(made.second)
    with pytest.warns(autograph.ConversionWarning, match="edited after it was imported") as caught:
        assert [second(2), second(-3), second(2)] == [4, 4, 4]
    (warning,) = caught
    assert (warning.filename, warning.lineno) == (str(module.path), 5)
    assert "f is called unconverted" in str(warning.message)
    with pytest.raises(autograph.ConversionError):
        autograph.to_graph(made.helper.f)
    sys.modules.pop(name)


def test_a_callee_of_a_template_engine_is_called_as_it_is_with_one_warning(module, monkeypatch):
    monkeypatch.setenv("AUTOGRAPH_CONVERTED", "1")
    made = module("def f(render, x):\n    return render(x) if x else None\n")
    template = module.path.with_name("page.html")
    template.write_text("x\n")  # which is Python, by chance
    scope = {}
    exec(compile("def render(x):\n    return f'<p>{x}</p>'\n", str(template), "exec"), scope)
    f = autograph.to_graph(made.f)
    with pytest.warns(autograph.ConversionWarning) as caught:
        assert [f(scope["render"], 1), f(scope["render"], 2)] == ["<p>1</p>", "<p>2</p>"]
    assert len(caught) == 1


# -- texts that look like names of functions -------------------------------------------------------


def cli(x):
    text = f"cli.x = {x}"

    class Inner:
        name = "cli.<locals>.Inner"

        def method(self):
            return "cli.<locals>.Inner.method.x", "outer.<locals>.cli."

    if x:

        class Within:
            name = "cli.<locals>.Within"

        return text, Inner.name, Inner().method(), Inner.method.__qualname__, Within.__qualname__
    return None


def outer(y):
    def inner(x):
        return f"outer.<locals>.inner.x = {x + y}" if x else inner.__qualname__

    return inner


@pytest.mark.parametrize("function", [cli, outer(2), lambda x: "<lambda>.x" if x else "x"])
def test_a_text_that_begins_with_the_name_of_the_function_is_kept(function, monkeypatch):
    monkeypatch.setenv("AUTOGRAPH_CONVERTED", "1")
    converted = autograph.to_graph(function)
    assert converted.__code__ is not function.__code__
    assert [converted(x) for x in (0, 1)] == [function(x) for x in (0, 1)]


def test_the_code_of_a_nested_converted_function_can_be_replaced(monkeypatch):
    monkeypatch.setenv("AUTOGRAPH_CONVERTED", "1")

    def function(x):
        def nested(y):
            return y + x if y else 0

        def other(y):
            return -x

        assert nested.__code__.co_freevars == ("x",)
        assert [cell.cell_contents for cell in nested.__closure__] == [x]
        nested.__code__ = other.__code__
        return nested(1)

    assert autograph.to_graph(function)(3) == -3
