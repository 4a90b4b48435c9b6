"""Writers of summaries, and the functions that write to the current one.

    scalar("loss", loss, step)      in a graph: host_call(loss, step, function=...)
      -> Writer of the run          the innermost `with writer:` when the run reaches it
      -> events.scalar(...)         a record of the event file

The writer is found by each run, not by the recording: one graph serves any number of writers.
"""

import itertools
import operator
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Any

from runtime.errors import EffectError, staging_error
from runtime.errors.packages import needed_by
from runtime.function.decorator import concrete_of
from runtime.observability.profiles import Profile
from runtime.staging.calls.host_calls import effect_call
from runtime.tracing import trace

_current: ContextVar["Writer | None"] = ContextVar("writer of summaries", default=None)


class Writer:
    """Writes summaries into a folder, which is one run in TensorBoard.

    `logdir`: the folder; it is made if it does not exist.  A writer that is used as a context is
    the current one inside, which `rt.summary.scalar` and its kin write to, and is closed at the
    end; `as_default()` leaves it open.  Every summary is in the file when the call returns.
    Threads may share a writer; each thread has its own current one.

    Needs the package tensorboard (extra `tensorboard`): `ImportError` without it.  Code that is
    recorded may write to a writer, but neither make, enter nor close one: `StagingError`.
    """

    def __init__(self, logdir: str | os.PathLike[str]):
        _refuse_in_graph("made")
        with needed_by("rt.summary", "tensorboard"):
            from runtime.summary import events

        self.logdir = os.fspath(logdir)
        self._events = events
        self._file = events.EventFile(self.logdir)
        self._steps: dict[str, Iterator[int]] = {}
        self._kinds: dict[str, str] = {}
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"<rt.summary.Writer of {self.logdir!r}{', closed' * self._file.closed}>"

    def scalar(self, name: str, value: Any, step: Any = None) -> None:
        """Writes a number; see `rt.summary.scalar`."""
        effect_call(_scalar, self, name, value, step)

    def histogram(self, name: str, values: Any, step: Any = None) -> None:
        """Writes the distribution of the elements of an array; see `rt.summary.histogram`."""
        effect_call(_histogram, self, name, values, step)

    def image(self, name: str, pixels: Any, step: Any = None) -> None:
        """Writes pictures; see `rt.summary.image`."""
        effect_call(_image, self, name, pixels, step)

    def text(self, name: str, value: Any, step: Any = None) -> None:
        """Writes a string, which TensorBoard shows as Markdown; see `rt.summary.text`."""
        effect_call(_text, self, name, value, step)

    def graph(self, target: Any, *args: Any, profile: Profile | None = None) -> None:
        """Writes the graph of a function; see `rt.summary.graph`."""
        _refuse_in_graph("given a graph")
        concrete = concrete_of(target, args)
        name = f"graph of {concrete.name}"
        summary = self._events.graph_summary(name, concrete.compiled.graph, profile)
        self._add("graph", name, summary, 0)

    def flush(self) -> None:
        """Hands everything to the disk, also if the machine stops afterwards."""
        with self._lock:
            self._file.sync()

    def close(self) -> None:
        """Closes the file.  A closed writer raises `ValueError` when it is written to."""
        _refuse_in_graph("closed")
        with self._lock:
            self._file.close()

    def as_default(self) -> AbstractContextManager["Writer"]:
        """Makes this the current writer inside of a `with`; it stays open."""
        _refuse_in_graph("entered")
        return self._as_current()

    @contextmanager
    def _as_current(self) -> Iterator["Writer"]:
        token = _current.set(self)
        try:
            yield self
        finally:
            _current.reset(token)

    def __enter__(self) -> "Writer":
        self._block = self.as_default()
        return self._block.__enter__()

    def __exit__(self, *exception: Any) -> None:
        self._block.__exit__(*exception)
        self.close()

    def _write(self, kind: str, name: str, value: Any, step: Any) -> None:
        self._add(kind, name, self._events.SUMMARIES[kind](name, value), step)

    def _add(self, kind: str, name: str, summary: Any, step: Any) -> None:
        with self._lock:
            other = self._kinds.setdefault(name, kind)
            if other != kind:
                raise ValueError(
                    f"{name!r} is the name of two kinds of summaries in {self.logdir!r}: {other} "
                    f"and {kind}\n"
                    "TensorBoard shows one of them: give them two names."
                )
            if step is None:
                step = next(self._steps.setdefault(name, itertools.count()))
            self._file.add(summary, operator.index(step))


