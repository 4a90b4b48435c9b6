"""Functions are converted wherever they were defined: files, cells, doctests, prompts, `exec`."""

import doctest
import gc
import linecache
import os
import pty
import subprocess
import sys
import types
from pathlib import Path

import pytest

import autograph
import runtime as rt
from autograph.functions.rebuild import made_code
from autograph.syntax import sources

ROOT = Path(autograph.__file__).parents[1]
ENVIRONMENT = os.environ | {"PYTHONPATH": str(ROOT)}

TEXT = '''\
"""A module that exec makes."""
LIMIT = 3


def clip(x):
    return LIMIT if is_large(x) else x


def is_large(x):
    if x > LIMIT:
        return True
    return False


low, high = lambda x: x if x < 0 else 0, lambda x: x if x > 0 else 0
'''


def executed(text, name="<string>"):
    module = types.ModuleType("executed")
    exec(compile(text, name, "exec"), vars(module))
    return module


# -- exec ------------------------------------------------------------------------------------------


def test_a_function_created_by_exec_is_converted_from_the_given_source():
    module = executed(TEXT)
    converted = autograph.to_graph(module.clip, source=TEXT)
    assert made_code(converted) is not None
    assert [converted(x) for x in (1, 9)] == [1, 3]
    assert "ag__.if_expr(" in autograph.to_code(module.clip, source=TEXT)
    assert autograph.explain(module.clip, source=TEXT).findings[0].lineno == 6


def test_functions_that_it_calls_are_converted_from_the_same_source():
    import numpy as np

    module = executed(TEXT)
    graph = rt.function(autograph.to_graph(module.clip, source=TEXT))
    assert [graph(np.float64(x)) for x in (1, 9)] == [1, 3]


def test_a_class_created_by_exec_is_converted_from_the_given_source():
    text = "class A:\n    def m(self, x):\n        return x or 1\n"
    module = executed(text)
    assert autograph.to_graph(module.A, source=text) is module.A
    assert made_code(module.A.m) is not None and module.A().m(0) == 1


def test_the_right_one_of_several_lambdas_in_a_given_source_is_converted():
    module = executed(TEXT)
    low, high = (autograph.to_graph(fn, source=TEXT) for fn in (module.low, module.high))
    assert (low(-2), low(2), high(-2), high(2)) == (-2, 0, 0, 2)


def test_sources_with_the_same_file_name_are_not_confused():
    other = TEXT.replace("LIMIT = 3", "LIMIT = 4").replace("x > LIMIT", "x >= LIMIT")
    one, two = executed(TEXT), executed(other)
    assert autograph.to_graph(one.clip, source=TEXT)(4) == 3
    assert autograph.to_graph(two.clip, source=other)(4) == 4
    codes = [autograph.to_code(module.is_large) for module in (one, two)]
    assert "ag__.greater(x, LIMIT)" in codes[0] and "ag__.greater_equal(x, LIMIT)" in codes[1]


@pytest.mark.parametrize(
    "given", [TEXT.replace("x > LIMIT", "x < LIMIT"), "\n" + TEXT, "def is_large(x:", "", "\0"]
)
def test_a_given_source_of_other_code_is_refused(given):
    with pytest.raises(autograph.ConversionError) as caught:
        autograph.to_graph(executed(TEXT, "<refused>").is_large, source=given)
    assert "is not the source that it was compiled from" in str(caught.value)
    assert "<refused>" not in sources._given


def test_a_given_source_is_freed_with_its_function():
    module = executed(TEXT, "<gone>")
    autograph.to_graph(module.clip, source=TEXT)
    assert "<gone>" in sources._given
    del module
    gc.collect()
    assert "<gone>" not in sources._given


def test_an_error_shows_the_line_of_a_given_source():
    import numpy as np

    text = "def f(x):\n    y = 1 if x else 2\n    return (0, 1) * y\n"
    fn = autograph.to_graph(executed(text, "<shown>").f, source=text)
    with pytest.raises(rt.StagingError) as caught:
        rt.function(fn)(np.float64(1.0))
    lines = str(caught.value).splitlines()
    assert lines[1:4] == [
        "  <shown>, line 3, in f",
        "      return (0, 1) * y",
        "             ^^^^^^^^^^",
    ]


def test_the_error_about_missing_source_says_how_to_pass_it():
    with pytest.raises(autograph.ConversionError) as caught:
        autograph.to_graph(executed(TEXT, "<elsewhere>").clip)
    assert "to_graph(clip, source=...)" in str(caught.value)


