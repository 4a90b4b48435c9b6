"""Predicts which callable each call of a function will use.

    np.sort(x)       called as it is: numpy is an installed package
    scale(x)         converted: example.py, line 12
    callback(x)      decided at run time

`LiveCallees` resolves names to the objects that they are bound to now, as converted code will.
`StaticCallees` reads only the source of a file, which is never run.
"""

import ast
import builtins
import importlib.util
import inspect
import os
import sys
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType

import gast

from autograph import backend
from autograph.backend.completion import complete
from autograph.constructs.call import INDIFFERENT
from autograph.conversion.converter import is_converted, is_excluded, operators_under
from autograph.errors import ConversionError, NoSource
from autograph.functions import rebuild
from autograph.functions.origin import origin
from autograph.functions.policy import Policy, is_users_file
from autograph.syntax import sources

CONVERTED, AS_IT_IS, LATER, REFUSED = (
    "converted",
    "called as it is",
    "decided at run time",
    "refused",
)
Answer = tuple[str, str]  # one of these, and why

UNKNOWN = object()


class LiveCallees:
    """Resolves calls with the current values of names."""

    def __init__(self, function: FunctionType, policy: Policy):
        complete()
        self.function = function
        self.policy = policy
        self.converted_call = operators_under(policy).converted_call

    def answer(self, callee: gast.expr, bound: set[str]) -> Answer:
        """The code that a call of `callee` will run; `bound` has the variables of the function."""
        value = self.value(callee, bound)
        if value is UNKNOWN:
            described = self.described_method(callee, bound)
            return (AS_IT_IS, described) if described else (LATER, "")
        try:
            called = self.converted_call(value)
        except ConversionError as error:
            return REFUSED, str(error).partition("\n")[0]
        if called is not value:
            return CONVERTED, self.converted_to(value, called)
        if backend.is_replaced(value):
            return AS_IT_IS, "inside staged code, an operation of the graph"
        described = backend.description_of(value)
        if described:
            return AS_IT_IS, described
        return AS_IT_IS, self.why_as_it_is(value)

    def described_method(self, callee, bound):
        """The effect of a method of an object that a variable of the module holds: `log.info`."""
        if not isinstance(callee, gast.Attribute):
            return ""
        held = self.value(callee.value, bound)
        if held is UNKNOWN or isinstance(held, (ModuleType, type)):
            return ""
        found = inspect.getattr_static(type(held), callee.attr, UNKNOWN)
        return "" if found is UNKNOWN else backend.description_of(found)

    def value(self, node, bound):
        """The value of an expression, UNKNOWN if it is known only at run time."""
        match node:
            case gast.Name(id=name) if name not in bound:
                return self.variable(name)
            case gast.Attribute(value=owner, attr=name):
                held = self.value(owner, bound)
                if isinstance(held, (ModuleType, type)):
                    found = inspect.getattr_static(held, name, UNKNOWN)
                    is_function = isinstance(found, (FunctionType, BuiltinFunctionType, type))
                    return found if is_function or callable(found) else UNKNOWN
        return UNKNOWN

    def variable(self, name):
        function = self.function
        if name in function.__code__.co_freevars:
            cell = function.__closure__[function.__code__.co_freevars.index(name)]
            try:
                return cell.cell_contents
            except ValueError:
                return UNKNOWN
        return function.__globals__.get(name, getattr(builtins, name, UNKNOWN))

    def converted_to(self, value, called):
        function = _function_of(called)
        if function is None or rebuild.made_code(function) is None:
            return "a replacement that sees the frames of your functions"
        code = function.__code__
        return f"{_short(code.co_filename)}, line {code.co_firstlineno}"

    def why_as_it_is(self, value):
        if isinstance(value, type) and value.__module__ != "builtins":
            return "a class"
        function = _function_of(value)
        if function is None:
            module = getattr(value, "__module__", None)
            if module in ("builtins", None):
                return "a builtin"
            file = getattr(sys.modules.get(module), "__file__", None)
            if module == "__main__" or file is not None and is_users_file(file):
                return "an object that is not a function"
            return _whose(module, module)
        if is_excluded(function):
            return "decorated with do_not_convert"
        if not self.policy.converts(function):
            return _whose(function.__globals__.get("__name__"), function.__code__.co_filename)
        if is_converted(function):
            return "already converted"
        try:
            origin(function)
        except NoSource:
            return "its source is not available"
        return "there is nothing to convert in it"


class StaticCallees:
    """Resolves calls with the source of a file alone."""

    def __init__(self, tree: ast.Module):
        self.meanings: dict[str, Answer] = {}
        for statement in tree.body:
            self._define(statement)

    def _define(self, statement):
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._mean(statement.name, (CONVERTED, f"line {statement.lineno}"))
            case ast.ClassDef():
                self._mean(statement.name, (AS_IT_IS, "a class"))
            case ast.Import():
                for alias in statement.names:
                    top = alias.name.partition(".")[0]
                    self._mean(alias.asname or top, _of_module(alias.asname and alias.name or top))
            case ast.ImportFrom(level=0, module=module):
                for alias in statement.names:
                    self._mean(alias.asname or alias.name, _of_module(module))
            case _:
                for node in ast.walk(statement):
                    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                        self._mean(node.id, (LATER, ""))

    def _mean(self, name, answer):
        self.meanings[name] = answer if name not in self.meanings else (LATER, "")

    def answer(self, callee: gast.expr, bound: set[str]) -> Answer:
        """The code that a call of `callee` will run; `bound` has the variables of the function."""
        while isinstance(callee, gast.Attribute):
            callee = callee.value
        if not isinstance(callee, gast.Name) or callee.id in bound:
            return LATER, ""
        known = self.meanings.get(callee.id)
        if known is None and hasattr(builtins, callee.id):
            return AS_IT_IS, "a builtin"
        return known or (LATER, "")


def may_involve_staged(callee: gast.expr, bound: set[str]) -> bool:
    """Whether a call may involve staged values."""
    is_indifferent = isinstance(callee, gast.Name) and callee.id in INDIFFERENT
    return not (is_indifferent and callee.id not in bound)


def _function_of(value: object) -> FunctionType | None:
    """The function that a callable runs, None if it is not written in Python."""
    if isinstance(value, MethodType):
        value = value.__func__
    if hasattr(value, "func") and not isinstance(value, FunctionType):
        return _function_of(value.func)
    if isinstance(value, FunctionType):
        return value
    call = inspect.getattr_static(type(value), "__call__", None)
    return call if isinstance(call, FunctionType) else None


def _of_module(name):
    """The code that calls of functions of an imported module will run."""
    top = name.partition(".")[0]
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        spec = None
    if spec is None:
        return LATER, f"{top} cannot be found from here"
    if spec.origin not in (None, "built-in", "frozen") and is_users_file(spec.origin):
        return CONVERTED, f"{name} is your own"
    return AS_IT_IS, _whose(name, spec.origin or "")


def _whose(module, filename):
    top = (module or "").partition(".")[0]
    if top in sys.stdlib_module_names:
        return f"{top} is part of the standard library"
    return f"{top or _short(filename)} is an installed package"


def _short(filename):
    return os.path.basename(sources.shown_name(filename))
