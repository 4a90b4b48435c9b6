"""A function that starts work in another thread hands it no staged value, whatever the way.

Work that reaches none runs as in Python.
"""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import numpy as np
import pytest

import runtime as rt
from tests.support.loading import load

HEAD = """
import json, pickle, threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from multiprocessing.dummy import Pool
from multiprocessing.pool import ThreadPool
import _thread
import asyncio
import numpy as np

shared = [None]

def uses(v):
    return [json.dumps(v), isinstance(v, float), type(v).__name__, round(v), v.tobytes(),
            np.vstack([v]).tolist(), pickle.loads(pickle.dumps(v)), v.is_integer()]

class Task:
    def __init__(self, v):
        self.v = v
        self.found = None

    def run(self):
        self.found = uses(self.v)

    def __call__(self):
        return uses(self.v)

class Worker(threading.Thread):
    def __init__(self, v):
        super().__init__()
        self.v = v

    def run(self):
        self.found = uses(self.v)

def of_shared():
    return uses(shared[0])

def ran(thread):
    thread.start()
    thread.join()

def f(x):
    v = x[0] * 2
    found = []

    def work(*_):
        found.append(uses(v))
        return found[-1]

"""

# Bodies of `f`, each of which returns the list that `uses` has made in another thread.
WAYS = {
    "a thread with a closure": """
    ran(threading.Thread(target=work))
    return found[0]""",
    "a thread with an argument": """
    ran(threading.Thread(target=lambda v: found.append(uses(v)), args=(v,)))
    return found[0]""",
    "a thread with a named argument": """
    ran(threading.Thread(target=lambda v: found.append(uses(v)), kwargs={'v': v}))
    return found[0]""",
    "a thread with a function of a library": """
    ran(threading.Thread(target=found.append, args=(v,)))
    return uses(found[0])""",
    "a thread with a default": """
    ran(threading.Thread(target=lambda v=v: found.append(uses(v))))
    return found[0]""",
    "a thread with a partial": """
    ran(threading.Thread(target=partial(work, v)))
    return found[0]""",
    "a thread with a method": """
    task = Task(v)
    ran(threading.Thread(target=task.run))
    return task.found""",
    "a thread of a subclass": """
    worker = Worker(v)
    ran(worker)
    return worker.found""",
    "a thread with a list": """
    held = {'values': [v]}
    ran(threading.Thread(target=lambda: found.append(uses(held['values'][0]))))
    return found[0]""",
    "a thread with a global variable": """
    shared[0] = v
    ran(threading.Thread(target=lambda: found.append(of_shared())))
    shared[0] = None
    return found[0]""",
    "a timer": """
    ran(threading.Timer(0, work))
    return found[0]""",
    "a timer with an argument": """
    ran(threading.Timer(0, lambda v: found.append(uses(v)), (v,)))
    return found[0]""",
    "_thread": """
    done = threading.Event()
    _thread.start_new_thread(lambda: (work(), done.set()), ())
    done.wait(5)
    return found[0]""",
    "submit": """
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()""",
    "submit with an argument": """
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(uses, v).result()""",
    "submit of an object": """
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(Task(v)).result()""",
    "map": """
    with ThreadPoolExecutor(1) as pool:
        return list(pool.map(work, [0]))[0]""",
    "map with arguments": """
    with ThreadPoolExecutor(1) as pool:
        return list(pool.map(uses, [v]))[0]""",
    "a thread of asyncio": """
    async def main():
        return await asyncio.to_thread(work)
    return asyncio.run(main())""",
    "a thread of asyncio with an argument": """
    async def main():
        return await asyncio.to_thread(uses, v)
    return asyncio.run(main())""",
    "an initializer": """
    with ThreadPoolExecutor(1, initializer=work) as pool:
        pool.submit(int).result()
    return found[0]""",
    "arguments of an initializer": """
    with ThreadPoolExecutor(1, initializer=lambda v: found.append(uses(v)), initargs=(v,)) as pool:
        pool.submit(int).result()
    return found[0]""",
    "a callback": """
    with ThreadPoolExecutor(1) as pool:
        pool.submit(int).add_done_callback(work)
    return found[0]""",
    "a pool of threads": """
    with ThreadPool(1) as pool:
        return pool.map(work, [0])[0]""",
    "a pool's apply": """
    with Pool(1) as pool:
        return pool.apply(work)""",
    "a pool's apply_async": """
    with Pool(1) as pool:
        return pool.apply_async(uses, (v,)).get()""",
    "a pool's imap": """
    with ThreadPool(1) as pool:
        return list(pool.imap(work, [0]))[0]""",
    "a pool's starmap": """
    with ThreadPool(1) as pool:
        return pool.starmap(uses, [(v,)])[0]""",
    "a pool's initializer": """
    with ThreadPool(1, work) as pool:
        pool.apply(int)
    return found[0]""",
    "an event loop": """
    with closing(asyncio.new_event_loop()) as loop:
        return loop.run_until_complete(loop.run_in_executor(None, work))""",
}


@pytest.mark.parametrize("way", WAYS)
def test_work_that_reaches_a_staged_value_is_refused(way):
    source, x = HEAD + WAYS[way], np.array([1.5, 2.5])
    assert load(source, f"<plain {way}>").f(x) == [
        "3.0", True, "float64", 3, b"\0\0\0\0\0\0\x08@", [[3.0]], 3.0, True
    ]  # fmt: skip
    with pytest.raises(rt.StagingError):
        rt.function(load(source, f"<{way}>").f)(x)


@pytest.mark.parametrize("way", WAYS)
def test_work_that_reaches_plain_values_runs(way):
    source = (HEAD + WAYS[way]).replace("v = x[0] * 2", "v = np.float64(3.0)")
    x = np.array([1.5, 2.5])
    expected = load(source, f"<plain {way}>").f(x)
    assert rt.function(load(source, f"<{way}>").f)(x) == expected


def test_a_thread_sees_arrays_of_the_program():
    table = np.arange(3.0)

    def f(x):
        with ThreadPoolExecutor(2) as pool:
            kinds = list(pool.map(lambda i: (isinstance(table, np.ndarray), table[i] * i), [1, 2]))
        return x + kinds[0][1] + kinds[1][1], kinds[0][0]

    assert rt.function(f)(np.float64(1)) == f(np.float64(1)) == (6.0, True)


def test_a_thread_that_is_older_than_the_recording_is_given_no_staged_value():
    todo, given, found = [], threading.Event(), []

    def serve():
        given.wait(60)
        with suppress(rt.StagingError):
            found.append(todo.pop() + 1)

    def f(x):
        todo.append(x * 2)
        given.set()
        server.join()
        return x

    server = threading.Thread(target=serve)
    server.start()
    with pytest.raises(rt.StagingError):
        rt.function(f)(np.float64(1))
    assert not found
