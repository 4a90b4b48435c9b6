"""Machine code on disk: found again by later processes, never stale, never another user's."""

import ctypes
import multiprocessing
import os
import random
from pathlib import Path

import numpy as np
import pytest
from support.loading import load

import runtime as rt
from runtime.engines import native
from runtime.engines.native import llvm, loader, machine, object_cache

pytestmark = pytest.mark.skipif(
    native.unusable() is not None or not loader.is_supported(),
    reason="needs machine code, and a system whose object files are loaded",
)

KEY = b"a key"
IMAGE = b"the object of a piece"


@pytest.fixture
def directory(tmp_path):
    return str(tmp_path / "caches" / "objects")


@pytest.fixture
def cache(directory):
    with rt.config.temporarily(object_cache=directory):
        yield directory


def files(directory):
    return sorted(Path(directory).iterdir()) if os.path.isdir(directory) else []


def collatz(a):
    steps = 0
    while a != 1:
        a = a // 2 if a % 2 == 0 else 3 * a + 1
        steps += 1
    return steps


def found(fn, *args):
    """The result of a function of a new `rt.function`, and whether all its code came from the cache."""
    function = rt.function(fn, engine="native")
    result = function(*args)
    executable = function.get_concrete_function(*args).compiled
    pieces = executable._executable("native").pieces
    return result, bool(pieces) and all(piece.code.is_from_cache for piece in pieces)


# -- uses ------------------------------------------------------------------------------------------


def test_the_second_compilation_is_found(cache):
    assert found(collatz, np.int64(27)) == (111, False)
    assert len(files(cache)) == 1
    assert found(collatz, np.int64(27)) == (111, True)
    assert found(collatz, np.int64(97)) == (118, True)
    assert len(files(cache)) == 1


def test_without_a_directory_nothing_is_kept(directory):
    with rt.config.temporarily(object_cache=None):
        assert rt.config.object_cache() is None
        for _ in range(2):
            assert found(collatz, np.int64(27)) == (111, False)
    assert not files(directory)


def test_the_setting_is_checked():
    with pytest.raises(TypeError, match="the object cache is a directory, not 3"):
        rt.config.temporarily(object_cache=3).__enter__()


def test_assembly_of_code_from_the_cache_is_shown(cache):
    for _ in range(2):
        fn = rt.function(collatz, engine="native")
        fn(np.int64(27))
    assert "ret" in fn.native(what="assembly")


# -- never stale -----------------------------------------------------------------------------------

FORMS = [
    "    for i in range(n):\n        s = s {op} ({a} {op2} i)\n",
    "    while s < {b}:\n        s = s * 2 + {a}\n",
    "    for i in range(n):\n        s = s + (SCALE if s > {b} else {a})\n",
    "    for i in range(n):\n        s = s + helper(i) {op} {a}\n",
    "    for i in range(n):\n        s = s + x[i] * {a}\n",
]


def edited(rng):
    """The text of a program as one edit of another: constants, operators, globals, a callee."""
    names = {
        "a": rng.randrange(1, 5),
        "b": rng.choice([10, 1000]),
        "op": rng.choice(["+", "-"]),
        "op2": rng.choice(["+", "*", "-"]),
    }
    body = rng.choice(FORMS).format(**names)
    helper = f"def helper(i):\n    return i {rng.choice('+*-')} {rng.randrange(1, 4)}\n"
    start = rng.choice(["s = 1", "s = n", "s = 1.5"])
    scale = f"SCALE = {rng.randrange(1, 4)}\n"
    return f"{scale}{helper}def f(x, n):\n    {start}\n{body}    return s\n"


def check_edits(count, seed):
    rng, x = random.Random(seed), np.arange(1.0, 9.0)
    hits = 0
    for number in range(count):
        fn = load(edited(rng), f"<edit {seed} {number}>").f
        result, is_kept = found(fn, x, np.int64(8))
        assert result == fn(x, np.int64(8)), fn
        hits += is_kept
    return hits


def test_programs_that_are_edited_are_never_stale(cache):
    assert 0 < check_edits(60, 1) < 60


@pytest.mark.thorough
def test_a_thousand_edits_are_never_stale(cache):
    assert 0 < check_edits(1000, 2) < 1000


