"""Objects that a traced function makes, alone and inside of each other: each call makes its own.

The results, and what the objects of the outside hold, are those of plain Python, call after call.
"""

import collections
import csv
import functools
import gc
import io
import logging
import queue
import sqlite3
import threading
import weakref

import numpy as np
import pytest

import runtime as rt

# Since Python 3.13, a database that a recording has made, and given up, warns.
pytestmark = pytest.mark.filterwarnings("ignore:unclosed database")


class Holder:
    def __init__(self):
        self.items, self.table, self.ends = [], {}, collections.deque()


HELD = Holder()


def a_logger(x):
    text = io.StringIO()
    log, handler = logging.Logger("a"), logging.StreamHandler(text)
    handler.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
    log.addHandler(handler)
    for i in range(3):
        if x > i:
            log.info("n %d", i)
        log.error("always")
    return text.getvalue()


def a_weak_reference(x):
    jobs = queue.Queue()
    found = weakref.ref(jobs)
    if x > 1:
        found().put(1)
    return jobs.qsize()


def a_text_around_bytes(x):
    raw = io.BytesIO()
    text = io.TextIOWrapper(raw, encoding="utf8")
    text.write("a")
    if x > 1:
        text.write("b")
    text.flush()
    return raw.getvalue()


def a_table_in_a_text(x):
    text = io.StringIO()
    rows = csv.writer(text)
    for i in range(3):
        rows.writerow([i])
        if x > i:
            rows.writerow(["big", float(x)])
    return text.getvalue()


def a_partial(x):
    text = io.StringIO()
    tell = functools.partial(print, file=text)
    tell("a")
    if x > 1:
        tell("b")
    return text.getvalue()


def a_chain_of_dicts(x):
    table = collections.ChainMap({}, {"a": 1})
    if x > 1:
        table["a"] = 5
    return table["a"]


def priorities(x):
    jobs = queue.PriorityQueue()
    jobs.put((2.0, "b"))
    if x > 1:
        jobs.put((float(x), "z"))
    return jobs.get()[0] + x, jobs.qsize()


def a_database_in_memory(x):
    db = sqlite3.connect(":memory:")
    db.execute("create table t(a)")
    db.execute("insert into t values (1)")
    if x > 1:
        db.execute("insert into t values (2)")
    found = db.execute("select count(*) from t").fetchone()[0]
    db.close()
    return found


def a_lock_after_an_exception(x):
    lock = threading.Lock()
    with lock:
        if x > 1:
            raise ValueError("big")
    return lock.locked()


def in_an_attribute(x):
    class Box:
        def __init__(self):
            self._jobs = queue.Queue()

        @property
        def jobs(self):
            return self._jobs

    box = Box()
    box.jobs.put(1)
    if x > 1:
        box.jobs.put(2)
    return box.jobs.qsize()


def in_a_list(x):
    texts = []
    for i in range(3):
        text = io.StringIO()
        text.write(str(i))
        texts.append(text)
    if x > 1:
        texts[1].write("!")
    return [text.getvalue() for text in texts]


def in_a_comprehension(x):
    jobs = queue.Queue()
    [jobs.put(i) for i in range(3) if x > i]
    return jobs.qsize()


def in_a_generator(x):
    def sizes():
        jobs = queue.Queue()
        for i in range(3):
            if x > i:
                jobs.put(i)
            yield jobs.qsize()

    return list(sizes())


def added_to_lists_of_the_outside(x):
    jobs = queue.Queue()
    HELD.items.append(jobs)
    if x > 1:
        jobs.put(1)
    HELD.items.extend([jobs.qsize(), 5])
    HELD.items.insert(0, jobs.qsize())
    HELD.ends.append(jobs.qsize())
    HELD.ends.appendleft(7)
    return len(HELD.items), HELD.items[0], HELD.items[-1], len(HELD.ends), HELD.ends[0]


