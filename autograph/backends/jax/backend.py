"""`JaxBackend`: what converted statements mean where their operands are JAX's tracers."""

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from autograph.backend import Backend, State
from autograph.backend.calls import CallTable
from autograph.backends.jax import classes, sharing
from autograph.backends.jax.blocks import is_raised_by_program
from autograph.backends.jax.branches import stage_if
from autograph.backends.jax.builtins import REPLACED
from autograph.backends.jax.checks import check, negated
from autograph.backends.jax.iteration import (
    Combined,
    StagedRange,
    counted,
    has_one_kind,
    is_staged_iterable,
    iterations,
)
from autograph.backends.jax.known_ranges import LONG, staged_alike
from autograph.backends.jax.lists import GrowList, item_at, with_item
from autograph.backends.jax.loops import Iterations, Loop, open_loops
from autograph.backends.jax.matching import Subject, decide
from autograph.backends.jax.maybe import Maybe, present
from autograph.backends.jax.recursion import entered
from autograph.backends.jax.texts import Text, joined, shown
from autograph.backends.jax.tracers import is_staged, truth_of
from autograph.conversion.comprehension_loops import loop_of, original_of
from autograph.errors import ContainerError
from autograph.staging.block_functions import itself
from autograph.staging.comparisons import Comparisons
from autograph.staging.errors import asked_for, staging_error
from autograph.staging.lazy_elements import LazyElements, Path
from autograph.staging.walrus_state import walrus_state

CHANGING = frozenset(
    [
        "append",
        "extend",
        "insert",
        "pop",
        "remove",
        "clear",
        "sort",
        "reverse",
        "update",
        "popitem",
        "setdefault",
    ]
)


class JaxCalls(CallTable):
    """The calls that the backend replaces: builtin functions, and changes of lists and dicts."""

    def __contains__(self, function: object) -> bool:
        return super().__contains__(function) or _changes_container(function)


def _changes_container(function):
    owner = getattr(function, "__self__", None)
    return type(owner) in (list, dict) and getattr(function, "__name__", "") in CHANGING


