"""Statements with effects, and the places of a function in which they may be.

Each statement uses `x` (a staged number), `k` (an int: the iteration, or 0) and the names of
`PRELUDE`: the folder `d`, a queue, a log, a stream, a connection, objects of classes of other
packages.  `TEMPLATES` puts it into a branch, a loop, a method...
"""

PRELUDE = """
import array
import collections
import contextlib
import csv
import decimal
import fileinput
import functools
import heapq
import io
import itertools
import json
import logging
import os
import pathlib
import pickle
import queue
import random
import shutil
import sqlite3
import string
import subprocess
import sys
import tempfile
import threading
import time
import types
import unittest.mock
import warnings
from collections import Counter, OrderedDict, defaultdict, deque
from pathlib import Path

import numpy as np

import foreign_library as lib

q = queue.Queue()
log = logging.getLogger("effects")
stream = io.StringIO()
rows = csv.writer(stream)
connection = sqlite3.connect(":memory:", isolation_level=None)
connection.execute("create table t (a, b)")
mock = unittest.mock.Mock()
event = threading.Event()
lock = threading.Lock()
stack = deque()
seen = []
table = {}
shared = OrderedDict()
numbers = array.array("d")
raw = bytearray(b"abc")
device = lib.Device()
settings = types.SimpleNamespace(level=0)
context = decimal.Context()


class Counting:
    def __init__(self):
        self.calls = 0
        self.names = []

    def hit(self, name):
        self.calls += 1
        self.names.append(name)


counting = Counting()
"""

