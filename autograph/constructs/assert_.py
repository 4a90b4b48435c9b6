"""`assert`.

    assert x > 0, f'bad {x}'    ->    assert ag__.holds(x > 0, lambda: f'bad {x}'), f'bad {x}'

The statement remains, so that a failing assertion is raised in the user's line, with the message
that Python evaluates, and disappears under `python -O`.  A staged test becomes a run-time check
with the message in the thunk, and `holds` returns True.
"""

import copy

import gast

from autograph.backend import PYTHON, backend_of
from autograph.constructs.expressions import Expressions
from autograph.constructs.own_truth import own_truth
from autograph.functions.frames import hide_operators


class Assert(Expressions):
    """Rewrites the tests of assertions."""

    rewrites = (gast.Assert,)

    def visit_Assert(self, node):
        self.generic_visit(node)
        call = self.expr("ag__.holds(test)", node, test=node.test)
        if isinstance(node.msg, gast.Constant):
            call.args.append(copy.copy(node.msg))
        elif node.msg is not None and self.why_not_lazy([node.msg]) is None:
            call.args.append(self.thunk(copy.deepcopy(node.msg)))
        node.test = call
        return node


def holds(test, message=None):
    """The test of an assertion; `message` is its constant message, or a thunk that returns it."""
    try:
        backend = backend_of(test)
        if backend is PYTHON and not isinstance(test, bool):
            test = own_truth(test)
            backend = backend_of(test)
        return test if backend is PYTHON else backend.holds(test, message)
    except BaseException as error:
        hide_operators(error)
        raise
