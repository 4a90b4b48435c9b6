"""How statements complete: normally, or by which jumps.

    if x: return 1          leaving: return         completes normally: yes
    while True: f()         leaving: nothing        completes normally: no

The terms are those of the Java Language Specification, 14.22 (Unreachable Statements).
"""

import gast

JUMPS = {gast.Return: "return", gast.Break: "break", gast.Continue: "continue"}


class Completion:
    """How statements complete; each is analysed once.

    Loops are written out: Python functions may recurse as deep as the tree of an `elif` chain, but
    not through builtins like `any` or `map`.
    """

    def __init__(self) -> None:
        self._leaving: dict[gast.AST, frozenset[str]] = {}
        self._completes: dict[gast.AST, bool] = {}

    def forget(self, node: gast.AST) -> None:
        """Forgets a statement that was changed, but not those inside it."""
        self._leaving.pop(node, None)
        self._completes.pop(node, None)

    def leaving(self, node: gast.AST) -> frozenset[str]:
        """The kinds of jump that leave a statement: return, break, continue."""
        if node not in self._leaving:
            self._leaving[node] = frozenset(self._find_leaving(node))
        return self._leaving[node]

    def _find_leaving(self, node: gast.AST) -> set[str]:
        match node:
            case gast.Return() | gast.Break() | gast.Continue():
                return {JUMPS[type(node)]}
            case gast.While() | gast.For() | gast.AsyncFor():
                inside = self._any(node.body) - {"break", "continue"}
                return inside | self._any(node.orelse)
            case _:
                found: set[str] = set()
                for block in _blocks(node):
                    found |= self._any(block)
                return found

    def _any(self, statements: list[gast.AST]) -> set[str]:
        """The kinds of jump that leave some statements."""
        found: set[str] = set()
        for statement in statements:
            found |= self.leaving(statement)
        return found

    def falls_through(self, statements: list[gast.AST]) -> bool:
        """Whether control may reach the end of a block."""
        falls = True
        for statement in statements:
            falls = falls and self.completes(statement)
        return falls

    def completes(self, node: gast.AST) -> bool:
        """Whether a statement may complete normally; a `with` always may suppress an exception."""
        if node not in self._completes:
            self._completes[node] = self._find_completes(node)
        return self._completes[node]

    def _find_completes(self, node: gast.AST) -> bool:
        match node:
            case gast.Return() | gast.Break() | gast.Continue() | gast.Raise():
                return False
            case gast.If():
                return self.falls_through(node.body) or self.falls_through(node.orelse)
            case gast.While() | gast.For() | gast.AsyncFor():
                always = isinstance(node, gast.While) and is_true(node.test)
                if "break" in self._any(node.body):
                    return True
                return not always and self.falls_through(node.orelse)
            case gast.Try() | gast.TryStar():
                ends = self.falls_through(node.body) and self.falls_through(node.orelse)
                for handler in node.handlers:
                    ends = ends or self.falls_through(handler.body)
                return ends and self.falls_through(node.finalbody)
            case gast.Match():
                last = node.cases[-1]
                matches = last.guard is None and matches_anything(last.pattern)
                ends = not matches
                for case in node.cases:
                    ends = ends or self.falls_through(case.body)
                return ends
        return True


def _blocks(statement: gast.AST) -> list[list[gast.AST]]:
    """The blocks of code directly inside a compound statement (not those of a definition)."""
    match statement:
        case gast.If():
            return [statement.body, statement.orelse]
        case gast.With() | gast.AsyncWith():
            return [statement.body]
        case gast.Try() | gast.TryStar():
            handlers = [handler.body for handler in statement.handlers]
            return [statement.body, *handlers, statement.orelse, statement.finalbody]
        case gast.Match():
            return [case.body for case in statement.cases]
    return []


def is_true(test: gast.AST) -> bool:
    """Whether a test is a constant that counts as true."""
    return isinstance(test, gast.Constant) and bool(test.value)


def matches_anything(pattern: gast.AST) -> bool:
    """Whether a pattern of a `match` matches every subject."""
    match pattern:
        case gast.MatchAs():
            return pattern.pattern is None or matches_anything(pattern.pattern)
        case gast.MatchOr():
            return any(map(matches_anything, pattern.patterns))
    return False
