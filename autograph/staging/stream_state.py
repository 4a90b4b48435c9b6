"""How far streams are: files, `io.BytesIO`, `io.StringIO`.

    for line in file: ...       takes lines without a call that could be rewritten
    sum(map(len, file))

So the positions of streams that can be read are compared before and after a block.
"""

import io
from contextlib import suppress

from autograph.functions.policy import is_users_class


def is_stream(value: object) -> bool:
    """Whether an object is a stream of the standard library."""
    kind = type(value)  # `isinstance` would ask objects for their class
    return issubclass(kind, io.IOBase) and not is_users_class(kind)


def position(stream: io.IOBase) -> object:
    """How far a stream has been read; None if it cannot be read."""
    try:
        return stream.tell() if stream.readable() else None
    except (OSError, ValueError) as error:  # while an iterator reads it, or it is closed
        return str(error)


def put_back(stream: io.IOBase, before: object) -> None:
    """Moves a stream to an earlier position, if that is possible."""
    if isinstance(before, int):
        with suppress(OSError, ValueError):
            stream.seek(before)
