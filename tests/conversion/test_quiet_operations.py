"""Which operations operators perform by themselves, and that warnings keep the user's line."""

import collections
import gc
import operator
import sys
import warnings

import numpy as np
import pytest
from warning_records import recorded_warnings

import autograph
from autograph import backend
from autograph.backend import known_types
from autograph.functions.quiet import is_quiet


def warn(level):
    warnings.warn("seen", stacklevel=level)


def by_helper(level):
    warn(level + 1)


class Warning_:
    warn = staticmethod(warn)


ALIAS = warn
BODIES = {
    "module": "warnings.warn('seen', stacklevel=2)",
    "helper": "warn(3)",
    "two helpers": "by_helper(3)",
    "method": "Warning_.warn(3)",
    "alias": "ALIAS(3)",
    "local": "f = warn; f(3)",
    "lambda": "(lambda: warn(4))()",
    "star": "warn(*[3])",
    "keyword": "warn(level=3)",
    "import": "from warnings import warn as w; w('seen', stacklevel=2)",
    "own attribute": "self.warn(3)",
    "loop": "[warn(3 + (not INLINED)) for _ in [1]]",
    "builtin name": "repr(3)",  # which the module binds
}
TEMPLATE = """
class Asked:
    warn = staticmethod(warn)
    def __bool__(self):
        {body}
        return True
    def __contains__(self, item):
        {body}
        return True

def f(a):
    x = not a
    y = a and 1
    if a:
        z = a or 2
    while not (1 in a):
        break
    return x, y, 3 not in a, 1 if a else 2
"""


@pytest.mark.parametrize("name", BODIES)
def test_warnings_keep_the_line_of_the_user(tmp_path, name):
    path = tmp_path / "asked.py"
    path.write_text(TEMPLATE.format(body=BODIES[name]))
    space = dict(globals(), repr=warn, INLINED=sys.version_info >= (3, 12))
    exec(compile(path.read_text(), str(path), "exec"), space)

    def outcome(function):
        with recorded_warnings() as seen:
            result = [function(space["Asked"]()) for _ in range(3)]
        return result, [(one.filename, one.lineno) for one in seen]

    expected = outcome(space["f"])
    assert len(expected[1]) > 15 and {line for _, line in expected[1]} <= set(range(12, 20))
    assert outcome(autograph.to_graph(space["f"])) == expected


class Empty:
    pass


class Sized:
    items = ()

    def __len__(self):
        return len(self.items)

    def __contains__(self, item):
        return item in self.items or isinstance(item, int)


class Listed(list):
    pass


class Loud:
    def __bool__(self):
        return warn(2) is None

    def __contains__(self, item):
        return warn(2) is None


@pytest.mark.parametrize(
    "kind, expected",
    [
        (Empty, (True, False)),
        (Sized, (True, True)),
        (Listed, (True, True)),
        (Loud, (False, False)),
        (np.ndarray, (False, False)),
        (np.float64, (True, True)),
        (collections.deque, (False, False)),
        (type(NotImplemented), (False, False)),
    ],
)
def test_quiet_operations(kind, expected):
    found = is_quiet(kind, bool), is_quiet(kind, operator.contains)
    assert found[: 1 + (kind is not np.float64)] == expected[: 1 + (kind is not np.float64)]


def test_a_type_that_a_backend_stages_later_is_staged():
    class Later:
        pass

    class Text(str):
        pass

    class Recorder(backend.Backend):
        stages_in_blocks_only = True

        def not_(self, operand):
            return "recorded"

        def contains(self, container, item):
            return "recorded"

    def f(x):
        return not x, x in "abc"

    converted = autograph.to_graph(f)
    assert converted(Text("")) == (True, True)
    later = Later()
    assert autograph.to_graph(lambda x: not x)(later) is False
    recorder = Recorder()
    before = set(known_types.builtin_types)
    try:
        backend.register_backend(Later, recorder)
        backend.register_backend(str, recorder)
        assert autograph.to_graph(lambda x: not x)(later) == "recorded"
        assert converted("a") == converted(Text("")) == ("recorded", "recorded")
    finally:
        del backend._registered[Later], backend._registered[str]
        backend.forget_types()
        known_types.builtin_types |= before
    assert converted("") == (True, True)


def test_types_that_die_are_forgotten():
    def f(x):
        return not x, 1 in x

    class Dying(list):
        pass

    converted, key = autograph.to_graph(f), id(Dying)
    assert converted(Dying()) == (True, False)
    assert key in known_types.plain_truth and key in known_types.plain_contents
    Dying = None
    gc.collect()
    assert key not in known_types.plain_truth and key not in known_types.plain_contents
