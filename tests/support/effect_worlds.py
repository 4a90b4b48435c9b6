"""Runs programs with effects, and shows the outside world before and after them.

world = World(folder)                   the program in a new module, and what it can change
world.call(function, x, n)              the result, or the exception
world.seen()                            files, environment, output, log, warnings, queues...
"""

import contextlib
import io
import logging
import os
import random
import shutil
import sys
from pathlib import Path

import numpy as np
from warning_records import recorded_warnings

from tests.support.installed import installed_module
from tests.support.loading import load

LIBRARY = """
level = 0
count = 0
hooks = []
told = []


def notify(text):
    told.append(repr(text))


def count_up():
    global count
    count += 1


def call(function, *args):
    function(*args)


def answer(x):
    told.append("asked")
    return 41.0


class Device:
    def __init__(self):
        self.level = 0
        self.ports = {}
        self._gain = 1.0
        self.events = []

    @property
    def gain(self):
        return self._gain

    @gain.setter
    def gain(self, value):
        self.events.append("gain")
        self._gain = value

    def write(self, value):
        self.events.append(value)
        return len(self.events)

    def send(self, value):
        self.events.append((type(value).__name__, float(value)))

    def write_through(self, value):
        told.append(value)

    def __setitem__(self, key, value):
        self.ports[key] = value

    def __getitem__(self, key):
        return self.ports[key]

    def __delitem__(self, key):
        del self.ports[key]

    def __enter__(self):
        self.events.append("enter")
        return self

    def __exit__(self, kind, error, traceback):
        self.events.append("exit" if kind is None else f"exit {kind.__name__}")
"""


def foreign_library():
    """A new module that counts as an installed package."""
    return installed_module("foreign_library", LIBRARY)


class Records(logging.Handler):
    """Keeps what records show: level, text, and the user's line."""

    def __init__(self):
        super().__init__()
        self.records = []

    def emit(self, record):
        self.records.append(
            (record.levelname, record.getMessage(), record.pathname, record.lineno, record.funcName)
        )


class World:
    """A program in a module of its own, and everything outside that it can change."""

    def __init__(self, folder: Path, text: str, name: str):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (folder / "a.txt").write_text("content")
        self.folder, self.name = folder, name
        self.clear_environment()
        os.environ["EFX_GONE"] = "here"
        self.recursion_limit = sys.getrecursionlimit()
        np.random.seed(1)
        random.seed(1)
        self.library = foreign_library()
        self.module = load(text, name, d=str(folder))
        self.log = logging.getLogger("effects")
        self.handler = Records()
        self.log.handlers[:] = [self.handler]
        self.log.setLevel(logging.DEBUG)
        self.log.propagate = False
        self.out, self.err, self.warnings = io.StringIO(), io.StringIO(), []

    @staticmethod
    def clear_environment():
        """Removes the variables of the programs."""
        for key in [key for key in os.environ if key.startswith("EFX_")]:
            del os.environ[key]

    def call(self, function, *args):
        """The result of a call, or its exception; output and warnings are kept."""
        with contextlib.redirect_stdout(self.out), contextlib.redirect_stderr(self.err):
            with recorded_warnings() as caught:
                try:
                    found = ("returns", float(function(*args)))
                except (Exception, SystemExit) as error:
                    found = ("raises", type(error), str(error), error)
                    error.__traceback__ = None
        self.warnings += [(str(w.message), w.category, w.filename, w.lineno) for w in caught]
        return found

    def seen(self):
        """Everything that the program can have changed."""
        module, library = self.module, self.library
        files = {
            str(path.relative_to(self.folder)): path.read_bytes() if path.is_file() else None
            for path in sorted(self.folder.rglob("*"))
        }
        device = module.device
        limit = sys.getrecursionlimit()
        return {
            "files": files,
            "environment": {k: v for k, v in os.environ.items() if k.startswith("EFX_")},
            "recursion limit": 0 if limit == self.recursion_limit else limit,
            "out": self.out.getvalue(),
            "err": self.err.getvalue(),
            "log": list(self.handler.records),
            "stream": module.stream.getvalue(),
            "queue": shown(list(module.q.queue)),
            "stack": shown(list(module.stack)),
            "seen": shown(module.seen),
            "table": shown(module.table),
            "shared": shown(dict(module.shared)),
            "numbers": list(module.numbers),
            "raw": bytes(module.raw),
            "event": module.event.is_set(),
            "lock": module.lock.locked(),
            "library": shown([library.level, library.count, library.hooks, library.told]),
            "device": shown([device.level, device.ports, device.gain, device.events]),
            "mock": str(module.mock.mock_calls) + str(vars(module.mock).get("attribute")),
            "rows": module.connection.execute("select a, b from t").fetchall(),
            "settings": shown([module.settings.level]),
            "counting": shown([module.counting.calls, module.counting.names]),
        }

    def close(self):
        """Restores what the program may have changed in this process."""
        self.clear_environment()
        sys.setrecursionlimit(self.recursion_limit)
        self.module.connection.close()
        del sys.modules["foreign_library"]
        shutil.rmtree(self.folder, ignore_errors=True)


def shown(value):
    """A value with the types of its numbers: `np.float64(1.0)` and `1.0` differ."""
    if isinstance(value, list | tuple):
        return [type(value).__name__, *map(shown, value)]
    if isinstance(value, dict):
        return {key: shown(item) for key, item in value.items()}
    return repr(value)
