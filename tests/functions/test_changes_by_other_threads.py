"""What another thread changes while a graph is recorded is no effect of the function.

The thread changes the data at the moment in which the recording looks for changes.
"""

import queue
import threading

import numpy as np
import pytest
from loading import load

import runtime as rt
from autograph.staging import heap_diff
from autograph.staging.heap_diff import HeapSnapshot

TEXT = """
class Holder:
    def __init__(self):
        self.count, self.rate = 0, 3.0

held = Holder()
log, counts, nested, known, jobs = [], {"a": 0}, {"deep": {"list": [1, 2]}}, 2.0, [1.0]

def reads_names(x):
    return x * known + len(log) + counts["a"] * 0

def reads_in_a_branch(x):
    if x > 0:
        x = x * known + len(nested["deep"]["list"]) * 0 + len(log) * 0 + held.count * 0
    return x

def reads_in_a_loop(x):
    for i in range(int(x)):
        x = x + held.rate + 0 * len(log) + 0 * counts["a"]
    return x

def looks_up(x):
    return x * globals()["known"]

def looks_up_in_a_branch(x):
    if x > 0:
        x = x * globals().get("known") if "known" in globals() else x
    return x

def looks_up_in_a_loop(x):
    for i in range(int(x)):
        x = x * globals()["known"]
    return x

def calls_a_helper(x):
    if x > 0:
        x = helper(x)
    return x

def helper(x):
    return x + len(log) * 0 + np.sum([1.0, 2.0])

def looks_up_and_stores(x):
    globals()["known"] = x
    return globals()["known"] * 2
"""
NAMES = [line[4 : line.index("(")] for line in TEXT.splitlines() if line.startswith("def ")]
NAMES.remove("helper")


def changes(module):
    module.log.append(1)
    module.counts["a"] += 1
    module.counts["new"] = 1
    module.nested["deep"]["list"].append(3)
    module.held.count += 1
    module.held.other = "x"
    module.jobs_of_others.put(1)


def state(module):
    held = {name: one for name, one in vars(module.held).items() if name != "rate"}
    return (
        *(list(module.log), dict(module.counts), str(module.nested), held),
        module.jobs_of_others.qsize(),
    )


@pytest.fixture
def thread(monkeypatch):
    """A thread that changes a module once, when the recording first compares the heap."""
    wanted, done, ends = threading.Event(), threading.Event(), threading.Event()
    modules = []

    def work():
        wanted.wait(60)
        if not ends.is_set():
            changes(modules[0])
        done.set()

    compared = HeapSnapshot.compared

    def watched(self):
        if modules and not wanted.is_set():
            wanted.set()
            assert done.wait(60)
        return compared(self)

    monkeypatch.setattr(HeapSnapshot, "compared", watched)
    one = threading.Thread(target=work)
    one.start()
    yield modules, wanted
    ends.set()
    wanted.set()
    one.join(60)


@pytest.mark.parametrize("name", NAMES)
def test_a_change_of_another_thread_is_not_the_functions(name, thread):
    modules, wanted = thread
    own = load(TEXT, "changed_meanwhile", np=np, jobs_of_others=queue.Queue())
    other = load(TEXT, "changed_in_python", np=np, jobs_of_others=queue.Queue())
    staged, plain = rt.function(getattr(own, name)), getattr(other, name)
    modules.append(own)
    staged(np.float64(2.0))
    assert wanted.is_set()
    changes(other)
    plain(np.float64(2.0))
    assert state(own) == state(other)  # neither put back, nor made twice
    for x in (3.0, -1.0, 2.0):
        assert staged(np.float64(x)) == plain(np.float64(x))
        assert state(own) == state(other)
    own.log.clear()
    other.log.clear()
    assert staged(np.float64(2.0)) == plain(np.float64(2.0))
    assert state(own) == state(other)  # no run repeats the other thread's change


WRITES = {
    "an item": "counts['a'] = x",
    "in place": "log[:] = [x]",
    "a method": "nested['deep']['list'].append(1)",
    "an attribute": "held.count = held.count + 1",
    "by name": "setattr(held, 'count', 5)",
    "its dictionary": "held.__dict__['count'] = 5",
    "a builtin": "vars(held).update(count=5)",
    "a library": "heapq.heappush(nested['deep']['list'], 0)",
    "a global": "globals()['known'] = 5.0",
    "an operator": "operator.setitem(counts, 'a', 5)",
}


@pytest.mark.parametrize("name", WRITES)
def test_a_change_of_the_function_is_its_own(name, monkeypatch):
    monkeypatch.setattr(heap_diff, "has_other_threads", lambda: True)
    text = f"{TEXT}\nimport heapq, operator\ndef writes(x):\n    {WRITES[name]}\n    return x\n"
    module = load(text, "changed_by_itself", np=np)
    snapshot = HeapSnapshot(roots=(module.writes,))
    module.writes(2.0)
    assert snapshot.changes()
    snapshot.restore()
    assert not snapshot.changes()
