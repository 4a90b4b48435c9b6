"""Machine code on disk: a later process runs it without compiling it, and without llvmlite.

    DIRECTORY/<sha256 of the key>      sha256 of key and object | object

The key is the whole text of a piece, the processor with its features, the passes and the versions
of LLVM, Python and NumPy.  The text holds everything that the machine code depends on: a program
that has changed has another text.  It has no addresses: these are put in when an object is loaded.

The content of the directory is executed, so it must be the user's own, with no access for others
(mode 0700); it and its files are opened without following links.  A file whose owner, rights,
length or hash is wrong is ignored, and replaced.  Files are written under another name and renamed,
so other processes see whole files only.
"""

import hashlib
import os
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np

LARGEST = 64 << 20  # bytes of all files; the least recently used ones are removed
TOUCHED = 24 * 3600  # seconds after which a use is noted
STALE = 3600  # seconds after which an unfinished file is removed
CHECKED = 64  # stores between two looks at the size

_stores = 0


def entry(key: bytes) -> str:
    """The name of the file for a key."""
    return hashlib.sha256(key).hexdigest()


def found(directory: str, key: bytes) -> bytes | None:
    """The object for a key, if the directory has it."""
    with suppress(OSError), _opened(directory, creates=False) as place:
        if place is None:
            return None
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC
        handle = os.open(entry(key), flags, dir_fd=place)
        with open(handle, "rb") as file:
            about = os.fstat(handle)
            if not _is_own(about) or not stat.S_ISREG(about.st_mode):
                return None
            content = file.read()
        hashed, image = content[:32], content[32:]
        if hashed != _hash(key, image):
            return None
        if time.time() - about.st_mtime > TOUCHED:
            os.utime(entry(key), dir_fd=place, follow_symlinks=False)
        return image
    return None


def store(directory: str, key: bytes, image: bytes) -> None:
    """Writes an object; does nothing where that is impossible."""
    global _stores
    with suppress(OSError), _opened(directory, creates=True) as place:
        if place is None:
            return
        unfinished = f".{os.getpid()}-{time.monotonic_ns()}"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            with open(os.open(unfinished, flags, 0o600, dir_fd=place), "wb") as file:
                file.write(_hash(key, image) + image)
            os.replace(unfinished, entry(key), src_dir_fd=place, dst_dir_fd=place)
        except BaseException:
            with suppress(OSError):
                os.unlink(unfinished, dir_fd=place)
            raise
        if _stores % CHECKED == 0:
            _remove_least_used(place)
        _stores += 1


def context(passes: str) -> bytes | None:
    """What machine code depends on beside its text; None if the processor is unknown."""
    about, llvm = processor(), _llvm()
    if about is None or llvm is None:
        return None
    versions = f"{sys.implementation.cache_tag} {sys.version} {np.__version__} {sys.platform}"
    return "\0".join([passes, versions, about, llvm]).encode() + b"\0"


# -- directories -----------------------------------------------------------------------------------


@contextmanager
def _opened(directory: str, creates: bool) -> Iterator[int | None]:
    """A handle of the directory; None if it is not the user's own."""
    if not hasattr(os, "geteuid"):
        yield None
        return
    if creates:
        Path(directory).parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            os.mkdir(directory, 0o700)
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    place = os.open(directory, flags)
    try:
        yield place if _is_own(os.fstat(place)) else None
    finally:
        os.close(place)


def _is_own(about: os.stat_result) -> bool:
    return about.st_uid == os.geteuid() and not about.st_mode & 0o077


def _remove_least_used(place: int) -> None:
    """Removes files until the rest is smaller than `LARGEST`, and what was never finished."""
    files, now = [], time.time()
    for name in os.listdir(place):
        with suppress(OSError):
            about = os.stat(name, dir_fd=place, follow_symlinks=False)
            if name.startswith(".") and now - about.st_mtime > STALE:
                os.unlink(name, dir_fd=place)
            elif not name.startswith("."):
                files.append((about.st_mtime, about.st_size, name))
    size = sum(length for _, length, _ in files)
    for _, length, name in sorted(files):
        if size <= LARGEST:
            return
        with suppress(OSError):
            os.unlink(name, dir_fd=place)
        size -= length


# -- keys ------------------------------------------------------------------------------------------


def _hash(key: bytes, image: bytes) -> bytes:
    return hashlib.sha256(hashlib.sha256(key).digest() + image).digest()


@cache
def processor() -> str | None:
    """The model and the features of the processor, as the system tells them."""
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return None
    first = text.split("\n\n", 1)[0].splitlines()
    lines = [
        line for line in first if line.startswith(("vendor_id", "model", "cpu family", "flags"))
    ]
    return "\n".join(lines) or None


@cache
def _llvm() -> str | None:
    """The version of llvmlite, without importing it."""
    spec = find_spec("llvmlite")
    if spec is None or spec.origin is None:
        return None
    try:
        return Path(spec.origin).with_name("_version.py").read_text()
    except OSError:
        return None
