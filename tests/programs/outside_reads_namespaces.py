"""Reads of the outside world: namespaces, whose `repr` and `==` read all attributes."""

import types

from outside_world import case


def _namespaces(read):
    """A function that reads a namespace, and a change of it: a value, and a name that is added."""
    ns = types.SimpleNamespace(a=1)
    return lambda x: x * read(ns), lambda: vars(ns).update(a=100, b=7)


@case
def the_repr_of_a_namespace():
    return _namespaces(lambda ns: len(repr(ns)))


@case
def a_namespace_in_a_text():
    return _namespaces(lambda ns: len(f"{[ns]}") + len("{0}".format(ns)))  # noqa: UP032


@case
def equal_namespaces():
    other = types.SimpleNamespace(a=1)
    return _namespaces(lambda ns: 2.0 if ns == other else 3.0)


@case
def a_name_added_to_a_namespace():
    ns, other = types.SimpleNamespace(), types.SimpleNamespace()
    return lambda x: x * (2.0 if [ns] == [other] else 3.0), lambda: setattr(ns, "b", 7)