STATEMENTS = {
    # files and folders
    "remove": "os.remove(d + '/a.txt')",
    "unlink": "Path(d, 'a.txt').unlink()",
    "unlink_missing": "Path(d, f'a{k}.txt').unlink(missing_ok=True)",
    "mkdir": "os.makedirs(d + f'/sub{k}')",
    "path_mkdir": "(Path(d) / f'sub{k}').mkdir()",
    "write_text": "Path(d, f'b{k}.txt').write_text(f'{x:.2f}')",
    "write_bytes": "Path(d, 'b.bin').write_bytes(b'a' * (k + 1))",
    "touch": "Path(d, f'touched{k}').touch()",
    "rename": "os.rename(d + '/a.txt', d + '/c.txt')",
    "copy": "shutil.copy(d + '/a.txt', d + f'/copy{k}.txt')",
    "with_open": "with open(d + f'/o{k}.txt', 'w') as f:\n    f.write(f'{x:.3f}\\n')\n    f.write('end')",
    "with_append": "with open(d + '/a.txt', 'a') as f:\n    f.write(f'{x:.1f},')",
    "with_path_open": "with Path(d, 'p.txt').open('a') as f:\n    print('line', k, x, file=f)",
    "open_close": "f = open(d + '/oc.txt', 'a')\nf.write('one')\nf.close()",
    "writelines": "with open(d + '/a.txt', 'a') as f:\n    f.writelines(['a', str(k), 'b'])",
    "json_dump": "with open(d + '/a.json', 'w') as f:\n    json.dump({'k': k, 'x': float(x)}, f)",
    "pickle_dump": "with open(d + '/a.pkl', 'wb') as f:\n    pickle.dump([k, float(x)], f)",
    "np_save": "np.save(d + f'/array{k}.npy', np.array([x, 2.0]))",
    "np_savetxt": "np.savetxt(d + '/array.txt', np.array([x, k]))",
    "tofile": "np.arange(3).tofile(d + '/array.bin')",
    "read_and_write": "text = Path(d, 'a.txt').read_text()\nPath(d, 'r.txt').write_text(text * 2)",
    "if_exists": "if os.path.exists(d + '/a.txt'):\n    os.remove(d + '/a.txt')\nelse:\n    Path(d, 'none').touch()",
    "if_path_exists": "p = Path(d, f'f{k}')\nif not p.exists():\n    p.touch()",
    "listdir": "with open(d + '/list.txt', 'w') as f:\n    f.write(str(sorted(os.listdir(d))))",
    "nested_with": "with open(d + '/n1', 'a') as f, open(d + '/n2', 'a') as g:\n    f.write('1')\n    g.write('2')",
    # processes, environment, interpreter
    "subprocess": "subprocess.run(['touch', d + f'/touch{k}'], check=True)",
    "check_call": "subprocess.check_call(['touch', d + '/check'])",
    "os_system": "os.system(f'touch {d}/system')",
    "environ_set": "os.environ['EFX_A'] = 'on'",
    "environ_set_staged": "os.environ['EFX_A'] = f'{x:.1f}'",
    "environ_key": "os.environ[f'EFX_{k}'] = 'on'",
    "environ_del": "del os.environ['EFX_GONE']",
    "environ_pop": "os.environ.pop('EFX_GONE', None)",
    "environ_update": "os.environ.update(EFX_B='b')",
    "environ_setdefault": "os.environ.setdefault('EFX_C', 'c')",
    "putenv_read_back": "os.environ['EFX_A'] = 'new'\nq.put(os.environ.get('EFX_A'))",
    "setrecursionlimit": "sys.setrecursionlimit(5000 + k)",
    "module_attribute": "lib.level = k + 1",
    "module_list": "lib.hooks.append(k)",
    "np_seed": "np.random.seed(3)\nq.put(int(np.random.randint(100)))",
    "random_seed": "random.seed(3)\nq.put(random.random())",
    # output
    "print": "print('value', x, k)",
    "print_file": "print('value', f'{x:.2f}', file=stream)",
    "print_stderr": "print('to stderr', k, file=sys.stderr)",
    "print_sep": "print(1, 2, k, sep='-', end='!\\n', flush=True)",
    "stdout_write": "sys.stdout.write(f'written {x:.1f}\\n')",
    "stderr_write": "sys.stderr.write('problem\\n')",
    "stream_write": "stream.write('text')",
    "csv": "rows.writerow([k, 'b', f'{x:.1f}'])",
    "redirect": "with contextlib.redirect_stdout(stream):\n    print('hidden', k)",
    # logging and warnings
    "log_info": "log.info('plain')",
    "log_staged": "log.warning('x is %s and k %d', x, k)",
    "log_text": "log.error(f'x is {x:.3f}')",
    "log_extra": "log.error('with extra', extra={'k': k})",
    "log_stacklevel": "log.error('level', stacklevel=1)",
    "logging_module": "logging.getLogger('effects').error('from module %s', x)",
    "log_child": "log.getChild('child').error('child')",
    "log_log": "log.log(logging.ERROR, 'level %s', k)",
    "warn": "warnings.warn('careful')",
    "warn_staged": "warnings.warn(f'x is {x:.2f}', RuntimeWarning)",
    "warn_stacklevel": "warnings.warn('level', UserWarning, stacklevel=1)",
    # queues, threads, collections
    "queue_put": "q.put('job')",
    "queue_put_staged": "q.put(float(x))",
    "queue_put_scalar": "q.put(x)",
    "queue_put_list": "q.put([k, x * 2, ('a', {'b': x})])",
    "queue_get": "q.put('first')\nq.put(q.get() + '!')",
    "queue_empty": "if q.empty():\n    q.put('was empty')",
    "queue_size": "q.put(q.qsize())",
    "event": "event.set()",
    "event_wait": "event.set()\nif event.is_set():\n    q.put('set')",
    "thread": "t = threading.Thread(target=seen.append, args=(k,))\nt.start()\nt.join()",
    "lock": "with lock:\n    q.put('locked')",
    "lock_acquire": "lock.acquire()\nq.put(lock.locked())\nlock.release()",
    "new_queue": "own = queue.Queue()\nown.put(k)\nq.put(own.get())",
    "new_stream": "own = io.StringIO()\nown.write('abc')\nq.put(own.getvalue())",
    "deque_append": "stack.append(k)",
    "list_append": "seen.append(k)",
    "dict_set": "table['key'] = k",
    "dict_set_staged": "table['key'] = x",
    "ordered": "shared['key'] = 1\nshared.move_to_end('key')",
    "array_append": "numbers.append(1.5)",
    "bytearray": "raw.extend(b'z')",
    "bytearray_item": "raw[0] = 65",
    "heap": "heapq.heappush(seen, k)",
    "sleep": "time.sleep(0)\nq.put('slept')",
    # objects of other packages
    "device_write": "device.write(k)",
    "device_send": "device.send(x)",
    "device_attribute": "device.level = k + 1",
    "device_property": "device.gain = 2.0",
    "device_item": "device['port'] = k",
    "device_del": "device['gone'] = 1\ndel device['gone']",
    "device_augmented": "device.level += 1",
    "device_item_augmented": "device['port'] = 1\ndevice['port'] += 1",
    "device_with": "with device:\n    device.write('inside')",
    "device_staged_attribute": "device.level = x",
    "library_function": "lib.notify('text')",
    "library_staged": "lib.notify(x)",
    "library_global": "lib.count_up()",
    "library_class": "lib.Device().write_through(k)",
    "library_callback": "lib.call(seen.append, k)",
    "mock_call": "mock(k)",
    "mock_method": "mock.method(k, name='n')",
    "mock_attribute": "mock.attribute = k",
    "partial": "functools.partial(q.put, 'partial')()",
    "sqlite": "connection.execute('insert into t values (?, ?)', (k, float(x)))",
    "sqlite_cursor": "c = connection.cursor()\nc.execute('insert into t values (1, 2)')\nc.close()",
    "setattr": "setattr(device, 'level', k + 2)",
    "namespace": "settings.level = k + 1",
    "users_object": "counting.hit('a')",
    # order, and control flow
    "ordered_effects": "print('a')\nq.put('b')\nprint('c', x)\nstream.write('d')\nlog.error('e')",
    "comprehension": "[q.put(i) for i in range(3)]",
    "generator": "list(q.put(i) for i in range(2))",
    "map": "list(map(q.put, [1, 2]))",
    "for_each": "for name in ('a', 'b'):\n    Path(d, name).touch()",
    "boolean": "k == 0 and q.put('zero')",
    "ternary": "q.put('even') if k % 2 == 0 else q.put('odd')",
    "inner_staged": "if x > 1:\n    q.put('large')\nelse:\n    q.put('small')",
    "match": "match k:\n    case 0:\n        q.put('zero')\n    case _:\n        q.put('more')",
    "try_finally": "try:\n    q.put('body')\nfinally:\n    q.put('finally')",
    "try_except": "try:\n    os.remove(d + '/missing')\nexcept FileNotFoundError:\n    q.put('missing')",
    "suppress": "with contextlib.suppress(FileNotFoundError):\n    os.remove(d + '/missing')\nq.put('after')",
    "raises": "q.put('before')\nraise ValueError(f'k is {k}')",
    "fails": "q.put('before')\nos.remove(d + '/missing')",
    "with_raises": "with open(d + '/w.txt', 'w') as f:\n    f.write('some')\n    raise ValueError('inside')",
    "with_fails": "with open(d + '/w.txt', 'w') as f:\n    f.write('some')\n    f.write(np.arange(3)[k + 3])",
    "exit": "sys.exit('stop')",
    "exit_code": "exit(3)",
    "raise_exit": "raise SystemExit(2)",
    "assert": "q.put('before')\nassert x < 0, 'positive'",
    "host_value_text": "q.put(f'<{os.getcwd() == os.getcwd()}>')",
    "host_value_number": "q.put(len(os.listdir(d)) + 1)",
    "tempfile": "with tempfile.TemporaryDirectory() as own:\n    q.put(os.path.isdir(own))",
    "iterator": "it = iter([1, 2])\nq.put(next(it))",
    "return_value": "m = stream.write('abc')\nq.put(m)",
}

