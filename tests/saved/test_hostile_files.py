"""A loader that trusts nothing: every broken or hostile file is a LoadError, and nothing runs.

The file is long because it is a collection of independent tests.
"""

import hashlib
import io
import json
import math
import os
import random
import time
import tracemalloc
import zipfile

import numpy as np
import pytest

import runtime as rt
from runtime.errors import LoadError
from runtime.ops import example_costs, sampling
from runtime.saved.members import MANIFEST, as_bytes, members_of
from runtime.saved.tensors import packed, unpacked

TABLE = np.array([1.0, 2.0])


def program(x, n):
    total = np.float64(0.0)
    for row in x:
        if row.sum() > n:
            total = total + np.sum(row * TABLE)
    assert total == total, f"the total of {n} is nan"
    return {"total": total, "rows": [x, (total, None)]}


@pytest.fixture(scope="module")
def files():
    staged = rt.function(program)
    data = rt.saved.as_bytes(staged, [(rt.TensorSpec((None, 2)), rt.TensorSpec(()))])
    return members_of(data, rt.saved.Limits())


def sealed(files):
    """Files whose manifest has the right sizes and checksums: only the contents are wrong."""
    manifest = json.loads(files[MANIFEST])
    manifest["members"] = {
        name: {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        for name, data in files.items()
        if name != MANIFEST
    }
    return as_bytes({**files, MANIFEST: json.dumps(manifest).encode()})


def refused(data, words="", **options):
    with pytest.raises(LoadError) as error:
        rt.saved.from_bytes(data, **options)
    assert type(error.value) is LoadError and words in str(error.value)


def with_program(files, change):
    manifest = json.loads(files[MANIFEST])
    change(manifest["program"])
    return sealed({**files, MANIFEST: json.dumps(manifest).encode()})


def with_text(files, text):
    """A program without states, whose graph takes both arguments and returns one output."""

    def change(found):
        found["states"] = []
        record = found["functions"]["program"]["graphs"][0]
        record["inputs"] = [{"argument": 0}, {"argument": 1}]
        record["result"] = ["output", False]

    changed = {**files, "graph_0.txt": text.encode("utf-8", "surrogatepass")}
    del changed["weights.safetensors"]
    return with_program(changed, change)


def test_the_program_itself_loads(files):
    loaded = rt.saved.from_bytes(sealed(files))
    assert loaded(np.ones((2, 2)), np.float64(1.0))["total"] == 6.0


NODE = "def f(x: f64[None, 2], n: f64):\n    {}\n    return n"
TEXTS = {
    "nested parentheses": "(" * 50_000,
    "nested minus": NODE.format("y: f64 = add(n, " + "-" * 50_000 + "1)"),
    "nested regions": "".join(f"{' ' * i}def f(x: f64):\n" for i in range(200)) + " " * 200 + "return",
    "an empty text": "",
    "a null byte": "def f(\0): return",
    "a surrogate": "def f(\ud800): return",
    "a huge number": NODE.format(f"y: f64 = add(n, {'9' * 5000})"),
    "a huge array": NODE.format("y: f64[100000, 100000] = zeros(shape=(100000, 100000), dtype=f64)"),
    "a huge eye": NODE.format("y: f64[1000000, 1000000] = eye(given=(1000000,), named=())"),
    "a huge linspace": NODE.format("y: f64[9] = linspace(0.0, 1.0, given=(_0, _1, 99999999999), named=())"),
    "a huge constant": NODE.format("y: f64 = constant(value=array([1.0], f64, (99999, 99999)))"),
    "a huge text": NODE.format("y: str = text(1, parts=((_0, '', '>9999999999'),))"),
    "a huge width in a width": NODE.format("y: str = text(1, parts=((_0, '', ('>9999999', (_0, '', ''))),))"),
    "a huge line": NODE.format("y: str = text_call(n, method='ljust', given=(9999999999,))"),
    "a folder": NODE.format("y: f64 = add(n, 1)  # /dev/zero:1"),
    "a folder above": NODE.format("y: f64 = add(n, 1)  # ../secret.txt:1"),
    "a host call": NODE.format("host_call(function=host('os.getcwd'), given=(), named=(), types=())"),
    "a package": NODE.format("y: f64 = library_call(function=host('os.getpid'), given=(), named=(), "
                             "types=(f64,), structure=_0)"),
    "a system call": NODE.format("ask(function='os.system', given=('touch HOSTILE',), named=())"),
    "a clock of another module": NODE.format("ask(function='os.getpid')"),
    "a private method": NODE.format("y: f64 = drawn(n, method='__init__', given=(), named=())"),
    "a function that joins": NODE.format("y: f64 = list_joined(n, by='load', given=())"),
    "a method of strings": NODE.format("y: str = text_call('x', method='__class__', given=())"),
    "a path": NODE.format("y: f64 = into(n, function='os.system', given=(_0,), named=())"),
    "a failing call": NODE.format("failing(op='host_call', function=host('os.getcwd'))"),
    "a class": NODE.format("assert_(True, error=subprocess.Popen, arguments=('ls',))"),
    "an exception that ends": NODE.format("raise_(error=SystemExit, arguments=())"),
    "a builtin": NODE.format("raise_(error=type, arguments=('X', (), ()))"),
    "no op": NODE.format("y: f64 = system(n)"),
    "an attribute twice": NODE.format("y: f64 = sum(n, axis=0, axis=0)"),
    "code": NODE.format("import os"),
    "a call of an attribute": NODE.format("y: f64 = os.system('ls')"),
    "a lambda": NODE.format("y: f64 = add(n, (lambda: 1)())"),
    "a default": "def f(x: f64[None, 2], n: f64 = print(1)):\n    return n",
    "a decorator": "@print\ndef f(x: f64[None, 2], n: f64):\n    return n",
    "a result that is not there": NODE.format("y: f64 = add(n, z)"),
    "another type": NODE.format("y: i64 = add(n, 1)"),
    "the same name of two regions": NODE.format("pass"),
    "a parameter of type rules": NODE.format("y: f64[2] = np_sum(x, given=(_0,), named=(), found=int)"),
    "code as a name": NODE.format("y: f64 = np_sum(x, given=(_0,), named=(('axis=0), print(', 1),))"),
    "a size below zero": "def f(x: f64[-1], n: f64):\n    return n",
    "no return": "def f(x: f64[None, 2], n: f64):\n    y: f64 = add(n, 1)",
    "two functions": "def f():\n    return\ndef g():\n    return",
}  # fmt: skip


def test_a_harmless_graph_in_its_place_loads(files):
    loaded = rt.saved.from_bytes(with_text(files, NODE.format("y: f64 = add(n, 1)")))
    assert loaded(np.ones((2, 2)), np.float64(2.0)) == 2.0


@pytest.mark.parametrize("name", TEXTS)
def test_a_hostile_graph_is_refused(files, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    refused(with_text(files, TEXTS[name]))
    assert not os.listdir(tmp_path)


@pytest.mark.parametrize("name", [name for name in TEXTS if not name.startswith("a huge")])
def test_parse_raises_syntax_errors_only(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    try:
        rt.parse(TEXTS[name])
    except SyntaxError:
        pass
    assert not os.listdir(tmp_path)


# Functions of NumPy whose types are found by examples, with sizes that take gigabytes or hours.
EXAMPLES = {
    "numbers": ("", "factorial", "y: int = math_factorial(given=(100000000,), named=())"),
    "a matrix": ("a: f64[8000, 8000]", "inv", "y: f64[8000, 8000] = linalg_inv(a, given=(_0,), named=())"),
    "an example": ("a: f64[9999999]", "sort", "y: f64[9999999] = np_sort(a, given=(_0,), named=())"),
    "a product": ("a: f64[999999]", "convolve", "y: f64[1999997] = convolve(a, a, given=(_0, _1), named=())"),
    "pairs": ("a: f64[9999]", "kron", "y: f64[99980001] = kron(a, a, given=(_0, _1), named=())"),
    "labels": ("", "einsum", "y: f64 = einsum(x, x, x, x, x, x, x, x, x, x, given=("
               "'ab,cd,ef,gh,ij,kl,mn,op,qr,st->', _0, _1, _2, _3, _4, _5, _6, _7, _8, _9), named=())"),
    "a square": ("", "identity", "y: f64[16000, 16000] = identity(given=(16000,), named=())"),
    "repetitions": ("", "diff", "y: f64[None, 2] = diff(x, given=(_0, 200000000, 0), named=())"),
    "powers": ("a: f64[9999]", "vander", "y: f64[9999, 9999] = vander(a, given=(_0,), named=())"),
    "a rim": ("a: f64[2, 2, 2]", "pad", "y: f64[402, 402, 402] = pad(a, given=(_0, 200), named=())"),
    "copies": ("", "tile", "y: i64[99999999] = tile(given=(1, 99999999), named=())"),
    "places": ("", "histogram", "a, b = histogram(x, given=(_0, 99999999), named=())"),
    "a longer transform": ("a: f64[9]", "fft", "y: c128[99999999] = fft_fft(a, given=(_0, 99999999), named=())"),
    "draws": ("s: u64[3]", "normal", "y: f64[99999999] = drawn(s, method='normal', given=(), "
              "named=(('size', (99999999,)),))"),
}  # fmt: skip


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_are_held_to_limits(files, name):
    operand, function, node = EXAMPLES[name]
    inputs = ", ".join(filter(None, ("x: f64[None, 2]", "n: f64", operand)))
    text = f"def f({inputs}):\n    {node}\n    return n"
    with pytest.raises(LoadError, match=rf"calls {function} .*\n(.*\n)?.*example_elements"):
        rt.saved.from_bytes(with_text(files, text))


def test_every_function_with_an_estimate_exists():
    named = [value for name, value in vars(example_costs).items() if name.isupper()]
    names = {one for value in named if isinstance(value, str) for one in value.split()}
    places = (np, np.linalg, np.fft, math, np.add, *example_costs.GENERATORS)
    missing = {one for one in names if not any(hasattr(place, one) for place in places)}
    assert len(names) > 50 and not missing


def test_the_limits_of_examples_can_be_raised(monkeypatch):
    def solved(x):
        return np.linalg.inv(x) @ np.median(x, axis=0)

    x = np.eye(60) * 2.0
    data = rt.saved.as_bytes(rt.function(solved), [(rt.TensorSpec((60, 60)),)])
    for limits in (rt.saved.Limits(example_work=10**5), rt.saved.Limits(example_elements=10**3)):
        monkeypatch.setattr(sampling, "_known", {})  # as in a process that has not traced it
        refused(data, "inv", limits=limits)
    assert np.array_equal(rt.saved.from_bytes(data)(x), solved(x))


def everywhere(change):
    return lambda found: change(found["functions"]["program"]["graphs"][0])


def layout(memory, axes, backwards=()):
    return {"memory": memory, "axes": axes, "backwards": list(backwards)}


CHANGES = {
    "no functions": lambda p: p.update(functions={}),
    "an unknown entry": lambda p: p.update(code="print(1)"),
    "another kind": lambda p: p.update(kind="module"),
    "a path as a name": lambda p: p.update(functions={"../f": p["functions"]["program"]}),
    "a dunder of Python": lambda p: p["functions"]["program"]["parameters"][0].update(name="x=print(1)"),
    "a keyword": lambda p: p["functions"]["program"]["parameters"][0].update(name="lambda"),
    "a parameter twice": lambda p: p["functions"]["program"]["parameters"][1].update(name="x"),
    "an input that is not there": everywhere(lambda g: g["inputs"].append({"argument": 7})),
    "an input below zero": everywhere(lambda g: g["inputs"].__setitem__(0, {"argument": -1})),
    "a state that is not there": everywhere(lambda g: g["inputs"].__setitem__(-1, {"state": 9})),
    "too few inputs": everywhere(lambda g: g["inputs"].pop()),
    "another order": everywhere(lambda g: g["inputs"].reverse()),
    "a result too many": everywhere(lambda g: g.update(result=["tuple", [["output", False]] * 9])),
    "another result": everywhere(lambda g: g.update(result=["output", False])),
    "a class": everywhere(lambda g: g.update(result=["container", "Popen", [], [], None, None])),
    "a nested result": everywhere(lambda g: g.update(result=nested(3_000))),
    "a graph of two signatures": lambda p: p["functions"]["program"]["graphs"].append(
        p["functions"]["program"]["graphs"][0]),
    "a result that is nowhere": everywhere(lambda g: with_part(g, ["same", 7])),
    "an argument that is not there": everywhere(lambda g: with_part(g, ["argument", [["int", "9"]]])),
    "an argument below zero": everywhere(lambda g: with_part(g, ["argument", [["int", "-1"]]])),
    "an attribute of the arguments": everywhere(
        lambda g: with_part(g, ["argument", [["str", "__class__"]]])),
    "a part of an array": everywhere(
        lambda g: with_part(g, ["argument", [["int", "0"], ["int", "0"]]])),
    "no argument": everywhere(lambda g: with_part(g, ["argument", []])),
    "an input that is not written": everywhere(lambda g: with_part(g, ["updated", 0, False])),
    "a class of an object": everywhere(lambda g: g.update(
        result=["container", "SimpleNamespace", [["str", "__class__"]], [g["result"]], None, None])),
    "a key that has no hash": everywhere(lambda g: g.update(
        result=["container", "dict", [["list"]], [g["result"]], None, None])),
    "a tuple in itself": everywhere(lambda g: g.update(
        result=["container", "tuple", [], [g["result"], ["same", 99]], 99, None])),
    "a true number": everywhere(lambda g: g.update(graph=False)),
    "another graph": everywhere(lambda g: g.update(graph=1)),
    "a key that is no type": everywhere(lambda g: g.update(keys=[["type", "os"], ["type", "f64"]])),
    "a huge type": everywhere(lambda g: g.update(keys=[["type", "f64[9" + "9" * 5000 + "]"]] * 2)),
    "written": everywhere(lambda g: g.update(written=[0, 1, 2])),
    "assigned": everywhere(lambda g: g.update(assigned=[0])),
    "a call": everywhere(lambda g: g.update(calls={"os.system": "1"})),
    "another shape": lambda p: p["states"][0].update(shape=[3]),
    "another dtype": lambda p: p["states"][0].update(dtype="i64"),
    "a list of sizes": lambda p: p["states"][0].update(shape="22"),
    "no states": lambda p: p.update(states=[]),
    "another rank in memory": lambda p: p["states"][0].update(layout=layout([2, 2], [0])),
    "other axes in memory": lambda p: p["states"][0].update(layout=layout([2], [1])),
    "an axis too long": lambda p: p["states"][0].update(layout=layout([4], [0])),
    "huge memory": lambda p: p["states"][0].update(layout=layout([2, 1 << 60], [0])),
    "more memory than the file has": lambda p: p["states"][0].update(layout=layout([3], [0])),
    "another axis backwards": lambda p: p["states"][0].update(layout=layout([2], [0], [0, 1])),
    "a layout that is none": lambda p: p["states"][0].update(layout="C"),
    "a layout with texts": lambda p: p["states"][0].update(layout=layout(["2"], [0])),
}  # fmt: skip


def with_part(graph, part):
    graph["result"] = ["container", "list", [], [graph["result"], part], None, None]


def nested(depth):
    found = ["output", False]
    for _ in range(depth):
        found = ["optional", found]
    return found


@pytest.mark.parametrize("name", CHANGES)
def test_a_hostile_manifest_is_refused(files, name):
    try:
        data = with_program(files, CHANGES[name])
    except RecursionError:
        pytest.skip("this Python cannot write it")
    refused(data)


def raw(files, text):
    return as_bytes({**files, MANIFEST: text})


def test_ambiguous_json_is_refused(files):
    refused(raw(files, b"[" * 100_000), "nested")
    refused(raw(files, files[MANIFEST].replace(b'"version": 1', b'"version": 1, "version": 1')))
    refused(raw(files, files[MANIFEST].replace(b'"version": 1', b'"version": NaN')))
    refused(raw(files, files[MANIFEST].replace(b'"version": 1', b'"version": 1.0')))
    refused(raw(files, files[MANIFEST].replace(b'"version": 1', b'"version": true')))
    refused(raw(files, files[MANIFEST].replace(b'"version": 1', b'"version": 2')), "version 2")
    refused(raw(files, b"\xff"))


def header(entries, data=b""):
    text = json.dumps(entries).encode() if isinstance(entries, dict) else entries
    return len(text).to_bytes(8, "little") + text + data


def entry(kind, shape, start, end):
    return {"dtype": kind, "shape": shape, "data_offsets": [start, end]}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff" * 8,
        (2**63).to_bytes(8, "little") + b"{}",
        header({"a": entry("F64", [2**40, 2**40], 0, 8)}, b"12345678"),
        header({"a": entry("F64", [-1], 0, 8)}, b"12345678"),
        header({"a": entry("F64", [True], 0, 8)}, b"12345678"),
        header({"a": entry("F64", [1], 0, 8), "b": entry("F64", [1], 0, 8)}, b"12345678"),
        header({"a": entry("F64", [1], 4, 12)}, b"123456789012"),
        header({"a": entry("F64", [1], 0, 8)}, b"1234567890"),
        header({"a": entry("O", [1], 0, 8)}, b"12345678"),
        header({"a": {"dtype": "F64", "shape": [1], "data_offsets": [0, 8], "file": "x"}}, b"1" * 8),
        header(b'{"a": {}, "a": {}}'),
        header(b"[]"),
    ],
)  # fmt: skip
def test_hostile_weights_are_refused_before_memory_is_allocated(files, data):
    with pytest.raises(ValueError):
        unpacked(data)
    refused(sealed({**files, "weights.safetensors": data}))


def test_weights_keep_every_bit():
    arrays = {
        "a": np.array([[0.1, -0.0], [np.nan, 5e-324]]),
        "b": np.array(3, np.uint8),
        "c": np.zeros((0, 3), np.complex64),
        "d": np.array([1 + 2j]),
        "e": np.array([True]),
        "f": np.arange(6, dtype=np.float16).reshape(2, 3).T,
    }
    found = unpacked(packed(arrays))
    assert found["d"].shape == (1, 2)
    for name, array in arrays.items():
        assert found[name].tobytes() == np.ascontiguousarray(array).tobytes()


def archive(entries, compression=zipfile.ZIP_STORED):
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", compression) as made:
        for name, data in entries:
            made.writestr(name, data)
    return found.getvalue()


def test_hostile_archives_are_refused(files, recwarn):
    entries = list(files.items())
    refused(b"")
    refused(b"PK\x03\x04" + b"\0" * 100)
    refused(archive([*entries, ("../../x.txt", b"")]), "not a name")
    refused(archive([*entries, ("/etc/x.txt", b"")]), "not a name")
    refused(archive([*entries, ("sub/x.txt", b"")]), "not a name")
    refused(archive([*entries, entries[0]]), "one name")
    refused(archive([*entries, ("extra.txt", b"")]), "not those that the manifest lists")
    refused(archive(entries[:-1]), "not those that the manifest lists")
    for compression in (zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        refused(archive(entries, compression), "compressed")
    refused(archive([(name, data + b" ") for name, data in entries]), "not the file")
    refused(b"#!/bin/sh\n" + archive(entries), "before or after")
    refused(archive(entries) + b"\n", "before or after")


def test_texts_that_are_larger_than_a_zip_states_are_refused_before_they_are_made(files):
    texts = {**files, "bomb.txt": b"0" * 10**8}
    most = rt.saved.Limits(text_bytes=10**6)
    bomb = as_bytes(texts)
    assert len(bomb) < 10**6
    told = bomb.replace((10**8).to_bytes(4, "little"), (1000).to_bytes(4, "little"))
    assert told != bomb
    tracemalloc.start()
    refused(bomb, "larger than", limits=most)
    refused(bomb, "larger than", limits=rt.saved.Limits(file_bytes=10**7))
    refused(told, limits=most)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10**7


@pytest.mark.parametrize(
    "line",
    [
        "    a: int = add(" + "(" + "1," * 3_000_000 + "))",
        "    a: int = add(" + "-" * 3_000_000 + "1)",
        "    pass\n" * 3_000_000,
    ],
    ids=["elements", "signs", "lines"],
)  # fmt: skip
def test_texts_of_many_tokens_are_refused_before_they_are_parsed(files, line):
    head, last = files["graph_0.txt"].decode().rsplit("\n    return", 1)
    text = f"{head}\n{line}\n    return{last}"
    data = sealed({**files, "graph_0.txt": text.encode()})
    assert len(data) < 200_000
    tracemalloc.start()
    refused(data, limits=rt.saved.Limits(text_bytes=10**8))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5 * len(text) + 10**6


def test_limits_hold(files):
    data = sealed(files)
    for limits in (
        rt.saved.Limits(file_bytes=100),
        rt.saved.Limits(text_bytes=100),
        rt.saved.Limits(nodes=3),
        rt.saved.Limits(tokens=30),
        rt.saved.Limits(nesting=1),
    ):
        refused(data, limits=limits)


def test_links_and_other_files_are_refused(files, tmp_path):
    folder = tmp_path / "m"
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    assert rt.load(folder)(np.ones((2, 2)), np.float64(1.0))["total"] == 6.0
    (folder / "graph_0.txt").rename(tmp_path / "outside.txt")
    (folder / "graph_0.txt").symlink_to(tmp_path / "outside.txt")
    for path in (folder, tmp_path / "nothing.zip", tmp_path):
        with pytest.raises(LoadError):
            rt.load(path)
    (folder / "graph_0.txt").unlink()
    os.mkfifo(folder / "graph_0.txt")
    with pytest.raises(LoadError):
        rt.load(folder)


# -- mutations -------------------------------------------------------------------------------------

PIECES = [b"(", b")", b"-", b"0", b"9999999999", b"None", b"x", b": f64", b"host('os.system')", b"'",
          b"[", b"]", b"{", b"\x00", b"\xff", b"\n    ", b"=", b",", b"def ", b"True", b"nan", b"_0",
          b"type", b"int", b"Exception", b"array([1.0], f64, (1,))", b"_1", b"...", b"*"]  # fmt: skip


def mutated(data, chance):
    """Some bytes with a few changes."""
    data = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 4))):
        at = chance.randrange(len(data) + 1)
        match chance.randrange(5):
            case 0:
                data[at : at + 1] = bytes([chance.randrange(256)])
            case 1:
                data[at:at] = chance.choice(PIECES)
            case 2:
                del data[at : at + chance.randrange(1, 20)]
            case 3:
                start = chance.randrange(len(data) + 1)
                data[at:at] = data[start : start + chance.randrange(1, 40)]
            case 4:
                data[at : at + chance.randrange(1, 9)] = chance.choice(PIECES)
    return bytes(data)


