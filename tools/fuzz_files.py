"""Looks for files that `rt.load` does not refuse as it should: python tools/fuzz_files.py [SECONDS]

Changed parts of a saved program (its graph, manifest, weights; with correct checksums) are loaded,
and changed texts parsed.  A file may load or raise `LoadError`, a text parse or raise
`SyntaxError`; all else is a fault: another exception, a crash, a hang, or memory beyond a limit.
Exit status: 1 if a fault was found.

atheris chooses the changes by the lines of the loader that they reach.  Where it is not installed
(pip install atheris), the random changes of tests/saved/test_hostile_files.py are used instead.
"""

import argparse
import importlib.util
import itertools
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT)]

READING = (  # the modules that read files and texts
    "runtime.saved.members",
    "runtime.saved.strict_json",
    "runtime.saved.tensors",
    "runtime.saved.guarding",
    "runtime.saved.loading",
    "runtime.saved.values",
    "runtime.saved.trusted_text",
    "runtime.ir.comments",
    "runtime.ir.parsing",
    "runtime.ir.type_text",
)
SECONDS_PER_FILE = 30
MEGABYTES = 2048
PARTS = ("text", "graph_0.txt", "manifest.json", "weights.safetensors")  # a first byte chooses one


def guided(seconds: float, seed: int) -> int:
    """Runs atheris in a process of its own, which it ends; returns the exit status."""
    if importlib.util.find_spec("atheris") is None:
        print("atheris is not installed (pip install atheris): random changes are used")
        return unguided(seconds, seed)
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, __file__, "--inside", folder, str(seconds), "--seed", str(seed)]
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True, cwd=folder)
        runs = re.findall(r"^#(\d+)", done.stderr, re.MULTILINE)
        if done.returncode == 0:
            print(f"{runs[-1] if runs else 0} changed files in {seconds:.0f} s: no fault")
            return 0
        print(done.stderr[-4000:])
        for crash in Path(folder).glob("crash-*"):
            print(f"the bytes that cause it: {crash.read_bytes()!r}")
        return 1


def inside(folder: Path, seconds: float, seed: int) -> None:
    """Runs the changed files of atheris; does not return."""
    import atheris

    import runtime as rt

    for function in reading_functions():
        atheris.instrument_func(function)
    parts = saved_parts(rt)
    corpus = folder / "corpus"
    corpus.mkdir()
    for number, name in enumerate(PARTS):
        (corpus / name).write_bytes(bytes([number]) + parts[name])
    options = [
        f"-max_total_time={seconds:.0f}",
        f"-seed={seed + 1}",
        f"-timeout={SECONDS_PER_FILE}",
    ]
    options += [f"-rss_limit_mb={MEGABYTES}", f"-artifact_prefix={folder}/", "-max_len=20000"]
    atheris.Setup([sys.argv[0], *options, str(corpus)], lambda data: check(rt, parts, data))
    atheris.Fuzz()


def reading_functions() -> Iterator[FunctionType]:
    """The functions that read files and texts, whose lines guide the changes."""
    for name in READING:
        module = importlib.import_module(name)
        held = [one for one in vars(module).values() if getattr(one, "__module__", "") == name]
        inner = [part for one in held if isinstance(one, type) for part in vars(one).values()]
        yield from (one for one in (*held, *inner) if isinstance(one, FunctionType))


def saved_parts(rt) -> dict[str, bytes]:
    """The parts of a saved program, and the text of its graph."""
    from runtime.saved.members import members_of
    from tests.saved.test_hostile_files import program

    signature = rt.TensorSpec((None, 2)), rt.TensorSpec(())
    files = members_of(rt.saved.as_bytes(rt.function(program), [signature]), rt.saved.Limits())
    return {**files, "text": files["graph_0.txt"]}


def check(rt, parts: dict[str, bytes], data: bytes) -> None:
    """Loads a saved program of which one part is changed.  Any exception is a fault."""
    from tests.saved.test_hostile_files import compiled, sealed

    name = PARTS[data[0] % len(PARTS)] if data else "text"
    if name == "text":
        try:
            rt.parse(data[1:].decode("utf-8", "replace"))
        except SyntaxError:
            return
        return
    files = {key: part for key, part in parts.items() if key != "text"}
    try:
        changed = sealed({**files, name: data[1:]})
    except (ValueError, KeyError, TypeError, RecursionError):
        return  # the manifest has no room for checksums: nothing is loaded
    try:
        compiled(rt.saved.from_bytes(changed))
    except rt.errors.LoadError:
        return


def unguided(seconds: float, seed: int) -> int:
    """Loads files with random changes; returns the exit status."""
    import runtime as rt
    from runtime.saved.members import members_of
    from tests.saved.test_hostile_files import check as check_seeds
    from tests.saved.test_hostile_files import program

    signature = rt.TensorSpec((None, 2)), rt.TensorSpec(())
    files = members_of(rt.saved.as_bytes(rt.function(program), [signature]), rt.saved.Limits())
    end = time.monotonic() + seconds
    for first in itertools.count(seed, 50):
        if time.monotonic() > end:
            print(f"{first - seed} changed files, seeds {seed} to {first - 1}: no fault")
            return 0
        try:
            check_seeds(files, range(first, first + 50))
        except AssertionError as fault:
            print(fault)
            return 1
    raise AssertionError("there is no end of seeds")


def main() -> int:
    """Runs until the time is over or a fault is found; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("seconds", type=float, nargs="?", default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside is not None:
        inside(options.inside, options.seconds, options.seed)
    return guided(options.seconds, options.seed)


if __name__ == "__main__":
    sys.exit(main())
