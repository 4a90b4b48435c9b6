"""Files that a traced function opens: each call leaves the files, and prints, as in plain Python.

Warnings that something runs once, while the graph is being built, are issued where that is true, and
once; those of a recording that is given up are not.
"""

import contextlib
import csv
import gzip
import io
import json
import os
import pathlib
import queue
import tempfile
import warnings
import weakref
import zipfile

import numpy as np
import pytest

import runtime as rt


def written_in_a_branch(x):
    with open("a.txt", "w") as f:
        if x > 1:
            f.write("big")
    return x


def written_before_and_after(x):
    f = open("a.txt", "w")
    f.write("begin\n")
    if x > 1:
        f.write("big\n")
    f.write("end\n")
    f.close()
    return open("a.txt").read()


def appended(x):
    with open("a.txt", "a") as f:
        f.write("call\n")
        if x > 1:
            f.write("big\n")
    with open("a.txt") as g:
        n = len(g.read())
    return n + x


def one_for_each_iteration(x):
    for i in range(3):
        with open(f"{i}.txt", mode="w") as f:
            if x > i:
                f.write("yes")
            else:
                f.write("no")
    return x


def _saved(name, x, limit):
    with open(name, "w") as f:
        if x > limit:
            f.write("big")
        f.write(".")
    return name


def in_a_helper(x):
    return _saved("a", x, 0), _saved("b", x, 1), x


def before_an_exception(x):
    with open("a.txt", "a") as f:
        f.write("in ")
        if x > 1:
            raise ValueError("big")
        f.write("out ")
    return x


def moved_afterwards(x):
    with open("new.txt", "w") as f:
        f.write("content")
        if x > 1:
            f.write(" big")
    os.replace("new.txt", "old.txt")
    return x


def moved_without_a_branch(x):
    with open("new.txt", "w") as f:
        f.write(f"{x}")
    os.replace("new.txt", "old.txt")
    return os.path.getsize("old.txt")


def removed_after_a_branch(x):
    if x > 1:
        with open("a.txt", "w") as f:
            f.write("big")
    with contextlib.closing(open("b.txt", "w")) as f:
        f.write("all")
    os.remove("b.txt")
    return x


def redirected(x):
    with open("a.txt", "w") as f, contextlib.redirect_stdout(f):
        print("known")
        print("staged", x)
        if x > 1:
            print("big")
        print("end")
    return x


def printed_to(x):
    with open("a.txt", "w") as f:
        print("begin", file=f)
        if x > 1:
            print("big", x, file=f)
    return x


def rows(x):
    with open("a.csv", "w", newline="") as f:
        table = csv.writer(f)
        for i in range(3):
            table.writerow([i, i * 2])
            if x > i:
                table.writerow(["big", float(x)])
    return x


def dumped(x):
    with open("a.json", "w") as f:
        json.dump({"a": [1, 2]}, f)
        if x > 1:
            f.write("\n")
    return x


def by_a_path(x):
    with pathlib.Path("a.txt").open("w") as f:
        f.write("begin ")
        if x > 1:
            f.write("big")
    return pathlib.Path("a.txt").read_text()


def packed(x):
    with zipfile.ZipFile("a.zip", "w") as archive:
        archive.writestr("one", "1")
        if x > 1:
            archive.writestr("two", "2")
    with zipfile.ZipFile("a.zip") as archive:
        found = archive.namelist()
    os.remove("a.zip")
    return found


def compressed(x):
    with gzip.open("a.gz", "wb") as f:
        f.write(b"begin ")
        if x > 1:
            f.write(b"big")
    with gzip.open("a.gz") as f:
        found = f.read()
    os.remove("a.gz")
    return found


def packed_in_memory(x):
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w") as archive:
        archive.writestr("one", "1")
        if x > 1:
            archive.writestr("two", "2")
    with zipfile.ZipFile(memory) as archive:
        return archive.namelist()


def in_a_temporary_folder(x):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "f")
        open(path, "w").close()
        if x > 1:
            open(path + "2", "w").close()
        return len(os.listdir(folder))


def in_a_named_temporary_file(x):
    with tempfile.NamedTemporaryFile("w", delete=False, dir=".") as f:
        if x > 1:
            f.write("big")
    size = os.path.getsize(f.name)
    os.remove(f.name)
    return size


def in_a_temporary_file(x):
    with tempfile.TemporaryFile("w+") as f:
        f.write("abc")
        if x > 1:
            f.write("def")
        f.seek(0)
        return f.read()


