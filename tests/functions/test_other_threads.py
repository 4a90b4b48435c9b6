"""What other threads see of arrays, containers and objects while a graph is recorded.

They see plain arrays: no wrong value, no error.  What they assign meanwhile stays assigned.
"""

import collections
import contextlib
import copy
import operator
import pickle
import threading

import numpy as np
import pytest

import autograph
import runtime as rt
from runtime.tracing.stand_ins import StandIn

W = np.arange(6.0).reshape(2, 3)
SCALE = np.float64(2.5)
FLAGS = np.array([True, False])
PAIR = (np.ones(2), {"deep": [np.full(3, 7)]})
Point = collections.namedtuple("Point", "x y")
POINT = Point(np.ones(2), 3)


class Holder:
    table = np.arange(4)

    def __init__(self):
        self.w = np.ones(3)
        self.items = [np.zeros(2), 1]


HOLDER = Holder()


def reads_everything(x):
    total = x + W.sum() + SCALE + FLAGS.sum() + PAIR[0].sum() + PAIR[1]["deep"][0].sum()
    return total + HOLDER.w.sum() + HOLDER.items[0].sum() + Holder.table.sum() + POINT.x.sum()


def while_recording(function, *args):
    """Runs the code that a `with` block holds while another thread records a graph."""
    return Recording(function, args)


class Recording:
    """A thread that records a graph of a function, and waits at its start."""

    def __init__(self, function, args):
        self.started, self.go_on = threading.Event(), threading.Event()

        def waits(*args):
            self.wait()
            return function(*args)

        self.found = []
        self.traced = rt.function(waits)
        self.thread = threading.Thread(target=lambda: self.found.append(self.traced(*args)))

    def wait(self):
        self.started.set()
        self.go_on.wait(60)

    def __enter__(self):
        self.thread.start()
        assert self.started.wait(60)
        return self

    def __exit__(self, *_):
        self.go_on.set()
        self.thread.join(60)
        assert not self.thread.is_alive()


class Deaf:
    """An object that leaves operators to the other operand."""

    def __radd__(self, other):
        return type(other).__name__


# Each is compared with the same code on the array itself.
USES = [
    lambda w: w + 1,
    lambda w: 1 - w,
    lambda w: w @ w.T,
    lambda w: w == w,
    lambda w: w < 3,
    lambda w: -w,
    lambda w: abs(w),
    lambda w: w**2,
    lambda w: [1, 2, 3] + w,
    lambda w: divmod(w, 2),
    lambda w: w[0],
    lambda w: w[1:, ::2],
    lambda w: w[w > 2],
    lambda w: len(w),
    lambda w: list(map(float, w[0])),
    lambda w: [row.sum() for row in w],
    lambda w: 3.0 in w,
    lambda w: str(w),
    lambda w: repr(w),
    lambda w: f"{w[0, 1]:.2f} {w}",
    lambda w: w.shape,
    lambda w: (w.dtype, w.ndim, w.size, w.nbytes, w.strides, w.itemsize),
    lambda w: w.T,
    lambda w: w.sum(axis=0),
    lambda w: w.mean(),
    lambda w: w.tolist(),
    lambda w: w.astype(int),
    lambda w: w.reshape(-1),
    lambda w: w.flags.writeable,
    lambda w: w.tobytes(),
    lambda w: np.sum(w),
    lambda w: np.exp(w),
    lambda w: np.add.reduce(w),
    lambda w: np.add.outer(w, w),
    lambda w: np.concatenate([w, w]),
    lambda w: np.where(w > 2, w, 0),
    lambda w: np.einsum("ij->j", w),
    lambda w: np.asarray(w),
    lambda w: np.array(w, dtype=np.float32),
    lambda w: np.linalg.norm(w),
    lambda w: np.array([w, w]),
    lambda w: np.shares_memory(w, w),
    lambda w: np.isscalar(w),
    lambda w: np.ones(3) + w,
    lambda w: np.float64(2) * w,
    lambda w: np.add(np.ones(3), w, out=np.empty((2, 3))),
    lambda w: np.testing.assert_allclose(w, np.array(w)),
    lambda w: isinstance(w, np.ndarray),
    lambda w: isinstance(w, (list, np.ndarray)),
    lambda w: callable(w),
    lambda w: hasattr(w, "nothing"),
    lambda w: pickle.loads(pickle.dumps(w)),
    lambda w: copy.copy(w),
    lambda w: copy.deepcopy([w]),
    lambda w: operator.getitem(w, (0, 1)),
    lambda w: sorted(w.ravel(), reverse=True),
    lambda w: max(w[0]),
    lambda w: bytes(w.astype(np.uint8)),
    lambda w: rt.Variable(w).value,
    lambda w: rt.Variable(np.zeros((2, 3))).assign(w).value,
    lambda w: rt.eager(rt.function(lambda x: x * 2))(w),
    lambda w: autograph.to_graph(_loops)(w),
    lambda w: w + Deaf(),
    lambda w: bool(w),
    lambda w: int(w),
    lambda w: w[7],
    lambda w: w.nothing,
    lambda w: hash(w),
    lambda w: w @ np.ones(7),
]


