"""Type widening: the one way in which the results of a graph may differ from Python's results.

    n = 1 if p else x           n is an int or an f64: the run decides, as Python does
    z = n * np.arange(3)        an array of ints or of floats: the graph has one type, f64[3], and
                                returns 0.0 where Python returns 0

`f.get_concrete_function(x).widenings` lists each of them.
"""

from typing import Any

from runtime.errors import users_location


class Widenings(list[str]):
    """A line for each type that was widened."""


def note(recorder: Any, text: str) -> None:
    """Adds a line about the user's current line."""
    place = users_location()
    line = text if place is None else f"line {place.lineno}: {text}"
    widened = recorder.state(Widenings)
    if line not in widened:
        widened.append(line)
