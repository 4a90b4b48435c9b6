"""A second, small backend: it records programs over Python scalars, and interprets them.

    fn = Recorded(lambda x: x + 1 if x > 0 else -x)
    fn(3)                   traces once per types of arguments, then runs the recorded steps
    fn.steps(int)           the names of the steps

    autograph.register_ambient(is_tracing, RECORDER)        once, before

It is built on `autograph/staging/` alone: without NumPy, and without anything of the runtime.
"""

import operator
from contextlib import contextmanager
from functools import partial

from recorder_programs import (
    DOMAIN,
    Answers,
    MaybeMissing,
    Region,
    Step,
    Symbol,
    negated,
    record,
    session,
    sessions,
)

import autograph
from autograph.backend import Backend, State, Undefined, staging
from autograph.staging import iterables, match
from autograph.staging.abstract_values import Mismatch
from autograph.staging.blocks import Diverged, comes_from_raise, run_block
from autograph.staging.dunder_methods import ConvertedClasses, make_object
from autograph.staging.errors import staging_error
from autograph.staging.mutations import MutableLocation, MutationTracker, one_sided
from autograph.staging.pytree import closed, flatten, unflatten
from autograph.staging.refusals import Recording
from autograph.staging.session import RegionStack
from autograph.staging.try_blocks import refuse_in_try
from autograph.staging.walrus_state import walrus_state

autograph.leave_alone(__file__)


# -- branches and loops ----------------------------------------------------------------------------


def truth(value):
    """Whether a value counts as true: a symbol of type bool, or a bool."""
    if isinstance(value, MaybeMissing) and value.is_none is not None:
        present = value.present
        return RECORDER.if_expr(value.is_none, lambda: False, lambda: truth(present))
    if not isinstance(value, Symbol):
        return bool(value)
    value = value.checked() if isinstance(value, MaybeMissing) else value
    return value if value.type is bool else record("bool", (value,), bool, bool)


RESULT = MutableLocation(("result",), "the result", None, lambda value: None)


class Side:
    """A recorded block: its region, what it changed (its result included), if it always raises."""

    def __init__(self, block, tracker):
        with session().region() as self.region, staging(RECORDER):
            result, self.raised = run_block(block, RECORDER.raised) if block else (None, False)
            self.ends = {**tracker.changes(), RESULT: result}
        tracker.restore()

    def end(self, location):
        return self.ends.get(location, location.before)

    def finish(self, joined):
        with session().region(self.region):
            for location, value in joined.items():
                self.region.outputs += (
                    map(DOMAIN.zero, value.types())
                    if self.raised
                    else DOMAIN.operands(value, self.end(location))
                )


def branch(test, body, orelse, state):
    """Records a step with two regions; returns the joined result of the blocks."""
    tracker = MutationTracker(state, body, orelse)
    sides = [Side(body, tracker), Side(orelse, tracker)]
    reached = [side for side in sides if not side.raised]
    locations = dict.fromkeys([*sides[0].ends, *sides[1].ends])
    joined = {place: joined_ends(place, [s.end(place) for s in reached]) for place in locations}
    for side in sides:
        side.finish(joined)
    values = finish("if", (test,), joined, [side.region for side in sides])
    if not reached:
        raise Diverged
    result = values.pop(RESULT)
    tracker.write(values)
    return result


def joined_ends(location, ends):
    """The abstract value of a location that has one of these values."""
    if location.is_slot and len({isinstance(end, Undefined) for end in ends}) > 1:
        raise one_sided(location)
    first, *others = ends or [None]
    joined = DOMAIN.abstract(first)
    for end in others:
        joined = joined if end is first else join(location.path, joined, DOMAIN.abstract(end))
    return joined


def join(path, left, right):
    """The join of abstract values, or an error that names the location."""
    try:
        return DOMAIN.join(left, right)
    except Mismatch as mismatch:
        what = f"{path} is {mismatch.left} on one path and {mismatch.right} on another"
        raise staging_error(what, "Its value depends on the run.", "Use one type.") from None