def _loops(w):
    total = 0
    for row in w:
        for x in row:
            if x > 2 and not x == 4:
                total += x
    return total if w is not None else None


def outcome(use, value):
    try:
        found = use(value)
    except Exception as error:
        return type(error), str(error)
    return found


def same(one, other):
    if isinstance(one, (list, tuple)):
        return type(one) is type(other) and all(map(same, one, other))
    if isinstance(one, np.ndarray):
        return type(one) is type(other) and one.dtype == other.dtype and np.array_equal(one, other)
    return type(one) is type(other) and one == other


def test_uses_of_an_array_in_another_thread_are_those_of_the_array():
    array = W
    with while_recording(reads_everything, np.float64(1)):
        assert type(W) is StandIn
        wrong = [
            (i, outcome(use, array), found)
            for i, use in enumerate(USES)
            if not same(outcome(use, array), found := outcome(use, W))
        ]
    assert not wrong
    assert type(W) is np.ndarray


def test_other_places_hold_arrays_too():
    with while_recording(reads_everything, np.float64(1)):
        assert isinstance(HOLDER.w, np.ndarray)
        assert HOLDER.w.tolist() == [1, 1, 1]
        assert (HOLDER.items[0] + 1).tolist() == [1, 1]
        assert Holder.table.tolist() == [0, 1, 2, 3]
        assert PAIR[1]["deep"][0].sum() == 21
        assert POINT.x.sum() == 2
        assert [bool(flag) for flag in FLAGS] == [True, False]
        assert isinstance(SCALE, float)
        assert SCALE * 2 == 5.0
        assert f"{SCALE:.1f} {SCALE}" == "2.5 2.5"
        assert {SCALE: 1} if False else True


def test_writes_of_another_thread_reach_the_array():
    array, before = W, W.copy()
    try:
        with while_recording(reads_everything, np.float64(1)):
            W[0, 0] = 50
            W[1] += 1
            np.add(W, 1, out=W)
            W.sort()
            np.copyto(W[:, :1], 0)
        wanted = before.copy()
        wanted[0, 0] = 50
        wanted[1] += 1
        wanted = np.sort(wanted + 1)
        wanted[:, :1] = 0
        assert W is array
        assert W.tolist() == wanted.tolist()
    finally:
        array[...] = before


def test_a_reference_that_another_thread_keeps_is_the_array():
    kept = []
    with while_recording(reads_everything, np.float64(1)) as recording:
        kept.append(W)
        alone = W
    assert isinstance(alone, np.ndarray)
    assert (alone + 1).tolist() == (W + 1).tolist()
    double = rt.function(lambda x: x * 2)
    assert double(alone).tolist() == (W * 2).tolist()
    reads = rt.function(lambda x: x + kept[0].sum())
    assert reads(np.float64(1)) == 16
    W[0, 0] += 4
    try:
        assert reads(np.float64(1)) == 20
        assert recording.traced(np.float64(1)) == recording.found[0] + 4
    finally:
        W[0, 0] -= 4


