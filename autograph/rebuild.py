"""From a converted tree back to a function, indistinguishable from the original but for what it
does.

The tree is compiled under the user's file name and with the user's positions, so tracebacks,
breakpoints, coverage and profilers show the user's file.  The new function has the original's
globals (live), cells, defaults, name and attributes; the operators are one more cell.

    def outer(x, ag__):            x: the free variables of the original
        class C:                   only where names like `__x` are mangled
            def f(...): ...        the converted tree, without decorators, defaults and annotations

Functions made from blocks carry the name of the user's function, and names like
`f.<locals>.if_body.<locals>.g` lose the blocks.
"""

import ast
import sys
from types import CellType, CodeType, FunctionType

import gast

from autograph import quote
from autograph.frames import note_block

OPERATORS_CELL = "ag__"


def compiled(
    tree: gast.AST, blocks: set[str], function: FunctionType, operators: str, private_to
) -> CodeType:
    """The code of a converted function; `blocks` are the names of the functions made from
    blocks."""
    node = _bare(gast.gast_to_ast(tree))
    free = dict.fromkeys((*function.__code__.co_freevars, operators))
    body = [node] if isinstance(node, ast.stmt) else [ast.Return(value=node)]
    if private_to is not None:
        body = [_class(private_to, body)]
    # What stands in `outer` must not become a variable of `outer`: the function may read the
    # global.
    named = getattr(body[0], "name", None)
    if named is not None and named not in free:
        body.insert(0, ast.Global(names=[named]))
    module = ast.Module(body=[_function("outer", free, body)], type_ignores=[])
    ast.copy_location(module.body[0], node)
    ast.fix_missing_locations(module)
    filename, flags = function.__code__.co_filename, _future(function)
    with quote.no_second_warning():
        code = compile(module, filename, "exec", dont_inherit=True, flags=flags)
    name = function.__code__.co_name
    path = ["outer", *([private_to] if private_to is not None else []), name]
    for step in path:
        code = next(c for c in code.co_consts if isinstance(c, CodeType) and c.co_name == step)
    return _renamed(code, code.co_qualname, function.__code__, blocks)


def _bare(node):
    """A function without what the original brings along: decorators, defaults, annotations."""
    args = node.args
    args.defaults = []
    args.kw_defaults = [None] * len(args.kwonlyargs)
    for parameter in (*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg):
        if parameter is not None:
            parameter.annotation = None
    if isinstance(node, ast.stmt):
        node.decorator_list = []
        node.returns = None
        if sys.version_info >= (3, 12):
            node.type_params = []
    return node


def _function(name, parameters, body):
    args = ast.arguments(
        posonlyargs=[],
        args=[ast.arg(arg=p) for p in parameters],
        kwonlyargs=[],
        kw_defaults=[],
        defaults=[],
    )
    return ast.FunctionDef(name=name, args=args, body=body, decorator_list=[], type_params=[])


def _class(name, body):
    return ast.ClassDef(
        name=name, bases=[], keywords=[], body=body, decorator_list=[], type_params=[]
    )


def _future(function):
    """The flags of the `from __future__` imports that the function was compiled under."""
    import __future__

    flags = 0
    for feature in __future__.all_feature_names:
        flags |= function.__code__.co_flags & getattr(__future__, feature).compiler_flag
    return flags


def _renamed(code, prefix, original, blocks):
    """`code` with the names of the user's functions, in it and in everything nested in it."""

    def qualified(name):
        """`outer.<locals>.f.<locals>.if_body.<locals>.g` -> `f.<locals>.g`, as the original has
        it."""
        if name != prefix and not name.startswith(prefix + "."):
            return name
        rest = name[len(prefix) :].split(".<locals>")
        kept = [part for part in rest if part[1:] not in blocks]
        return original.co_qualname + ".<locals>".join(kept)

    def renamed(code, function_name):
        name = function_name if code.co_name in blocks else code.co_name
        constants = tuple(
            renamed(c, name) if isinstance(c, CodeType) else qualified(c) if _is_qualified(c) else c
            for c in code.co_consts
        )
        new = code.replace(
            co_name=name, co_qualname=qualified(code.co_qualname), co_consts=constants
        )
        return note_block(new) if code.co_name in blocks else new

    def _is_qualified(constant):
        return isinstance(constant, str) and constant.startswith(prefix + ".")

    return renamed(code, original.co_name)


def function_of(code: CodeType, original: FunctionType, operators: str, module) -> FunctionType:
    """A function with the code given and everything else from `original`."""
    cells = dict(zip(original.__code__.co_freevars, original.__closure__ or (), strict=True))
    cells[operators] = CellType(module)
    closure = tuple(cells[name] for name in code.co_freevars)
    new = FunctionType(
        code, original.__globals__, original.__name__, original.__defaults__, closure
    )
    new.__kwdefaults__ = original.__kwdefaults__
    new.__qualname__ = original.__qualname__
    new.__module__ = original.__module__
    new.__doc__ = original.__doc__
    new.__annotations__ = original.__annotations__
    new.__dict__.update(original.__dict__)
    if sys.version_info >= (3, 12):
        new.__type_params__ = original.__type_params__
    return new
