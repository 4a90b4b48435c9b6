"""Code that looks at its callers sees the functions that the user wrote."""

import contextlib
import inspect
import logging
import sys
import traceback
import warnings

import pytest
from warning_records import recorded_warnings

import autograph


def names(frames):
    """The functions of this file, from the innermost outwards."""
    return [frame.f_code.co_name for frame in frames if frame.f_code.co_filename == __file__]


def chain(frame):
    while frame is not None:
        yield frame
        frame = frame.f_back


def whose(depth):
    if depth >= 0:
        for _ in range(1):
            frame = sys._getframe(depth)
            found = frame.f_code.co_name, frame.f_lineno
    return found


def asks(depth):
    found = None
    for _ in [0]:
        if depth is not None:
            found = whose(depth)
    return found


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_getframe_counts_user_functions(depth):
    expected, line = asks(depth)
    found, at = autograph.to_graph(asks)(depth)
    assert found == expected
    if depth == 1:  # 0 is the function's own frame, at the loop; 2 is this test
        assert at == line


def test_getframe_raises_when_the_stack_is_not_deep_enough():
    with pytest.raises(ValueError, match="call stack is not deep enough"):
        autograph.to_graph(asks)(100_000)


def own_name():
    here = None
    if here is None:
        here = inspect.currentframe()
    return here.f_code.co_name


def test_currentframe_is_the_frame_of_the_function():
    assert autograph.to_graph(own_name)() == own_name() == "own_name"


def callers(flag):
    if flag:
        for _ in range(1):
            found = [info.function for info in inspect.stack() if info.filename == __file__]
    return found


def test_stack_lists_user_functions():
    def outer():
        return callers(True) if callers else None

    assert autograph.to_graph(outer)() == outer()


def old(flag, level):
    if flag:
        warnings.warn("it is old", UserWarning, stacklevel=level)


def uses_old(level):
    for _ in range(1):
        if level:
            old(True, level)


@pytest.mark.parametrize("level", [1, 2, 3])
def test_warnings_report_the_users_line(level):
    reports = []
    for fn in (uses_old, autograph.to_graph(uses_old)):
        with recorded_warnings() as seen:
            fn(level)  # the line that both share
        reports.append((seen[0].filename, seen[0].lineno, str(seen[0].message)))
    assert reports[0] == reports[1]


def logs(logger, level):
    if level:
        for _ in range(1):
            logger.warning("careful", stacklevel=level)


def calls_logs(logger, level):
    if level:
        logs(logger, level)


@pytest.mark.parametrize("level", [1, 2, 3])
def test_logging_reports_the_users_line(level):
    records = []

    class Keep(logging.Handler):
        def emit(self, record):
            records.append((record.pathname, record.lineno, record.funcName))

    logger = logging.Logger("of the test")
    logger.addHandler(Keep())
    for fn in (calls_logs, autograph.to_graph(calls_logs)):
        fn(logger, level)
    assert records[0] == records[1]


def test_functions_of_the_logging_module_report_the_users_line(caplog):
    def logs_here(flag):
        if flag:
            logging.getLogger().error("here")
            logging.error("and here")

    logs_here(True)
    autograph.to_graph(logs_here)(True)
    lines = [(record.lineno, record.funcName) for record in caplog.records]
    assert lines[:2] == lines[2:]


def test_the_previous_frame_is_that_of_the_caller():
    def caller():
        return parent(None) if parent else None

    def parent(frame):
        if frame is None:
            frame = sys._getframe().f_back
        return frame.f_code.co_name

    def user():
        return autograph.to_graph(parent)(None)

    assert autograph.to_graph(parent)(None) == sys._getframe().f_code.co_name
    assert user() == "user"


class Warns:
    """Issues a warning for every operation on it."""

    def __init__(self):
        self.true = True

    def __bool__(self):
        warnings.warn("bool", stacklevel=2)
        return self.true

    def __contains__(self, item):
        warnings.warn("contains", stacklevel=2)
        return True

    def __iter__(self):
        warnings.warn("iter", stacklevel=2)
        return iter([1])

    def __lt__(self, other):
        warnings.warn("lt", stacklevel=2)
        return True


