"""Saved programs whose graphs and manifests have parts of each other: they load, or are refused.

Unlike changed bytes, such files are mostly well formed: attributes of other operations, values of
other types, huge numbers, and records of other graphs reach the type rules and the compiler.
"""

import hashlib
import json
import random
import re
import time

import every_collection
import numpy as np
import pytest
from outcomes import outcome

import runtime as rt
from runtime.errors import LoadError, SaveError
from runtime.ir.op import names as op_names
from runtime.saved.members import MANIFEST, as_bytes, members_of

pytestmark = pytest.mark.filterwarnings("ignore")
OPS = sorted(op_names())
LIMITS = rt.saved.Limits(steps=1_000, seconds=1.0)
ATTRIBUTE = re.compile(r"\w+=(?:\([^()]*\)|'[^']*'|[\w.\-]+)")
OPERAND = re.compile(r"(?<=[(, ])([a-z]\w*|-?\d+(?:\.\d+)?)(?=[,)])")
VALUES = [
    "-1", "0", "2**70", "9223372036854775807", "-9223372036854775808", "1e308", "nan", "''", "None",
    "()", "(())", "[[1]]", "True", "slice(None, None, 0)", "float", "object", "i64", "str",
    "host('os.system')", "called(host('builtins.eval'), ('1',), ())", "method(_0, '__class__')",
    "kept(_9)", "_99", "array([], f64, (0, 99999999999))", "array([1.0], f64, (1,))",
    "ufunc('add')", "numpy.ndarray", "KeyError", "(99999999,)", "(99999, 99999)", "'>9999999999'",
    "complex(0.0, inf)", "list", "made(dict, (_0,), (_0,))", "b'x'", "...", "100000", "(3, -1)",
]  # fmt: skip
RECORDS = [
    None, True, -1, 0, 10**30, 1.5, "", "x", [], {}, ["output", False], ["int", "9" * 4_000],
    ["str", "\ud800"], ["dict", [["list"], ["none"]]], ["set", ["list"]], ["same", 0],
    ["range", ["int", "0"], ["int", "9" * 18], ["int", "1"]], ["variable", 0], "pairs",
    ["slice", ["none"], ["none"], ["none"]], ["scalar", "f64", "00"], ["bytes", "zz"],
]  # fmt: skip


def files_of(name, programs):
    """The files of a program after the calls of its collection, or None."""
    function, calls = programs[name]
    staged = rt.function(function)
    try:
        for given in calls:
            outcome(staged, given)
        return members_of(rt.saved.as_bytes(staged), rt.saved.Limits())
    except SaveError:
        return None


@pytest.fixture(scope="module")
def saved():
    """The files of some programs of all collections."""
    programs = every_collection.every_program()
    names = random.Random(2).sample(sorted(programs), 60)
    with np.errstate(all="ignore"):
        found = [files_of(name, programs) for name in names]
    return [files for files in found if files is not None]


def texts_of(files):
    return [name for name in files if name.endswith(".txt")]


def exchanged(lines, others, chance):
    """The lines of a graph with one part exchanged."""
    at = chance.randrange(len(lines))
    line, other = lines[at], chance.choice(others)
    attributes = list(ATTRIBUTE.finditer(line))
    operands = list(OPERAND.finditer(line))
    found = ATTRIBUTE.findall(other)
    match chance.randrange(7):
        case 0 if attributes:
            part = chance.choice(attributes)
            key = part[0].partition("=")[0]
            line = f"{line[: part.start()]}{key}={chance.choice(VALUES)}{line[part.end() :]}"
        case 1 if attributes and found:
            part = chance.choice(attributes)
            line = line[: part.start()] + chance.choice(found) + line[part.end() :]
        case 2:
            line = re.sub(r"= \w+\(", f"= {chance.choice(OPS)}(", line, count=1)
        case 3:
            types = re.findall(r": ([^=#]+?) =", other) or ["f64[2]"]
            line = re.sub(r": ([^=#]+?) =", lambda _: f": {types[0]} =", line, count=1)
        case 4:
            indent = len(line) - len(line.lstrip())
            return [*lines[:at], " " * indent + other.strip(), *lines[at:]]
        case 5 if operands:
            part = chance.choice(operands)
            line = line[: part.start()] + chance.choice(VALUES) + line[part.end() :]
        case 6 if found:
            line = re.sub(r"\)(\s*#|$)", lambda end: f", {found[0]}){end[1]}", line, count=1)
    return [*lines[:at], line, *lines[at + 1 :]]


def with_changed_record(program, chance):
    """A program with one place of its record changed."""
    places = []

    def visit(part):
        for key in part if isinstance(part, dict) else range(len(part)):
            places.append((part, key))
            if isinstance(part[key], (dict, list)):
                visit(part[key])

    visit(program)
    part, key = chance.choice(places)
    others, other = chance.choice(places)
    part[key] = json.loads(json.dumps(chance.choice([*RECORDS, others[other]])))
    return program


def changed(saved, seed):
    """The bytes of a program that has parts of others; sizes and checksums are right."""
    chance = random.Random(seed)
    files = dict(chance.choice(saved))
    manifest = json.loads(files[MANIFEST])
    if chance.random() < 0.75:
        name = chance.choice(texts_of(files))
        other = chance.choice(saved)
        others = other[chance.choice(texts_of(other))].decode().split("\n")
        lines = files[name].decode().split("\n")
        for _ in range(chance.choice((1, 1, 1, 2, 3))):
            lines = exchanged(lines, others, chance)
        files[name] = "\n".join(lines).encode("utf-8", "surrogatepass")
    else:
        manifest["program"] = with_changed_record(manifest["program"], chance)
    manifest["members"] = {
        name: {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        for name, data in files.items()
        if name != MANIFEST
    }
    return as_bytes({**files, MANIFEST: json.dumps(manifest).encode()})


def check(saved, seeds):
    """How many of the changed programs are loaded; all others raise `LoadError`."""
    count = 0
    for seed in seeds:
        data, start = changed(saved, seed), time.process_time()
        try:
            loaded = rt.saved.from_bytes(data, limits=LIMITS)
            for graph in loaded.graphs:
                assert graph.source
            count += 1
        except LoadError as error:
            assert type(error) is LoadError
        except BaseException as error:
            raise AssertionError(f"seed {seed}: {type(error).__name__}: {error}") from error
        assert time.process_time() - start < 20, f"seed {seed}"
    return count


def test_programs_with_parts_of_others_load_or_are_refused(saved):
    assert len(saved) > 40
    assert 0 < check(saved, range(300)) < 300


@pytest.mark.thorough
def test_many_programs_with_parts_of_others_load_or_are_refused(saved):
    check(saved, range(1_000, 6_000))
