"""Whole files: every function is converted in place, all other code is kept byte for byte.

    import numpy as np                      import numpy as np
                                            from autograph import operators as ag__
    def relu(x):            # keep    ->
        return x if x > 0 else 0            def relu(x):
                                                return ag__.if_expr(x > 0, lambda: x, lambda: 0)
    print(relu(3))          # keep          print(relu(3))          # keep

A function is printed again only if its own code changes; one that merely contains others is kept,
and these are converted separately.  Decorators keep their source.  The import is inserted before
the first statement after the docstring and `__future__` imports; it marks the file as converted,
and such a file is not changed.  Files are parsed, never imported.
"""

import ast
import builtins
import functools
import io
import re
import tokenize
from collections.abc import Callable
from dataclasses import dataclass

import gast

from autograph.constructs.context import FUNCTIONS, Conversion
from autograph.conversion.passes import PIPELINE, converted_tree, deep_recursion
from autograph.syntax import quote
from autograph.syntax.trees import to_gast
from autograph.syntax.walk import Transformer, walk

NAMED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
BYTE_ORDER_MARK = "\ufeff"


def convert_text(text: str, passes=PIPELINE, after: Callable | None = None) -> str:
    """The converted source of a Python file.  Raises `SyntaxError` if it is not Python.

    `after(name, pass_name, tree)` is called for each function that changes, after each pass.
    """
    mark = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ""
    return mark + _File(text.removeprefix(mark)).converted(passes, after)


class NoSuchFunction(LookupError):
    """A file has no function of the requested name; `known` has the names of its functions."""

    def __init__(self, path: str, known: list[str]):
        super().__init__(path)
        self.known = known


def convert_named(text: str, path: str, passes=PIPELINE, after: Callable | None = None) -> gast.AST:
    """The converted definition of one function: `name`, `Class.method`, `outer.inner`.

    Raises `SyntaxError` if the text is not Python, `NoSuchFunction` if it has no such function.
    """
    file = _File(text.removeprefix(BYTE_ORDER_MARK))
    definitions = dict(named_functions(file.tree))
    if path not in definitions:
        raise NoSuchFunction(path, list(definitions))
    tree, conversion = file.prepared(definitions[path])
    if not file.is_converted:
        observer = after and functools.partial(after, path)
        tree = converted_tree(tree, conversion, passes, observer)
    tree.decorator_list = []
    return tree


def named_functions(tree: ast.Module) -> list[tuple[str, ast.AST]]:
    """The functions of a file with their paths, in order; a later one replaces those before it."""
    found = []
    pending = [(tree, "")]
    while pending:
        node, path = pending.pop(0)
        if isinstance(node, NAMED):
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


class _Lambdas(Transformer):
    """Converts the outermost lambdas of an expression."""

    def __init__(self, file):
        self.file = file
        self.changed = False

    def visit_Lambda(self, node):
        conversion = self.file.conversion_of(node)
        node = converted_tree(node, conversion, self.file.passes)
        self.changed = self.changed or conversion.changed
        return node