def test_another_version_of_numpy_has_other_keys(monkeypatch):
    before = object_cache.context("passes")
    monkeypatch.setattr(np, "__version__", "9.9.9")
    assert object_cache.context("passes") != before
    assert object_cache.context("other passes") != object_cache.context("passes")


# -- damage ----------------------------------------------------------------------------------------

DAMAGES = {
    "empty": lambda content: b"",
    "short": lambda content: content[:20],
    "truncated": lambda content: content[:-1],
    "longer": lambda content: content + b"\0",
    "one bit": lambda content: content[:100] + bytes([content[100] ^ 1]) + content[101:],
    "another hash": lambda content: bytes(32) + content[32:],
    "text": lambda content: b"hello world" * 100,
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_ignored_and_replaced(cache, damage):
    found(collatz, np.int64(27))
    (file,) = files(cache)
    whole = file.read_bytes()
    file.write_bytes(DAMAGES[damage](whole))
    assert found(collatz, np.int64(27)) == (111, False)
    assert file.read_bytes() == whole
    assert found(collatz, np.int64(27)) == (111, True)


def test_the_file_of_another_key_is_ignored(directory):
    object_cache.store(directory, KEY, IMAGE)
    object_cache.store(directory, b"another", b"another object")
    first, second = (Path(directory, object_cache.entry(key)) for key in (KEY, b"another"))
    second.write_bytes(first.read_bytes())
    assert object_cache.found(directory, b"another") is None
    assert object_cache.found(directory, KEY) == IMAGE


# -- owners and rights -----------------------------------------------------------------------------


def test_the_directory_and_its_files_are_the_users_only(directory):
    object_cache.store(directory, KEY, IMAGE)
    assert os.stat(directory).st_mode & 0o777 == 0o700
    assert [file.stat().st_mode & 0o777 for file in files(directory)] == [0o600]


def opened_to_others(directory):
    os.chmod(directory, 0o755)


def file_opened_to_others(directory):
    os.chmod(files(directory)[0], 0o620)


def of_another_user(directory):
    os.chown(directory, 12345, 12345)


def file_of_another_user(directory):
    os.chown(files(directory)[0], 12345, 12345)


def link_to_a_directory(directory):
    os.rename(directory, f"{directory}-real")
    os.symlink(f"{directory}-real", directory)


def link_to_a_file(directory):
    (file,) = files(directory)
    real = Path(directory).parent / "real"
    os.rename(file, real)
    os.symlink(real, file)


def a_file_instead(directory):
    os.rename(directory, f"{directory}-real")
    Path(directory).write_text("no directory")


@pytest.mark.parametrize(
    "change",
    [
        opened_to_others,
        file_opened_to_others,
        of_another_user,
        file_of_another_user,
        link_to_a_directory,
        link_to_a_file,
        a_file_instead,
    ],
)
def test_what_others_could_have_written_is_not_used(directory, change):
    object_cache.store(directory, KEY, IMAGE)
    assert object_cache.found(directory, KEY) == IMAGE
    if "user" in change.__name__ and os.geteuid() != 0:
        pytest.skip("only root gives files to other users")
    change(directory)
    assert object_cache.found(directory, KEY) is None
    object_cache.store(directory, KEY, IMAGE)  # which does not raise


def test_a_directory_that_cannot_be_made_is_not_used(tmp_path):
    (tmp_path / "file").write_text("")
    with rt.config.temporarily(object_cache=str(tmp_path / "file" / "objects")):
        assert found(collatz, np.int64(27)) == (111, False)


# -- bounds and concurrency ------------------------------------------------------------------------


def test_the_least_recently_used_files_are_removed(directory, monkeypatch):
    monkeypatch.setattr(object_cache, "LARGEST", 10_000)
    monkeypatch.setattr(object_cache, "CHECKED", 1)
    for number in range(20):
        object_cache.store(directory, b"%d" % number, bytes(1000))
        path = Path(directory, object_cache.entry(b"%d" % number))
        os.utime(path, (1e9 + number, 1e9 + number))
    assert object_cache.found(directory, b"12") is not None  # notes that it is used
    object_cache.store(directory, b"20", bytes(1000))
    kept = [n for n in range(21) if object_cache.found(directory, b"%d" % n) is not None]
    assert sum(file.stat().st_size for file in files(directory)) <= 10_000
    assert kept == [12, *range(13, 21)]


def test_unfinished_files_are_removed(directory, monkeypatch):
    monkeypatch.setattr(object_cache, "CHECKED", 1)
    object_cache.store(directory, KEY, IMAGE)
    old, new = Path(directory, ".1-1"), Path(directory, ".1-2")
    for file in (old, new):
        file.write_bytes(b"unfinished")
    os.utime(old, (1e9, 1e9))
    object_cache.store(directory, KEY, IMAGE)
    assert not old.exists() and new.exists()


def _stores_and_reads(directory, seed, results):
    rng = random.Random(seed)
    wrong = 0
    for _ in range(300):
        number = rng.randrange(10)
        key, image = b"key %d" % number, b"object %d" % number * 2000
        read = object_cache.found(directory, key)
        wrong += read not in (None, image)
        if rng.random() < 0.5:
            object_cache.store(directory, key, image)
    results.put(wrong)


def test_processes_that_write_at_the_same_time_read_whole_files(directory):
    context = multiprocessing.get_context("fork")
    results = context.SimpleQueue()
    workers = [
        context.Process(target=_stores_and_reads, args=(directory, seed, results))
        for seed in range(4)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [results.get() for _ in workers] == [0] * 4
    assert not [file for file in files(directory) if file.name.startswith(".")]


# -- the loader ------------------------------------------------------------------------------------

COUNTER = """
@count = internal global i64 40
declare i64 @added(i64)
define i64 @next() {
  %old = load i64, ptr @count
  %new = add i64 %old, 1
  store i64 %new, ptr @count
  ret i64 %new
}
"""


def test_code_data_and_constants_are_loaded():
    code = machine.assembled(COUNTER, {}, "next")
    call = ctypes.CFUNCTYPE(ctypes.c_int64)(code.address)
    assert [call(), call(), call()] == [41, 42, 43]
    again = machine.assembled(COUNTER, {}, "next")
    assert ctypes.CFUNCTYPE(ctypes.c_int64)(again.address)() == 41


def test_a_symbol_without_an_address_is_refused():
    text = "declare i64 @other()\ndefine i64 @f() {\n  %x = call i64 @other()\n  ret i64 %x\n}\n"
    with pytest.raises(loader.Unloadable, match="which nothing defines"):
        loader.Loaded(llvm.emitted(text), {})
    assert "f" in loader.Loaded(llvm.emitted(text), {"other": 4096}).addresses


FAR = """
@place = external global i8
declare i64 @PyLong_AsLong(ptr)
define i64 @f(ptr %x) {
  %n = call i64 @PyLong_AsLong(ptr %x)
  %address = ptrtoint ptr @place to i64
  %sum = add i64 %n, %address
  ret i64 %sum
}
"""


@pytest.mark.parametrize("by_loader", [True, False], ids=["loader", "linker"])
def test_symbols_may_be_far_from_the_code(by_loader):
    function = ctypes.cast(ctypes.pythonapi.PyLong_AsLong, ctypes.c_void_p).value
    symbols = {"PyLong_AsLong": function, "place": 1 << 62}
    image = llvm.emitted(FAR)
    if by_loader:
        code = loader.Loaded(image, symbols)
        address = code.addresses["f"]
    else:
        address, code = llvm.linked(image, symbols, "f")
    assert ctypes.PYFUNCTYPE(ctypes.c_int64, ctypes.py_object)(address)(8) == 8 + (1 << 62)
    del code


@pytest.mark.parametrize("type", ["double", "float"])
def test_the_remainder_of_floats_needs_no_linker(type):
    text = (
        f"define {type} @f({type} %x, {type} %y) {{\n  %r = frem {type} %x, %y\n  ret {type} %r\n}}"
    )
    loaded = loader.Loaded(llvm.emitted(text), {})
    kind = ctypes.c_double if type == "double" else ctypes.c_float
    assert ctypes.CFUNCTYPE(kind, kind, kind)(loaded.addresses["f"])(-7.5, 2.0) == -1.5


def test_damaged_files_are_refused():
    image = llvm.emitted(COUNTER)
    for end in range(0, len(image) - 1, 7):
        with pytest.raises(loader.Unloadable):
            loader.Loaded(image[:end], {})
    for magic in (b"\x7fELG", b"MZ\0\0"):
        with pytest.raises(loader.Unloadable, match="none of ELF"):
            loader.Loaded(magic + image[4:], {})
    assert list(loader.Loaded(image, {}).addresses) == ["next"]
