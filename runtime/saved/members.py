"""A saved program as a set of named files: in a directory, or in a zip.

In a zip, texts are compressed and weights are stored as they are: they hardly get smaller.

Writing is atomic: the new files are complete on the disk before they get their name, so a reader
finds the old program or the new one.
"""

import ctypes
import hashlib
import io
import os
import re
import shutil
import stat
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from runtime.saved.limits import Limits, OverLimit
from runtime.saved.strict_json import decoded, encoded

MANIFEST, WEIGHTS = "manifest.json", ".safetensors"
NAME = re.compile(r"[a-z0-9_]{1,60}\.(json|txt|safetensors|py)")
MOST_MEMBERS = 10_000
FIRST, LAST, END = b"PK\3\4", b"PK\5\6", 22  # how a zip begins; its last record, and its size
IN_UTF_8 = 0x800  # the flag of an entry whose name is in UTF-8
FORMAT, VERSION = "autograph saved program", 1


def sealed(program: Any, members: dict[str, bytes]) -> dict[str, bytes]:
    """The members with a manifest, which has the size and the sha256 of each."""
    known = {
        name: {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        for name, data in members.items()
    }
    manifest = {"format": FORMAT, "version": VERSION, "members": known, "program": program}
    return {MANIFEST: encoded(manifest), **members}


def opened(members: dict[str, bytes], limits: Limits) -> Any:
    """The program of a manifest, after its members have been compared with it.

    Raises `ValueError`, with the reason.
    """
    if MANIFEST not in members:
        raise ValueError(f"there is no {MANIFEST}")
    if len(members[MANIFEST]) > limits.text_bytes:
        raise OverLimit(f"{MANIFEST} is larger than {limits.text_bytes} bytes")
    manifest = decoded(members[MANIFEST])
    if type(manifest) is not dict or manifest.get("format") != FORMAT:
        raise ValueError(f"{MANIFEST} is not one of a saved program")
    if manifest.get("version") != VERSION or type(manifest["version"]) is not int:
        raise ValueError(f"its format has version {manifest.get('version')!r}, not {VERSION}")
    if set(manifest) != {"format", "version", "members", "program"}:
        raise ValueError(f"{MANIFEST} has other entries than a manifest")
    known = manifest["members"]
    if type(known) is not dict or set(known) != set(members) - {MANIFEST}:
        raise ValueError("the files are not those that the manifest lists")
    for name, data in members.items():
        seal = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        if name != MANIFEST and known[name] != seal:
            raise ValueError(f"{name} is not the file that the manifest describes")
    return manifest["program"]


# -- writing ---------------------------------------------------------------------------------------


def as_bytes(members: dict[str, bytes]) -> bytes:
    """The members in one zip; equal members have equal bytes."""
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w") as archive:
        for name, data in members.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.flag_bits |= IN_UTF_8  # else a reader imports the tables of an old encoding
            archive.writestr(entry, data, _compression(name))
    return found.getvalue()


def _compression(name):
    return zipfile.ZIP_STORED if name.endswith(WEIGHTS) else zipfile.ZIP_DEFLATED


def write(path: Path, members: dict[str, bytes]) -> None:
    """Writes the members: a path that ends in `.zip` is one file, any other is a directory.

    Raises `OSError` if it cannot be written; then the old files are still there.
    """
    if path.suffix == ".zip":
        write_file(path, as_bytes(members))
    else:
        _write_directory(path, members)


def write_file(path: Path, data: bytes) -> None:
    """Writes a file atomically: beside it first, then under its name."""
    descriptor, beside = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with open(descriptor, "wb") as file:
            _filled(file, data)
        _readable_as_usual(beside, 0o666)
        os.replace(beside, path)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise
    _sync_directory(path.parent)


def _filled(file, data):
    file.write(data)
    file.flush()
    os.fsync(file.fileno())


def _readable_as_usual(path, mode):
    """Gives a temporary file the permissions that any new file gets."""
    mask = os.umask(0)
    os.umask(mask)
    os.chmod(path, mode & ~mask)


def _write_directory(path, members):
    """The old and the new directory change their names in one step, where the system can do that;
    elsewhere the old one is moved aside, and comes back if the new one cannot take its place."""
    if path.exists() and not (path / MANIFEST).exists():
        raise FileExistsError(f"{path} exists and holds no saved program")
    beside = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent))
    try:
        for name, data in members.items():
            with open(beside / name, "wb") as file:
                _filled(file, data)
        _sync_directory(beside)
        _readable_as_usual(beside, 0o777)
        if not path.exists():
            os.rename(beside, path)
        elif not _exchanged(beside, path):
            _replace_directory(beside, path)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    _sync_directory(path.parent)


