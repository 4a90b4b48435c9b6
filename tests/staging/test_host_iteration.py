"""Loops over objects that only a run has, and their unpacking, behave as in Python; a `match` on one
is refused."""

import contextlib
import io
import shutil
from pathlib import Path

import numpy as np
import pytest

import runtime as rt
from tests.support.loading import load

PRELUDE = """
import json, os

import numpy as np

import runtime as rt


def numbers(count):
    print("begin")
    for i in range(count):
        yield i
    if count == 4:
        raise KeyError(count)
    print("end")


def rows(count):
    return [[i] * (i % 3 + 1) for i in range(count)]


def made(function, *args):
    return rt.host_call(function, *args)
"""

# The statements of a function of x (f64, which a run has) and d (a folder), with y = x.
BODIES = {
    "lines": """
        with open(d + "/a.txt") as file:
            for line in file:
                print(line.strip())
    """,
    "lines_with_numbers": """
        with open(d + "/a.txt") as file:
            for i, line in enumerate(file):
                print(i, line.strip())
                y = y + len(line)
    """,
    "lines_of_no_file": """
        for line in open(d + "/missing.txt"):
            print(line)
    """,
    "empty_file": """
        line = "none"
        for line in open(d + "/empty.txt"):
            print(line)
        print(line)
    """,
    "copied": """
        with open(d + "/a.txt") as file, open(d + "/b.txt", "w") as out:
            for line in file:
                out.write(line.upper())
    """,
    "names": """
        for name in sorted(os.listdir(d)):
            print(name)
    """,
    "json_rows": """
        for row in json.load(open(d + "/rows.json")):
            y = y + float(row)
    """,
    "json_items": """
        for key, value in json.load(open(d + "/table.json")).items():
            print(key, value)
    """,
    "broken_off": """
        for i in made(numbers, 3):
            if i == 1:
                break
            y = y * 2
        else:
            y = y * 100
    """,
    "broken_off_by_the_run": """
        for i in made(numbers, 3):
            y = y * 2
            if y > 5:
                break
        else:
            y = y * 100
    """,
    "continued": """
        for i in made(numbers, 3):
            if i == 1:
                continue
            y = y * 2
            print(i)
    """,
    "raising": """
        for i in made(numbers, 4):
            y = y + int(i)
            print(y)
    """,
    "nested": """
        for row in made(rows, 3):
            for value in row:
                y = y + float(value)
                print(value)
    """,
    "no_iterable": """
        for i in made(len, "abc"):
            y = y + 1
    """,
    "grown": """
        items = made(list, "ab")
        for item in items:
            if len(items) < 5:
                items.append(item)
            print(item)
    """,
    "returned": """
        for i in made(numbers, 3):
            if i == 1:
                return y * 7
            print(i)
    """,
    "twice": """
        found = made(numbers, 2)
        for i in found:
            print(i)
        for i in found:
            print(i)
        else:
            print("nothing left")
    """,
    "shared": """
        found = made(numbers, 3)
        for i in found:
            for j in found:
                print(i, j)
    """,
    "list": """
        lengths = [len(line) for line in open(d + "/a.txt")]
        y = y * sum(lengths)
    """,
    "filtered": """
        lengths = [len(line) for line in open(d + "/a.txt") if line.strip() != "two"]
        print(len(lengths))
    """,
    "sum": """
        y = y * sum(len(line) for line in open(d + "/a.txt"))
    """,
    "any": """
        print(any(line.startswith("t") for line in open(d + "/a.txt")))
    """,
    "zip": """
        for a, b in zip(open(d + "/a.txt"), made(rows, 5)):
            print(a.strip(), b)
    """,
    "reversed": """
        for item in reversed(made(rows, 3)):
            print(item)
    """,
    "loop_in_loop": """
        for i in range(x.astype(int)):
            for j in made(numbers, 2):
                y = y + i * int(j)
    """,
    "pair": """
        head, tail = os.path.splitext(open(d + "/a.txt").readline())
        print(head, tail)
    """,
    "three": """
        a, b, c = made(rows, 3)
        print(a, b, c)
    """,
    "too_many": """
        a, b = made(rows, 3)
        print(a, b)
    """,
    "too_few": """
        [a, b] = made(rows, 1)
        print(a, b)
    """,
    "not_one": """
        (a,) = made(len, "abc")
        print(a)
    """,
    "nested_targets": """
        a, (b, c) = made(json.loads, "[1, [2, 3]]")
        y = y * int(a) + int(b) * int(c)
    """,
    "targets_of_a_loop": """
        for i, (a, b) in enumerate(made(json.loads, "[[1, 2], [3, 4]]")):
            y = y + int(a) * int(b) + i
    """,
}
FORMS = {
    "branch": "if x > 0:\n    ",
    "loop": "for turn in range(x.astype(int)):\n    ",
    "host": "",
}
# At the top level of a function they print while the graph is being built, as documented.
PRINTING = ("names", "twice")
VALUES = [np.float64(-1.0), np.float64(1.0), np.float64(2.0)]


def program(body, form):
    lines = [line[8:] for line in BODIES[body].strip("\n").splitlines()]
    head = FORMS[form]
    if form == "host":
        lines = [line.replace("open(d", "made(open, d") for line in lines]
    indent = "    " + " " * (4 if head else 0)
    text = PRELUDE + "\n\ndef f(x, d):\n    y = x\n    " + head.rstrip(" ")
    text = text.rstrip() + "\n" + "\n".join(indent + line for line in lines).rstrip()
    return load(text + "\n    return y\n", f"<{body} in {form}>")


@pytest.fixture
def folder(tmp_path):
    def fresh():
        shutil.rmtree(tmp_path)
        tmp_path.mkdir()
        (tmp_path / "a.txt").write_text("one\ntwo\nthree\n")
        (tmp_path / "empty.txt").write_text("")
        (tmp_path / "rows.json").write_text("[1, 2.5]")
        (tmp_path / "table.json").write_text('{"a": 1, "b": [2]}')
        return str(tmp_path)

    return fresh


def seen(function, x, folder):
    d, shown = folder(), io.StringIO()
    with contextlib.redirect_stdout(shown):
        try:
            result = float(function(x, d))
        except Exception as error:
            result = type(error).__name__, str(error)
    return result, shown.getvalue(), {p.name: p.read_text() for p in Path(d).iterdir()}


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::runtime.TracingWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("body", BODIES)
def test_a_run_iterates_over_objects_as_python_does(body, form, folder):
    if form == "host" and body in PRINTING:
        return
    module = program(body, form)
    staged = rt.function(module.f)
    for x in VALUES:
        assert seen(staged, x, folder) == seen(module.f, x, folder)


PATTERNS = ['{"kind": "a"}', "{}", "[a, b]", "[*_]", "str()", "dict(a=1)", '"one"', "3", "None"]


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("subject", ["value", "(1, value)", "[value]"])
def test_a_match_on_an_object_that_only_a_run_has_is_refused(pattern, subject):
    inside = pattern if subject == "value" else f"[*_, {pattern}]"
    text = f"def f(x):\n    value = made(len, 'ab')\n    match {subject}:\n        case {inside}:\n            return x\n        case _:\n            return x * 2\n"
    module = load(PRELUDE + text, f"<match {subject} {pattern}>")
    with pytest.raises(rt.errors.ValueNeededError, match="the subject of a `match`"):
        rt.function(module.f)(np.float64(1.0))
