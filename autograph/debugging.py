"""What a conversion does for somebody who debugs.

Code is converted under the user's file and lines anyway, so breakpoints stop where they are set.
Two things are done on request only, because they cost time or text:

* Where a debugger is at work while a function is converted, or the function calls one itself, its
  blocks can see all of its variables, so that `p x` works although a block does not use `x`.
* With AUTOGRAPH_STEP=1 in the environment the generated text itself is what debuggers step through.
"""

import os
import sys

import gast

from autograph import quote
from autograph.conversion import Conversion

# What a function names that calls a debugger.
DEBUGGERS = {"breakpoint", "set_trace", "pdb", "ipdb", "pudb", "debugpy", "pydevd", "IPython"}


def steps_through_text() -> bool:
    """Whether the generated text is to be debugged, rather than the user's."""
    return os.environ.get("AUTOGRAPH_STEP", "0") not in ("", "0")


def is_debugged(conversion: Conversion) -> bool:
    """Whether somebody is going to look at the variables of a function while it runs."""
    if sys.gettrace() is not None or not DEBUGGERS.isdisjoint(conversion.names.taken):
        return True
    if sys.version_info >= (3, 12):
        return sys.monitoring.get_tool(sys.monitoring.DEBUGGER_ID) is not None
    return False


def show_variables(conversion: Conversion) -> None:
    """Makes all variables of the function visible in its blocks, by code that never runs.

    def if_body():                      def if_body():
        nonlocal y           ->             nonlocal y
        y = x                               y = x
                                            if 0:
                                                (x, y, total)
    """
    for block, names in conversion.variables.items():
        at = quote.span(block)
        seen = quote.tuple_of([quote.name(name, at) for name in names], at)
        block.body += quote.stmts("if 0:\n    seen", at, seen=[at.place(gast.Expr(value=seen))])
