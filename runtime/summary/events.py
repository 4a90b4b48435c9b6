"""Event files, and summaries as TensorBoard reads them.

    length, checksum, Event(step=3, summary=Summary(value=[tag, tensor, plugin])), checksum

This module, and those that it imports, need the package tensorboard, whose own protos, record
format and encodings of values they use; pictures are encoded by Pillow, which comes with it.
"""

import io
import itertools
import os
import socket
import time
from threading import RLock
from typing import Any, ClassVar
from weakref import WeakValueDictionary

import numpy as np
from PIL import Image
from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.summary_pb2 import Summary, SummaryMetadata
from tensorboard.plugins.graph.metadata import PLUGIN_NAME_RUN_METADATA
from tensorboard.plugins.histogram.summary_v2 import histogram_pb
from tensorboard.plugins.image.metadata import create_summary_metadata
from tensorboard.plugins.scalar.summary_v2 import scalar_pb
from tensorboard.plugins.text.summary_v2 import text_pb
from tensorboard.summary.writer.record_writer import RecordWriter
from tensorboard.util.tensor_util import make_tensor_proto

from runtime.ir.graph import Graph
from runtime.observability.profiles import Profile
from runtime.summary.graph_proto import GraphProto
from runtime.summary.times import run_metadata

FORMAT = "brain.Event:2"  # the first record of every event file says so
CHANNELS = {1: "L", 2: "LA", 3: "RGB", 4: "RGBA"}  # and Pillow's names of them

_numbers = itertools.count()


class EventFile:
    """A part in the event file of a folder; every record is in it when `add` returns.

    All parts that are open in a process share one file.  TensorBoard reads the files of a folder
    one after the other, and never goes back to one after which it has found another.
    """

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._file: _SharedFile | None = _SharedFile.of(folder)

    @property
    def closed(self) -> bool:
        """Whether nothing can be added any more."""
        return self._file is None

    def add(self, summary: Summary, step: int) -> None:
        """Writes a summary.  Raises `ValueError` if the file is closed."""
        if self._file is None:
            raise ValueError(f"the writer of {self._folder!r} is closed")
        self._file.add(Event(step=step, summary=summary))

    def sync(self) -> None:
        """Hands everything to the disk."""
        if self._file is not None:
            self._file.sync()

    def close(self) -> None:
        """Closes this part, and the file with the last one; closing it again does nothing."""
        if self._file is not None:
            self._file.leave()
            self._file = None


class _SharedFile:
    """A new event file, for all parts of a folder."""

    known: ClassVar[WeakValueDictionary[tuple[str, int], "_SharedFile"]] = WeakValueDictionary()
    lock: ClassVar[RLock] = RLock()

    def __init__(self, folder: str) -> None:
        stem = f"events.out.tfevents.{int(time.time()):010d}.{socket.gethostname()}"
        self._path = os.path.join(folder, f"{stem}.{os.getpid()}.{next(_numbers)}")
        self._file = open(self._path, "xb", buffering=0)  # noqa: SIM115  (`leave` closes it)
        self._records = RecordWriter(self._file)
        self._parts = 0
        self.add(Event(file_version=FORMAT))

    @classmethod
    def of(cls, folder: str) -> "_SharedFile":
        """The file that is open in this process for a folder, which is made if there is none."""
        os.makedirs(folder, exist_ok=True)
        key = os.path.realpath(folder), os.getpid()  # a forked process needs a file of its own
        with cls.lock:
            found = cls.known.get(key)
            if found is None or found._file.closed or not os.path.exists(found._path):
                found = cls.known[key] = cls(folder)
            found._parts += 1
            return found

    def add(self, event: Event) -> None:
        """Writes a record."""
        with self.lock:
            event.wall_time = time.time()
            self._records.write(event.SerializeToString())

    def sync(self) -> None:
        """Hands everything to the disk."""
        os.fsync(self._file.fileno())

    def leave(self) -> None:
        """Closes the file if no other part is open."""
        with self.lock:
            self._parts -= 1
            if not self._parts:
                self._file.close()