class _File:
    def __init__(self, text):
        self.text = text
        with deep_recursion():
            self.tree = quote.checked(text)
        self.lines = re.findall(rb"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+", text.encode())
        self.newline = "\r\n" if "\r\n" in text else "\n"
        self.is_converted = _operators_import(self.tree) is not None
        used, self.bound = _identifiers(self.tree)
        self.operators = quote.FreshNames(used).fresh("ag__")

    def converted(self, passes, after):
        if self.is_converted:
            return self.text
        self.passes, self.after, self.edits = passes, after, []
        with deep_recursion():
            self.visit(self.tree, "")
        if not self.edits:
            return self.text
        return self.edited([*self.edits, self.import_line()])

    # -- functions ---------------------------------------------------------------------------------

    def visit(self, node, path):
        """Converts the functions in a node, the outermost first."""
        for child in ast.iter_child_nodes(node):
            inside = f"{path}.{child.name}".lstrip(".") if isinstance(child, NAMED) else path
            tree = None
            if isinstance(child, DEFINITIONS):
                tree = self.changed(child, inside if isinstance(child, NAMED) else "<lambda>")
            elif isinstance(child, ast.JoinedStr):
                tree = self.changed_string(child, inside)
            if tree is None:
                self.visit(child, inside)
                continue
            self.edits.append(self.replacement(child, tree))
            for decorator in getattr(child, "decorator_list", ()):  # they keep their text
                self.visit(ast.Expr(decorator), path)

    def changed(self, node, path):
        """The tree of a function whose own code changes, else None.

        One that merely contains functions that change is kept: they are converted separately.
        """
        tree, conversion = self.prepared(node)
        inner = [
            n for n in walk(tree) if n is not tree and isinstance(n, (*FUNCTIONS, gast.Lambda))
        ]
        if inner:
            conversion.unconverted.update(dict.fromkeys(inner, "it is converted separately"))
            converted_tree(tree, conversion)
            if not conversion.changed:
                return None
            tree, conversion = self.prepared(node)
        observer = self.after and functools.partial(self.after, path)
        self.convert_defaults(tree)
        tree = converted_tree(tree, conversion, self.passes, observer)
        return tree if inner or conversion.changed else None

    def convert_defaults(self, tree):
        """Converts the lambdas in defaults and annotations, which the function's pipeline skips."""
        tree.args = self.with_lambdas_converted(tree.args)
        if isinstance(tree, FUNCTIONS):
            tree.returns = tree.returns and self.with_lambdas_converted(tree.returns)

    def with_lambdas_converted(self, tree):
        return _Lambdas(self).visit(tree)

    def changed_string(self, node, path):
        """An f-string with its lambdas converted, None if none of them changes.

        It is printed as a whole: the quotes that may be used inside depend on those around it.
        """
        if not any(isinstance(inner, ast.Lambda) for inner in ast.walk(node)):
            return None
        lambdas = _Lambdas(self)
        tree = lambdas.visit(to_gast(node))
        return tree if lambdas.changed else None

    def prepared(self, node):
        """The tree of a function, and a conversion for it."""
        tree = to_gast(node)
        return tree, self.conversion_of(tree)

    def conversion_of(self, tree):
        return Conversion.of(tree, operators=self.operators, outside=self.bound)

    def replacement(self, node, tree):
        if isinstance(tree, FUNCTIONS):
            tree.decorator_list = []
        line = self.lines[node.lineno - 1]
        indent = re.match(rb"[ \t\f]*", line).group().decode()
        text = indented(quote.source(tree), indent).replace("\n", self.newline)
        start = node.lineno, node.col_offset
        return _Edit(start, (node.end_lineno, node.end_col_offset), text)

    # -- the source --------------------------------------------------------------------------------

    def import_line(self):
        statement = f"from autograph import operators as {self.operators}"
        first = _first_after_future(self.tree)
        place = min([first.lineno, *(d.lineno for d in getattr(first, "decorator_list", ()))])
        start = place, 0 if place != first.lineno else first.col_offset
        before = self.lines[place - 2].rstrip(b"\r\n") if place > 1 else b""
        alone = not self.lines[place - 1][: start[1]].strip() and not before.endswith(b"\\")
        if alone:
            return _Edit((place, 0), (place, 0), statement + self.newline)
        return _Edit(start, start, statement + "; ")

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
    """Code with all lines but the first indented; strings that span lines are not changed."""
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
    """The name under which a file imports the operators, None if it does not."""
    for statement in tree.body:
        match statement:
            case ast.ImportFrom(module="autograph", names=names):
                for alias in names:
                    if alias.name == "operators":
                        return alias.asname or alias.name
    return None


def _first_after_future(tree):
    """The first statement after the docstring and the imports from `__future__`."""
    for i, statement in enumerate(tree.body):
        match statement:
            case ast.Expr(value=ast.Constant(value=str())) if i == 0:
                continue
            case ast.ImportFrom(module="__future__"):
                continue
        return statement
    raise AssertionError("a file with functions has a statement")


def _identifiers(tree):
    """The identifiers that a file uses, and the names of builtins that it binds."""
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
