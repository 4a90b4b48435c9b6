"""Which results share memory with one another and with arguments, after writes through views."""

import copy

import numpy as np
import pytest

import runtime as rt

VIEWS = {
    "row": "x[1]",
    "rows": "x[1:]",
    "column": "x[:, 0]",
    "reversed": "x[::-1]",
    "flat": "x.reshape(-1)",
    "transposed": "x.T",
    "view of a view": "x[1:][0][::-1]",
    "swapped": "np.swapaxes(x, 0, 1)[0]",
    "new axis": "x[None]",
    "diagonal": "x.reshape(-1)[::3]",
}
WRITES = {
    "nothing": "pass",
    "in place": "v *= 2",
    "all": "v[...] = v + 1",
    "one": "v[0] = 5",
    "out": "np.add(v, 1, out=v)",
    "copied": "np.copyto(v, 7)",
    "through the array": "x *= 3",
    "both": "v += 1; x[0] = 9; v -= 2",
    "in a branch": "v.sort() if False else None\n    if s > 0: v *= 2",
    "in a loop": "for i in range(n): v += i",
}
RESULTS = ["v", "v, x", "[v, v[0:1]]", "{'v': v, 'w': x[1]}"]
OWNERS = {"an argument": "x = given", "own": "x = given * 1"}


def program(owner, view, write, result):
    source = (
        f"def f(given, s, n):\n    {OWNERS[owner]}\n    v = {VIEWS[view]}\n"
        f"    {WRITES[write]}\n    return {result}\n"
    )
    return source


def parts(value):
    if isinstance(value, dict):
        value = list(value.values())
    return list(value) if isinstance(value, (list, tuple)) else [value]


def shared(arrays):
    return [[np.shares_memory(one, other) for other in arrays] for one in arrays]


@pytest.mark.parametrize("engine", ["native", "numpy"])
@pytest.mark.parametrize("owner", OWNERS)
@pytest.mark.parametrize("view", VIEWS)
def test_results_share_the_memory_that_they_share_in_numpy(view, owner, engine, tmp_path):
    for write in WRITES:
        for result in RESULTS:
            source = program(owner, view, write, result)
            path = tmp_path / f"{abs(hash((write, result)))}.py"
            path.write_text(source)
            scope = {"np": np}
            exec(compile(source, str(path), "exec"), scope)
            fn = scope["f"]
            traced = rt.function(fn, engine=engine)
            for s in (1.0, -1.0):
                given = np.arange(6.0).reshape(2, 3)
                own, other = copy.deepcopy(given), copy.deepcopy(given)
                expected = parts(fn(own, np.float64(s), np.int64(2)))
                for _ in range(2):
                    other = copy.deepcopy(given)
                    found = parts(traced(other, np.float64(s), np.int64(2)))
                    assert all(map(np.array_equal, found, expected)), source
                    assert np.array_equal(own, other), source
                    assert shared([*found, other]) == shared([*expected, own]), source
