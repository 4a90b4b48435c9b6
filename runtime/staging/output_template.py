"""The output template: rebuilds the result of a call from graph outputs and constants.

    return x * 2, [y, "ok"], Point(x, y)

    graph outputs:    x * 2, y, x, y
    template:         (output, [output, 'ok'], Point with x = output, y = output)

Arguments, and containers that other code has made, are returned as they are.  Those that the
function makes are made by each run, once for each place that refers to them; objects without their
constructors, which have run while tracing.
"""

import weakref
from collections import deque
from collections.abc import Container, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np

from autograph.functions.policy import is_users_class
from autograph.staging.dunder_methods import NewObjects
from autograph.staging.object_state import attributes
from runtime.errors import ResultError, staging_error
from runtime.ir.graph import Operand, operand_type
from runtime.ir.pytree import is_dict
from runtime.ir.types import DTYPE_NAMES
from runtime.staging.calls.staged_range import StagedRange
from runtime.staging.chosen import Chosen
from runtime.staging.containers import StagedContainer
from runtime.staging.lists.elements import holds_lists
from runtime.staging.lists.forms import GivenElements, IndexedItems, formed, has_forms, is_element
from runtime.staging.lists.inner_lists import may_be_element
from runtime.staging.lists.merged_identity import NEW, Which, given_ends, which_of
from runtime.staging.lists.merged_sources import (
    choice_of,
    merged_error,
    merged_of,
    refuse_changed,
    sources_of,
)
from runtime.staging.lists.nested_list import ListPart, ReadLists
from runtime.staging.lists.staged_tuple import StagedTuple
from runtime.staging.lists.trace_deque import TraceDeque
from runtime.staging.lists.trace_list import TraceList
from runtime.staging.maybe_object import MaybeNoneObject
from runtime.staging.refused_results import refuse_result
from runtime.staging.result_views import in_memory_of_base
from runtime.staging.staged_values import holds_staged
from runtime.staging.templates import (
    COLLECTIONS,
    DICTIONARIES,
    PAIRS,
    SUBCLASSED,
    WHOLE,
    ArgumentRef,
    Const,
    ContainerTemplate,
    Either,
    FormedOutput,
    OneOf,
    Optional,
    Output,
    Ref,
    RunValues,
    Template,
    Updated,
    VariableRef,
    described,
    rebuilt,
    settled,
)
from runtime.tracing import trace
from runtime.tracing.aliases import is_view, root_of
from runtime.tracing.array_inputs import ArrayInputs
from runtime.tracing.array_like import ArrayLike
from runtime.tracing.maybe import MaybeNone, MaybeUnbound
from runtime.tracing.tensor import Tensor, staged
from runtime.tracing.tensor import operand as operand_of
from runtime.tracing.trace import Trace


class MadeContainers:
    """The containers in the templates of one graph, by identity, and those that are shared."""

    def __init__(self) -> None:
        self._serials: dict[int, tuple[int, Any]] = {}
        self.copies: list[Any] = []  # merged objects, which only the run could tell
        self.given: list[Any] = []  # lists, dicts and objects that code has put into staged lists
        self.read: list[Any] = []  # dicts and objects that code has read from staged lists
        self.holds_elements = False  # whether there is a staged list of such values
        self.open: set[int] = set()  # whose parts are not known yet
        self.shared: set[int] = set()
        self._first_list: Any = None

    def add(self, value: Any) -> int:
        """The serial number of a new container."""
        serial = len(self._serials)
        self._serials[id(value)] = serial, value
        return serial

    def is_first_list(self, value: Any) -> bool:
        """Whether a list is the only one so far.  Others are copied: a run may have one object for
        two lists that the function makes of the same elements, such as `z` and `z.copy()`.  All
        are copied if code has read an element of a list of lists, which is an object of the run."""
        if trace.current().state(ReadLists).exist:
            return False
        if self._first_list is None:
            self._first_list = value
        return self._first_list is value

    def may_repeat_elements(self) -> bool:
        """Whether two of the containers may be one element of a staged list, held by value."""
        others = bool(self.given) or self.holds_elements or len(self.read) > 1
        return bool(self.read) and others or bool(self.given) and self.holds_elements

    def has(self, value: Any) -> bool:
        """Whether a container is in a template."""
        return id(value) in self._serials

    def found(self, value: Any) -> "Ref | None":
        """The reference to a container that is in a template already."""
        if id(value) not in self._serials:
            return None
        serial = self._serials[id(value)][0]
        if serial in self.open and isinstance(value, tuple):
            raise staging_error(
                "a tuple that contains itself is returned or stored",
                "Each run makes the tuple, after its items.",
                "Use a list.",
                ResultError,
            )
        self.shared.add(serial)
        return Ref(serial)


