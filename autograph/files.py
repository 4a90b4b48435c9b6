"""Whole files: every function converted in place, everything else kept byte for byte.

    import numpy as np                      import numpy as np
                                            from autograph import operators as ag__
    def relu(x):            # keep    ->
        return x if x > 0 else 0            def relu(x):
                                                return ag__.if_expr(x > 0, lambda: x, lambda: 0)
    print(relu(3))          # keep          print(relu(3))          # keep

A function is printed anew only where its own code changes; one that merely contains others is kept,
and these are looked at in turn.  Decorators keep their text.  The import stands in front of the
first statement behind docstring and `__future__`; it marks the file as converted, and such a file
is left as it is.  Files are parsed, never imported.
"""

import ast
import builtins
import io
import re
import tokenize
from collections.abc import Callable
from dataclasses import dataclass

import gast

from autograph import quote
from autograph.conversion import FUNCTIONS, Conversion
from autograph.converter import PIPELINE, converted_tree, deep_recursion

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def convert_text(text: str, passes=PIPELINE, after: Callable | None = None) -> str:
    """The text of a Python file, converted.  Raises `SyntaxError` where it is not Python.

    `after(name, pass_name, tree)` sees every function that changes behind each of the passes.
    """
    return _File(text).converted(passes, after)


def convert_named(text: str, path: str, passes=PIPELINE, after: Callable | None = None) -> gast.AST:
    """The converted definition of one function: `name`, `Class.method`, `outer.inner`.

    Raises `SyntaxError` where the text is not Python, `KeyError` where there is no such function.
    """
    file = _File(text)
    definitions = dict(named_functions(file.tree))
    tree, conversion = file.prepared(definitions[path])
    if not file.is_converted:
        observer = after and (lambda pass_name, tree: after(path, pass_name, tree))
        tree = converted_tree(tree, conversion, passes, observer)
    tree.decorator_list = []
    return tree


def named_functions(tree: ast.Module) -> list[tuple[str, ast.AST]]:
    """The functions of a file by their paths, in order; of several with one path, the last
    counts."""
    found = []
    pending = [(tree, "")]
    while pending:
        node, path = pending.pop(0)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            path = f"{path}.{node.name}" if path else node.name
            if not isinstance(node, ast.ClassDef):
                found.append((path, node))
        pending += [(child, path) for child in ast.iter_child_nodes(node)]
    return found


@dataclass(frozen=True)
class _Edit:
    """Bytes of the file that are replaced: from (line, column) to (line, column)."""

    start: tuple[int, int]
    end: tuple[int, int]
    text: str


