"""What a conversion does for somebody who looks at the variables of a frame.

Code is converted under the user's file and lines anyway, so breakpoints stop where they are set.
Two things are done on request only, because they cost time or text:

* Where a debugger is at work while a function is converted, or the function calls one itself, its
  blocks can see all of its variables, so that `p x` works although a block does not use `x`.  The
  same goes for a function that calls what looks up names in the frame of its caller, as
  `numexpr.evaluate("a + b")` and `table.query("x > @limit")` do.
* With AUTOGRAPH_STEP=1 in the environment the generated text itself is what debuggers step through.
"""

import os
import sys
from collections.abc import Iterable, Mapping

import gast

from autograph.syntax import quote
from autograph.syntax.walk import walk

# What is called that looks at the variables of its caller, the last name of it.
LOOKS_AT_VARIABLES = {
    *("breakpoint", "set_trace", "post_mortem", "embed"),
    *("evaluate", "re_evaluate", "query", "eval", "_getframe"),
}


def steps_through_text() -> bool:
    """Whether the generated text is to be debugged, rather than the user's."""
    return os.environ.get("AUTOGRAPH_STEP", "0") not in ("", "0")


def is_looked_at(tree: gast.AST) -> bool:
    """Whether somebody is going to look at the variables of a function while it runs."""
    if sys.gettrace() is not None:
        return True
    if sys.version_info >= (3, 12) and sys.monitoring.get_tool(sys.monitoring.DEBUGGER_ID):
        return True
    for node in walk(tree):
        kind = type(node)
        if kind is gast.Name and node.id in LOOKS_AT_VARIABLES:
            return True
        if kind is gast.Attribute and node.attr in LOOKS_AT_VARIABLES:
            return True
    return False


def show_variables(variables: Mapping[gast.FunctionDef, Iterable[str]]) -> None:
    """Makes all variables of the function visible in its blocks, by code that never runs.

    def if_body():                      def if_body():
        nonlocal y           ->             nonlocal y
        y = x                               y = x
                                            if 0:
                                                (x, y, total)
    """
    for block, names in variables.items():
        at = quote.span(block)
        seen = quote.tuple_of([quote.name(name, at) for name in names], at)
        block.body += quote.stmts("if 0:\n    seen", at, seen=[at.place(gast.Expr(value=seen))])
