"""Runs CPython's own tests over converted modules: python tools/conformance.py [MODULE...]

Each module of the standard library below is tested twice by CPython's own tests of it, each time in
a process of its own: as it is, and with every function and method replaced by its converted self
(see converted_library.py).  A test that passes on the first must pass on the second, no function
may be refused, and at most 3 % of the functions may stay in Python as a whole.

    python tools/conformance.py heapq textwrap --jobs 2 --seconds 120

Exit status: 1 where that does not hold.  The tests (Lib/test) are part of CPython's source, and of
most builds of it.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

RUNNER = Path(__file__).with_name("converted_library.py")
KEPT_AT_MOST = 0.03  # of the functions, in Python as a whole
TESTS_ARE_SLOW = 600.0  # seconds that the tests of a module may take
NAMED_AT_MOST = 5  # tests that did not run; more of them have one cause


@dataclass(frozen=True)
class Subject:
    """Modules that are tested together, and the names of their tests."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]
    left_out: str = ""  # the tests of these names are about an accelerator in C


def subject(modules: str, tests: str, left_out: str = "") -> Subject:
    names = tuple(f"test.{name}" for name in tests.split())
    return Subject(tuple(modules.split()), names, left_out)


OLD = sys.version_info < (3, 12)

# `_pydatetime` is called `datetime` in 3.11.
SUBJECTS = {
    "_pydatetime": subject("datetime" if OLD else "_pydatetime", "test_datetime", r"_Fast\b"),
    "_pydecimal": subject("_pydecimal", "test_decimal", r"\.C[A-Z]\w+\.|IBMTestCases"),
    "_strptime": subject("_strptime", "test_strptime"),
    "argparse": subject("argparse", "test_argparse"),
    "base64": subject("base64", "test_base64"),
    "bisect": subject("bisect", "test_bisect", r"C\."),
    "calendar": subject("calendar", "test_calendar"),
    "cmd": subject("cmd", "test_cmd"),
    "codeop": subject("codeop", "test_codeop"),
    "collections": subject("collections", "test_collections"),
    "colorsys": subject("colorsys", "test_colorsys"),
    "configparser": subject("configparser", "test_configparser"),
    "contextlib": subject("contextlib", "test_contextlib test_contextlib_async"),
    "copy": subject("copy", "test_copy"),
    "csv": subject("csv", "test_csv"),
    "dataclasses": subject("dataclasses", "test_dataclasses"),
    "difflib": subject("difflib", "test_difflib"),
    "enum": subject("enum", "test_enum"),
    "filecmp": subject("filecmp", "test_filecmp"),
    "fnmatch": subject("fnmatch", "test_fnmatch"),
    "fractions": subject("fractions", "test_fractions"),
    "functools": subject("functools", "test_functools"),
    "getopt": subject("getopt", "test_getopt"),
    "gettext": subject("gettext", "test_gettext"),
    "glob": subject("glob", "test_glob"),
    "graphlib": subject("graphlib", "test_graphlib"),
    "heapq": subject("heapq", "test_heapq", r"C\."),
    "html.parser": subject("_markupbase html.parser", "test_htmlparser"),
    "http.cookies": subject("http.cookies", "test_http_cookies"),
    "ipaddress": subject("ipaddress", "test_ipaddress"),
    "json": subject("json json.decoder json.encoder json.scanner", "test_json", r"\.TestC\w+\."),
    "netrc": subject("netrc", "test_netrc"),
    "ntpath": subject("ntpath", "test_ntpath"),
    "operator": subject("operator", "test_operator", r"\.C\w*OperatorTestCase|\.CC"),
    "optparse": subject("optparse", "test_optparse"),
    "pickle": subject("pickle", "test_pickle", r"\.C[A-Z]\w+\.|PicklerTests|Chaining"),
    "plistlib": subject("plistlib", "test_plistlib"),
    "pprint": subject("pprint", "test_pprint"),
    "queue": subject("queue", "test_queue", r"\.C\w+Test\."),
    "quopri": subject("quopri", "test_quopri"),
    "random": subject("random", "test_random"),
    "reprlib": subject("reprlib", "test_reprlib"),
    "sched": subject("sched", "test_sched"),
    "shlex": subject("shlex", "test_shlex"),
    "statistics": subject("statistics", "test_statistics"),
    "string": subject("string", "test_string"),
    "tempfile": subject("tempfile", "test_tempfile"),
    "textwrap": subject("textwrap", "test_textwrap"),
    "tomllib": subject("tomllib._parser tomllib._re tomllib", "test_tomllib"),
    "typing": subject("typing", "test_typing"),
    "urllib.parse": subject("urllib.parse", "test_urlparse"),
}

