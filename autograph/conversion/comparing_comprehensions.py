"""Comprehensions that compare names and numbers, and do nothing else.

any(p > floor for p in pending)      {"floor"}
any(f(p) for p in pending)           None: a call may have effects
"""

import gast

from autograph.conversion.comprehension_loops import Original

NUMBERS = (bool, int, float)
COMPARED = (gast.Eq, gast.NotEq, gast.Lt, gast.LtE, gast.Gt, gast.GtE)


def compared_names(original: Original) -> set[str] | None:
    """The names that a comprehension compares with its elements; None if it does anything else."""
    node = original.unpacked()[0].node
    loop, *others = node.generators
    if others or not isinstance(loop.target, gast.Name):
        return None
    names: set[str] = set()
    if not all(_only_compares(part, names) for part in (node.elt, *loop.ifs)):
        return None
    return names - {loop.target.id}


def _only_compares(node: gast.AST, names: set[str]) -> bool:
    """Whether an expression only compares names and numbers; adds the names."""
    if isinstance(node, gast.Name):
        names.add(node.id)
        return True
    if isinstance(node, gast.Constant):
        return type(node.value) in NUMBERS
    if isinstance(node, gast.BoolOp):
        return all(_only_compares(one, names) for one in node.values)
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not):
        return _only_compares(node.operand, names)
    if not isinstance(node, gast.Compare) or not all(isinstance(op, COMPARED) for op in node.ops):
        return False
    return all(_only_compares(one, names) for one in (node.left, *node.comparators))