class JaxBackend(Backend):
    """Stages converted statements with `lax.cond`, `lax.scan` and `lax.while_loop`."""

    def __init__(self) -> None:
        self.calls = JaxCalls()
        for function, replacement in REPLACED.items():
            self.calls.register(function, replacement)

    # -- statements --------------------------------------------------------------------------------

    def if_stmt(self, test, body, orelse, state):
        predicate = self.truth(test)
        if is_staged(predicate):
            stage_if(predicate, body, orelse, state)
        else:
            super().if_stmt(predicate, body, orelse, state)

    def while_from_start(self, test, body, state):
        iteration = self.iteration_of(test, body)
        return Loop(iteration, state, (test, body), Iterations()).stage_at_once()

    def iteration_of(self, test, body):
        """An iteration of a `while`, which returns whether there is another one."""

        def iteration(_=None):
            body()
            return self.truth(test())

        return iteration

    def while_stmt(self, holds, test, body, state):
        iteration = self.iteration_of(test, body)
        predicate = self.truth(holds)
        while not is_staged(predicate):
            if not predicate:
                return
            predicate = iteration()
        Loop(iteration, state, (test, body), Iterations()).stage(predicate)

    def for_stmt(self, iterable, body, test, state):
        iterable = present(iterable)
        if not is_staged_iterable(iterable) or not has_one_kind(iterable):
            self.unrolled(iterable, body, test, state)
            return
        loop = self.loop_over(iterable, body, test, state)
        if loop.over.trips != 0:
            loop.stage()

    def for_each(self, iterable, body, changed):
        """Stages the loop that calls `body` with each element, which changes the object `changed`;
        no code of the user's leads to it."""
        loop = self.loop_over(iterable, body, None, State((), None, None), changed)
        if loop.over.trips != 0:
            loop.stage()

    def for_known(self, iterable, body, test, state):
        if type(iterable) is not range or len(iterable) < LONG:
            return False
        blocks = (body,) if test is None else (body, test)
        return staged_alike(self.loop_over(iterable, body, test, state), iterable, blocks)

    def loop_over(self, iterable, body, test, state, *changed):
        """The staged loop over an iterable."""
        is_range = type(iterable) is range
        over, element_of = counted(iterable) if is_range else iterations(iterable)

        def iteration(x):
            body(element_of(x))
            return True if test is None else self.truth(test())

        return Loop(iteration, state, (body, test), over, (iterable, *changed))

    def unrolled(self, iterable, body, test, state):
        """A loop whose elements Python knows, which a traced test may end."""
        elements = iter(iterable)

        def others():
            for element in elements:
                body(element)
                going_on = True if test is None else self.truth(test())
                if is_staged(going_on):
                    self.if_stmt(going_on, others, None, state)
                    return
                if not going_on:
                    return

        others()

    def holds(self, test, message):
        predicate = self.truth(test)
        if not is_staged(predicate):
            return predicate
        given = message() if callable(message) else message
        check(predicate, AssertionError, () if given is None else (given,))
        return True

    def raised(self, error):
        return is_raised_by_program(error)

    def choice(self, case_of, subject):
        return decide(case_of, subject)

    # -- expressions -------------------------------------------------------------------------------

    def truth(self, value):
        if isinstance(value, Subject):
            return bool(value)
        value = present(value)
        if isinstance(value, (StagedRange, GrowList)):
            value = REPLACED[len](value)
        if isinstance(value, jax.core.Tracer):
            return truth_of(value)
        return bool(value)

    def if_expr(self, test, body, orelse):
        predicate = self.truth(test)
        if is_staged(predicate):
            return stage_if(predicate, body, orelse, walrus_state(body, orelse))
        return super().if_expr(predicate, body, orelse)

    def and_(self, left, right):
        return self.if_expr(left, right, partial(itself, left))

    def or_(self, left, right):
        return self.if_expr(left, partial(itself, left), right)

    def not_(self, operand):
        predicate = self.truth(operand)
        return negated(predicate) if is_staged(predicate) else not predicate

    def contains(self, container, item):
        container, item = present(container), present(item)
        if isinstance(container, jax.Array):
            return jnp.any(container == item)
        if isinstance(container, (dict, set, frozenset)):
            if _has_staged(item):
                raise asked_for("a traced value is looked up by its hash")
            return item in container
        found: Any = False
        for element in container:
            if element is item:
                return True
            found = self.or_(found, partial(self.is_equal, element, item))
        return found

    def bound(self, value, name, is_free):
        return value.read(name, is_free) if isinstance(value, Maybe) else value

    def compare(self, relation, left, right):
        return Comparisons(self, self.is_equal).compared(relation, left, right)

    def is_equal(self, one: Any, other: Any) -> Any:
        """Whether two parts of containers are one object, or equal."""
        return one is other or self.truth(self.compare("==", present(one), present(other)))

    def is_none(self, value):
        if isinstance(value, Maybe):
            value.check_bound()
            inner, none, _ = value.parts()
            return inner is None if none is None else none
        return value is None

    def is_bool(self, value, constant):
        if isinstance(value, Maybe):
            inner, none, _ = value.parts()
            if none is not None:
                is_there = partial(self.is_bool, inner, constant)
                return self.if_expr(none, lambda: False, is_there)
            return self.is_bool(value.used(), constant)
        if is_staged(value) and value.dtype == bool and not value.shape:
            return value if constant else ~value
        return value is constant

    def is_same(self, value, other):
        return present(value) is present(other)

    # -- texts -------------------------------------------------------------------------------------

    def text(self, parts):
        return joined(parts) if any(isinstance(part, Text) for part in parts) else "".join(parts)

    def shown(self, value, spec, conversion):
        value = present(value)
        if is_staged(value) or isinstance(value, Text):
            return shown(value, spec, conversion)
        return super().shown(value, spec, conversion)

    def percent(self, template, values):
        given = values if isinstance(values, tuple) else (values,)
        if any(is_staged(present(one)) for one in given):
            raise asked_for("a text with traced values in it is made by %")
        return template % values

    # -- calls -------------------------------------------------------------------------------------

    def call(self, function, converted=None):
        if isinstance(function, Maybe):
            return function.used()
        classes.meet_callee(function)
        if _changes_container(function):
            return partial(_changing, function)
        return super().call(function, converted)

    def entered(self, function, converted):
        return entered(function, converted)

    def comprehension(self, collect, iterable):
        original = original_of(collect)
        if original is None or original.kind == "generator":
            return collect(iterable)
        if original.is_simple and not original.is_generator and not is_staged_iterable(iterable):
            made = collect(iterable)
            return GrowList(made) if original.kind == "list" else made
        if original.kind in ("set", "dict") and is_staged_iterable(iterable):
            iterable = self.elements(iterable)
        loop = loop_of(original, collect)
        if original.is_generator:
            return LazyElements.of(loop, iterable, Path(_is_known, unrolls=False))
        return loop(iterable)

    def elements(self, iterable):
        """The elements, one by one, if their number is known: keys and sets need them."""
        if isinstance(iterable, (jax.Array, Combined)):
            over, _ = iterations(iterable)
            return iterable if over.trips is None else list(iterable)
        return iterable

    # -- subscripts --------------------------------------------------------------------------------

    def get_item(self, container, key):
        container, key = present(container), present(key)
        if is_staged(key):
            if type(container) in (list, tuple):
                return item_at(container, key)
            if isinstance(container, dict):
                raise asked_for("an item of a dict is looked up by a traced key")
        if isinstance(container, np.ndarray) and _has_staged(key):
            return jnp.asarray(container)[key]
        return container[key]

    def set_item(self, container, key, value):
        container, key = present(container), present(key)
        if isinstance(container, np.ndarray) and _has_staged((key, value)):
            raise staging_error(
                "a traced value is written into a NumPy array",
                "It holds numbers, and only a run knows them.",
                "Use a JAX array, and x = x.at[i].set(y).",
                ContainerError,
            )
        sharing.check_write(container)
        if type(container) is list and is_staged(key):
            container[:] = with_item(container, key, value)
        elif isinstance(container, dict) and is_staged(key):
            raise asked_for("an item of a dict is stored under a traced key")
        else:
            container[key] = value

    def delete_item(self, container, key):
        sharing.check_write(container)
        del container[key]

    # -- lists and loops ---------------------------------------------------------------------------

    def new_list(self, items):
        return GrowList(items)

    def stack(self, items):
        if isinstance(items, GrowList):
            return items.stacked()
        return jnp.stack(items) if isinstance(items, (list, tuple)) else items

    def set_loop_options(self, max_iterations=None, **others):
        if open_loops and max_iterations is not None:
            open_loops[-1].most = max_iterations


def _changing(function, *args, **kwargs):
    """Calls a method that changes a list or dict."""
    sharing.check_write(function.__self__)
    return function(*args, **kwargs)


def _is_known(value):
    return not is_staged(value) and not is_staged_iterable(value)


def _has_staged(value):
    return any(map(is_staged, jax.tree.leaves(value)))
