"""Dicts and sets in machine code: keys are found by a hash table, as Python finds them."""

from collections import defaultdict

import numpy as np
import pytest
from allocated import bytes_left_by

pytest.importorskip("llvmlite", reason="the native engine needs the extra `native`")

import runtime as rt  # noqa: E402
from runtime.engines import automatic, native  # noqa: E402
from runtime.engines.loop_replacement import LoopReplacement  # noqa: E402

pytestmark = pytest.mark.skipif(
    native.unusable() is not None, reason=f"no machine code: {native.unusable()}"
)

random = np.random.default_rng(5)
MANY = random.integers(-300, 300, 900)
FEW = random.integers(0, 5, 40)
FLOATS = np.concatenate([random.integers(-9, 9, 60) / 4, [0.0, -0.0, np.inf, -np.inf, 5e-324]])


def counted(xs):
    d = {}
    for x in xs:
        d[x] = d.get(x, 0) + 1
    return list(d), list(d.values()), len(d)


def counted_as_ints(xs):
    d = {}
    for x in xs:
        k = int(x)
        if k in d:
            d[k] += 1
        else:
            d[k] = 1
    return d


def distinct(xs):
    seen = set()
    total = 0
    for x in xs:
        if x not in seen:
            seen.add(x)
            total = total * 3 % 1000003 + int(x) % 7
    return len(seen), total


def pairs(xs):
    table = {}
    for i in range(len(xs)):
        k = int(xs[i]) % 13, i % 3
        table[k] = table.get(k, 0) + i
    return list(table), list(table.values())


def pairs_with_floats(xs):
    table = {}
    for i in range(len(xs)):
        k = xs[i] * 0.5, i % 2 == 0
        table[k] = i
    return list(table), list(table.values())


def deleted(xs):
    d = {}
    found = 0
    for x in xs:
        k = int(x) % 50
        if k in d and k % 7 == 3:
            found = found * 3 % 1009 + d.pop(k)
        d[k] = k + len(d)
    return d, found


def last_ones_removed(xs):
    d = {}
    total = 0
    for x in xs:
        d[int(x)] = total
        if x % 3 == 0:
            k, v = d.popitem()
            total = (total + k + 2 * v) % 1009
    return d, total