class OutputTemplate:
    """The template of a value, and the operands that the graph has to return for it."""

    def __init__(
        self,
        value: Any,
        recorder: Trace,
        arguments: dict[int, tuple],
        outside: Container[int] = (),
    ):
        """`arguments` are the paths to the arguments and the containers in them, by identity;
        `outside` has the containers that other code has made, and each call finds again."""
        self.operands: list[Operand] = []
        self.returned: list[Any] = []  # of those in `outside`
        self._recorder = recorder
        self._arguments = arguments
        self._outside = outside
        self._made = recorder.state(MadeContainers)
        self.template = self._template(value)

    def settle(self) -> None:
        """Drops the serial numbers of containers to which one place refers, when all are known."""
        self.template = settled(self.template, self._made.shared)
        for one in self._made.copies:
            if any(self._is_seen(source) for source in sources_of(one)):
                raise merged_error(one, "is returned or stored, beside one of them")
            is_known = which_of(one) is not None or self._callers_rows(one) is not None
            if not is_known and sum(map(self._is_found, sources_of(one))) > 1:
                raise merged_error(one, "of the caller is returned or stored")
        self._refuse_callers_element()
        if self._made.may_repeat_elements():
            raise staging_error(
                "an element of a staged list is returned or stored, beside the list or another one",
                "A graph holds such elements by value, so whether two results are one object is "
                "known only at run time.",
                "Return or store the list alone, or a copy of what the element holds.",
                ResultError,
            )

    def _refuse_callers_element(self):
        """Raises `StagingError` if an element of a staged list may be an object of the caller."""
        if not self._made.read:
            return
        given = [one for one, *_ in self._recorder.state(GivenElements).values()]
        given += [one for items in self._recorder.state(IndexedItems) for one in items]
        if any(self._is_found(one) and not isinstance(one, np.generic) for one in given):
            raise staging_error(
                "an element of a staged list, which may be an object of the caller, is returned "
                "or stored",
                "A graph holds such elements by value: the caller would get a copy.",
                "Choose it with `if`, or return a copy: dict(d), or copy.copy(z) of an object.",
                ResultError,
            )

    def _is_seen(self, source):
        """Whether the caller may hold an object that a merged one may be."""
        is_given = id(source) in self._arguments or id(source) in self._outside
        return self._made.has(source) or is_given and not isinstance(source, (list, dict))

    @property
    def is_one_output(self) -> bool:
        """Whether the value is the graph's only output."""
        return isinstance(self.template, Output) and not self.template.optional

    # -- while tracing -----------------------------------------------------------------------------

    def _template(self, value) -> Template:
        if isinstance(value, MaybeUnbound):
            value = value.returned()
        kind = type(value)
        if kind is StagedRange:
            value = value.of_run()
        if kind is StagedTuple:
            return ContainerTemplate(tuple, (WHOLE,), (self._template(value.items),))
        if kind is np.ndarray and value.dtype in DTYPE_NAMES and id(value) not in self._arguments:
            value = staged(value)  # an array of its own for every call
        if isinstance(value, MaybeNone):
            self.operands += [
                value.__unchecked__()._value,
                operand_of(value.__is_none__, self._recorder),
            ]
            return Output(optional=True)
        if isinstance(value, MaybeNoneObject):
            self.operands.append(operand_of(value.__is_none__, self._recorder))
            return Optional(self._template(value.__present__))
        if isinstance(value, Chosen):
            self.operands.append(operand_of(value.which, self._recorder))
            return OneOf(tuple(map(self._template, value.options)))
        choice = choice_of(value)
        if choice is not None:
            self.operands.append(operand_of(choice.predicate, self._recorder))
            return Either(self._template(choice.one), self._template(choice.other))
        refuse_changed(value)
        if sources_of(value):
            self._made.copies.append(value)
            which = which_of(value)
            if which is not None and all(map(self._is_found, given_ends(which))):
                return self._chosen(which, value)
            rows = self._callers_rows(value)
            if rows is not None:
                self.operands.append(operand_of(rows[0], self._recorder))
                return OneOf(tuple(map(self._found, rows[1])))
        written = self._written(root_of(value))
        if written is not None and not is_view(value):
            return Updated(written)
        if isinstance(value, Tensor):
            self.operands.append(operand_of(in_memory_of_base(value), self._recorder))
            return Output() if written is None else Updated(written, is_view=True)
        if self._is_found(value):
            return self._found(value)
        if isinstance(value, ArrayLike):
            return VariableRef(weakref.ref(value))
        return self._made.found(value) or self._container(value, kind)

    def _is_found(self, value):
        """Whether each call finds an object: an argument, or one that other code has made."""
        return id(value) in self._arguments or id(value) in self._outside

    def _callers_rows(self, value):
        """The index of a row of the caller, and all rows; None if it is no such row, or if only an
        iteration knows its index."""
        index, rows = getattr(merged_of(value), "row", None) or (None, ())
        is_there = isinstance(index, Tensor) and index._region in self._recorder.regions
        return (index, rows) if is_there and all(map(self._is_found, rows)) else None

    def _found(self, value):
        if id(value) in self._arguments:
            return ArgumentRef(self._arguments[id(value)])
        self.returned.append(value)
        return Const(value)

    def _chosen(self, which, value) -> Template:
        """The template of a list or dict that is one of the caller's, or one of its own."""
        if isinstance(which, Which):
            self.operands.append(operand_of(which.predicate, self._recorder))
            return Either(self._chosen(which.one, value), self._chosen(which.other, value))
        if which is NEW:
            return self._made.found(value) or self._container(value, type(value))
        return self._found(which)

    def _container(self, value, kind) -> Template:
        """The template of a container that the function has made, which is met for the first
        time; of any other object a constant."""
        self._note_element(value)
        if isinstance(value, ListPart):
            return self._template(value.contents())  # an object of the run, in one place
        if self._is_object(value, kind):
            held = attributes(value)
            base = next((one for one in SUBCLASSED if isinstance(value, one)), object)
            keys, items = tuple(held), [*held.values()]
            if base is not object:
                items.append(base(base.copy(value)))
            return self._parts(value, kind, keys, items, base=base)
        if isinstance(value, TraceList):
            contents = value.contents()
            self._made.holds_elements |= isinstance(contents, Tensor) and holds_values(contents)
            if isinstance(value, TraceDeque):
                keys = () if isinstance(contents, tuple) else (WHOLE,)
                parts = contents if isinstance(contents, tuple) else (contents,)
                return self._parts(value, deque, keys, parts, default=value.maxlen)
            if isinstance(contents, tuple):
                return self._parts(value, list, (), contents)
            if has_forms(contents.type):
                self.operands.append(operand_of(contents, self._recorder))
                whole = (FormedOutput(contents.type, formed),)
                return ContainerTemplate(list, (WHOLE,), whole, self._made.add(value))
            if self._made.is_first_list(value):
                return self._template(contents)
            return self._parts(value, list, (WHOLE,), (contents,))
        if isinstance(value, StagedContainer):
            default = getattr(value, "default_factory", None)
            return self._parts(value, value.kind, PAIRS, value.held.values(), default=default)
        if is_dict(kind) or kind in DICTIONARIES:
            default = getattr(value, "default_factory", None)
            kind = dict if is_dict(kind) else kind
            return self._parts(value, kind, tuple(value), value.values(), default=default)
        if kind in COLLECTIONS:
            default = getattr(value, "maxlen", None)
            return self._parts(value, kind, (), tuple(value), default=default)
        if kind is tuple or is_named_tuple(value):
            return self._parts(value, kind, (), value)
        refuse_result(value, self._recorder)
        return Const(value)

    def _note_element(self, value):
        """Notes a value that a staged list holds by value, unless it is a place of the list."""
        if isinstance(value, (ListPart, tuple)):
            return
        if may_be_element(value) or id(value) in self._recorder.state(GivenElements):
            self._made.given.append(value)
        elif is_element(value):
            self._made.read.append(value)

    def _is_object(self, value, kind):
        """Whether each run makes the object, with its attributes: one that the function has made,
        or that holds staged values."""
        if kind is SimpleNamespace:
            return True
        if not is_users_class(kind) or isinstance(value, type) or is_named_tuple(value):
            return False
        is_container = isinstance(value, SUBCLASSED)
        return is_container or id(value) in self._recorder.state(NewObjects) or holds_staged(value)

    def _parts(self, value, kind, keys, items, **options):
        serial = self._made.add(value)
        self._made.open.add(serial)
        parts = tuple(map(self._template, items))
        self._made.open.remove(serial)
        return ContainerTemplate(kind, keys, parts, serial, **options)

    def _written(self, value) -> int | None:
        """The index of the input that an array is, if the function has written into it."""
        given = self._recorder.state(ArrayInputs).input_of(value)
        if given is None or value._value is given:
            return None
        return self._recorder.graph.inputs.index(given)

    # -- after a run -------------------------------------------------------------------------------

    def rebuilt(self, run: RunValues) -> Any:
        """The value for a run; takes its outputs from `run.outputs`."""
        return rebuilt(self.template, run)

    def described(self, types: Iterator) -> str:
        """The value as error messages and `pretty_printed` show it, with the types of outputs."""
        return described(self.template, types)


def holds_values(contents: Tensor) -> bool:
    """Whether a staged list holds lists, dicts or objects."""
    return has_forms(contents.type) or holds_lists(contents.type.element)


def is_named_tuple(value: Any) -> bool:
    """Whether a value is an object of a class that `namedtuple` has made."""
    return isinstance(value, tuple) and hasattr(type(value), "_fields")


def output_types(operands: list[Operand]) -> Iterator:
    """The types of a graph's outputs."""
    return map(operand_type, operands)