# -- values ----------------------------------------------------------------------------------------


def _scalar(name: str, value: Any) -> Summary:
    number = np.asarray(value)
    if number.shape != () or number.dtype.kind not in "biuf":
        raise _refused("scalar", name, "a real number", number)
    return scalar_pb(name, number)


def _histogram(name: str, values: Any) -> Summary:
    numbers = np.asarray(values)
    if numbers.dtype.kind not in "biuf":
        raise _refused("histogram", name, "real numbers", numbers)
    wrong = numbers.size - int(np.count_nonzero(np.isfinite(numbers)))
    if wrong:
        raise ValueError(
            f"the histogram {name!r} has {wrong} of {numbers.size} elements that are NaN or "
            "infinite, which belong to no bin\nWrite the others: x[np.isfinite(x)]."
        )
    return histogram_pb(name, numbers)


def _image(name: str, pixels: Any) -> Summary:
    pixels = np.asarray(pixels)
    if pixels.ndim == 2:
        pixels = pixels[..., None]
    if pixels.ndim == 3:
        pixels = pixels[None]
    if pixels.ndim != 4 or pixels.shape[-1] not in CHANNELS or 0 in pixels.shape[1:]:
        raise _refused("image", name, "[h, w], [h, w, c] or [k, h, w, c] with 1 to 4 c", pixels)
    pictures = [_png(picture) for picture in _bytes_of(name, pixels)]
    height, width = pixels.shape[1:3]
    sizes = [str(size).encode() for size in (width, height)]
    found = Summary()
    metadata = create_summary_metadata(display_name=None, description=None)
    tensor = make_tensor_proto([*sizes, *pictures], dtype=np.object_)
    found.value.add(tag=name, metadata=metadata, tensor=tensor)
    return found


def _bytes_of(name: str, pixels: np.ndarray) -> np.ndarray:
    """The pixels as bytes: of floats from 0 to 1, of bools, or as they are."""
    match pixels.dtype.kind:
        case "f":
            clipped = np.clip(np.nan_to_num(pixels, nan=0.0), 0.0, 1.0)
            return np.round(clipped * 255).astype(np.uint8)
        case "b":
            return pixels.astype(np.uint8) * np.uint8(255)
    if pixels.dtype == np.uint8:
        return pixels
    raise _refused("image", name, "floats, bools or u8", pixels)


def _png(pixels: np.ndarray) -> bytes:
    channels = pixels.shape[-1]
    shown = pixels[..., 0] if channels == 1 else pixels
    file = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(shown), CHANNELS[channels]).save(file, "png")
    return file.getvalue()


def _text(name: str, value: Any) -> Summary:
    if not isinstance(value, str):
        raise ValueError(f"the text {name!r} is a string, not {type(value).__name__}")
    return text_pb(name, value)


def _refused(kind: str, name: str, wanted: str, found: np.ndarray) -> ValueError:
    shown = f"{found.dtype}{list(found.shape)}"
    return ValueError(f"the {kind} {name!r} takes {wanted}, not {shown}")


SUMMARIES = {"scalar": _scalar, "histogram": _histogram, "image": _image, "text": _text}


# -- graphs ----------------------------------------------------------------------------------------


def graph_summary(name: str, graph: Graph, profile: Profile | None) -> Summary:
    """A graph, and the times of its nodes in the runs of a profile."""
    proto = GraphProto(graph)
    metadata = run_metadata(proto, name, profile)
    metadata.function_graphs.add(pre_optimization_graph=proto.definition)
    found = Summary()
    plugin = SummaryMetadata.PluginData(plugin_name=PLUGIN_NAME_RUN_METADATA, content=b"1")
    tensor = make_tensor_proto(metadata.SerializeToString(), dtype=np.object_)
    found.value.add(tag=name, metadata=SummaryMetadata(plugin_data=plugin), tensor=tensor)
    return found
