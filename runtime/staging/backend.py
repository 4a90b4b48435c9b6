"""`GraphBackend`: records converted statements into the graph that is being built.

The modules of this package implement it; see the package for the table.
"""

import operator
import pathlib
from functools import partial
from types import BuiltinFunctionType, MethodDescriptorType, WrapperDescriptorType

import numpy as np

from autograph.backend import PYTHON, Backend, State, backend_of
from autograph.constructs.for_ import for_stmt
from autograph.conversion.comprehension_loops import loop_of, original_of
from autograph.functions.accidents import register_workings
from autograph.staging.dunder_methods import ConvertedClasses, make_object
from autograph.staging.lazy_elements import LazyElements, Path
from autograph.staging.refusals import check_dropped
from autograph.staging.walrus_state import walrus_state
from runtime.errors import OutsideWriteError, staging_error
from runtime.ir.op import find
from runtime.ir.types import BOOL, PYTHON_TYPES, UnionType, tensor_type
from runtime.staging import optional  # noqa: F401  (registers comparisons)
from runtime.staging.calls import array_api, attributes, iterables, numpy_mapped  # noqa: F401  (register calls)
from runtime.staging.calls.array_creation import concatenated
from runtime.staging.calls.builtins import call_method_of_list, call_on_known_list
from runtime.staging.calls.formatting import joined, percent, string_method, string_of
from runtime.staging.calls.gate import (
    gated,
    is_foreign,
    staged_context,
)
from runtime.staging.calls.host_iteration import HostElements
from runtime.staging.calls.host_values import HostValue, asked, done
from runtime.staging.calls.impure import GENERATORS, generator_call
from runtime.staging.calls.iteration import StagedCombined, StagedRange, known_elements, positions
from runtime.staging.calls.registry import CALLS
from runtime.staging.calls.scipy_calls import scipy_call
from runtime.staging.control_flow import recursive_calls
from runtime.staging.control_flow.cond import raised, stage_if
from runtime.staging.control_flow.loop import Loop, OpenLoops
from runtime.staging.control_flow.match import decide, refuse_to_match
from runtime.staging.control_flow.try_blocks import refuse_in_try
from runtime.staging.identity import is_same
from runtime.staging.lists.merged_containers import GivenContainers
from runtime.staging.lists.trace_list import TraceList, is_staged_list, item_at
from runtime.staging.outside_iterators import refuse_outside_iterator
from runtime.staging.truth import truth
from runtime.staging.variables import call_with_arrays
from runtime.tracing import trace
from runtime.tracing.array_like import ArrayLike, read
from runtime.tracing.conversion import cast
from runtime.tracing.maybe import MaybeNone, MaybeUnbound
from runtime.tracing.strings import call_method, is_string
from runtime.tracing.tensor import Tensor, apply, staged

OF_OBJECTS = {isinstance, type, repr, ascii, print, id, getattr, hasattr, setattr}
NO_STATE = State((), None, None)
METHODS = (MethodDescriptorType, WrapperDescriptorType)  # list.append, list.__len__


