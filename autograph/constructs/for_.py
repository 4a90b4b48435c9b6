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

The block releases the element when `for` does, once the names are bound: an array may be resized
only if no other reference to it exists, and some objects have finalizers.

A loop that may be left early tests after each iteration, before it takes the next element, whether
to go on: `jumps.py` leaves `if stop: break` at the end of the body, which becomes `loop_test`.

Neither the iterable nor an element is held longer than by a `for`: the operator passes both through
lists that are emptied at once, since its frame lives as long as the traceback of an exception in
the body.  For the ints of a `range` this makes no difference.
"""

import functools

import gast

from autograph import backend as backends
from autograph.backend import PYTHON, State, backend_of
from autograph.functions.frames import as_user, hide_operators
from autograph.syntax import quote


def rewrite(function, node, hoist):
    """Rewrites a `for` for `block_functions.py`; returns the statements that replace it."""
    names = function.state_names(node, function.live_in_loop(node))
    inside = hoist.inside()
    iterable = function.value(node.iter, node.iter, hoist)
    target = function.value(node.target, node.target, inside)
    leave = function.rewriter.conversion.exits.get(node)
    body = function.block(node.body[:-1] if leave else node.body, inside)
    state = function.state(names, node, hoist)
    element = function.rewriter.conversion.parameter("itr")
    template = "target = element\ndel element"
    bind = quote.stmts(template, node, target=target, element=element)
    test = []
    if leave:
        flags = function.value(leave.test, leave.test, inside)
        going_on = quote.stmts("return not flags", node, flags=flags)
        test = quote.name(function.function("loop_test", going_on, hoist), node)
        test = [quote.span(node).place(gast.keyword("loop_test", test))]
    if all(isinstance(statement, gast.Pass) for statement in body):
        body = []
    body = function.function("loop_body", bind + body, hoist, [element])
    call = function.rewriter.expr(
        "ag__.for_stmt(iterable, body)", node, iterable=iterable, body=body
    )
    call.args += state
    call.keywords += test
    return [quote.span(node).place(gast.Expr(value=call))]


def for_stmt(iterable, loop_body, get_state=None, set_state=None, names=(), loop_test=None):
    """Runs `loop_body` on each element, until `loop_test`, if there is one, is false."""
    taken, elements, going_on, backend = None, [], True, PYTHON
    try:
        if backends.may_be_staging or type(iterable) not in backends.builtin_types:
            state = State(names, get_state, set_state)
            has_run, iterable = _run_by_backend(iterable, loop_body, loop_test, state)
            if has_run:
                return
        held, kind = [iterable], type(iterable)
        iterable, put, take = None, held.append, held.pop
        if loop_test is None:
            if kind is range:
                for element in take():
                    loop_body(element)
                return
            mapped = map if kind in backends.builtin_types else as_user(map, held[0])
            for _ in mapped(put, take()):
                loop_body(take())
            return
        may_be_taken = backends.may_be_staging and hasattr(kind, "__next__")
        elements = [held[0] if may_be_taken else None]
        elements.insert(0, as_user(map, held[0])(put, take()))
        for _ in elements[0]:
            if going_on is True and taken is None:
                loop_body(take())
            else:  # the test became staged: all further iterations depend on it
                iteration = functools.partial(loop_body, take())
                if taken is not None:
                    taken.after()
                if going_on is True:
                    iteration()
                else:
                    backend.if_stmt(going_on, iteration, None, State(names, get_state, set_state))
            going_on = loop_test()
            if going_on is True and taken is None:
                continue
            backend = backend_of(going_on)
            if backend is PYTHON:
                if not going_on:
                    break
                going_on = True
            elif may_be_taken:
                backend.iterated(elements[1], True)
            taken = taken or backend.taken_elements(elements[0])
            if taken is not None:
                taken.before(going_on)
        else:
            if taken is not None:
                taken.after()
        if taken is not None:
            taken.end()
    except BaseException as error:
        if taken is None or not taken.raised(error):
            hide_operators(error)
            raise
    finally:
        elements.clear()
        if taken is not None:
            taken.close()


def _run_by_backend(iterable, loop_body, loop_test, state):
    """Whether a backend has run the loop, and the iterable to go through if it has not."""
    if type(iterable) not in backends.builtin_types:
        if backends.may_be_staging:
            iterable = backends.active().iterated(iterable)
        backend = backend_of(iterable)
        if backend is not PYTHON:
            backend.for_stmt(iterable, loop_body, loop_test, state)
            return True, None
    if backends.staged_blocks or backends.may_be_staging and type(iterable) is range:
        if backends.active().for_known(iterable, loop_body, loop_test, state):
            return True, None
        if backends.staged_blocks and type(iterable) is not range:
            iterable = backends.active().iterated(iterable)
    return False, iterable