# -- doctests --------------------------------------------------------------------------------------


def test_a_function_of_a_doctest_is_converted():
    text = """
    >>> import autograph
    >>> from autograph.functions.rebuild import made_code
    >>> @autograph.convert
    ... def sign(x):
    ...     return 1 if x > 0 else -1
    >>> sign(-3), made_code(sign) is not None
    (-1, True)
    """
    test = doctest.DocTestParser().get_doctest(text, {}, "example", None, 0)
    assert doctest.DocTestRunner().run(test) == (0, 2 + 2)


# -- notebooks -------------------------------------------------------------------------------------

CELLS = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
def run(cell):
    done = shell.run_cell(cell)
    done.raise_error()
run("import autograph, runtime as rt, numpy as np; from autograph.functions.rebuild import made_code")
run("def f(x):\\n    if x > 0:\\n        return g(x)\\n    return 0")
run("def g(x): return x if x < 9 else 9")
run("print(autograph.to_graph(f)(20))")
run("def g(x): return x if x < 5 else 5")
run("print(autograph.to_graph(f)(20), rt.function(f)(np.int64(20)))")
run("low, high = (lambda x: x or 1), (lambda x: x and 2)")
run("print(autograph.to_graph(low)(0), autograph.to_graph(high)(3), made_code(autograph.to_graph(high)) is not None)")
"""


def test_functions_of_notebook_cells_are_converted_even_if_a_cell_runs_again(tmp_path):
    pytest.importorskip("IPython", reason="the `test` extra installs it")
    done = subprocess.run(
        [sys.executable, "-c", CELLS],
        capture_output=True,
        text=True,
        env=ENVIRONMENT | {"IPYTHONDIR": str(tmp_path)},
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["9", "5 5", "1 2 True"]


# -- prompts ---------------------------------------------------------------------------------------

SESSION = """\
import autograph
from autograph.functions.rebuild import made_code
def f(x):
    return x if x > 0 else -x

print(autograph.to_graph(f)(-5), made_code(autograph.to_graph(f)) is not None)
"""


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="this prompt keeps what is typed")
def test_the_error_says_that_the_prompt_of_older_pythons_stores_no_source():
    done = subprocess.run(
        [sys.executable, "-i"], input=SESSION, capture_output=True, text=True, env=ENVIRONMENT
    )
    assert "f cannot be converted: its source is not available" in done.stderr


@pytest.mark.skipif(sys.version_info < (3, 13), reason="this prompt does not keep what is typed")
def test_a_function_typed_at_the_prompt_is_converted():
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-q"],
        stdin=follower,
        stdout=follower,
        stderr=follower,
        env=ENVIRONMENT | {"TERM": "xterm", "PYTHON_COLORS": "0"},
        start_new_session=True,
    )
    os.close(follower)
    for line in SESSION.splitlines():
        os.write(
            leader, line.strip().encode() + b"\r" if "return" in line else line.encode() + b"\r"
        )
    os.write(leader, b"exit()\r")
    shown = b""
    try:
        while part := os.read(leader, 4096):
            shown += part
    except OSError:  # the other end is closed
        pass
    process.wait(60)
    os.close(leader)
    assert b"5 True" in shown, shown


CALLS_MADE_FUNCTIONS = """\
import autograph
from calling import f
namespace = {}
exec("def made(x):\\n    return x or 5", namespace)
print(autograph.to_graph(f)(0, namespace["made"]))
"""


def test_functions_created_by_exec_run_unconverted_when_called(tmp_path):
    (tmp_path / "calling.py").write_text("def f(x, made):\n    return made(x) if not x else x\n")
    done = subprocess.run(
        [sys.executable, "-c", CALLS_MADE_FUNCTIONS],
        capture_output=True,
        text=True,
        env=ENVIRONMENT | {"PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}"},
    )
    assert done.stdout == "5\n", done.stderr


@pytest.mark.skipif(sys.version_info < (3, 13), reason="Python keeps no text of -c")
def test_a_function_given_on_the_command_line_is_converted():
    done = subprocess.run(
        [sys.executable, "-c", SESSION], capture_output=True, text=True, env=ENVIRONMENT
    )
    assert done.stdout == "5 True\n", done.stderr


def test_source_registered_with_linecache_is_found():
    name = "<registered>"
    linecache.cache[name] = len(TEXT), None, TEXT.splitlines(True), name
    try:
        assert autograph.to_graph(executed(TEXT, name).clip)(9) == 3
    finally:
        del linecache.cache[name]
