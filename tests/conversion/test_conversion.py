"""Converted functions: readable code that behaves and looks like the original.

The file is long because it is a collection of independent tests.
"""

import functools
import gc
import linecache
import traceback
import warnings
import weakref

import pytest
from golden import CASES, Case
from warning_records import recorded_warnings

import autograph
from autograph import operators
from autograph.functions import rebuild


def lines_of(text):
    return [line for line in text.splitlines() if line.strip()]


# -- the generated code ----------------------------------------------------------------------------


def simple_relu(x):
    if x > 0:
        return x
    else:
        return 0


def test_collatz_has_no_more_lines_than_the_design_promises():
    assert len(lines_of(Case.read(CASES / "collatz.py").sections["generated"])) == 26


def test_returns_at_the_end_of_both_branches_need_no_flag():
    names = set(autograph.to_graph(simple_relu).__code__.co_cellvars)
    assert names == {"x", "result"}


def test_a_function_with_nothing_to_convert_is_the_function_itself():
    def double(x):
        return 2 * x

    assert autograph.to_graph(double) is double
    assert autograph.to_code(double) == "def double(x):\n    return 2 * x"


# -- chains ----------------------------------------------------------------------------------------


def chain_of(arms):
    source = "def f(x):\n    if x == 0:\n        return 0\n"
    source += "".join(f"    elif x == {i}:\n        return {i * i}\n" for i in range(1, arms))
    return source + "    return -1\n"


def guards_of(number):
    source = "def f(x):\n"
    source += "".join(f"    if x == {i}:\n        return {i * i}\n" for i in range(number))
    return source + "    return -1\n"


def loaded(source, tmp_path):
    path = tmp_path / "many.py"
    path.write_text(source)
    namespace = {"__name__": "many", "__file__": str(path)}
    exec(compile(source, str(path), "exec"), namespace)
    return namespace["f"]


@pytest.mark.slow
@pytest.mark.parametrize("source", [chain_of(1000), guards_of(1000)], ids=["elif", "guards"])
def test_a_chain_of_a_thousand_elifs_is_printed_parsed_and_run(source, tmp_path):
    fn = loaded(source, tmp_path)
    converted = autograph.to_graph(fn)
    assert [converted(x) for x in (0, 1, 999, 1000)] == [0, 1, 998001, -1]
    text = autograph.to_code(fn)
    namespace = {"ag__": operators}
    exec(compile(text, "<printed>", "exec"), namespace)
    assert [namespace["f"](x) for x in (0, 1, 999, 1000)] == [0, 1, 998001, -1]


@pytest.mark.parametrize("make", [chain_of, guards_of])
def test_generated_code_grows_linearly_with_the_number_of_elifs(make, tmp_path):
    short = len(autograph.to_code(loaded(make(100), tmp_path)))
    long = len(autograph.to_code(loaded(make(200) + "\n", tmp_path)))
    assert long < 2.2 * short


@pytest.mark.slow
def test_a_chain_of_a_thousand_elifs_runs_at_constant_stack_depth(tmp_path):
    import sys

    def depth(fn):
        deepest = 0

        def watch(frame, event, argument):
            nonlocal deepest
            level = 0
            while frame is not None:
                level, frame = level + 1, frame.f_back
            deepest = max(deepest, level)

        before = sys.getprofile()
        sys.setprofile(watch)
        try:
            fn(-5)
        finally:
            sys.setprofile(before)
        return deepest

    few = autograph.to_graph(loaded(chain_of(3), tmp_path))
    many = autograph.to_graph(loaded(chain_of(1000) + "\n", tmp_path))
    assert depth(many) == depth(few)


# -- user errors -----------------------------------------------------------------------------------


class MyError(Exception):
    pass


def failing(x):
    if x > 2:
        for i in range(3):
            if i == 1:
                raise MyError(f"bad {x}")
    return x


def calling(xs):
    total = 0
    for x in xs:
        total += failing(x)
    return total


def test_a_user_defined_exception_is_caught_as_usual():
    def careful(x):
        try:
            return failing(x)
        except MyError as error:
            return str(error)

    assert autograph.to_graph(careful)(3) == "bad 3"


def test_a_traceback_shows_the_users_file_line_and_caret():
    with pytest.raises(MyError) as caught:
        autograph.to_graph(calling)([1, 3])
    entries = traceback.extract_tb(caught.value.__traceback__)
    shown = [(e.filename, e.name, e.line) for e in entries if e.filename == __file__][1:]
    assert [(name, line) for _, name, line in shown] == [
        ("calling", "for x in xs:"),
        ("calling", "total += failing(x)"),
        ("failing", "if x > 2:"),
        ("failing", "for i in range(3):"),
        ("failing", "if i == 1:"),
        ("failing", 'raise MyError(f"bad {x}")'),
    ]
    call = next(e for e in entries if e.line == "total += failing(x)")
    source = linecache.getline(__file__, call.lineno)
    assert source[call.colno : call.end_colno] == "failing(x)"


