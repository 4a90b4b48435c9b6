"""`template % values`, with staged values, and with containers that hold some.

"%d of %d" % (n, x)          text_call("%d of %d", n, x, method="__mod__")
"%d of %s" % (n, items)      the text of `items` stands for the container, which no graph has
"%(a)d" % {"a": n}           "%d" % (n,)
"""

import re
from typing import Any

from autograph.constructs.ternary import if_expr
from runtime.ir.pytree import flatten, transform
from runtime.staging.calls.asked_objects import is_needed
from runtime.staging.calls.formatting import guarded, is_container, refusal, string_of
from runtime.staging.calls.recorded_effects import in_run
from runtime.staging.calls.staged_range import StagedRange
from runtime.staging.chosen import Chosen
from runtime.staging.containers import StagedContainer, StagedView
from runtime.staging.lists.forms import refuse_forms
from runtime.staging.lists.trace_list import TraceList, is_staged_list
from runtime.staging.maybe_object import MaybeNoneObject
from runtime.staging.staged_values import shows_staged
from runtime.tracing.strings import call_method, is_string
from runtime.tracing.tensor import Tensor


def percent(template: Any, values: Any) -> Any:
    """`template % values`"""
    for value in values if type(values) is tuple else (values,):
        if in_run(value) is not value:
            raise is_needed(value)
    for value in values if type(values) is tuple else (values,):
        if isinstance(value, (Chosen, MaybeNoneObject)):
            return _with_each(template, values, value)
    if not is_string(template) or not (shows_staged(template) or shows_staged(values)):
        return guarded(lambda: template % values)
    if type(values) is dict and type(template) is str:
        template, values = _by_position(template, values)
    given = values if type(values) is tuple else (values,)
    if any(isinstance(value, (StagedRange, StagedView)) for value in given):
        given = values = tuple(map(_of_run, given))
    if any(map(_is_hidden, given)):
        template, values = _with_texts(template, given)
    return call_method(template, "__mod__", (transform(_in_the_graph, values),))


def _with_each(template, values, flagged):
    """The same for one of several objects, or one that may be None: a branch for each."""

    def shown(one):
        if type(values) is not tuple:
            return percent(template, (one,) if type(one) is not tuple else one)
        return percent(template, tuple(one if value is flagged else value for value in values))

    if isinstance(flagged, Chosen):
        return flagged.each(shown)
    present = flagged.__unchecked__()
    return if_expr(flagged.__is_none__, lambda: shown(None), lambda: shown(present))


def _of_run(value):
    """The text of a staged range or view, which `%s`, `%r` and `%a` show; other values."""
    return string_of(value) if isinstance(value, (StagedRange, StagedView)) else value


def _is_hidden(value):
    """Whether a container, which is no value of the graph, contains what only a run has."""
    is_list = is_staged_list(value) and not hasattr(type(value), "text_around")
    is_shown = is_container(value) and not is_list and shows_staged(value)
    return is_shown or isinstance(value, StagedContainer)


FIELD = re.compile(r"%(?P<form>[-#0 +]*[0-9]*(?:[.][0-9]+)?)(?P<kind>[a-zA-Z%])")


NAMED = re.compile(r"%(?:[(](?P<name>[^()]*)[)](?P<form>[-#0 +]*[0-9]*(?:[.][0-9]+)?[a-zA-Z])|%)")


def _by_position(template, values):
    """A template with fields of a dict as one with fields of a tuple."""
    if template.count("%") != sum(found[0].count("%") for found in NAMED.finditer(template)):
        return template, values  # a field of another form
    given: list[Any] = []

    def field(found):
        if found["name"] is None:
            return "%%"
        given.append(values[found["name"]])
        return f"%{found['form']}"

    return NAMED.sub(field, template), tuple(given)


def _with_texts(template, values):
    """A template and its values, with the texts of containers in place of the containers."""
    fields = [found for found in FIELD.finditer(template) if found["kind"] != "%"]
    hidden = [_is_hidden(value) for value in values]
    if len(fields) != len(values) or template.count("%(") or template.count("*"):
        raise refusal(_staged_leaf(values))
    texts, done, end = [], "", 0
    for found, value, is_hidden in zip(fields, values, hidden, strict=True):
        if is_hidden and found["kind"] not in "sr":
            raise refusal(_staged_leaf(value))
        kind = "s" if is_hidden else found["kind"]
        done += template[end : found.start()] + f"%{found['form']}{kind}"
        end = found.end()
        texts.append(string_of(value, "", "r") if is_hidden else value)
    return done + template[end:], tuple(texts)


def _staged_leaf(value):
    """A staged value in a container."""
    leaves = flatten(list(value) if isinstance(value, TraceList) else value)[0]
    shown = next(leaf for leaf in leaves if shows_staged(leaf))
    return shown if isinstance(shown, Tensor) else _staged_leaf(shown)


def _in_the_graph(leaf):
    """The operand of a staged list."""
    if is_staged_list(leaf):
        refuse_forms(leaf.value.type, "printed or formatted")
        return leaf.value
    return leaf
