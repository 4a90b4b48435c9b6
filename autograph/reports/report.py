"""Explains, line by line, how a function is converted, and why.

    print(autograph.explain(f))

    f (example.py, line 3)
       4  while n > 0              staged if its test is
       5  if np.any(x)             staged if its test is
       5  np.any(...)              called as it is: numpy is an installed package
       6  for x in xs              stays Python: it contains `yield`

`autograph FILE.py --report` does the same for every function of a file.  The report uses the
conversion's own analyses: the pass that finds unconvertible code, and the operator that resolves
calls.  If the function has graphs (`rt.function`), it also says what each loop over known elements
has become in them, and why:

       4  for i in range(100)      staged: 100 iterations
       6  for layer in layers      unrolled: 3 iterations, since they are few
"""

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import gast

from autograph.constructs.comprehension import remember
from autograph.constructs.context import FUNCTIONS, Conversion
from autograph.constructs.unconvertible import find_unconvertible
from autograph.conversion.converter import (
    function_in,
    is_excluded,
    is_printed,
    methods_in,
    origin_of_any,
)
from autograph.conversion.passes import deep_recursion
from autograph.errors import ConversionError, SourceLocation
from autograph.functions.policy import policy_of
from autograph.reports.callees import LiveCallees, may_involve_staged
from autograph.syntax import quote, sources
from autograph.syntax.trees import to_gast
from autograph.syntax.walk import children, walk

LOOPS = ("for ", "while ")
COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)

# Code that can be staged, and when.
STAGED = {
    gast.If: "staged if its test is",
    gast.While: "staged once its test is, or if it is long",
    gast.For: "staged if its iterable is, or if it is long",
    gast.IfExp: "staged if its condition is",
    gast.BoolOp: "staged if an operand is",
    gast.Compare: "staged if an operand is",
    gast.Assert: "checked in the graph if its test is staged",
}

# Code that always stays Python, and why; the code inside is reported separately.
PYTHON = {
    gast.Try: "Python handles exceptions",
    gast.TryStar: "Python handles exceptions",
    gast.With: "Python enters and leaves its context manager",
    gast.AsyncWith: "Python enters and leaves its context manager",
    gast.AsyncFor: "it suspends the function",
    gast.Match: "Python compares its patterns",
    **dict.fromkeys(COMPREHENSIONS, "Python makes its elements"),
}


@dataclass(frozen=True)
class Finding:
    """How one statement or expression is converted."""

    lineno: int
    code: str
    verdict: str
    why: str = ""

    def __str__(self):
        outcome = f"{self.verdict}: {self.why}" if self.why else self.verdict
        return f"{self.lineno:>4}  {_cut(self.code):<32} {outcome}"


@dataclass(frozen=True)
class Report:
    """How a function is converted; `str` of it is a table."""

    name: str
    filename: str
    lineno: int
    findings: tuple[Finding, ...]
    reason: str = ""  # why the function stays Python as a whole, if it does

    def __str__(self):
        filename = sources.shown_name(self.filename).removeprefix(os.path.join(os.getcwd(), ""))
        head = f"{self.name} ({filename}, line {self.lineno})"
        if self.reason:
            return f"{head}: stays Python: {self.reason}"
        if not self.findings:
            return f"{head}: there is nothing to convert in it"
        return "\n".join([head, *map(str, self.findings)])

    __repr__ = __str__


def _cut(code, width=32):
    return code if len(code) <= width else code[: width - 3] + "..."


def explain(
    fn: Callable[..., Any], *, source: str | None = None, convert_packages: Iterable[str] = ()
) -> Report:
    """A report on each line of `fn`: whether it can be staged, or stays Python, and why.

    `fn` is any callable that `to_graph` accepts, or an object that holds one, as `rt.function(f)`
    does; the report on a class has the lines of its methods.  The functions that `fn` calls are
    converted, to see whether that is possible.  Raises the errors of `to_graph`.

    >>> def relu(x):
    ...     return x if x > 0 else abs(0)
    >>> explain(relu).findings[0].verdict
    'staged if its condition is'
    """
    if isinstance(fn, type):
        methods = [explain(one, source=source) for one in methods_in(fn)]
        lines = [finding for one in methods for finding in one.findings]
        first = min(methods, key=lambda one: one.lineno)
        found = tuple(sorted(lines, key=lambda finding: finding.lineno))
        return Report(fn.__qualname__, first.filename, first.lineno, found)
    function = function_in(fn)
    code = function.__code__
    about = function.__qualname__, code.co_filename, code.co_firstlineno
    if is_excluded(function):
        return Report(*about, (), "it is decorated with do_not_convert")
    if is_printed(function):
        raise ConversionError.about(
            f"{function.__qualname__} is already converted",
            SourceLocation(code.co_filename, code.co_firstlineno),
            "The report is about the conversion, which has already happened.",
            "Explain the original function.",
        )
    found = origin_of_any(function, source)
    with deep_recursion():
        tree = to_gast(found.node)
        callees = LiveCallees(function, policy_of(convert_packages))
        return _with_loops(report(tree, about, callees), getattr(fn, "graphs", ()))