def copies(xs):
    d, total = {}, 0
    for x in xs:
        d[int(x) % 40] = 1
        if x % 50 < 9:
            e = d.copy()
            e[int(x)] = 2
            total = (total * 3 + len(e) + int(int(x) // 2 in e)) % 1000003
    return d, total


def keys_become_others(xs):
    d = {}
    for x in xs:
        d[int(x) % 30] = 1
    keys = list(d)
    for i in range(len(keys)):
        keys[i] = keys[-1 - i]
    found = 0
    for x in xs:
        if int(x) in d:
            found += 1
    return keys, found


def one_for_each(xs, n):
    total = 0
    for i in range(n):
        seen = {}
        for x in xs:
            k = (int(x) + i) % 12
            if k not in seen:
                seen[k] = len(seen)
            total = (total * 5 + seen[k]) % 1000003
    return total


def in_a_branch(xs, n):
    d = {0: 1}
    if n > 5:
        for x in xs:
            d[int(x)] = d.get(int(x) - 1, 0) + 1
    return d, 3 in d, n in d


def defaults(xs):
    d = defaultdict(int)
    for x in xs:
        d[x % 21] += int(x)
    return dict(d)


def memo(n):
    memo = {1: 0}
    best = 0
    for start in range(2, n):
        a, steps = start, 0
        while a not in memo:
            a = a // 2 if a % 2 == 0 else 3 * a + 1
            steps += 1
        memo[start] = steps + memo[a]
        best = max(best, memo[start])
    return best, len(memo)


PROGRAMS = [
    *(pytest.param(counted, (xs,), id=f"counted-{name}") for name, xs in {
        "i64": MANY, "few": FEW, "i32": MANY.astype("i4"), "u8": FEW.astype("u1"),
        "u64": (MANY % 90).astype("u8") * 3, "f64": FLOATS, "f32": FLOATS.astype("f4"),
        "bool": FEW > 2, "none": MANY[:0], "huge": np.array([2**63 - 1, -(2**63), 0] * 5),
    }.items()),
    *(pytest.param(fn, (MANY,), id=fn.__name__) for fn in (
        counted_as_ints, distinct, pairs, pairs_with_floats, deleted, last_ones_removed, copies,
        keys_become_others, defaults,
    )),
    pytest.param(distinct, (FLOATS[:60],), id="distinct-floats"),
    pytest.param(one_for_each, (MANY[:30], np.int64(20)), id="one_for_each"),
    pytest.param(in_a_branch, (MANY, np.int64(6)), id="in_a_branch"),
    pytest.param(in_a_branch, (MANY, np.int64(3)), id="in_no_branch"),
    pytest.param(memo, (np.int64(400),), id="memo"),
]  # fmt: skip


@pytest.mark.parametrize("program, arguments", PROGRAMS)
def test_results_are_pythons(program, arguments):
    compiled = rt.function(program, engine="native")
    for _ in range(3):  # pieces, then the machine code of the whole call
        assert repr(compiled(*arguments)) == repr(program(*arguments))


@pytest.mark.parametrize(
    "program", [counted, counted_as_ints, distinct, pairs, deleted, one_for_each, copies]
)
def test_loops_are_machine_code(program):
    arguments = (MANY, np.int64(3))[: program.__code__.co_argcount]
    compiled = rt.function(program, engine="native")
    compiled(*arguments)
    assert "key_place" not in compiled.native().partition("not native:")[2]


@pytest.mark.parametrize("seed", range(4))
def test_random_operations(seed):
    def program(codes, keys):
        d, total = {}, 0
        for i in range(len(codes)):
            k = int(keys[i])
            if codes[i] == 0:
                d[k] = i
            elif codes[i] == 1:
                total = (total * 7 + d.get(k, -1)) % 1000003
            elif codes[i] == 2:
                d.pop(k, 0)
            elif k in d:
                total = (total * 7 + len(d)) % 1000003
        return d, total

    draw = np.random.default_rng(seed)
    compiled = rt.function(program, engine="native")
    for most in (4, 30, 3000):
        codes, keys = draw.integers(0, 4, 1500), draw.integers(0, most, 1500)
        assert repr(compiled(codes, keys)) == repr(program(codes, keys))


def test_a_nan_is_a_key_as_in_python():
    """Python finds it by its identity, so it goes on where the machine code has met one."""
    xs = np.array([1.0, np.nan, 2.0, np.nan, 1.0] * 9)
    for engine in ("native", "numpy"):
        compiled = rt.function(counted, engine=engine)
        assert repr(compiled(xs)) == repr(counted(xs))
        assert repr(compiled(np.arange(45.0) % 7)) == repr(counted(np.arange(45.0) % 7))


def test_a_missing_key_raises_with_its_line():
    def read(xs):
        d = {}
        for x in xs:
            d[int(x)] = 1
            if x > 3:
                d[int(x)] = d[int(x) + 100]
        return d

    messages = []
    for engine in ("native", "numpy"):
        compiled = rt.function(read, engine=engine)
        assert compiled(FEW % 3) == read(FEW % 3)
        with pytest.raises(KeyError) as caught:
            compiled(FEW)
        lines = [entry.lineno for entry in caught.traceback if str(entry.path) == __file__]
        messages.append((str(caught.value), lines))
    assert messages[0] == messages[1]


def test_tables_are_freed():
    compiled = rt.function(one_for_each, engine="native")
    arguments = np.arange(2000), np.int64(3)
    for _ in range(4):
        compiled(*arguments)

    def call():
        for _ in range(50):
            compiled(*arguments)

    assert bytes_left_by(call) < 4000


@pytest.mark.parametrize("program", [counted, deleted, pairs, copies, distinct])
def test_a_loop_that_fills_a_dict_is_replaced(program, monkeypatch):
    monkeypatch.setattr(automatic, "SECONDS", 1e-9)
    monkeypatch.setattr(automatic, "SECONDS_OF_NODE", 0.0)
    found, look = [], LoopReplacement.look

    def counting(self, *operands):
        left, ends = look(self, *operands)
        found.append(ends is not None)
        return left, ends

    monkeypatch.setattr(LoopReplacement, "look", counting)
    assert repr(rt.function(program, engine="auto")(MANY)) == repr(program(MANY))
    assert any(found)


def test_a_dict_is_searched_after_the_loop_that_was_replaced(monkeypatch):
    monkeypatch.setattr(automatic, "SECONDS", 1e-9)
    monkeypatch.setattr(automatic, "SECONDS_OF_NODE", 0.0)
    compiled = rt.function(keys_become_others, engine="auto")
    for _ in range(3):
        assert repr(compiled(MANY)) == repr(keys_become_others(MANY))
