"""Support for debuggers, and for other code that reads the variables of a frame.

Converted code has the user's file and lines, so breakpoints stop where they are set.  Two features
are enabled on demand only, because they cost time or code size:

* If a debugger is active while a function is converted, or the function itself calls one, its
  blocks can see all of its variables, so that `p x` works although a block does not use `x`.  The
  same holds for a function that calls code which looks up names in the frame of its caller, as
  `numexpr.evaluate("a + b")` and `table.query("x > @limit")` do.
* With AUTOGRAPH_STEP=1 in the environment, debuggers step through the generated code itself.
"""

import os
import sys
from collections.abc import Iterable, Mapping

import gast

from autograph.syntax import quote
from autograph.syntax.survey import Survey

# The last names of callables that read the variables of their caller.
READS_VARIABLES = frozenset(
    {
        *("breakpoint", "set_trace", "post_mortem", "embed"),
        *("evaluate", "re_evaluate", "query", "eval", "_getframe"),
    }
)


def steps_through_text() -> bool:
    """Whether debuggers show the generated code rather than the user's."""
    return os.environ.get("AUTOGRAPH_STEP", "0") not in ("", "0")


def is_inspected(found: Survey) -> bool:
    """Whether other code may read the variables of a function with these names in it."""
    if sys.gettrace() is not None:
        return True
    if sys.version_info >= (3, 12) and sys.monitoring.get_tool(sys.monitoring.DEBUGGER_ID):
        return True
    return not READS_VARIABLES.isdisjoint(found.names | found.attributes)


def show_variables(variables: Mapping[gast.FunctionDef, Iterable[str]]) -> None:
    """Makes all variables of a function visible in its blocks, by code that never runs.

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