def mutate(files, seed):
    """One file is changed; most often its checksum is that of the changed file."""
    chance = random.Random(seed)
    name = chance.choice(["graph_0.txt"] * 4 + [MANIFEST] * 3 + ["weights.safetensors"])
    changed = {**files, name: mutated(files[name], chance)}
    try:
        data = sealed(changed) if chance.random() < 0.95 else as_bytes(changed)
    except (ValueError, KeyError, TypeError, RecursionError):
        data = as_bytes(changed)
    return mutated(data, chance) if chance.random() < 0.05 else data


def compiled(loaded):
    """Compiles the graphs of a loaded function, as its first call does."""
    for graph in loaded.graphs:
        assert graph.source


def check(files, seeds):
    start, loaded = time.monotonic(), 0
    for seed in seeds:
        try:
            compiled(rt.saved.from_bytes(mutate(files, seed)))
            loaded += 1
        except LoadError as error:
            assert type(error) is LoadError
        except BaseException as error:
            raise AssertionError(f"seed {seed}: {type(error).__name__}: {error}") from error
        text = mutated(files["graph_0.txt"], random.Random(seed)).decode("utf-8", "replace")
        try:
            rt.parse(text)
        except SyntaxError:
            pass
        except BaseException as error:
            raise AssertionError(f"text of seed {seed}: {type(error).__name__}") from error
    return loaded, time.monotonic() - start


def test_mutated_files_load_or_are_refused(files):
    loaded, _ = check(files, range(300))
    assert 0 < loaded < 300


@pytest.mark.thorough
def test_many_mutated_files_load_or_are_refused(files):
    check(files, range(1_000, 11_000))
