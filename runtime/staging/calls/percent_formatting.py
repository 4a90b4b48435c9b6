"""`template % values`, with staged values, and with containers that hold some.

"%d of %d" % (n, x)          text_call("%d of %d", n, x, method="__mod__")
"%d of %s" % (n, items)      the text of `items` stands for the container, which no graph has
"%(a)d" % {"a": n}           "%d" % (n,)
"""

import re
from typing import Any

import numpy as np

from autograph.constructs.ternary import if_expr
from autograph.errors import with_article
from runtime.errors import ValueNeededError, staging_error
from runtime.ir.pytree import transform
from runtime.staging.calls.asked_objects import is_needed
from runtime.staging.calls.formatting import is_container, string_of
from runtime.staging.calls.recorded_effects import in_run
from runtime.staging.calls.staged_range import StagedRange
from runtime.staging.chosen import Chosen
from runtime.staging.containers import StagedContainer, StagedView
from runtime.staging.lists.forms import refuse_forms
from runtime.staging.lists.trace_list import is_staged_list
from runtime.staging.maybe_object import MaybeNoneObject
from runtime.staging.reached_values import reaches_staged
from runtime.staging.staged_values import KNOWN, shows_staged
from runtime.tracing.array_like import ArrayLike
from runtime.tracing.maybe import MaybeNone
from runtime.tracing.strings import StagedString, call_method, is_string
from runtime.tracing.tensor import Tensor


def percent(template: Any, values: Any) -> Any:
    """`template % values`"""
    for value in values if isinstance(values, tuple) else (values,):
        if in_run(value) is not value:
            raise is_needed(value)
    for value in values if isinstance(values, tuple) else (values,):
        if isinstance(value, (Chosen, MaybeNoneObject, MaybeNone)):
            return _with_each(template, values, value)
    if not is_string(template) or not (shows_staged(template) or shows_staged(values)):
        return template % values
    if type(values) is dict and type(template) is str:
        template, values = _by_position(template, values)
    given = values if isinstance(values, tuple) else (values,)
    if any(isinstance(value, (StagedRange, StagedView)) for value in given):
        given = values = tuple(map(_of_run, given))
    if any(_is_hidden(value) or _is_object(value) for value in given):
        fields = _fields(template, given)
        if fields is not None:
            template, values = _with_texts(template, fields, given)
        else:
            _refuse_staged_inside(given)
    return call_method(template, "__mod__", (transform(_in_the_graph, values),))


def _with_each(template, values, flagged):
    """The same for one of several objects, or one that may be None: a branch for each."""

    def shown(one):
        if not isinstance(values, tuple):
            return percent(template, (one,) if not isinstance(one, tuple) else one)
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


def _is_object(value):
    """Whether a value is an object of Python.  Its text is made now: a run may find it changed."""
    is_of_graph = isinstance(value, (Tensor, ArrayLike, np.ndarray, np.generic))
    return not is_of_graph and not is_staged_list(value) and type(value) not in KNOWN


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


def _refuse_staged_inside(values):
    """Raises `StagingError` for a value with staged values inside, if its field is not known."""
    for value in values:
        if _is_hidden(value) or _is_object(value) and reaches_staged(value, objects=True):
            raise _refused(value)


def _refused(value):
    return staging_error(
        f"{with_article(value.__class__.__name__)} with staged values inside is formatted by a "
        "template that is staged, or by a field such as %d or %*s",
        "Its text is made where the template is known while the graph is being built.",
        "Format it by %s in a template of its own, or write an f-string.",
        ValueNeededError,
    )


def _with_texts(template, fields, values):
    """A template and its values, with texts in place of containers and other objects."""
    texts, done, end = [], "", 0
    for found, value in zip(fields, values, strict=True):
        form, kind = found["form"], found["kind"]
        if kind in "sra" and (_is_hidden(value) or _is_object(value)):
            value, kind = string_of(value, "", kind), "s"
        elif _is_hidden(value):
            raise _refused(value)
        elif _is_object(value):
            value, form, kind = f"%{form}{kind}" % (value,), "", "s"
        done += template[end : found.start()] + f"%{form}{kind}"
        end = found.end()
        texts.append(value)
    return done + template[end:], tuple(texts)


def _fields(template, values):
    """The fields of a template, one for each value; None for a template of another form."""
    if type(template) is not str or template.count("%(") or template.count("*"):
        return None
    fields = [found for found in FIELD.finditer(template) if found["kind"] != "%"]
    return fields if len(fields) == len(values) else None


def _in_the_graph(leaf):
    """The operand of a staged list."""
    if is_staged_list(leaf):
        refuse_forms(leaf.value.type, "printed or formatted")
        return leaf.value
    return leaf


StagedString.__mod__ = percent