class GraphBackend(Backend):
    """Records converted statements into the graph that is being built."""

    calls = CALLS
    stages_in_blocks_only = True

    def stages(self, value):
        """Stand-ins are arrays for code that is not recorded."""
        return not isinstance(value, Tensor) or value.plain_value() is value

    # -- statements --------------------------------------------------------------------------------

    def if_stmt(self, test, body, orelse, state):
        predicate = truth(test)
        if isinstance(predicate, Tensor):
            stage_if(predicate, body, orelse, state)
        else:
            super().if_stmt(predicate, body, orelse, state)

    def while_stmt(self, holds, test, body, state):
        def turn():
            body()
            return truth(test())

        predicate = truth(holds)
        while not isinstance(predicate, Tensor):
            if not predicate:
                return
            predicate = turn()
        Loop(turn, state, (test, body)).stage(predicate)

    def for_stmt(self, iterable, body, test, state):
        is_known = isinstance(iterable, Tensor) and iterable.is_eager
        if is_known or isinstance(iterable, TraceList) and iterable.value is None:
            for_stmt(iter(iterable), body, state.get_state, state.set_state, state.names, test)
            return
        is_host = isinstance(iterable, HostValue)
        position = HostElements(iterable) if is_host else positions(iterable)

        def turn():
            body(position.element())
            position.advance()
            if test is None:
                return position.more()
            return self.if_expr(truth(test()), position.more, lambda: False)

        predicate = position.more()
        if predicate is not False:
            # The elements may be views of the iterable, so it is a root of the heap comparison.
            loop = Loop(turn, state, (body, test), position.places, roots=(iterable,))
            loop.stage(staged(predicate))

    def holds(self, test, message):
        predicate = truth(test)
        if not isinstance(predicate, Tensor):
            return predicate
        refuse_in_try(AssertionError)
        if callable(message):
            stage_if(predicate, _nothing, partial(_fail, message), NO_STATE)
            return True
        arguments = () if message is None else (message,)
        apply(find("assert_"), predicate, error=AssertionError, arguments=arguments)
        return True

    def raised(self, error):
        return raised(error)

    def check_subject(self, subject):
        refuse_to_match(subject)

    def choice(self, case_of, subject):
        refuse_to_match(subject)
        return decide(case_of, subject)

    # -- expressions -------------------------------------------------------------------------------

    def if_expr(self, test, body, orelse):
        predicate = truth(test)
        if isinstance(predicate, Tensor):
            return stage_if(predicate, body, orelse, walrus_state(body, orelse))
        return super().if_expr(predicate, body, orelse)

    def and_(self, left, right):
        return self.if_expr(left, right, lambda: left)

    def or_(self, left, right):
        return self.if_expr(left, lambda: left, right)

    def not_(self, operand):
        predicate = truth(operand)
        if isinstance(predicate, Tensor):
            return apply(find("not_"), predicate)
        return not predicate

    def contains(self, container, item):
        if isinstance(container, HostValue):
            return asked(operator.contains, container, item, kind=BOOL)
        if is_string(container) and is_string(item):
            return call_method(container, "__contains__", (item,))
        if is_staged_list(container):
            return container.queried("__contains__", item)
        if isinstance(container, Tensor):
            return cast(apply(find("any"), container == item), BOOL)
        if isinstance(container, str) and isinstance(item, Tensor):
            kind = "numpy.ndarray" if item.type.shape else f"numpy.{item.dtype}"
            raise TypeError(f"'in <string>' requires string as left operand, not {kind}")
        found = False
        for element in container:
            found = self.or_(
                found, lambda element=element: element is item or truth(element == item)
            )
        return cast(found, BOOL) if isinstance(found, Tensor) else found

    def is_none(self, value):
        if isinstance(value, MaybeUnbound):
            value.check_bound()
            value = value.unchecked()
        if isinstance(value, HostValue):
            return asked(operator.is_, value, None, kind=BOOL)
        return cast(value.is_none, BOOL) if isinstance(value, MaybeNone) else False

    def is_bool(self, value, constant):
        if isinstance(value, MaybeUnbound):
            value.check_bound()
            value = value.unchecked()
        if isinstance(value, MaybeNone):
            otherwise = partial(self.is_bool, value.unchecked(), constant)
            return self.if_expr(value.is_none, lambda: False, otherwise)
        if isinstance(value, HostValue):
            return asked(operator.is_, value, constant, kind=BOOL)
        if isinstance(value, Tensor) and isinstance(value.type, UnionType):
            is_pythons = apply(find("has_type"), value, types=(BOOL,))
            return self.and_(is_pythons, lambda: truth(value) if constant else self.not_(value))
        if not isinstance(value, Tensor) or value.type != BOOL:
            return False  # np.True_ and arrays are not True
        return value if constant else apply(find("not_"), value)

    def is_same(self, value, other):
        if isinstance(value, HostValue) or isinstance(other, HostValue):
            return asked(operator.is_, value, other, kind=BOOL)
        return is_same(value, other)

    # -- texts -------------------------------------------------------------------------------------

    def text(self, parts):
        return joined(parts)

    def shown(self, value, spec, conversion):
        return string_of(value, spec, conversion)

    def percent(self, template, values):
        return percent(template, values)

    # -- calls -------------------------------------------------------------------------------------

    def context(self, manager):
        check_dropped()
        return staged_context(manager)

    def iterated(self, iterable):
        check_dropped()
        refuse_outside_iterator(iterable)
        return iterable

    def call(self, function):
        check_dropped()
        if isinstance(function, HostValue):
            return function
        return gated(function, self._known(function))

    def _known(self, function):
        """The replacement of a function, or the function itself."""
        owner = getattr(function, "__self__", None)
        if type(function) is BuiltinFunctionType and type(owner) is str:
            return string_method(function)
        if type(function) in METHODS and function.__objclass__ is list:
            return partial(call_method_of_list, function)
        if getattr(function, "__module__", None) == "_heapq":
            return partial(call_on_known_list, function)
        recorder = trace.current()
        if recorder is not None:
            classes = recorder.state(ConvertedClasses)
            classes.meet_callee(function)
            if classes.makes_plain_objects(function):
                return partial(make_object, recorder, function)
        known = scipy_call(super().call(function))
        if known is not function and function not in OF_OBJECTS:
            return partial(call_with_arrays, function, known)
        draws = known is function and isinstance(owner, GENERATORS)
        return generator_call(function, owner) if draws else known

    def entered(self, function, converted):
        return recursive_calls.entered(function, converted)

    # -- comprehensions ----------------------------------------------------------------------------

    def comprehension(self, collect, iterable):
        refuse_outside_iterator(iterable)
        original = original_of(collect)
        if original is None:
            return collect(iterable)
        quantifies = original.kind in ("any", "all")
        if original.is_simple and not quantifies:
            iterable = known_elements(iterable)
            if is_known(iterable):
                made = collect(iterable)
                if original.is_generator:
                    return LazyElements(made)
                return TraceList(made) if original.kind == "list" else made
        loop = loop_of(original, collect)
        if original.is_generator:
            path = Path(is_known, unrolls=original.is_simple and not quantifies)
            return LazyElements.of(loop, iterable, path)
        return loop(iterable)

    def elements(self, iterable):
        return known_elements(iterable)

    # -- subscripts --------------------------------------------------------------------------------

    def get_item(self, container, key):
        check_dropped()
        if isinstance(container, (list, tuple, np.ndarray)):
            key = read(key)
        if isinstance(key, Tensor) and isinstance(container, (list, tuple)):
            if key.type.shape or key.dtype.kind not in "iub":
                raise TypeError("only integer scalar arrays can be converted to a scalar index")
            items = tuple(list.__iter__(container) if isinstance(container, list) else container)
            return item_at(items, key)
        if isinstance(container, np.ndarray) and has_staged(key):
            return staged(container)[key]
        if (container is np.r_ or container is np.c_) and has_staged(key):
            return concatenated(container, key if isinstance(key, tuple) else (key,))
        if isinstance(container, HostValue) or is_foreign(container, "__getitem__"):
            return asked(operator.getitem, container, key)
        return container[key]

    def delete_item(self, container, key):
        check_dropped()
        if is_foreign(container, "__delitem__"):
            done(operator.delitem, container, key)
        else:
            del container[key]

    def set_item(self, container, key, value):
        check_dropped()
        if is_foreign(container, "__setitem__"):
            done(operator.setitem, container, key, value)
            return
        if isinstance(container, np.ndarray):
            foreign = "an array" if has_staged((key, value)) else None
        else:
            foreign = "a list" if isinstance(container, list) and has_staged(key) else None
        if foreign is not None:
            raise staging_error(
                f"a staged element is written into {foreign} that is not staged",
                *_why_not_staged(container),
                OutsideWriteError,
            )
        container[key] = value

    # -- lists -------------------------------------------------------------------------------------

    def new_list(self, items):
        return TraceList(items)

    def set_element_type(self, items, dtype, shape=None):
        kind = PYTHON_TYPES.get(dtype) if shape is None else None
        items.element = kind or tensor_type(dtype, shape or ())

    def stack(self, items):
        return items.stacked() if isinstance(items, TraceList) else super().stack(items)

    def set_loop_options(self, **options):
        loops = trace.current().state(OpenLoops)
        if loops:
            loops[-1].options.update({k: v for k, v in options.items() if v is not None})