def _exchanged(one, other):
    """Whether two directories have got each other's names, which Linux does in one step."""
    rename = getattr(ctypes.CDLL(None), "renameat2", None) if sys.platform == "linux" else None
    here, exchange = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
    return rename is not None and not rename(
        here, os.fsencode(one), here, os.fsencode(other), exchange
    )


def _replace_directory(new, path):
    old = new.with_name(new.name + ".old")
    os.rename(path, old)
    try:
        os.rename(new, path)
    except BaseException:
        os.rename(old, path)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _sync_directory(path):
    if os.name != "posix":
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


# -- reading ---------------------------------------------------------------------------------------


def read(path: Path, limits: Limits) -> dict[str, bytes]:
    """The members of a saved program.

    Raises `OSError` if nothing is there, and `ValueError` for anything but flat, plain files.
    """
    if path.is_dir():
        return _read_directory(path, limits)
    return members_of(_read_file(path, limits.file_bytes), limits)


def _read_file(path, most):
    """The bytes of a plain file, which is no link."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | _BINARY)
    with open(descriptor, "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise ValueError(f"{path.name} is not a plain file")
        if status.st_size > most:
            raise OverLimit(f"{path.name} is larger than {most} bytes")
        data = file.read(most + 1)
    if len(data) > most:
        raise OverLimit(f"{path.name} is larger than {most} bytes")
    return data


_BINARY = getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)


def _read_directory(path, limits):
    names = sorted(os.listdir(path))
    _check_names(names)
    left, found = limits.file_bytes, {}
    for name in names:
        if (path / name).is_symlink():
            raise ValueError(f"{name} is a link")
        found[name] = _read_file(path / name, left)
        left -= len(found[name])
    return found


def members_of(data: bytes, limits: Limits) -> dict[str, bytes]:
    """The members of a zip: no more bytes of any are made than it states and the limits allow."""
    if len(data) > limits.file_bytes:
        raise OverLimit(f"it is larger than {limits.file_bytes} bytes")
    if not data.startswith(FIRST) or not data[-END:].startswith(LAST):
        raise ValueError("there are other bytes before or after the zip, or it is none")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = archive.infolist()
        _check_names([entry.filename for entry in entries])
        for entry in entries:
            _check_entry(entry)
        if sum(entry.compress_size for entry in entries) > len(data):
            raise ValueError("its files overlap")
        if sum(entry.file_size for entry in entries) > limits.file_bytes:
            raise OverLimit(f"its files are larger than {limits.file_bytes} bytes")
        texts = [one for one in entries if one.compress_type != zipfile.ZIP_STORED]
        if sum(one.file_size for one in texts) > limits.text_bytes:
            raise OverLimit(f"its texts are larger than {limits.text_bytes} bytes")
        return {entry.filename: _contents(archive, entry) for entry in entries}


def _contents(archive, entry):
    """The bytes of a file in a zip: it is decompressed up to the size that the zip states."""
    with archive.open(entry) as file:
        return file.read(entry.file_size)


def _check_entry(entry):
    """Raises `ValueError` unless a file in a zip is written as `as_bytes` writes it."""
    is_stored = entry.compress_type == zipfile.ZIP_STORED
    if entry.flag_bits & 1 or not is_stored and entry.compress_type != zipfile.ZIP_DEFLATED:
        raise ValueError(
            f"{entry.filename} is encrypted, or compressed in another way than Deflate"
        )
    if is_stored:
        if entry.file_size != entry.compress_size:
            raise ValueError(f"{entry.filename} is compressed, and said not to be")
    elif entry.filename.endswith(WEIGHTS):
        raise ValueError(f"{entry.filename} is compressed")


def _check_names(names):
    if len(names) > MOST_MEMBERS:
        raise ValueError(f"it has more than {MOST_MEMBERS} files")
    for name in names:
        if not NAME.fullmatch(name):
            raise ValueError(f"{name[:80]!r} is not a name of a file of a saved program")
    if len(set(names)) != len(names):
        raise ValueError("two files have one name")