def finish(name, operands, joined, regions):
    """Adds a step with regions; returns the values of the locations after it."""
    results = [Symbol(kind) for value in joined.values() for kind in value.types()]
    session().regions[-1].steps.append(Step(name, tuple(operands), results, tuple(regions)))
    return values_of(joined, results)


def values_of(abstract, operands):
    operands = iter(operands)
    return {
        place: closed(DOMAIN.value(value, operands, place.path))
        for place, value in abstract.items()
    }


def loop(test, iteration, state, blocks, carried=()):
    """Records a loop; `iteration` returns whether there is another one."""
    tracker = MutationTracker(state, *blocks)
    places = (*carried, *tracker.variables)
    known = {p: DOMAIN.generalized(DOMAIN.abstract(p.before)) for p in places}
    wider = None
    while wider != known:
        known = wider or known
        with session().region() as region, staging(RECORDER):
            region.inputs = [Symbol(kind) for value in known.values() for kind in value.types()]
            tracker.write(values_of(known, region.inputs))
            goes_on, raised = run_block(iteration, RECORDER.raised)
            ends = {**tracker.changes(), **tracker.variable_values()}
            ends |= {place: place.read() for place in carried}
        tracker.restore()
        wider = dict(known)
        for place, end in () if raised else ends.items():
            start = known.get(place) or DOMAIN.abstract(place.before)
            wider[place] = join(place.path, start, DOMAIN.abstract(end))
    with session().region(region):
        region.outputs = [False if raised else goes_on]
        for place, value in known.items():
            region.outputs += DOMAIN.operands(value, ends.get(place, place.before))
    starts = [o for place, value in known.items() for o in DOMAIN.operands(value, place.before)]
    tracker.write(finish("while", (test, *starts), known, [region]))


class Numbers:
    """`range(n)` with a staged bound."""

    def __init__(self, stop):
        self.stop = stop


class Combined(iterables.Combined):
    """`zip` and `enumerate` of staged ranges and plain sequences."""


def positions(iterable):
    """The element of an iterable at a position, and whether there is one: as functions of it."""
    if isinstance(iterable, Combined):
        at, inside = zip(*map(positions, iterable.parts), strict=True)
        return lambda i: iterable.element(i, at), lambda i: iterable.is_inside(i, inside)
    if isinstance(iterable, Numbers):
        return lambda i: i, lambda i: i < iterable.stop
    return partial(RECORDER.get_item, iterable), lambda i: i < len(iterable)


# -- the backend -----------------------------------------------------------------------------------


NO_STATE = State((), None, None)


