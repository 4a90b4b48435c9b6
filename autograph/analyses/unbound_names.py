"""The variables that nested functions may find unbound, and those that they may unbind.

    if ready:              `total` is bound on some paths only, and `show` may be called on any
        total = 1

    def show():
        return total

`DEFINED` (`dataflow.py`) follows the paths of one function; when a nested function runs, and which
variables it deletes, is not known there.
"""

from collections.abc import Container, Set
from dataclasses import dataclass

import gast

from autograph.analyses import Facts
from autograph.analyses.activity import activity, bindings, scope
from autograph.analyses.control_flow_graph import flow
from autograph.analyses.dataflow import DEFINED
from autograph.syntax.walk import walk

FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef)


@dataclass(frozen=True)
class UnboundNames:
    """The variables that code of a function may find unbound, whatever it has bound before.

    `free` are variables of enclosing functions, and `deleted` its own variables that a nested
    function deletes.  A nested function may `always` find these unbound, and those that the
    function deletes; it may find those of `later` unbound that are so where it is made.
    """

    free: frozenset[str]
    deleted: frozenset[str]
    always: frozenset[str]
    later: frozenset[str]

    def captured(self, defined: Set[str]) -> frozenset[str]:
        """What a nested function may find unbound that is made where `defined` are bound."""
        return self.always | (self.later - defined)


def unbound_names(
    function: gast.AST, facts: Facts, kinds: Container[type], around: frozenset[str]
) -> UnboundNames:
    """The `UnboundNames` of a function.

    `kinds` has the types of node in the code, and `around` what the functions around it capture.
    """
    variables = facts[scope]
    free = around - variables.own.keys()
    changed: set[str] = set()
    deleted: set[str] = set()
    if gast.Nonlocal in kinds:
        free |= variables.activity.nonlocals.keys() & _sometimes(facts, kinds)
        changed, deleted = _changed_by_nested(function, facts)
    captured = variables.activity.captured.keys() & variables.own.keys()
    later = captured & (_sometimes(facts, kinds) | changed) if captured else captured
    always = captured & (variables.activity.deleted.keys() | deleted)
    return UnboundNames(free, frozenset(deleted), free | always, frozenset(later))


def _sometimes(facts: Facts, kinds: Container[type]) -> set[str]:
    """The names that a branch or loop binds on some paths only, and those that are deleted."""
    found = set(facts[scope].activity.deleted)
    for point in facts[flow].points:
        found.update(point.activity.maybe_bound)
    for statement in facts[flow].after:
        if isinstance(statement, gast.stmt):
            found.update(bindings(statement, kinds).bound.keys() - facts[DEFINED].after(statement))
    return found


def _changed_by_nested(function: gast.AST, facts: Facts) -> tuple[set[str], set[str]]:
    """The variables that nested functions bind before the function does, and those that they
    delete."""
    changed: set[str] = set()
    deleted: set[str] = set()
    for statement in facts[flow].before:
        if isinstance(statement, (*FUNCTIONS, gast.ClassDef)):
            bound = facts[DEFINED].before(statement)
            for nested in walk(statement):
                if isinstance(nested, FUNCTIONS):
                    inner = activity(nested.body)
                    names = inner.nonlocals.keys() & facts[scope].own.keys()
                    deleted |= names & inner.deleted.keys()
                    changed |= names - bound
    return changed, deleted
