"""Diagnoses why code needs the value of something staged, for error messages.

if x > 0:                  This `if` stays Python: it contains `yield`.
    yield x

sorted([x, y])             The function called here needs the value.
"""

from types import FrameType

import gast

from autograph.constructs.comprehension import remember
from autograph.constructs.context import Conversion
from autograph.constructs.unconvertible import find_unconvertible
from autograph.conversion.passes import deep_recursion
from autograph.functions import rebuild
from autograph.functions.origin import definitions
from autograph.functions.policy import is_left_alone, is_of_dataclass, is_users_file
from autograph.reports.report import PYTHON, WORDS
from autograph.syntax import quote, sources
from autograph.syntax.trees import to_gast
from autograph.syntax.walk import walk

COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)


def why_asked(frame: FrameType, lineno: int, column: int | None) -> tuple[str, str]:
    """Why the code that runs in a frame needs the value of something staged, and a remedy.

    `column`, if it is known, counts UTF-8 bytes from 0.
    """
    code = frame.f_code
    if is_of_dataclass(code):
        name = code.co_qualname.rpartition(".")[2]
        return (
            f"`{name}` of a dataclass is not converted: Python makes it of a text.",
            f"Compare the fields (a.x == b.x and a.y == b.y), or write `{name}` yourself.",
        )
    stays = "" if column is None else why_python(code.co_filename, lineno, column)
    if stays:
        return stays, "Rewrite it without that, or use np.where."
    if code in rebuild.MADE:
        return (
            "The function called here needs the value.",
            "Use np.where, or another function that works on staged values.",
        )
    if code.co_name == "<module>":
        return (
            "The code of a module is not converted.",
            "Move it into a function, and convert that (autograph.convert), or use np.where.",
        )
    if is_users_file(code.co_filename) or is_left_alone(code.co_filename):
        return (
            f"{code.co_qualname} is not converted: no converted code calls it.",
            "Convert it (autograph.convert), or use np.where.",
        )
    package = str(frame.f_globals.get("__name__")).partition(".")[0]
    return (
        f"{code.co_qualname} is not converted: {package} is library code.",
        f'Convert it too (convert_packages=["{package}"]), or use np.where.',
    )


def why_python(filename: str, lineno: int, column: int) -> str:
    """Why code at a location in a converted function needs a truth value; '' if not known.

    `column` counts UTF-8 bytes from 0.
    """
    origins = [one.node for one in _definitions(filename)]
    around = [node for node in origins if _holds(node, lineno, column)]
    if not around:
        return ""
    with deep_recursion():
        tree = to_gast(min(around, key=_start))
        conversion = Conversion.of(tree)
        find_unconvertible(tree, conversion)
        remember(tree, conversion)
    asking = [
        node
        for node in walk(tree)
        if any(
            _holds(part, lineno, column) or _is_condition_of(node, part, lineno, column)
            for part in _asked(node, conversion)
        )
    ]
    if not asking:
        return ""
    node = max(asking, key=_start)
    why = conversion.unconverted.get(node) or PYTHON[type(node)]
    return f"This `{WORDS[type(node)]}` stays Python: {why}."


def _definitions(filename):
    text = "".join(sources.lines(filename))
    try:
        return definitions(quote.parsed(text), filename)
    except SyntaxError:
        return []


def _asked(node, conversion):
    """The parts of a node that stays Python whose truth, or whose elements, it needs."""
    unconverted = conversion.unconverted
    match node:
        case gast.FunctionDef() | gast.AsyncFunctionDef() | gast.Lambda() if node in unconverted:
            return [node]
        case gast.If() | gast.While() if node in unconverted:
            return [node.test]
        case gast.For() if node in unconverted:
            return [node.iter]
        case gast.Match():
            guards = [case.guard for case in node.cases if case.guard is not None]
            return guards + [case.pattern for case in node.cases]
        case gast.ListComp() | gast.SetComp() | gast.DictComp() | gast.GeneratorExp() if (
            quote.position_of(node) in conversion.comprehensions
        ):
            return []
        case gast.ListComp() | gast.SetComp() | gast.DictComp() | gast.GeneratorExp():
            return [generator.iter for generator in node.generators] + _ifs(node)
    return []


def _is_condition_of(node, part, lineno, column):
    """Whether a truth that is needed at a location is that of a condition of a comprehension: a
    condition that is a call is tested where the whole comprehension is."""
    return (
        isinstance(node, COMPREHENSIONS) and _start(node) == (lineno, column) and part in _ifs(node)
    )


def _ifs(node):
    return [part for generator in node.generators for part in generator.ifs]


def _start(node):
    return node.lineno, node.col_offset


def _holds(node, lineno, column):
    end = node.end_lineno, node.end_col_offset
    return _start(node) <= (lineno, column) < end