TEMPLATES = {
    "branch": """
def f(x, n):
    k = 0
    if x > 0:
{0}
    return x * 2.0
""",
    "else_branch": """
def f(x, n):
    k = 0
    if x <= 0:
        x = x + 0.0
    else:
{0}
    return x * 2.0
""",
    "loop": """
def f(x, n):
    total = x
    for k in range(n):
        total = total + 1.0
{0}
    return total
""",
    "while": """
def f(x, n):
    k = 0
    while k < n:
{0}
        k += 1
    return x * 2.0
""",
    "nested": """
def f(x, n):
    total = x
    for k in range(n):
        if x > 0:
{1}
        total = total + 1.0
    return total
""",
    "method": """
class Model:
    def act(self, x, k):
{0}

    def step(self, x, n):
        if x > 0:
            self.act(x, 0)
        return x * 2.0


def f(x, n, model=Model()):
    return model.step(x, n)
""",
    "lambda": """
def act(x, k):
{2}


def f(x, n):
    k = 0
    g = lambda y: act(y, k)
    x > 0 and g(x)
    return x * 2.0
""",
    "recursive": """
def act(x, k, n):
    if k < n:
{0}
        act(x, k + 1, n)


def f(x, n):
    act(x, 0, n)
    return x * 2.0
""",
}


def program(statement: str, template: str) -> str:
    """The text of a module with a function f(x, n)."""
    body = STATEMENTS[statement].splitlines()

    def indented(depth):
        return "\n".join("    " * depth + line for line in body)

    return PRELUDE + TEMPLATES[template].format(indented(2), indented(3), indented(1))