def added_to_a_dict_of_the_outside(x):
    jobs = queue.Queue()
    if x > 1:
        jobs.put(1)
    HELD.table.update(a=jobs)
    HELD.table["b"] = jobs.qsize()
    HELD.table.setdefault("c", jobs.qsize())
    return len(HELD.table), HELD.table["b"], HELD.table["a"].qsize()


def added_to_containers_of_the_function(x):
    jobs = queue.Queue()
    if x > 1:
        jobs.put(1)
    items, table, ends, sizes = [], {}, collections.deque(), set()
    items.append(jobs.qsize())
    items.extend((1, jobs.qsize()))
    items.insert(0, 9)
    table.update(a=jobs.qsize())
    table["b"] = 2
    ends.append(jobs.qsize())
    ends.appendleft(4)
    sizes.add(jobs.qsize())
    sizes.add(1)
    return items, table, list(ends), sorted(sizes), len(sizes)


def names(x):
    text = io.StringIO()
    if x > 1:
        text.write("b")
    return type(text).__name__, type(text).__module__, text.__class__.__name__, text.__doc__[:4]


PROGRAMS = [
    a_logger,
    a_weak_reference,
    a_text_around_bytes,
    a_table_in_a_text,
    a_partial,
    a_chain_of_dicts,
    priorities,
    a_database_in_memory,
    a_lock_after_an_exception,
    in_an_attribute,
    in_a_list,
    in_a_comprehension,
    in_a_generator,
    added_to_lists_of_the_outside,
    added_to_a_dict_of_the_outside,
    added_to_containers_of_the_function,
    names,
]
CALLS = [2.5, 0.5, 1.0, 2.5, 2, 0]


def outcomes(function):
    HELD.__init__()
    found = []
    for x in CALLS:
        try:
            result = function(np.int64(x) if type(x) is int else np.float64(x))
        except ValueError as error:
            result = str(error)
        sizes = [one if type(one) is int else one.qsize() for one in HELD.items]
        table = {key: type(one) for key, one in HELD.table.items()}
        found.append((result, type(result), sizes, table, list(HELD.ends)))
    return found


@pytest.mark.filterwarnings("ignore::runtime.RetracingWarning")
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda function: function.__name__)
def test_each_call_has_objects_of_its_own(function):
    assert outcomes(rt.function(function)) == outcomes(function)


def test_a_database_that_the_recording_has_changed_is_not_changed_again(tmp_path):
    path = str(tmp_path / "a.db")

    @rt.function
    def f(x):
        db = sqlite3.connect(path)
        db.execute("create table t(a)")
        if x > 1:
            db.execute("insert into t values (2)")
        return x

    with pytest.raises(rt.errors.EffectError, match="a Connection that was made while the graph"):
        f(np.float64(2))
    del f
    gc.collect()


def test_a_logger_of_the_outside_gets_no_second_handler():
    log = logging.Logger("outside")

    @rt.function
    def f(x):
        text = io.StringIO()
        handler = logging.StreamHandler(text)
        log.addHandler(handler)
        if x > 1:
            log.warning("big")
        log.removeHandler(handler)
        return text.getvalue()

    with pytest.raises(
        rt.errors.EffectError, match="a StreamHandler that was made while the graph"
    ):
        f(np.float64(2))


def test_a_set_of_the_outside_takes_no_object_of_a_run():
    known = set()

    @rt.function
    def f(x):
        jobs = queue.Queue()
        if x > 1:
            jobs.put(1)
        known.add(jobs.qsize())
        return len(known)

    with pytest.raises(rt.StagingError, match=r"set.add is given the staged value"):
        f(np.float64(2))
    assert known == set()


def test_the_dict_of_an_object_of_a_run_is_that_of_the_object():
    def f(x):
        text = io.StringIO("ab\ncd")
        if x > 1:
            text.readline()
        return text.__dict__, text.read()

    staged = rt.function(f)
    for x in (0.5, 2.0, 0.5):
        assert staged(np.float64(x)) == f(x)