def test_at_most_one_library_frame_is_between_two_user_frames():
    with pytest.raises(MyError) as caught:
        autograph.to_graph(calling)([1, 3])
    files = [e.filename for e in traceback.extract_tb(caught.value.__traceback__)]
    foreign = [file != __file__ for file in files]
    assert not any(one and next_one for one, next_one in zip(foreign, foreign[1:], strict=False))


def test_a_function_without_source_is_refused_with_a_reason_and_a_remedy():
    namespace = {}
    exec(compile("def f(x):\n    return 1 if x else 2", "<typed in>", "exec"), namespace)
    with pytest.raises(autograph.ConversionError) as caught:
        autograph.to_graph(namespace["f"])
    assert "f" in str(caught.value) and "source" in str(caught.value)
    assert "do_not_convert" in str(caught.value)


def test_objects_that_are_not_callable_are_refused():
    with pytest.raises(TypeError, match="to_graph takes a callable, not 3"):
        autograph.to_graph(3)


# -- conversion and calls --------------------------------------------------------------------------


def sign(x):
    return 1 if x > 0 else -1


def test_methods_partials_and_callable_objects_keep_their_kind():
    class Scale:
        def __init__(self, by):
            self.by = by

        def apply(self, x):
            return self.by * x if x > 0 else 0

        @classmethod
        def make(cls, by):
            return cls(by) if by else None

        @staticmethod
        def positive(x):
            return True if x > 0 else False

        def __call__(self, x):
            return self.apply(x) if x else None

    scale = Scale(3)
    method = autograph.to_graph(scale.apply)
    assert method.__self__ is scale and method(2) == 6 and method(-2) == 0
    assert autograph.to_graph(Scale.make)(4).by == 4
    assert autograph.to_graph(Scale.positive)(4) is True
    assert autograph.to_graph(scale)(2) == 6
    assert autograph.to_graph(functools.partial(sign, 3))() == 1


def test_a_lambda_is_converted():
    assert autograph.to_graph(lambda x: 1 if x > 0 else -1)(-2) == -1
    text = autograph.to_code(lambda x: 1 if x > 0 else -1)
    assert text == "lambda x: ag__.if_expr(x > 0, lambda: 1, lambda: -1)"


def test_the_right_one_of_several_lambdas_in_a_line_is_converted():
    first, second = lambda x: 1 if x else 2, lambda x: 3 if x else 4
    assert autograph.to_graph(first)(0) == 2
    assert autograph.to_graph(second)(0) == 4


def test_the_convert_decorator_keeps_the_attributes_of_the_function():
    @autograph.convert()
    def decorated(x: int, *, scale: float = 2.0) -> float:
        "What it does."
        return x * scale if x > 0 else 0.0

    assert decorated(3) == 6.0 and decorated(-3) == 0.0
    assert decorated.__name__ == "decorated" and decorated.__doc__ == "What it does."
    assert decorated.__kwdefaults__ == {"scale": 2.0}
    assert decorated.__annotations__ == {"x": int, "scale": float, "return": float}


def converted_names(fn):
    """The functions that run in their converted form during a call."""
    seen = []

    class Spy(autograph.Backend):
        def if_expr(self, test, body, orelse):
            seen.append("if_expr")
            return body() if test.value else orelse()

    class Staged:
        def __init__(self, value):
            self.value = value

    autograph.register_backend(Staged, Spy())
    fn(Staged(True))
    return seen


def test_called_functions_are_converted_too_unless_recursive_is_false():
    def inner(test):
        return 1 if test else 2

    def outer(test):
        return inner(test)

    assert converted_names(autograph.to_graph(outer)) == ["if_expr"]
    assert converted_names(autograph.to_graph(outer, recursive=False)) == []


def test_a_function_marked_do_not_convert_is_left_alone():
    @autograph.do_not_convert
    def inner(test):
        return 1 if test else 2

    def outer(test):
        return inner(test)

    assert autograph.to_graph(inner) is inner
    assert converted_names(autograph.to_graph(outer)) == []


def test_a_registered_call_is_replaced_only_while_something_is_staged():
    import numpy as np

    import runtime as rt

    def original(x):
        return x + 1

    def replacement(x):
        return x + 100

    autograph.register_call(original, replacement)

    def calls(x):
        return original(x)

    assert autograph.to_graph(calls)(1) == 2
    assert rt.function(calls)(np.int64(1)) == 101


