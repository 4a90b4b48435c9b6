"""A function is recorded again if its recording fails in a way that another one may avoid.

Code after a staged loop may need what Python would know there:

n = 0
for i in range(100):        a staged loop at first: n is staged after it
    n += 1
names[n]                    needs its value: in the second recording every loop is unrolled

Graphs may be unable to record what a function of a converted package does:

y = linalg.expm(x)          in the second recording it is a call of each run

A number that the function itself changes is an input of the graph at first:

layers[self.t]              needs its value: in the second recording it is a constant

A condition around a `yield` may be staged:

for y in gen(x):            in the second recording the `yield` becomes a call of the loop's body
    total += y

An object of a package that a call makes may be changed, or returned:

t = table.copy()            in the second recording, each run makes it
t["w"] = x

Keys of a dict or a set may be staged:

d[k] = d.get(k, 0) + 1      in the second recording, the dict is a staged one

Objects in a staged list may be changed:

points[i].x += 1            in the second recording, this replaces the element of the list

A loop over the rows of an array may be refused:

for v in x:                 in the second recording, it is unrolled if the number is known
    head = Node(v, head)

A function that remembers its results may return an object that code can change:

settings().scale            in the second recording, what it holds is guarded

A call with plain arguments may turn out to be one of a function that calls itself in the run:

def step(): ...; step()     in the second recording, what the call changes can be put back
"""

import contextlib
from dataclasses import replace

from autograph.staging.refusals import Refused
from runtime.function.argument_aliasing import Pattern
from runtime.function.concrete_function import ConcreteFunction
from runtime.function.function_tracer import FunctionTracer
from runtime.staging.calls.cached_functions import CachedResults
from runtime.staging.calls.held_warnings import HeldWarnings
from runtime.staging.calls.made_calls import MadeCalls
from runtime.staging.calls.made_objects import MadeObjects
from runtime.staging.calls.outside_answers import OutsideAnswers
from runtime.staging.calls.package_calls import PackageCalls
from runtime.staging.control_flow.recursion import FoundRecursion
from runtime.staging.control_flow.recursive_calls import PlainCalls
from runtime.staging.generators import Generators
from runtime.staging.lists.recorded_writes import ElementWrites
from runtime.staging.loop_trials import LoopTrials, is_hidden_fault
from runtime.staging.made_dicts import MadeDicts
from runtime.staging.row_loops import RowLoops, is_refused
from runtime.state.trace_variables import TraceVariables
from runtime.tracing.signature import Signature
from runtime.tracing.trace import TracingWarning


def recorded(
    parts: tuple,
    signature: Signature,
    pattern: Pattern,
    engine: str | None,
    may_create: bool,
    numbers: frozenset = frozenset(),
) -> tuple[FunctionTracer, ConcreteFunction]:
    """A tracer for `parts`, and its concrete function; of another one if that of the first fails
    because a loop is staged, `numbers` are inputs, or a package is converted.  Raises the errors of
    the last one.
    """
    tracer = _tracer(parts, may_create, numbers)
    tracer.trace.state(LoopTrials).are_allowed = True
    while True:
        try:
            found = tracer.concrete_function(signature, pattern, engine)
            found.fixed_numbers = numbers - tracer.numbers
        except FoundRecursion as found:
            tracer = _with_contents(parts, may_create, tracer, found.call.code)
        except (Exception, Refused) as error:
            if is_hidden_fault(error):
                raise
            tracer.trace.state(MadeDicts).note_failure(error)
            again = _again(parts, may_create, tracer) or _unrolled(parts, may_create, tracer, error)
            if again is None:
                first = tracer.trace.state(RowLoops).first
                with contextlib.suppress(TracingWarning):  # where warnings are errors
                    tracer.trace.state(HeldWarnings).issue()
                if first is not None and is_refused(error):
                    raise first from None
                raise
            tracer = again
        else:
            tracer.trace.state(HeldWarnings).issue()
            return tracer, found


def own_numbers(known: list[ConcreteFunction]) -> frozenset:
    """The places of the numbers that the next graph of a function takes as inputs: the function
    changes them, and recording does not need their values."""
    changed = frozenset().union(*(one.own_numbers for one in known))
    return changed.difference(*(one.fixed_numbers for one in known))