@pytest.mark.parametrize("place", ["global", "attribute", "item"])
def test_what_another_thread_assigns_stays_assigned(place):
    global W
    before, new = W, np.full((2, 3), 10.0)
    holder, items = Holder(), {"w": W}
    holder.w = W

    def reads(x):
        if place == "global":
            return x + W.sum()
        return x + (holder.w if place == "attribute" else items["w"]).sum()

    try:
        with while_recording(reads, np.float64(0)) as recording:
            if place == "global":
                W = new
            elif place == "attribute":
                holder.w = new
            else:
                items["w"] = new
        assert {"global": W, "attribute": holder.w, "item": items["w"]}[place] is new
        assert recording.found == [60.0]
        new[0, 0] = 0
        assert recording.traced(np.float64(0)) == 50.0
    finally:
        W = before


def test_calls_in_another_thread_wait_for_the_array():
    halved = rt.function(lambda x: x + W.sum() / 2)
    found = []
    with while_recording(reads_everything, np.float64(1)) as recording:
        waiting = threading.Thread(target=lambda: found.append(halved(np.float64(0))))
        waiting.start()
        recording.go_on.set()
        waiting.join(60)
    assert found == [7.5]


def test_a_value_that_the_function_assigns_is_awaited():
    holder, found = Holder(), []
    assigned, go_on = threading.Event(), threading.Event()

    @rt.function
    def step(x):
        holder.w = holder.w * x
        assigned.set()
        go_on.wait(60)
        return holder.w.sum()

    def read():
        w = holder.w
        found.append((w + 1).tolist())
        w = holder.w
        found.append(w.sum())

    recording = threading.Thread(target=step, args=(np.float64(5),))
    recording.start()
    assert assigned.wait(60)
    reading = threading.Thread(target=read)
    reading.start()
    go_on.set()
    recording.join(60)
    reading.join(60)
    # The thread sees the value from before the step, or the one after it.
    assert found in ([[2.0] * 3, 3.0], [[2.0] * 3, 15.0], [[6.0] * 3, 15.0])
    assert holder.w.tolist() == [5.0] * 3


def test_threads_that_read_and_write_during_many_recordings():
    table = np.zeros(4)
    state = {"table": table, "log": [], "counts": {}}
    done, errors = threading.Event(), []

    def work(x, n):
        return x * n + state["table"].sum() + len(W)

    def hammer(k):
        i = 0
        while not done.is_set():
            i += 1
            seen = state["table"]
            try:
                assert isinstance(seen, np.ndarray)
                assert seen.shape == (4,)
                assert seen.tolist() == [0.0] * 4
                assert (seen + k).sum() == 4 * k
                assert float(W[0, 1]) == 1.0
                state["counts"][k, i % 50] = i
            except BaseException as error:
                errors.append(error)
                return

    threads = [threading.Thread(target=hammer, args=(k,)) for k in range(3)]
    for thread in threads:
        thread.start()
    try:
        for n in range(25):
            traced = rt.function(work)
            assert traced(np.float64(2), n) == 2 * n + 2
    finally:
        done.set()
        for thread in threads:
            thread.join()
    assert not errors
    assert state["table"] is table


def test_a_staged_value_is_no_key_in_another_thread():
    """Its hash would be that of the object that stands for it, which no value has."""
    found = []

    @rt.function
    def f(x):
        def note():
            with contextlib.suppress(rt.StagingError):
                found.append(len({x, 1.0}))

        thread = threading.Thread(target=note)
        thread.start()
        thread.join()
        return x

    with pytest.raises(rt.StagingError, match="another thread"):
        f(np.float64(1.0))
    assert found == []