def _writing(kind: str) -> Callable[..., None]:
    """The function that runs call; messages name it as users do: rt.summary.scalar."""

    def write(writer: Writer | None, name: str, value: Any, step: Any) -> None:
        writer = writer or _current.get()
        if writer is not None:
            writer._write(kind, name, value, step)

    write.__module__, write.__qualname__ = "rt.summary", kind
    return write


_scalar, _histogram, _image, _text = map(_writing, ("scalar", "histogram", "image", "text"))


def _refuse_in_graph(act: str) -> None:
    """Raises `StagingError` while a graph is recorded, where an act would happen once, not in
    each run."""
    recorder = trace.current()
    if recorder is not None and not recorder.is_eager:
        raise staging_error(
            f"a writer of summaries is {act} while the graph is being built",
            "Each run of the graph would write to it, but none of them opens or closes it.",
            "Do this around the call of the function.  Inside of it rt.summary.scalar(...) writes "
            "to the current writer of the run.",
            EffectError,
        )


def scalar(name: str, value: Any, step: Any = None) -> None:
    """Writes a number to the current writer; without one it does nothing.

    `name`: the title of the chart; parts before a `/` group charts.  `value`: a bool, an integer
    or a float; TensorBoard keeps it as f32.  `step`: the place on the x axis, an integer; without
    it the summaries of one name are counted from 0.

    Inside a graph each run writes when it reaches the call, also in branches and loops.  A gradient
    writes once, in the forward computation.  `vmap` writes once for each element, if this is its
    only effect outside of loops, and raises `BatchError` otherwise.

    Raises `ValueError` if the value is an array with dimensions, or complex, and if the writer has
    a summary of another kind with this name.
    """
    effect_call(_scalar, None, name, value, step)


def histogram(name: str, values: Any, step: Any = None) -> None:
    """Writes the distribution of the elements of an array of any shape, in 30 bins.

    Arguments and graphs: as `rt.summary.scalar`.  Raises `ValueError` for NaN or infinite elements,
    which belong to no bin, and for complex ones.
    """
    effect_call(_histogram, None, name, values, step)


def image(name: str, pixels: Any, step: Any = None) -> None:
    """Writes pictures: `[h, w]`, `[h, w, c]`, or k of them `[k, h, w, c]`, with 1 to 4 channels.

    1 channel is grey, 2 are grey and opacity, 3 RGB, 4 RGB and opacity.  Floats are clipped to
    0.0 ... 1.0, and NaN is black; `u8` is 0 ... 255; bools are black and white.  Arguments and
    graphs: as `rt.summary.scalar`.  Raises `ValueError` for other shapes and dtypes.
    """
    effect_call(_image, None, name, pixels, step)


def text(name: str, value: Any, step: Any = None) -> None:
    """Writes a string, which TensorBoard shows as Markdown.

    Arguments and graphs: as `rt.summary.scalar`.  Raises `ValueError` for another value.
    """
    effect_call(_text, None, name, value, step)


def graph(
    logdir: str | os.PathLike[str], target: Any, *args: Any, profile: Profile | None = None
) -> None:
    """Writes the optimised graph of a function into a folder, for TensorBoard's page Graphs.

    `target`: a function, an `rt.function`, a method that is one, or one of its graphs.  `args`: the
    arguments of a call, arrays or `TensorSpec`s; none for a graph, or a function with an
    `input_signature`.  `profile`: the runs of a `with rt.profile()`, whose times TensorBoard shows
    as colours (Graph type: Profile; Color: Compute time).

    Branches, bodies of loops and name scopes are boxes that open.  A node has its shapes, its text
    and the user's line as attributes.  The tag is `graph of NAME`.

    Raises `ValueError` if the profile has no run of this graph.
    """
    with Writer(logdir) as writer:
        writer.graph(target, *args, profile=profile)
