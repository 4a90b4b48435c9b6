"""Runs a program of `random_programs` and records everything that can be observed.

module = load(source, "<program>")
assert run(module, autograph.to_graph(module.f), "function", 1) == run(module, module.f, ...)
"""

import contextlib
import gc
import io
import re
import types


def run(module: types.ModuleType, fn, kind: str, x: int):
    """Calls `fn` with `x`: its result or error, and every effect of the call."""
    module.COUNT = module.FUEL = 0
    log, box, printed = [], module.Box(), io.StringIO()
    gc.disable()  # the collector frees objects at unpredictable moments
    with contextlib.redirect_stdout(printed):
        try:
            result = ("value", _drive(fn(x, log, box), kind))
        except BaseException as error:
            if isinstance(error, (KeyboardInterrupt, MemoryError)):
                raise
            result = ("error", type(error).__name__, _text(error), _chain(error))
            del error
        finally:
            gc.enable()
            gc.collect(0)  # nothing has grown older since it was disabled
    log = [_plain(entry) for entry in log]
    printed = re.sub(r"0x[0-9a-f]+", "0x", printed.getvalue())
    return _plain(result), log, printed, module.COUNT, _plain(box.a), _plain(box.d), _plain(box.l)


def _drive(result, kind):
    if kind == "generator":
        values = []
        try:
            sent = None
            while len(values) < 20:
                values.append(result.send(sent))
                sent = len(values)
        except StopIteration as stop:
            return values, stop.value
        result.close()
        return values
    if kind == "async":
        try:
            result.send(None)
        except StopIteration as stop:
            return stop.value
        raise AssertionError("a coroutine waits for nothing")
    return result


def _text(error):
    return re.sub(r"0x[0-9a-f]+", "0x", str(error))


def _chain(error):
    return (
        type(error.__cause__).__name__,
        type(error.__context__).__name__,
        error.__suppress_context__,
    )


def _plain(value):
    """A value that can be compared: functions and objects by their type."""
    if isinstance(value, (list, tuple)):
        return type(value)(map(_plain, value))
    if isinstance(value, dict):
        return [(_plain(k), _plain(v)) for k, v in value.items()]
    if isinstance(value, (int, float, str, bool, type(None))):
        return value
    return type(value).__name__