class Recorder(Backend):
    """Records converted statements as steps."""

    def if_stmt(self, test, body, orelse, state):
        self.branch(test, body, orelse, state)

    def branch(self, test, body, orelse, state):
        test = truth(test)
        if isinstance(test, Symbol):
            return branch(test, body, orelse, state)
        block = body if test else orelse
        return block() if block is not None else None

    def while_stmt(self, holds, test, body, state):
        def iteration():
            body()
            return truth(test())

        loop(truth(holds), iteration, state, (test, body))

    def for_stmt(self, iterable, body, test, state):
        element_at, is_inside = positions(iterable)
        position = [0]
        place = MutableLocation(
            ("position",), "i", 0, partial(position.__setitem__, 0), lambda: position[0]
        )

        def iteration():
            body(element_at(position[0]))
            position[0] = position[0] + 1
            more = partial(is_inside, position[0])
            return more() if test is None else self.and_(truth(test()), more)

        loop(is_inside(0), iteration, state, (body, test), [place])

    def for_known(self, numbers, body, test, state):
        if type(numbers) is not range or len(numbers) < 100 or numbers.start or numbers.step != 1:
            return False
        self.for_stmt(Numbers(numbers.stop), body, test, state)
        return True

    def raised(self, error):
        if not comes_from_raise(error):
            return False
        refuse_in_try(type(error))
        record_raise(error)
        return True

    def holds(self, test, message):
        refuse_in_try(AssertionError)

        def fail():
            text = message() if callable(message) else message
            arguments = () if text is None else (text,)
            record_raise(AssertionError(*arguments))

        self.branch(test, None, fail, NO_STATE)
        return True

    def choice(self, case_of, subject):
        return match.decide(case_of, subject, _answering, self.branch)

    def if_expr(self, test, body, orelse):
        return self.branch(test, body, orelse, walrus_state(body, orelse))

    def and_(self, left, right):
        return self.if_expr(left, right, lambda: left)

    def or_(self, left, right):
        return self.if_expr(left, lambda: left, right)

    def not_(self, operand):
        operand = truth(operand)
        return negated(operand) if isinstance(operand, Symbol) else not operand

    def contains(self, container, item):
        found = False
        for element in container:
            found = self.or_(found, partial(operator.eq, item, element))
        return found

    def is_none(self, value):
        is_flagged = isinstance(value, MaybeMissing) and value.is_none is not None
        return value.is_none if is_flagged else False

    def is_bool(self, value, constant):
        if not isinstance(value, Symbol) or value.type is not bool:
            return False
        return value if constant else negated(value)

    def get_item(self, container, key):
        if not isinstance(key, Symbol):
            return container[key]
        kind = DOMAIN.type_of(container[0])
        return record("item", (key, *container), kind, lambda i, *items: items[i])

    def shown(self, value, spec, conversion):
        if not isinstance(value, Symbol):
            return super().shown(value, spec, conversion)
        show = super().shown
        return record("format", (value,), str, lambda x: show(x, spec, conversion))

    def text(self, parts):
        return record("join", parts, str, lambda *parts: "".join(parts))

    def call(self, function, converted=None):
        classes = session().state(ConvertedClasses)
        classes.meet_callee(function)
        if classes.makes_plain_objects(function):
            return partial(make_object, session(), function)
        return super().call(function)


def record_raise(error):
    """Adds a step that raises such an exception."""
    leaves, structure = flatten(error.args)

    def fail(*leaves):
        raise type(error)(*unflatten(structure, leaves))

    record("raise", leaves, None, fail)


@contextmanager
def _answering(answer):
    answers = session().state(Answers)
    outer, answers.answer = answers.answer, answer
    try:
        yield
    finally:
        answers.answer = outer


def _range(*bounds):
    return Numbers(*bounds) if isinstance(bounds[0], Symbol) else range(*bounds)


def _zip(*parts):
    return Combined(lambda *elements: elements, *parts)


def _print(*parts):
    record("print", parts, None, print)


RECORDER = Recorder()
for _kind in (Symbol, Numbers, Combined):
    autograph.register_backend(_kind, RECORDER)
autograph.register_call(range, _range, RECORDER)
RECORDER.register_call(zip, _zip)
RECORDER.register_call(print, _print)


def is_tracing():
    """Whether a function is being recorded."""
    return bool(sessions)


class Recorded:
    """A function that is traced once for each combination of argument types, then interpreted."""

    def __init__(self, function):
        self.function = autograph.to_graph(function)
        self.programs = {}

    def __call__(self, *arguments):
        region, result = self.program(*map(type, arguments))
        values, leaves = iter(region.run(arguments, {})), []
        for leaf in result.leaves:
            value = next(values) if leaf.is_staged else leaf.plain
            leaves.append(None if leaf.may_be_none and next(values) else value)
        return unflatten(result.structure, leaves)

    def steps(self, *types):
        """The names of the steps of a program, without those inside branches and loops."""
        return [step.name for step in self.program(*types)[0].steps]

    def program(self, *types):
        """The region that is recorded for some types, and the abstract value of its result."""
        if types not in self.programs:
            self.programs[types] = self.traced(types)
        return self.programs[types]

    def traced(self, types):
        sessions.append(RegionStack(Region))
        try:
            (region,) = session().regions
            region.inputs = list(map(Symbol, types))
            classes = session().state(ConvertedClasses)
            with Recording(session().regions.__contains__), classes.convert_methods(self.function):
                result = self.function(*region.inputs)
            found = DOMAIN.abstract(result)
            region.outputs = DOMAIN.operands(found, result)
            return region, found
        finally:
            sessions.pop()
