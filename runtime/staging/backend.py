"""`GraphBackend`: records converted statements into the graph that is being built.

The modules of this package implement it; see the package for the table.
"""

import operator
import pathlib
from functools import partial
from inspect import CO_GENERATOR
from types import BuiltinFunctionType, FunctionType, MethodDescriptorType, WrapperDescriptorType

from autograph.backend import Backend, State
from autograph.constructs.compare import in_, is_
from autograph.constructs.for_ import for_stmt
from autograph.functions.accidents import register_workings
from autograph.staging.block_functions import itself
from autograph.staging.refusals import check_dropped
from autograph.staging.walrus_state import walrus_state
from runtime.ir.op import find
from runtime.ir.types import BOOL, PYTHON_TYPES, UnionType, is_array, tensor_type
from runtime.staging import array_memory, optional  # noqa: F401  (register comparisons)
from runtime.staging.calls import registered  # noqa: F401  (registers calls)
from runtime.staging.calls.builtins import call_method_of_list, staged_type_of
from runtime.staging.calls.cached_functions import gated
from runtime.staging.calls.chosen_uses import call_of_each, for_each_option
from runtime.staging.calls.dict_keys import has_key
from runtime.staging.calls.dispatched_calls import dispatched_call
from runtime.staging.calls.foreign_statements import staged_context
from runtime.staging.calls.formatting import joined, string_method, string_of
from runtime.staging.calls.host_values import HostValue, asked, hidden_key_error, is_hidden_key
from runtime.staging.calls.iteration import StagedCombined, known_elements
from runtime.staging.calls.made_generators import GENERATORS, generator_call
from runtime.staging.calls.optional_arguments import taking_optional
from runtime.staging.calls.package_calls import makes_plain_objects, package_call
from runtime.staging.calls.package_objects import note_read
from runtime.staging.calls.percent_formatting import percent
from runtime.staging.calls.plain_values import at_once
from runtime.staging.calls.recorded_effects import in_run
from runtime.staging.calls.registry import CALLS
from runtime.staging.calls.scipy_calls import scipy_call
from runtime.staging.calls.searches import search_of_known
from runtime.staging.calls.staged_range import StagedRange
from runtime.staging.calls.star_operators import StarOperators
from runtime.staging.calls.texts import refusing_texts
from runtime.staging.chosen import Chosen, ChosenMethod, is_users
from runtime.staging.comparisons import compare
from runtime.staging.comprehensions import comprehension
from runtime.staging.containers import StagedContainer
from runtime.staging.control_flow import recursive_calls
from runtime.staging.control_flow.cond import ASSERTIONS, raised, stage_arms, stage_if
from runtime.staging.control_flow.element_search import is_in
from runtime.staging.control_flow.for_loop import stage_for
from runtime.staging.control_flow.known_iteration import for_known, while_known
from runtime.staging.control_flow.loop import Loop
from runtime.staging.control_flow.loop_options import set_options
from runtime.staging.control_flow.match import decide, refuse_to_match
from runtime.staging.control_flow.taken_elements import TakenElements, code_of_elements
from runtime.staging.dicts.constructors import new_dict, new_set, noting, with_items
from runtime.staging.dicts.dict_view import DictView
from runtime.staging.generators import consumed_by_loop, each_of, run_all, starting
from runtime.staging.identity import is_same
from runtime.staging.items import delete_item, get_item, set_item
from runtime.staging.lists.exchanges import exchanged
from runtime.staging.lists.field_lists import make_plain_object
from runtime.staging.lists.staged_tuple import StagedTuple
from runtime.staging.lists.trace_deque import unchanged
from runtime.staging.lists.trace_list import TraceList, is_staged_list
from runtime.staging.maybe_object import MaybeNoneObject
from runtime.staging.outside_iterators import note_left, refuse_outside_iterator
from runtime.staging.truth import own_truth, truth
from runtime.staging.unbound_object import MaybeUnboundObject
from runtime.staging.variables import call_with_arrays
from runtime.tracing import trace
from runtime.tracing.conversion import cast
from runtime.tracing.maybe import MaybeNone, MaybeUnbound, bound
from runtime.tracing.strings import StagedString, call_method, is_string
from runtime.tracing.tensor import Tensor, apply

OF_OBJECTS = {isinstance, type, repr, ascii, print, id, getattr, hasattr, setattr}
# A loop goes over a list of the elements.
TAKEN_APART = (StagedContainer, DictView, StagedString, StagedTuple)
NO_STATE = State((), None, None)
METHODS = (MethodDescriptorType, WrapperDescriptorType)  # list.append, list.__len__


