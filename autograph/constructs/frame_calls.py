"""Calls that inspect frames, in functions that stay Python because they use `locals()`.

    def f():                               def f():
        seen = locals()            ->          seen = locals()
        return sys._getframe(1)                return ag__.converted_call(sys._getframe)(1)

Such a function is called from blocks and operators like any other, and counts the user's functions
(`autograph/functions/frames.py`).  Nothing else in it changes: it has the variables that it had.
"""

import gast

from autograph.constructs.context import FUNCTIONS, Rewriter
from autograph.constructs.unconvertible import SEES_LOCALS
from autograph.functions.frames import NAMES
from autograph.syntax.survey import Survey
from autograph.syntax.walk import walk


class FrameCalls(Rewriter):
    """Rewrites calls that inspect frames in functions that stay Python."""

    @classmethod
    def rewrite(cls, tree, conversion):
        """The pass as a function, for the pipeline."""
        if may_occur(conversion.survey):
            cls(conversion).rewrite_in(tree)
        return tree

    def rewrite_in(self, tree):
        """Rewrites the calls in every function of `tree` that uses `locals()`."""
        unconverted = self.conversion.unconverted
        functions = [n for n in walk(tree) if isinstance(n, (*FUNCTIONS, gast.Lambda))]
        for function in functions:
            if function in unconverted and not _is_excluded(function):
                body = function.body if isinstance(function.body, list) else [function.body]
                for node in [node for part in body for node in walk(part)]:
                    if isinstance(node, gast.Call) and _last_name(node.func) in NAMES:
                        node.func = self.expr("ag__.converted_call(f)", node.func, f=node.func)


def may_occur(found: Survey) -> bool:
    """Whether a tree with these names may have a function with such calls."""
    names = found.names | found.attributes
    return not names.isdisjoint(SEES_LOCALS) and not names.isdisjoint(NAMES)


def _last_name(function):
    return getattr(function, "attr", getattr(function, "id", None))


def _is_excluded(function):
    decorators = getattr(function, "decorator_list", ())
    return any(_last_name(decorator) == "do_not_convert" for decorator in decorators)