def _with_loops(found: Report, graphs: Iterable) -> Report:
    """The report, with the form that the loops of the function have in some graphs."""
    outcomes: dict[int, list[str]] = {}
    for graph in graphs:
        for loop in graph.loops:
            lines = outcomes.setdefault(loop.lineno, [])
            if loop.filename == found.filename and loop.verdict not in lines:
                lines.append(loop.verdict)
    findings = [
        replace(one, verdict="; ".join(outcomes[one.lineno]))
        if outcomes.get(one.lineno) and one.code.startswith(LOOPS)
        else one
        for one in found.findings
    ]
    return replace(found, findings=tuple(findings))


def report(tree: gast.AST, about: tuple[str, str, int], callees) -> Report:
    """The report on a definition, which is not changed; `callees` resolves its calls."""
    conversion = Conversion.of(tree)
    find_unconvertible(tree, conversion)
    remember(tree, conversion)
    if tree in conversion.unconverted:
        return Report(*about, (), conversion.unconverted[tree])
    found = []
    for node in _inside(tree, conversion.unconverted):
        finding = _finding(node, conversion, callees, conversion.survey.bound)
        if finding is not None:
            found.append((node.lineno, node.col_offset, len(found), finding))
    return Report(*about, tuple(finding for *_, finding in sorted(found)))


def _inside(tree, unconverted):
    """The nodes of a definition's body, without the inside of functions that stay Python."""
    pending = list(tree.body) if isinstance(tree, FUNCTIONS) else [tree.body]
    while pending:
        node = pending.pop()
        yield node
        pending += _parts(node, unconverted)


def _parts(node, unconverted):
    """The children of a node that the passes visit."""
    match node:
        case gast.FunctionDef() | gast.AsyncFunctionDef() | gast.Lambda():
            defaults = [*node.args.defaults, *node.args.kw_defaults]
            defaults = [default for default in defaults if default is not None]
            body = node.body if isinstance(node.body, list) else [node.body]
            return defaults + ([] if node in unconverted else body)
        case gast.ClassDef():
            return [part for part in walk(node) if isinstance(part, FUNCTIONS)]
        case gast.AnnAssign():
            return [node.target] + ([] if node.value is None else [node.value])
        case gast.TypeAlias():
            return []
    return children(node)


def _finding(node, conversion, callees, bound):
    kind, unconverted = type(node), conversion.unconverted
    if node in unconverted:
        if isinstance(node, (gast.Return, gast.Break, gast.Continue)):
            return None
        return Finding(node.lineno, _shown(node), "stays Python", unconverted[node])
    if kind is gast.Call:
        if not may_involve_staged(node.func, bound):
            return None
        return Finding(node.lineno, _shown(node), *callees.answer(node.func, bound))
    if kind in COMPREHENSIONS and quote.position_of(node) in conversion.comprehensions:
        return Finding(node.lineno, _shown(node), "staged if its iterable or a condition is")
    if kind in PYTHON:
        return Finding(node.lineno, _shown(node), "stays Python", PYTHON[kind])
    if kind is gast.Compare and not _is_rewritten(node):
        return None
    if kind is gast.UnaryOp and isinstance(node.op, gast.Not):
        return Finding(node.lineno, _shown(node), STAGED[gast.BoolOp])
    return Finding(node.lineno, _shown(node), STAGED[kind]) if kind in STAGED else None


def _is_rewritten(comparison):
    """Whether a comparison needs a truth value: a chain, or `in`."""
    membership = any(isinstance(op, (gast.In, gast.NotIn)) for op in comparison.ops)
    return len(comparison.ops) > 1 or membership


def _shown(node):
    """A statement's header, or an expression, in short."""
    match node:
        case gast.If() | gast.While():
            return f"{WORDS[type(node)]} {_text(node.test)}"
        case gast.For() | gast.AsyncFor():
            return f"{WORDS[type(node)]} {_text(node.target)} in {_text(node.iter)}"
        case gast.With() | gast.AsyncWith():
            return (
                f"{WORDS[type(node)]} {', '.join(_text(item.context_expr) for item in node.items)}"
            )
        case gast.Match():
            return f"match {_text(node.subject)}"
        case gast.FunctionDef() | gast.AsyncFunctionDef():
            return f"{WORDS[type(node)]} {node.name}"
        case gast.Assert():
            return f"assert {_text(node.test)}"
        case gast.Try() | gast.TryStar():
            return "try"
        case gast.Call():
            return f"{_text(node.func)}(...)" if node.args or node.keywords else _text(node)
    return _text(node)


WORDS = {
    gast.If: "if",
    gast.While: "while",
    gast.For: "for",
    gast.AsyncFor: "async for",
    gast.With: "with",
    gast.AsyncWith: "async with",
    gast.FunctionDef: "def",
    gast.AsyncFunctionDef: "async def",
    gast.Try: "try",
    gast.TryStar: "try",
    gast.Match: "match",
    gast.Lambda: "lambda",
    **dict.fromkeys(COMPREHENSIONS, "comprehension"),
}


def _text(node):
    return " ".join(quote.source(node).split())
