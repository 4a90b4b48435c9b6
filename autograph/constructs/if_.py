"""`if`, `elif`, `else`.

    if x > 0:                  def get_state():
        y = x                      return (y,)
    else:
        y = -x                 def set_state(vars_):
                                   nonlocal y
                                   (y,) = vars_

                    ->         def if_body():
                                   nonlocal y
                                   y = x

                               def else_body():
                                   nonlocal y
                                   y = -x
                               ag__.if_stmt(x > 0, if_body, else_body, get_state, set_state, ('y',))

A chain does not nest, because Python limits both indentation and stack depth: its tests and bodies
are pairs in one flat call.  An `else` that ends in an `if` is part of the chain; the statements
before that `if` are part of its test.

    if a: ...                  ag__.cond_stmt(
    elif b: ...         ->         ((if_test, if_body), (elif_test, elif_body)), else_body, ...)
    else: ...
"""

from dataclasses import dataclass

import gast

from autograph.backend import PYTHON, State, backend_of, plain_truth
from autograph.constructs.own_truth import own_truth
from autograph.functions.frames import hide_operators
from autograph.syntax import quote

# -- rewriting ------------------------------------------------------------------------------------


@dataclass
class _Arm:
    before: list  # statements that run before the test
    node: gast.If


def rewrite(function, node, hoist):
    """Rewrites an `if` for `block_functions.py`; returns the statements that replace it."""
    arms, otherwise = _chain(node, function.rewriter.conversion.unconverted)
    names = function.state_names(node, function.live_after(node))
    if len(arms) > 1:
        return _rewrite_chain(function, arms, otherwise, names, hoist)
    test = function.value(node.test, node.test, hoist)
    body = function.block(node.body, hoist.inside())
    orelse = function.block(otherwise, hoist.inside())
    state = function.state(names, node, hoist)
    first = _body(function, "if_body", body, hoist)
    last = _body(function, "else_body", orelse, hoist)
    return _call(
        function, "ag__.if_stmt(test, body)", node, {"test": test, "body": first}, last, state
    )


def _chain(node, unconverted):
    """The arms of a chain of `if`s, and the statements of its last `else`."""
    arms, before = [], []
    while True:
        arms.append(_Arm(before, node))
        *before, last = node.orelse or [None]
        if not isinstance(last, gast.If) or last in unconverted:
            return arms, node.orelse
        node = last


def _rewrite_chain(function, arms, otherwise, names, hoist):
    inside = hoist.inside()
    codes = []
    for arm in arms:
        before = function.block(arm.before, inside)
        test = function.value(arm.node.test, arm.node.test, inside)
        test = quote.stmts("return test", arm.node, test=test)
        codes.append((before + test, function.block(arm.node.body, inside)))
    orelse = function.block(otherwise, inside)
    node = arms[0].node
    state = function.state(names, node, hoist)
    pairs = []
    for i, (test, body) in enumerate(codes):
        word = "elif" if i else "if"
        test = quote.name(function.function(f"{word}_test", test, hoist), node)
        body = _body(function, f"{word}_body", body, hoist)
        pairs.append(quote.tuple_of([test, body], node))
    last = _body(function, "else_body", orelse, hoist)
    arms = quote.tuple_of(pairs, node)
    return _call(function, "ag__.cond_stmt(arms)", node, {"arms": arms}, last, state)


def _body(function, stem, statements, hoist):
    """The name of the function that a branch becomes; None if there is no such branch."""
    if not statements:
        return None
    return quote.name(function.function(stem, statements, hoist), hoist.at)


def _call(function, template, node, holes, orelse, state):
    call = function.rewriter.expr(template, node, **holes)
    if orelse is None and state:
        orelse = quote.constant(None, node)
    call.args += [] if orelse is None else [orelse]
    call.args += state
    return [quote.span(node).place(gast.Expr(value=call))]


# -- the operators --------------------------------------------------------------------------------


def if_stmt(test, body, orelse=None, get_state=None, set_state=None, names=()):
    """Runs `body` if `test` is true, else `orelse`; stages both if `test` is staged."""
    try:
        if test is not True and test is not False:
            if id(type(test)) in plain_truth:
                test = bool(test)  # and releases the object, as `if` would
            else:
                backend = backend_of(test)
                if backend is PYTHON:
                    test = own_truth(test)
                    backend = backend_of(test)
                if backend is not PYTHON:
                    return backend.if_stmt(test, body, orelse, State(names, get_state, set_state))
        if test:
            body()
        elif orelse is not None:
            orelse()
    except BaseException as error:
        hide_operators(error)
        raise


def cond_stmt(arms, orelse=None, get_state=None, set_state=None, names=()):
    """Runs the body of the first arm whose test is true, else `orelse`; each arm is a pair."""
    try:
        for i, (test, body) in enumerate(arms):
            holds = test()
            if holds is not True and holds is not False:
                if id(type(holds)) in plain_truth:
                    holds = bool(holds)
                else:
                    backend = backend_of(holds)
                    if backend is PYTHON:
                        holds = own_truth(holds)
                        backend = backend_of(holds)
                    if backend is not PYTHON:
                        state = State(names, get_state, set_state)
                        return backend.cond_stmt(holds, arms[i:], orelse, state)
            if holds:
                body()
                return
        if orelse is not None:
            orelse()
    except BaseException as error:
        hide_operators(error)
        raise