def _tracer(parts, may_create, numbers=frozenset()):
    tracer = FunctionTracer(*parts, numbers)
    tracer.trace.set_state(HeldWarnings())
    tracer.trace.state(TraceVariables).may_create = may_create
    tracer.trace.state(CachedResults).is_repeatable = True
    tracer.trace.state(PlainCalls).are_repeatable = True
    if numbers:
        tracer.trace.state(LoopTrials).hide_known()
    return tracer


def _again(parts, may_create, tracer):
    """A tracer for another recording than one that has failed; None if there is no other."""
    failed, numbers = tracer.trace, tracer.numbers
    trials, packages = failed.state(LoopTrials), failed.state(PackageCalls)
    made = failed.state(MadeObjects).again()
    has_more = failed.state(MadeDicts).again() is not None
    has_more = has_more or failed.state(ElementWrites).are_missing
    if failed.state(CachedResults).is_repeated or made is not None or has_more:
        return _with_results(parts, may_create, tracer)
    others = None if failed.state(OutsideAnswers).fleeting else packages.again()
    generators = failed.state(Generators)
    suspends = generators.are_made and not generators.are_consumed
    if others is None and not trials.is_repeated and not suspends:
        return None
    unrolls = others is None and trials.is_repeated
    again = _tracer(parts, may_create, frozenset() if unrolls else numbers)
    again.trace.state(Generators).are_consumed = generators.are_consumed
    again.trace.set_state(MadeCalls(failed.state(MadeCalls)))
    again.trace.set_state(others or PackageCalls(packages.called))
    again.trace.set_state(failed.state(MadeObjects).same())
    again.trace.set_state(failed.state(MadeDicts).same())
    again.trace.set_state(failed.state(ElementWrites).next())
    again.trace.set_state(failed.state(RowLoops).next())
    _take_results(again, failed)
    if others is None and not unrolls:
        again.trace.state(Generators).are_consumed = True
        again.trace.state(LoopTrials).are_allowed = True
        return again
    if others is not None or numbers:
        again.trace.state(LoopTrials).are_allowed = trials.are_allowed
        return again
    for outcome in trials.outcomes.values():
        why = outcome.why or "code after it needs a value that a staged loop hides"
        unrolled = replace(outcome, is_staged=False, why=why)
        again.trace.state(LoopTrials).note(unrolled, again.trace)
    return again


def _unrolled(parts, may_create, tracer, error):
    """A tracer for a recording that unrolls loops over rows of a known number, which a refusal has
    passed through; None if there are none."""
    failed = tracer.trace
    loops = failed.state(RowLoops)
    if failed.state(OutsideAnswers).fleeting or not loops.can_unroll(error):
        return None
    again = _with_results(parts, may_create, tracer)
    again.trace.set_state(loops.next(error))
    return again


def _with_results(parts, may_create, tracer):
    """A tracer for a recording that takes the contents of results of caches as inputs, or in
    which each run makes objects of packages."""
    failed, again = tracer.trace, _tracer(parts, may_create, tracer.numbers)
    again.trace.state(Generators).are_consumed = failed.state(Generators).are_consumed
    again.trace.set_state(MadeCalls(failed.state(MadeCalls)))
    again.trace.set_state(PackageCalls(failed.state(PackageCalls).called))
    again.trace.set_state(failed.state(MadeObjects).same())
    again.trace.set_state(failed.state(MadeDicts).again() or failed.state(MadeDicts).same())
    again.trace.set_state(failed.state(ElementWrites).next())
    again.trace.set_state(failed.state(RowLoops).next())
    _take_results(again, failed)
    trials, others = failed.state(LoopTrials), again.trace.state(LoopTrials)
    others.are_allowed = trials.are_allowed
    for outcome in trials.outcomes.values() if not trials.are_allowed else ():
        others.note(outcome, again.trace)
    return again


def _with_contents(parts, may_create, tracer, code):
    """A tracer for a recording that keeps what the calls of a function may change."""
    again = _with_results(parts, may_create, tracer)
    again.trace.state(PlainCalls).recursive |= {code}
    return again


def _take_results(again, failed):
    again.trace.state(PlainCalls).recursive = failed.state(PlainCalls).recursive
    again.trace.set_state(failed.state(CachedResults).again())
    again.trace.state(CachedResults).is_repeatable = True
