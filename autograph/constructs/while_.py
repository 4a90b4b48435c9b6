"""`while`.

    while a != 1:              def get_state():
        a = next_of(a)             return (a,)

                               def set_state(vars_):
                                   nonlocal a
                                   (a,) = vars_

                    ->         def loop_test():
                                   return a != 1

                               def loop_body():
                                   nonlocal a
                                   a = next_of(a)
                               ag__.while_stmt(loop_test, loop_body, get_state, set_state, ('a',))

The loop runs in Python until its test becomes staged; the backend stages the rest.  The test is
evaluated exactly as often as in Python.
"""

import gast

from autograph import backend as backends
from autograph.backend import PYTHON, State, backend_of, plain_truth
from autograph.constructs.own_truth import own_truth
from autograph.functions.frames import hide_operators
from autograph.syntax import quote

OFFERED = 12  # iterations of a loop over plain values before a backend may stage the rest


def rewrite(function, node, hoist):
    """Rewrites a `while` for `block_functions.py`; returns the statements that replace it."""
    names = function.state_names(node, function.live_in_loop(node))
    inside = hoist.inside()
    test = function.value(node.test, node.test, inside)
    body = function.block(node.body, inside)
    state = function.state(names, node, hoist)
    test = function.function("loop_test", quote.stmts("return test", node, test=test), hoist)
    body = function.function("loop_body", body, hoist)
    call = function.rewriter.expr("ag__.while_stmt(test, body)", node, test=test, body=body)
    call.args += state
    return [quote.span(node).place(gast.Expr(value=call))]


def while_stmt(loop_test, loop_body, get_state=None, set_state=None, names=()):
    """Runs `loop_body` while `loop_test()` is true; stages the rest once the test is staged."""
    iterations, is_first = 0, bool(backends.ambient)
    try:
        while True:
            test = loop_test()
            if test is not True:
                if test is False:
                    return
                if id(type(test)) in plain_truth:
                    if not test:
                        return
                else:
                    backend = backend_of(test)
                    if backend is PYTHON:
                        test = own_truth(test)
                        backend = backend_of(test)
                    if backend is not PYTHON:
                        state = State(names, get_state, set_state)
                        return backend.while_stmt(test, loop_test, loop_body, state)
                    if not test:
                        return
                test = None  # `while` holds no object during its body
            if is_first:
                is_first, state = False, State(names, get_state, set_state)
                if backends.active().while_from_start(loop_test, loop_body, state):
                    return
            if backends.staged_blocks:
                if iterations == OFFERED:
                    state = State(names, get_state, set_state)
                    if backends.active().while_known(loop_test, loop_body, state):
                        return
                iterations += 1
            loop_body()
    except BaseException as error:
        hide_operators(error)
        raise
