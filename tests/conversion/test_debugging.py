"""Debuggers, profilers and coverage see the user's file; tested with the tools themselves."""

import json
import os
import subprocess
import sys

import pytest

PROGRAM = '''\
import autograph


def primes(limit):
    """The primes below a limit."""
    found = []
    unused = "here"
    for n in range(2, limit):
        for p in found:
            if n % p == 0:
                break
            elif p > n:
                found = None
        else:
            found.append(n)
    return found


def never(x):
    if x:
        return 1
    return 2


class Model:
    def __init__(self):
        self.rate = 3

    def step(self, x):
        while x > self.rate:
            x = x - self.rate if x % 2 else halved(x)
        return x


def halved(x):
    return x // 2 if x > 0 else x


if CONVERTED:
    primes, never = autograph.to_graph(primes), autograph.to_graph(never)
    Model = autograph.to_graph(Model)
print(primes(20), Model().step(100))
'''
LINE = PROGRAM.splitlines().index("                found = None")  # the line before `else:`


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "primes.py"
    path.write_text(PROGRAM.replace("CONVERTED", "True"))
    return path


def python(*words, cwd, given="", **environment):
    done = subprocess.run(
        [sys.executable, *map(str, words)],
        cwd=cwd,
        input=given,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


# -- pdb -------------------------------------------------------------------------------------------


def commands(*words):
    return [part for word in words for part in ("-c", word)]


def test_a_breakpoint_in_the_users_file_stops_and_shows_all_variables(program):
    steps = commands("b 11", "c", "p (unused, limit, n, p, found)", "c", "p n", "cl 1", "c", "q")
    shown = python("-m", "pdb", *steps, program, cwd=program.parent)
    assert "Breakpoint 1 at" in shown
    assert "('here', 20, 4, 2, [2, 3])" in shown.splitlines()
    assert "6" in shown.splitlines()


def test_a_call_of_breakpoint_shows_all_variables(program):
    text = program.read_text().replace(
        "                break", "                breakpoint(); break"
    )
    program.write_text(text)
    shown = python(program, cwd=program.parent, given="p (unused, n)\n" + "c\n" * 20)
    assert "('here', 4)" in shown


def test_the_stack_has_the_users_functions_with_at_most_one_frame_between_them(program):
    steps = commands("b 11", "c", "w", "cl 1", "c", "q")
    shown = python("-m", "pdb", *steps, program, cwd=program.parent).splitlines()
    frames = [line for line in shown if "primes.py(" in line or f"autograph{os.sep}" in line]
    kinds = ["user" if "primes.py(" in line else "library" for line in frames]
    assert kinds.count("user") >= 4 and ("library", "library") not in set(zip(kinds, kinds[1:]))
    assert all(
        "primes()" in line or "<module>()" in line for line in frames if "primes.py(" in line
    )


def stepped(program, **environment):
    """The output of a debugger that steps through a call and over the library."""
    session = "from pdb import Pdb; Pdb(skip=['autograph.*']).set_trace(); primes(6)"
    text = PROGRAM.replace("CONVERTED", "True")
    program.write_text(text.replace("print(primes(20)", f"{session}\nprint(primes(20)"))
    return python(program, cwd=program.parent, given="s\n" * 40 + "c\n", **environment)


def test_a_debugger_can_skip_the_library(program):
    shown = stepped(program)
    assert "-> for p in found:" in shown and "-> found.append(n)" in shown
    assert f"{os.sep}autograph{os.sep}" not in shown


def test_a_debugger_can_step_through_the_generated_code_instead(program):
    shown = stepped(program, AUTOGRAPH_STEP="1")
    assert "> <converted primes, " in shown and "loop_body()" in shown
    assert "-> ag__.for_stmt(" in shown


def test_a_program_behaves_the_same_when_its_generated_code_is_debugged(program):
    plain = python(program, cwd=program.parent)
    assert python(program, cwd=program.parent, AUTOGRAPH_STEP="1") == plain


# -- coverage --------------------------------------------------------------------------------------


def covered(program, converted):
    program.write_text(PROGRAM.replace("CONVERTED", repr(converted)))
    python("-m", "coverage", "run", "--include", program, program, cwd=program.parent)
    python("-m", "coverage", "json", "-q", "-o", "covered.json", cwd=program.parent)
    report = json.loads((program.parent / "covered.json").read_text())
    (found,) = report["files"].values()
    conversion = {i for i, line in enumerate(PROGRAM.splitlines(), 1) if "to_graph" in line}
    return {key: set(found[key]) - conversion for key in ("executed_lines", "missing_lines")}


def test_coverage_counts_the_same_lines_as_without_conversion(program):
    original, converted = covered(program, False), covered(program, True)
    assert converted == original
    assert {12, 13, 20}.issubset(original["missing_lines"] | original["executed_lines"])


# -- cProfile --------------------------------------------------------------------------------------


def test_a_profile_lists_the_users_functions_by_name_and_line(program):
    shown = python("-m", "cProfile", "-s", "name", program, cwd=program.parent)
    rows = [line.split(None, 5)[-1] for line in shown.splitlines() if "primes.py:" in line]
    names = {row.rpartition(":")[2] for row in rows}
    assert {"4(primes)", "29(step)", "35(halved)"} <= names
    assert not any("_body" in name or "_test" in name for name in names)


# -- tracebacks ------------------------------------------------------------------------------------


def test_a_traceback_has_the_users_line_and_a_caret(tmp_path):
    path = tmp_path / "fails.py"
    path.write_text(
        "import autograph\n"
        "@autograph.convert\n"
        "def ratio(xs):\n"
        "    for x in xs:\n"
        "        if x >= 0:\n"
        "            print(10 + 1 / x)\n"
        "ratio([1, 0])\n"
    )
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout == "11.0\n"
    lines = done.stderr.splitlines()
    assert lines[-1] == "ZeroDivisionError: division by zero"
    assert f'  File "{path}", line 6, in ratio' in lines
    line = lines.index("    print(10 + 1 / x)")
    assert lines[line + 1].strip("~ ") == "^"
