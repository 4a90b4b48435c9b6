"""JSON without ambiguities: no duplicate keys, no nan, no numbers of arbitrary length."""

import json
from typing import Any

DIGITS = 20


def encoded(value: Any) -> bytes:
    """A value as JSON, with sorted keys: equal values have equal bytes."""
    return json.dumps(value, sort_keys=True, indent=1, allow_nan=False).encode()


def decoded(data: bytes) -> Any:
    """The value of some JSON.

    Raises `ValueError` for anything else, and where readers of JSON differ: duplicate keys, nan and
    infinity, floats (no file of ours has one), integers of more than 64 bits, deep nesting.
    """
    try:
        return json.loads(
            data.decode("utf-8"),
            object_pairs_hook=_table,
            parse_constant=_refused,
            parse_float=_refused,
            parse_int=_integer,
        )
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _table(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is there twice")
    return found


def _refused(text: str) -> Any:
    raise ValueError(f"{text[:30]} is not a number that a file of ours has")


def _integer(text: str) -> int:
    if len(text) > DIGITS:
        raise ValueError("an integer is too long")
    return int(text)