class GraphBackend(StarOperators, Backend):
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

    def cond_stmt(self, holds, arms, orelse, state):
        predicate = truth(holds)
        if isinstance(predicate, Tensor):
            stage_arms(self, predicate, arms, orelse, state)
        else:
            super().cond_stmt(predicate, arms, orelse, state)

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
        if isinstance(iterable, TAKEN_APART):
            rest = each_of(iterable)
            return for_stmt(rest, body, state.get_state, state.set_state, state.names, test)
        if isinstance(iterable, Chosen):
            return for_each_option(iterable, body, test, state)
        with unchanged(iterable):
            stage_for(self, iterable, body, test, state)

    def for_known(self, iterable, body, test, state):
        if consumed_by_loop(iterable, body, test, state, self.not_):
            return True
        return for_known(self, iterable, body, test, state)

    def while_known(self, test, body, state):
        return while_known(test, body, state)

    def holds(self, test, message):
        predicate = truth(test)
        if not isinstance(predicate, Tensor):
            return predicate
        if callable(message):
            stage_if(predicate, None, partial(_fail, message), NO_STATE)
            return True
        arguments = () if message is None else (message,)
        apply(find("assert_"), predicate, error=AssertionError, arguments=arguments)
        return True

    raised = staticmethod(raised)
    check_subject = staticmethod(refuse_to_match)
    choice = staticmethod(decide)

    # -- expressions -------------------------------------------------------------------------------

    def if_expr(self, test, body, orelse):
        predicate = truth(test)
        if isinstance(predicate, Tensor):
            return stage_if(predicate, body, orelse, walrus_state(body, orelse))
        return super().if_expr(predicate, body, orelse)

    def and_(self, left, right):
        return self.if_expr(left, right, partial(itself, left))

    def or_(self, left, right):
        return self.if_expr(left, partial(itself, left), right)

    truth = staticmethod(truth)
    own_truth = staticmethod(own_truth)

    def not_(self, operand):
        predicate = truth(operand)
        if isinstance(predicate, Tensor):
            return apply(find("not_"), predicate)
        return not predicate

    compare = compare

    def contains(self, container, item):
        if isinstance(container, HostValue) or is_hidden_key(container, item):
            return asked(operator.contains, container, item, kind=BOOL)
        if isinstance(container, StagedContainer):
            return container.place(item) >= 0
        if isinstance(container, (DictView, StagedRange, StagedTuple)):
            return container.contains(item, in_)
        if isinstance(item, Chosen):
            return item.each(lambda one: in_(one, container), container)
        if isinstance(container, Chosen):
            return container.each(lambda one: in_(item, one), item)
        if isinstance(container, MaybeNoneObject):
            return self.contains(container.__checked__(lambda none: item in none), item)
        if is_string(container) and is_string(item):
            return call_method(container, "__contains__", (item,))
        if is_staged_list(container):
            return container.queried("__contains__", item)
        if isinstance(container, Tensor):
            if not is_array(container.type):
                return item in staged_type_of(container)()  # raises TypeError
            return cast(apply(find("any"), container == item), BOOL)
        if type(container) is dict and isinstance(item, Tensor):
            return has_key(container, item)
        if isinstance(container, str) and isinstance(item, Tensor):
            kind = "numpy.ndarray" if item.type.shape else f"numpy.{item.dtype}"
            raise TypeError(f"'in <string>' requires string as left operand, not {kind}")
        return is_in(self, item, container)

    def bound(self, value, name, is_free):
        return value.read(name, is_free) if isinstance(value, UNBOUND) else value

    def is_none(self, value):
        value = bound(value)
        if isinstance(value, HostValue):
            return asked(operator.is_, value, None, kind=BOOL)
        is_optional = isinstance(value, (MaybeNone, MaybeNoneObject))
        if type(value) is Chosen:
            return value.is_one(None)
        return cast(value.__is_none__, BOOL) if is_optional else False

    def is_bool(self, value, constant):
        value = bound(value)
        if isinstance(value, MaybeNone):
            otherwise = partial(self.is_bool, value.__unchecked__(), constant)
            return self.if_expr(value.__is_none__, lambda: False, otherwise)
        if type(value) is Chosen:
            return value.each(lambda one: is_(one, constant))
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
        for one, another in ((value, other), (other, value)):
            if isinstance(one, Chosen):
                return one.is_one(another)
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

    def iterated(self, iterable, is_left=False):
        check_dropped()
        if is_left:
            return note_left(iterable)
        refuse_outside_iterator(iterable)
        return in_run(iterable)

    def taken_elements(self, elements):
        return TakenElements(self, elements) if code_of_elements(elements) else None

    def delegated(self, iterable, consume):
        return run_all(self.iterated(iterable), consume)

    def call(self, function, converted=None):
        check_dropped()
        if isinstance(function, (HostValue, Chosen, ChosenMethod)):
            return function
        plain = at_once(function, lambda: self._called(function, converted))
        found = plain or self._called(function, converted)
        owner = getattr(function, "__self__", None)
        return noting(found, owner, function) if isinstance(owner, (dict, set)) else found

    def _called(self, function, converted):
        known = self._known(function)
        if converted is not None and known is function:
            return package_call(function, converted)
        found = refusing_texts(function, gated(function, known))
        is_left = converted is not None or is_users(found, function)
        return found if is_left else taking_optional(function, call_of_each(function, found))

    def _known(self, function):
        """The replacement of a function, or the function itself."""
        if isinstance(function, (Tensor, MaybeNoneObject)):
            return function  # the call raises Python's exception, for None too
        owner = getattr(function, "__self__", None)
        if type(function) is BuiltinFunctionType and type(owner) is str:
            return string_method(function)
        if type(function) in METHODS and function.__objclass__ is list:
            return partial(call_method_of_list, function)
        if (dispatched := dispatched_call(function)) is not None:
            return dispatched
        if (search := search_of_known(function)) is not None:
            return search
        recorder = trace.current()
        if recorder is not None and makes_plain_objects(function, recorder):
            return partial(make_plain_object, recorder, function)
        known = scipy_call(super().call(function))
        if known is not function and function not in OF_OBJECTS:
            return partial(call_with_arrays, function, known)
        draws = known is function and isinstance(owner, GENERATORS)
        return generator_call(function, owner) if draws else known

    def entered(self, function, converted):
        if isinstance(function, FunctionType) and function.__code__.co_flags & CO_GENERATOR:
            return starting(function, converted)
        return recursive_calls.entered(function, converted)

    # -- comprehensions ----------------------------------------------------------------------------

    def comprehension(self, collect, iterable):
        return comprehension(collect, iterable)

    def elements(self, iterable):
        note_read(iterable)
        return known_elements(each_of(iterable))

    # -- subscripts --------------------------------------------------------------------------------

    def get_item(self, container, key):
        is_hidden = is_hidden_key(container, key)
        return asked(operator.getitem, container, key) if is_hidden else get_item(container, key)

    def delete_item(self, container, key):
        delete_item(container, key)

    def set_item(self, container, key, value):
        if is_hidden_key(container, key):
            raise hidden_key_error(key)
        set_item(container, key, value)

    # -- lists -------------------------------------------------------------------------------------

    def new_list(self, items):
        return TraceList(items)

    def new_dict(self, pairs):
        return new_dict(pairs)

    def with_items(self, items, mapping):
        return with_items(items, mapping)

    def new_set(self, elements):
        return new_set(elements)

    def exchanged(self, values):
        return exchanged(values)

    def set_element_type(self, items, dtype, shape=None):
        kind = PYTHON_TYPES.get(dtype) if shape is None else None
        items.element = kind or tensor_type(dtype, shape or ())

    def stack(self, items):
        return items.stacked() if isinstance(items, TraceList) else super().stack(items)

    def set_loop_options(self, unroll=None, **options):
        set_options(unroll, options)


def _fail(message):
    raise AssertionError(message())


ASSERTIONS.add(_fail.__code__)


UNBOUND = (MaybeUnbound, MaybeUnboundObject)
BACKEND = GraphBackend()
Tensor.__autograph__ = BACKEND
MaybeNoneObject.__autograph__ = BACKEND
MaybeUnboundObject.__autograph__ = BACKEND
Chosen.__autograph__ = BACKEND
TraceList.__autograph__ = BACKEND
StagedContainer.__autograph__ = BACKEND
DictView.__autograph__ = BACKEND
StagedTuple.__autograph__ = BACKEND
StagedRange.__autograph__ = BACKEND
StagedCombined.__autograph__ = BACKEND

_here = pathlib.Path(__file__).parent
for _name in ("control_flow", "kept_places.py", "output_template.py", "side_effects.py"):
    register_workings(_here / _name)
register_workings(*(_here.parent / name for name in ("analyses", "function", "passes")))