def warned(w):
    if w:
        x = 1
    x = w and 2
    x = w or 2
    x = 1 if w else 2
    x = not w
    while w:
        w.true = False
    for _ in w:
        pass
    x = 3 in w
    x = 3 not in w
    x = w < w < w
    if NotImplemented:
        x = 2
    if not w:
        return x


def test_warnings_of_operations_on_objects_report_the_users_line():
    def reported(fn):
        with recorded_warnings() as caught:
            fn(Warns())
        return [(one.filename, one.lineno, str(one.message)) for one in caught]

    expected = reported(warned)
    assert len(expected) >= 12
    assert reported(autograph.to_graph(warned)) == expected


# -- tracebacks ------------------------------------------------------------------------------------


def fails(x):
    return 1 // x


class Refuses:
    def __bool__(self):
        raise LookupError("no truth")

    def __contains__(self, item):
        raise LookupError("no members")

    def __iter__(self):
        raise LookupError("no elements")

    def __eq__(self, other):
        raise LookupError("no equality")


def failing_operands():
    """Programs whose operands raise an exception, in each place of an expression or block."""

    def in_a_branch(x):
        if x == 0:
            y = fails(x)
        elif x:
            y = 2
        return y

    def in_loops(x):
        for i in range(2):
            while i >= x:
                for j in [1]:
                    fails(x)

    def in_operands(x):
        return x == 0 and (not fails(x) or 1)

    def in_a_ternary(x):
        return fails(x) if x == 0 else 2

    def in_a_comprehension(x):
        return [fails(y) for y in [x] if y == 0]

    def in_a_sum(x):
        return sum(fails(y) for y in [x] if y == 0)

    def in_a_match(x):
        match x:
            case 0 if fails(x):
                return 1

    def in_a_chain(x):
        return -1 < x < fails(x) < 3

    return list(locals().values())


def failing_meanings():
    """Programs in which Python raises the exception, when it needs a truth or an element."""
    no = Refuses()

    def truth(x):
        if no:
            return 1

    def negation(x):
        return not no

    def membership(x):
        return x in no

    def elements(x):
        for y in no:
            return y

    def unbound(x):
        if x:
            late = 1
        if x == 0:
            print(late)

    def asserted(x):
        assert no, "message"

    def within(x):
        with contextlib.nullcontext():
            if x == 0:
                return fails(x)

    return [made for made in locals().values() if callable(made) and made is not no]


@pytest.mark.parametrize(
    "function", [*failing_operands(), *failing_meanings()], ids=lambda function: function.__name__
)
def test_no_operator_is_in_the_traceback_of_an_exception(function):
    def places(call):
        with pytest.raises(Exception) as caught:
            call(0)
        entries = traceback.extract_tb(caught.value.__traceback__)[1:]
        return [(entry.filename, entry.lineno, entry.name) for entry in entries]

    wanted, found = places(function), places(autograph.to_graph(function))
    assert {filename for filename, _, _ in found} == {__file__}
    own = [place for place in found if place[2] not in ("<lambda>", "<listcomp>")]
    assert own[-1] == [place for place in wanted if place[2] != "<listcomp>"][-1]
    assert not {place[2] for place in wanted} - {place[2] for place in found} - {"<listcomp>"}


# -- operators on plain values use nothing of the outside ------------------------------------------


class Asked:
    """An object whose class tells what an operator asks it."""

    def __init__(self):
        self.left = 1

    def __bool__(self):
        self.left -= 1
        return self.left >= 0

    def __contains__(self, item):
        return item == 1

    def __iter__(self):
        return iter((1, 2))

    def __lt__(self, other):
        return True


def operated_on(a):
    found = [1 in a, 3 not in a, not a, a and 1, a or 2, a < a < a, 1 if a else 2]
    for x in a:
        found.append(x)
    while a:
        found.append("while")
    if a:
        found.append("if")
    return [v if isinstance(v, (bool, int, str)) else type(v).__name__ for v in found]


def test_operators_on_plain_values_parse_import_and_open_nothing(monkeypatch):
    converted = autograph.to_graph(operated_on)

    def refused(*args, **kwargs):
        raise AssertionError("an operator uses the outside")

    wanted = operated_on(Asked())
    with monkeypatch.context() as changed:
        for name in ("ast.parse", "linecache.getlines", "builtins.open", "builtins.compile"):
            changed.setattr(name, refused)
        changed.setattr("builtins.__import__", refused)
        found = converted(Asked())
    assert found == wanted