PROGRAMS = [
    written_in_a_branch,
    written_before_and_after,
    appended,
    one_for_each_iteration,
    in_a_helper,
    before_an_exception,
    moved_afterwards,
    moved_without_a_branch,
    removed_after_a_branch,
    redirected,
    printed_to,
    rows,
    dumped,
    by_a_path,
    packed,
    compressed,
    packed_in_memory,
    in_a_temporary_folder,
    in_a_named_temporary_file,
    in_a_temporary_file,
]
CALLS = [2.5, 0.5, 1.0, 2.5, 2, 0]


def outcomes(function, folder, monkeypatch):
    """For each call the result or the exception, the output, and the files after it."""
    folder.mkdir()
    monkeypatch.chdir(folder)
    found = []
    for x in CALLS:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            try:
                result = function(np.int64(x) if type(x) is int else np.float64(x))
            except ValueError as error:
                result = str(error)
        files = {path.name: path.read_bytes() for path in folder.iterdir()}
        found.append((result, type(result), printed.getvalue(), files))
    return found


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda function: function.__name__)
def test_each_call_leaves_the_files_of_python_and_no_warning_is_false(
    tmp_path, monkeypatch, function
):
    expected = outcomes(function, tmp_path / "plain", monkeypatch)
    with warnings.catch_warnings():
        warnings.simplefilter("error", rt.TracingWarning)
        assert outcomes(rt.function(function), tmp_path / "staged", monkeypatch) == expected


def prints_around(x):
    print("first")
    jobs = queue.Queue()
    print("made")
    for i in range(2):
        print("known", i)
    jobs.put(1)
    if x > 1:
        jobs.put(2)
    print("last")
    return jobs.qsize()


def _size(x, limit):
    print("in", limit)
    jobs = queue.Queue()
    print("made", limit)
    if x > limit:
        jobs.put(1)
    return jobs.qsize()


def prints_in_a_helper(x):
    return _size(x, 0), _size(x, 1)


@pytest.mark.parametrize("function", [prints_around, prints_in_a_helper])
def test_lines_that_a_recording_has_printed_are_not_printed_by_the_next_one(capsys, function):
    assert rt.function(function)(np.float64(2)) == function(np.float64(2))
    lines = capsys.readouterr().out.splitlines()
    assert lines[: len(lines) // 2] == lines[len(lines) // 2 :]


def told(function, *args):
    """The warnings of a first call about its recording."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        rt.function(function)(*args)
    return [str(one.message) for one in caught if one.category is rt.TracingWarning]


def test_a_true_warning_is_issued_once(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("1 2")

    def kept(x):
        total = 0
        for _ in range(3):
            total += np.loadtxt(path).sum()
        return x + total

    def given_up(x):
        found = np.loadtxt(path)
        jobs = queue.Queue()
        if x > 1:
            jobs.put(1)
        return found * x, jobs.qsize()

    for function in (kept, given_up):
        (text,) = told(function, np.float64(2))
        assert "loadtxt runs once" in text


def test_a_warning_of_a_recording_that_is_given_up_is_not_issued(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("1\n2\n")

    def lines(x):
        f = open(path)
        if x > 1:
            f.readline()
        found = f.read()
        f.close()
        return found

    assert told(lines, np.float64(2)) == []


def test_files_of_a_recording_that_is_given_up_are_closed(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("1\n2\n")
    opened = []

    def lines(x):
        f = open(path)
        opened.append(weakref.ref(f))
        if x > 1:
            f.readline()
        found = f.read()
        f.close()
        return found

    def refused(x):
        f = open(path)
        opened.append(weakref.ref(f))
        return f.read(), [1, 2][x:]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rt.TracingWarning)
        assert rt.function(lines)(np.float64(2)) == "2\n"
        with pytest.raises(rt.StagingError):
            rt.function(refused)(np.float64(1))
        assert all(ref() is None or ref().closed for ref in opened)


def test_the_warning_of_a_recording_that_fails_is_issued(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("1 2")

    @rt.function
    def f(x):
        found = np.loadtxt(path)
        return found[int(x)] + [1, 2][found.sum() + x :][0]

    with pytest.warns(rt.TracingWarning, match="loadtxt runs once"), pytest.raises(TypeError):
        f(np.float64(1))


def test_filters_inside_of_the_function_decide_about_its_warnings(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("1 2")

    def f(x):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = np.loadtxt(path)
        return x + found

    assert told(f, np.float64(1)) == []