# Tests that a converted module need not pass, and why: (module, pattern of the test's name).
KNOWN: dict[tuple[str, str], str] = {
    ("contextlib", r"\.test_exit_exception_traceback$"): (
        "it compares every frame of a traceback, and operators have frames of their own"
    ),
    ("plistlib", r"\.test_deep_nesting$"): (
        "it counts how deep a recursion may go, and operators use up some of that"
    ),
    ("tomllib", r"\.test_inline_(array|table)_recursion_limit$"): (
        "it counts how deep a recursion may go, and operators use up some of that"
    ),
}


# -- running ---------------------------------------------------------------------------------------


@dataclass
class Run:
    """The record of one process."""

    tests: dict[str, str] = field(default_factory=dict)  # name -> outcome, the worst of several
    texts: dict[str, str] = field(default_factory=dict)  # name -> why it failed or was skipped
    functions: list[dict] = field(default_factory=list)
    seconds: float = 0.0
    broken: str = ""  # why the process did not come to its end

    def passed(self) -> set[str]:
        return {name for name, outcome in self.tests.items() if outcome == "passed"}


WORST_LAST = ("passed", "skipped", "started", "failed")


def run(subject: Subject, convert: bool, seconds: float) -> Run:
    """Runs the tests of a subject in a process of its own."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        output = os.path.join(folder, "record")
        plan = {
            "modules": subject.modules,
            "tests": subject.tests,
            "left_out": subject.left_out,
            "convert": convert,
            "folder": os.path.join(folder, "copies"),
            "output": output,
        }
        broken = run_plan(plan, folder, seconds)
        found = recorded(output)
    found.seconds = time.monotonic() - started
    if broken:
        found.broken = broken
    return found


def run_plan(plan: dict, folder: str, seconds: float) -> str:
    """Runs the runner; returns why it ended early, or nothing."""
    command = [sys.executable, str(RUNNER), json.dumps(plan)]
    work = os.path.join(folder, "work")
    os.mkdir(work)
    try:
        subprocess.run(
            command,
            cwd=work,
            timeout=seconds,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            check=True,
        )
    except subprocess.TimeoutExpired:
        return f"not at its end after {seconds:.0f} s"
    except subprocess.CalledProcessError as error:
        return f"exit status {error.returncode}: {error.stderr[-1500:]}"
    return ""


def recorded(output: str) -> Run:
    """Reads the record of a process."""
    found = Run(broken="it ended early")
    for line in Path(output).read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        if "function" in entry:
            found.functions.append(entry)
        elif "test" in entry:
            note_test(found, entry)
        elif entry.get("finished"):
            found.broken = ""
    return found


def note_test(found: Run, entry: dict) -> None:
    name, outcome = entry["test"], entry["outcome"]
    before = found.tests.get(name)
    if before not in (None, "started") and WORST_LAST.index(before) > WORST_LAST.index(outcome):
        return
    if outcome == "started" and before is not None:
        return
    found.tests[name] = outcome
    found.texts[name] = entry.get("text", "")


# -- comparing -------------------------------------------------------------------------------------


@dataclass
class Comparison:
    """The two runs of a subject."""

    name: str
    plain: Run
    converted: Run

    @property
    def expected(self) -> set[str]:
        """The tests that the module passes as it is."""
        return self.plain.passed()

    @property
    def lost(self) -> list[str]:
        """Tests that only the module as it is passes, without the known ones."""
        lost = self.expected - self.converted.passed()
        return sorted(test for test in lost if known_reason(self.name, test) is None)

    @property
    def known(self) -> dict[str, str]:
        """The known exceptions among the tests, with their reasons."""
        reasons = {test: known_reason(self.name, test) for test in sorted(self.expected)}
        return {test: reason for test, reason in reasons.items() if reason is not None}

    @property
    def functions(self) -> int:
        return sum(entry["size"] for entry in self.converted.functions)

    @property
    def unchanged(self) -> int:
        """How many functions hold nothing that is to be converted."""
        plain = (entry for entry in self.converted.functions if not entry["changed"])
        return sum(entry["size"] - len(entry["kept"]) for entry in plain if not entry["refused"])

    @property
    def kept(self) -> dict[str, str]:
        """The functions that stay Python as a whole, with the reasons."""
        return {k: why for entry in self.converted.functions for k, why in entry["kept"].items()}

    @property
    def refused(self) -> dict[str, str]:
        entries = self.converted.functions
        return {entry["function"]: entry["refused"] for entry in entries if entry["refused"]}

    @property
    def faults(self) -> list[str]:
        """The faults, one message each."""
        faults = [f"as it is: {self.plain.broken}"] if self.plain.broken else []
        if self.converted.broken:
            faults.append(f"converted: {self.converted.broken}")
        if not self.expected or not self.functions:
            faults.append("no test ran, or no function was found")
        faults += [f"refused {function}\n{why}" for function, why in self.refused.items()]
        not_run = [test for test in self.lost if test not in self.converted.tests]
        if len(not_run) > NAMED_AT_MOST:
            faults.append(f"{len(not_run)} tests not run, from {not_run[0]} on")
            return faults + [self.loss(test) for test in self.lost if test not in not_run]
        return faults + [self.loss(test) for test in self.lost]

    def loss(self, test: str) -> str:
        outcome = self.converted.tests.get(test, "not run")
        return f"{outcome} {test}\n{self.converted.texts.get(test, '')}".rstrip()


def known_reason(name: str, test: str) -> str | None:
    """Why a test of a module need not pass, or None."""
    for (module, pattern), reason in KNOWN.items():
        if module == name and re.search(pattern, test):
            return reason
    return None


def compare(name: str, seconds: float = TESTS_ARE_SLOW) -> Comparison:
    """Runs the tests of a module on the original and on the converted one."""
    subject = SUBJECTS[name]
    plain = run(subject, False, seconds)
    return Comparison(name, plain, run(subject, True, seconds))


# -- the report ------------------------------------------------------------------------------------

HEAD = "module          functions  converted  unchanged  kept   tests  passed  known  seconds"


def row(found: Comparison) -> str:
    """The line of a module: its functions and their conversions, its tests, and the time."""
    converted = found.functions - found.unchanged - len(found.kept) - len(found.refused)
    passed = len(found.expected & found.converted.passed())
    return (
        f"{found.name:15} {found.functions:9}  {converted:9}  {found.unchanged:9}  "
        f"{len(found.kept):4}  {len(found.expected):6}  {passed:6}  {len(found.known):5}  "
        f"{found.plain.seconds:.1f} -> {found.converted.seconds:.1f}"
    )


def details(found: Comparison, lines: int) -> Iterable[str]:
    """The lines about a module below its row."""
    for function, why in found.kept.items():
        yield f"    kept: {function}: {why}"
    for test, reason in found.known.items():
        passes = test in found.converted.passed()
        yield f"    known{' (but it passes)' if passes else ''}: {test}: {reason}"
    failing = sorted(t for t, outcome in found.plain.tests.items() if outcome == "failed")
    for test in failing:
        yield f"    fails on the module as it is: {test}"
    for fault in found.faults:
        head, *rest = fault.splitlines()
        yield f"    FAULT: {head}"
        yield from (f"        {line}" for line in rest[-lines:])


def total(comparisons: list[Comparison]) -> str:
    functions = sum(found.functions for found in comparisons)
    unchanged = sum(found.unchanged for found in comparisons)
    kept = sum(len(found.kept) for found in comparisons)
    tests = sum(len(found.expected) for found in comparisons)
    passed = sum(len(found.expected & found.converted.passed()) for found in comparisons)
    return (
        f"{len(comparisons)} modules, {functions} functions ({unchanged} with nothing to convert), "
        f"{kept} kept ({kept_share(comparisons):.1%}), {passed} of {tests} tests passed, "
        f"{sum(len(found.known) for found in comparisons)} known exceptions"
    )


def kept_share(comparisons: Iterable[Comparison]) -> float:
    """The share of the functions that stay Python as a whole."""
    pairs = [(len(found.kept), found.functions) for found in comparisons]
    return sum(kept for kept, _ in pairs) / max(sum(functions for _, functions in pairs), 1)


def faults_of(comparisons: list[Comparison]) -> list[str]:
    """Everything that must not be, over all modules."""
    faults = [f"{found.name}: {fault}" for found in comparisons for fault in found.faults]
    if kept_share(comparisons) > KEPT_AT_MOST:
        faults.append(f"{kept_share(comparisons):.1%} of the functions stay in Python")
    return faults


def tests_are_here() -> bool:
    """Whether this Python has CPython's own tests."""
    return (Path(os.__file__).parent / "test" / "test_heapq.py").exists()


def main(arguments: list[str] | None = None) -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("modules", nargs="*", metavar="MODULE", help=", ".join(SUBJECTS))
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time")
    parser.add_argument("--seconds", type=float, default=TESTS_ARE_SLOW, help="limit of each run")
    parser.add_argument("--lines", type=int, default=12, help="lines shown of each fault")
    parser.add_argument("--sample", type=int, metavar="N", help="N modules chosen by --seed")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    unknown = [name for name in options.modules if name not in SUBJECTS]
    if unknown:
        parser.error(f"no such module: {', '.join(unknown)}")
    if not tests_are_here():
        parser.error("this Python has no Lib/test")
    names = options.modules or list(SUBJECTS)
    if options.sample is not None:
        names = random.Random(options.seed).sample(names, min(options.sample, len(names)))
    print(HEAD)
    comparisons = []
    with ThreadPoolExecutor(options.jobs) as pool:
        for found in pool.map(lambda name: compare(name, options.seconds), names):
            comparisons.append(found)
            print("\n".join([row(found), *details(found, options.lines)]), flush=True)
    print(total(comparisons))
    return 1 if faults_of(comparisons) else 0


if __name__ == "__main__":
    raise SystemExit(main())
