"""Objects that a loop iterates over are released when Python releases them, also by an exception."""

import pytest
from loading import load

import autograph
import runtime  # noqa: F401  (loops ask it whether something is staged)

PRELUDE = """
class Tell:
    def __init__(self, i, log):
        self.i, self.log = i, log

    def __del__(self):
        self.log.append(self.i)


class Scope:
    def __init__(self, log):
        self.log = log

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.log.append("exit")


def objects(log):
    return [Tell(i, log) for i in range(3)]


"""
BODIES = {
    "with": """
    with Scope(log):
        for one in objects(log):
            if x.append():
                break
""",
    "with without break": """
    with Scope(log):
        for one in objects(log):
            x.append()
""",
    "finally": """
    try:
        for one in objects(log):
            if x.append():
                break
    finally:
        log.append("finally")
""",
    "handler": """
    try:
        for one in objects(log):
            if one.i and x.append():
                break
    except AttributeError:
        log.append("handler")
    log.append("after")
""",
    "generator": """
    with Scope(log):
        for one in (each for each in objects(log)):
            if one.i == 1 and x.append():
                break
""",
    "break": """
    for one in objects(log):
        if one.i == x:
            break
    log.append("after")
""",
    "return": """
    with Scope(log):
        for one in objects(log):
            if one.i == x:
                return
""",
}


@pytest.mark.parametrize("name", BODIES)
def test_when_elements_are_released(name):
    text = f"{PRELUDE}def f(x, log):{BODIES[name]}"
    function = load(text, f"<elements of {name}>").f
    found = []
    for f in (function, autograph.to_graph(function)):
        log = []
        try:
            f(1, log)
        except AttributeError:
            log.append("raised")
        found.append(list(log))
    assert found[0] == found[1]