class _File:
    def __init__(self, text):
        self.text = text
        with deep_recursion():
            self.tree = quote.parsed(text)
        self.lines = re.findall(rb"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+", text.encode())
        self.newline = "\r\n" if "\r\n" in text else "\n"
        self.is_converted = _operators_import(self.tree) is not None
        used, self.bound = _identifiers(self.tree)
        self.operators = quote.Names(used).fresh("ag__")

    def converted(self, passes, after):
        if self.is_converted:
            return self.text
        edits = []
        with deep_recursion():
            self.visit(self.tree, edits, passes, after)
        if not edits:
            return self.text
        return self.edited([*edits, self.import_line()])

    # -- functions ---------------------------------------------------------------------------------

    def visit(self, node, edits, passes, after):
        """Converts the functions in a node, the outermost first."""
        for child in ast.iter_child_nodes(node):
            if isinstance(child, DEFINITIONS) and self.changes_itself(child):
                tree, conversion = self.prepared(child)
                name = getattr(child, "name", "<lambda>")
                observer = after and (lambda step, tree, name=name: after(name, step, tree))
                tree = converted_tree(tree, conversion, passes, observer)
                edits.append(self.replacement(child, tree))
                self.visit_outside(child, edits, passes, after)
            else:
                self.visit(child, edits, passes, after)

    def visit_outside(self, node, edits, passes, after):
        """Converts what stands in the decorators of a function, which keep their text."""
        for decorator in getattr(node, "decorator_list", ()):
            self.visit(ast.Expr(decorator), edits, passes, after)

    def prepared(self, node):
        """The tree of a function, and a conversion for it."""
        tree = gast.ast_to_gast(node)
        return tree, Conversion.of(tree, operators=self.operators, outside=self.bound)

    def changes_itself(self, node):
        """Whether a function's own code changes, and not only that of functions inside it."""
        tree, conversion = self.prepared(node)
        for inner in gast.walk(tree):
            if inner is not tree and isinstance(inner, (*FUNCTIONS, gast.Lambda)):
                conversion.kept[inner] = "it is looked at by itself"
        converted_tree(tree, conversion)
        return conversion.changed

    def replacement(self, node, tree):
        if isinstance(tree, FUNCTIONS):
            tree.decorator_list = []
        line = self.lines[node.lineno - 1]
        indent = re.match(rb"[ \t\f]*", line).group().decode()
        text = indented(quote.source(tree), indent).replace("\n", self.newline)
        start = node.lineno, node.col_offset
        return _Edit(start, (node.end_lineno, node.end_col_offset), text)

    # -- the text ----------------------------------------------------------------------------------

    def import_line(self):
        statement = f"from autograph import operators as {self.operators}"
        first = _first_behind_future(self.tree)
        place = min([first.lineno, *(d.lineno for d in getattr(first, "decorator_list", ()))])
        start = place, 0 if place != first.lineno else first.col_offset
        alone = self.lines[place - 1][: start[1]].strip() == b""
        return _Edit((place, 0) if alone else start, (place, 0) if alone else start,
                     statement + (self.newline if alone else "; "))  # fmt: skip

    def edited(self, edits):
        content = b"".join(self.lines)
        starts = [0]
        for line in self.lines:
            starts.append(starts[-1] + len(line))
        for edit in sorted(edits, key=lambda edit: (edit.start, edit.end), reverse=True):
            start = starts[edit.start[0] - 1] + edit.start[1]
            end = starts[edit.end[0] - 1] + edit.end[1]
            content = content[:start] + edit.text.encode() + content[end:]
        return content.decode()


def indented(text: str, indent: str) -> str:
    """Code with all lines but the first moved to the right; texts that span lines stay as they
    are."""
    inside = set()
    opened = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        kind = tokenize.tok_name[token.type]
        if kind == "STRING":
            inside.update(range(token.start[0] + 1, token.end[0] + 1))
        elif kind == "FSTRING_START":
            opened.append(token.start[0])
        elif kind == "FSTRING_END":
            inside.update(range(opened.pop() + 1, token.end[0] + 1))
    lines = text.split("\n")
    return "\n".join(
        indent + line if i > 0 and line and i + 1 not in inside else line
        for i, line in enumerate(lines)
    )


def _operators_import(tree):
    """The name under which a file imports the operators, None where it does not."""
    for statement in tree.body:
        match statement:
            case ast.ImportFrom(module="autograph", names=names):
                for alias in names:
                    if alias.name == "operators":
                        return alias.asname or alias.name
    return None


def _first_behind_future(tree):
    """The first statement behind the docstring and the imports from `__future__`."""
    for i, statement in enumerate(tree.body):
        match statement:
            case ast.Expr(value=ast.Constant(value=str())) if i == 0:
                continue
            case ast.ImportFrom(module="__future__"):
                continue
        return statement
    raise AssertionError("a file with functions has a statement")


def _identifiers(tree):
    """The identifiers that a file uses, and those builtins among them that it binds."""
    used, bound = set(), set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(ctx=ast.Load()):
                used.add(node.id)
            case ast.Name():
                bound.add(node.id)
            case ast.arg():
                bound.add(node.arg)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                bound.add(node.name)
            case ast.alias():
                bound.add((node.asname or node.name).partition(".")[0])
            case ast.Global() | ast.Nonlocal():
                bound.update(node.names)
    return used | bound, bound & set(vars(builtins))