def test_directives_on_plain_loops_change_nothing():
    def collect(n):
        z = []
        autograph.set_element_type(z, int)
        for i in range(n):
            autograph.set_loop_options(max_iterations=3)
            z.append(i)
        return autograph.stack(z)

    assert autograph.to_graph(collect)(5).tolist() == [0, 1, 2, 3, 4]
    assert collect(2).tolist() == [0, 1]


# -- lifetime and caching --------------------------------------------------------------------------


def test_a_closure_created_by_converted_code_is_freed():
    class Thing:
        pass

    def use(thing):
        look = lambda value, kept=thing: kept if value else None  # noqa: E731
        return look(1) is thing

    thing = Thing()
    gone = weakref.ref(thing)
    assert autograph.to_graph(use)(thing)
    del thing
    assert gone() is None


def test_a_converted_function_is_freed():
    def make():
        def inner(x):
            return 1 if x else 2

        return inner

    inner = make()
    autograph.to_graph(lambda x: inner(x) if x else 0)(1)  # noqa: F821
    gone = weakref.ref(inner)
    del inner
    gc.collect()
    assert gone() is None


def test_conversion_does_not_repeat_the_warnings_of_compilation(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fn = loaded("def f(x):\n    if x is 3:\n        return '\\d'\n    return x\n", tmp_path)
    with recorded_warnings() as seen:
        autograph.to_graph(fn)
    assert not seen


def test_threads_convert_a_function_once():
    import threading

    def work(x):
        if x > 2:
            return x
        return 0

    results = []
    threads = [
        threading.Thread(target=lambda: results.append(autograph.to_graph(work))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({fn.__code__ for fn in results}) == 1


def test_a_function_whose_source_does_not_parse_runs_unconverted():
    source = "def inner(n):\n    pass\n    return 1 if n else 2\n"

    def make():
        namespace = {}
        exec(compile(source, "<made>", "exec"), namespace)
        linecache.cache["<made>"] = len(source), None, source.split("\n"), "<made>"
        return namespace["inner"]

    def use():
        inner = make()
        return inner(1) if inner else 0

    assert autograph.to_graph(use)() == 1
    with pytest.raises(autograph.ConversionError, match="source is not available"):
        autograph.to_graph(make())


def test_generated_code_is_the_same_for_every_hash_seed():
    import subprocess
    import sys
    from pathlib import Path

    root = Path(autograph.__file__).parent.parent
    texts = set()
    for seed in ("0", "1", "42"):
        done = subprocess.run(
            [sys.executable, "-m", "autograph", str(root / "runtime" / "optimizers.py")],
            capture_output=True,
            text=True,
            env={"PYTHONPATH": str(root), "PYTHONHASHSEED": seed, "PATH": ""},
        )
        assert done.returncode == 0, done.stderr
        texts.add(done.stdout)
    assert len(texts) == 1 and "ag__.for_stmt" in texts.pop()


def area(w, h=2):
    return w * h if w else 0


def total_area(w):
    return area(w)


def test_a_function_with_new_code_or_defaults_is_converted_again(monkeypatch):
    def perimeter(w, h=2):
        return 2 * (w + h) if w else 0

    assert autograph.to_graph(total_area)(3) == 6
    monkeypatch.setattr(area, "__defaults__", (10,))
    assert autograph.to_graph(total_area)(3) == 30
    monkeypatch.setattr(area, "__code__", perimeter.__code__)
    assert autograph.to_graph(total_area)(3) == 26


def test_do_not_convert_accepts_only_functions_methods_and_classes():
    @autograph.do_not_convert
    class Model:
        def step(self, x):
            return x or 1

    assert rebuild.made_code(autograph.to_graph(Model).step) is None
    for thing in (3, None, len, functools.partial(area)):
        with pytest.raises(TypeError, match="do_not_convert takes a function, method or class"):
            autograph.do_not_convert(thing)


def test_errors_name_wrong_arguments():
    with pytest.raises(
        TypeError, match="source takes the source of a function as a string, not int"
    ):
        autograph.to_graph(area, source=3)
    with pytest.raises(TypeError, match="a list of names of packages, not None"):
        autograph.to_graph(area, convert_packages=None)


@pytest.mark.parametrize("converted", [autograph.to_graph, lambda fn: fn])
def test_evaluated_strings_find_the_local_variables_of_the_function(converted):
    import sys

    class Expressions:
        @staticmethod
        def evaluate(text):
            return eval(text, {}, dict(sys._getframe(1).f_locals))

    def f(a, b):
        scale = 2
        if a > 0:
            return Expressions.evaluate("a * b + scale")
        return 0

    assert converted(f)(3, 4) == 14
