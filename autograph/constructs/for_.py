"""`for`.

    for x in xs:               def get_state():
        total += x                 return (total,)

                               def set_state(vars_):
                                   nonlocal total
                                   (total,) = vars_
                    ->
                               def loop_body(itr):
                                   nonlocal x, total
                                   x = itr
                                   del itr
                                   total += x
                               ag__.for_stmt(xs, loop_body, get_state, set_state, ('total',))

The block lets go of the element where `for` does, once the names are bound: an array may be resized
only while nobody else holds it, and some objects tell when they go away.

A loop that may be left early asks after each turn, before it takes the next element, whether to go
on: `jumps.py` leaves `if stop: break` at the end of the body, and it becomes `loop_test`.
"""

import functools

import gast

from autograph import backend as backends
from autograph.backend import PYTHON, State, backend_of
from autograph.functions.frames import as_user
from autograph.syntax import quote


def rewrite(function, node, place):
    """Rewrites a `for` for `block_functions.py`; returns the statements that take its place."""
    names = function.state_names(node, function.live_in_loop(node))
    inside = place.inside()
    iterable = function.value(node.iter, node.iter, place)
    target = function.value(node.target, node.target, inside)
    leave = function.rewriter.conversion.exits.get(node)
    body = function.block(node.body[:-1] if leave else node.body, inside)
    state = function.state(names, node, place)
    element = function.rewriter.conversion.parameter("itr")
    # `for` lets go of an element once its names are bound; so does the block.
    template = "target = element\ndel element"
    bind = quote.stmts(template, node, target=target, element=element)
    test = []
    if leave:
        flags = function.value(leave.test, leave.test, inside)
        going_on = quote.stmts("return not flags", node, flags=flags)
        test = quote.name(function.function("loop_test", going_on, place), node)
        test = [quote.span(node).place(gast.keyword("loop_test", test))]
    if all(isinstance(statement, gast.Pass) for statement in body):
        body = []
    body = function.function("loop_body", bind + body, place, [element])
    call = function.rewriter.expr(
        "ag__.for_stmt(iterable, body)", node, iterable=iterable, body=body
    )
    call.args += state
    call.keywords += test
    return [quote.span(node).place(gast.Expr(value=call))]


def for_stmt(iterable, loop_body, get_state=None, set_state=None, names=(), loop_test=None):
    """Runs `loop_body` on each element for as long as `loop_test`, if there is one, stays true.

    Neither the iterable nor an element is held longer than `for` would: both are passed on through
    a list that keeps nothing, unless they are numbers of which nobody can tell.
    """
    backend = backend_of(iterable)
    if backend is not PYTHON:
        state = State(names, get_state, set_state)
        return backend.for_stmt(iterable, loop_body, loop_test, state)
    if backends.may_be_staging and type(iterable) is range:
        state = State(names, get_state, set_state)
        if backends.active().for_range(iterable, loop_body, loop_test, state):
            return None
    held = [iterable]
    iterable, put, take = None, held.append, held.pop
    if loop_test is None:
        if type(held[0]) is range:
            for element in take():
                loop_body(element)
            return
        put(as_user(iter, held[0])(take()))
        for _ in map(put, take()):
            loop_body(take())
        return
    going_on = True
    put(as_user(iter, held[0])(take()))
    for _ in map(put, take()):
        if going_on is True:
            loop_body(take())
        else:  # the test became staged: every further turn depends on it
            turn = functools.partial(loop_body, take())
            backend.if_stmt(going_on, turn, None, State(names, get_state, set_state))
        going_on = loop_test()
        if going_on is not True:
            backend = backend_of(going_on)
            if backend is PYTHON:
                if not going_on:
                    break
                going_on = True