def is_known(value) -> bool:
    """Whether Python knows a value: it is not staged, or is a list of a known length."""
    is_known_list = isinstance(value, TraceList) and value.value is None
    return is_known_list or backend_of(value) is PYTHON


def _why_not_staged(container):
    """Why a list or array is not staged, and a remedy."""
    known = trace.current().state(GivenContainers).known
    if isinstance(container, list) and known and id(container) not in known:
        return (
            "A graph follows the lists that code assigns to variables, and this one was made in "
            "another way.",
            "Make a list of it first: items = list(items).",
        )
    return (
        "It was created outside of the function.",
        "Create it in the function, or pass it as an argument.",
    )


def _nothing():
    """The branch of an assertion that holds."""


def _fail(message):
    raise AssertionError(message())


def has_staged(key) -> bool:
    """Whether a subscript, or one of its parts, is staged."""
    if isinstance(key, tuple):
        return any(map(has_staged, key))
    if isinstance(key, slice):
        return any(map(has_staged, (key.start, key.stop, key.step)))
    return isinstance(key, (Tensor, ArrayLike))


BACKEND = GraphBackend()
Tensor.__autograph__ = BACKEND
TraceList.__autograph__ = BACKEND
StagedRange.__autograph__ = BACKEND
StagedCombined.__autograph__ = BACKEND

_here = pathlib.Path(__file__).parent
for _name in ("control_flow", "kept_places.py", "output_template.py", "side_effects.py"):
    register_workings(_here / _name)
register_workings(*(_here.parent / name for name in ("analyses", "function", "passes")))
