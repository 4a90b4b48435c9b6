"""The table of what calls do: `call_effects.txt`, found by the identity of the callable.

    rule_of(os.remove)            effect
    rule_of([].append)            mutates (self)
    rule_of(math.sin)             pure
    rule_of(some_package.f)       None: the table does not know it

One object has many names (`os.remove` is `posix.remove`), so the public names of modules that are
imported are resolved once.  A method is looked up under its class, then under the bases, up to the
class that defines it.  The part of a module is read on the first question about a name in it.
"""

import enum
import functools
import itertools
import sys
from collections.abc import Iterator
from threading import RLock
from types import BuiltinFunctionType, FunctionType, MethodWrapperType, ModuleType
from typing import Any
from weakref import WeakKeyDictionary

from autograph.staging.object_state import dictionary
from runtime.staging.calls.effect_rules import FILE, Rule, headings, rules, sections

CHANGING = ("mutates", "effect")

# Types of callables that belong to the class in `__objclass__`: list.append, list.__len__.
DESCRIPTORS = (type(list.append), type(list.__len__), type(dict.__dict__["fromkeys"]))


class EffectTable:
    """The rules of a text, and the names of the objects that they are about."""

    def __init__(self, text: str):
        self._unread, self._lock = sections(text), RLock()
        self._modules = frozenset(self._unread)
        self._exact: dict[str, Rule] = {}
        self._one_more: dict[str, list[tuple[str, Rule]]] = {}  # by the name before the last dot
        self._everything: dict[str, Rule] = {}  # by the name before `.**`
        self._special: dict[str, Rule] = {}  # special methods of any class
        self._by_method: dict[str, list[Rule]] = {}  # those of methods, by the last name
        self._owners: set[str] = set()  # names before those of methods that change something
        self._unresolved = dict.fromkeys(_documented())  # modules that were not imported yet
        self._imported = 0  # how many modules there were when names were resolved
        self._names: dict[int, list[str]] = {}
        self._of_methods: WeakKeyDictionary[type, dict[str, Rule | None]] = WeakKeyDictionary()
        self._read("*")

    def _read_for(self, name: str) -> None:
        """Reads the parts of the modules that a name may be in."""
        while name:
            if name in self._unread:
                self._read(name)
            name = name.rpartition(".")[0]

    def _read(self, module: str) -> None:
        with self._lock:
            for rule in rules(self._unread.get(module, "")):
                self._add(rule)
                owner, _, last = rule.name.rpartition(".")
                if owner not in self._modules:
                    self._by_method.setdefault(last, []).append(rule)
            self._unread.pop(module, None)  # now: other threads look here first

    def _add(self, rule: Rule) -> None:
        name = rule.name
        if name.startswith("*."):
            self._special[name[2:]] = rule
        elif name.endswith(".**"):
            self._everything[name[:-3]] = rule
        elif name.endswith("*"):
            around, _, start = name[:-1].rpartition(".")
            patterns = self._one_more.setdefault(around, [])
            patterns.append((start, rule))
            patterns.sort(key=lambda pattern: -len(pattern[0]))
        else:
            self._exact[name] = rule
        is_of_one = not name.startswith("*.") and not name.endswith(".**")
        if is_of_one and rule.kind in CHANGING:
            self._owners.add(name.rpartition(".")[0])

    def methods_named(self, name: str) -> list[Rule]:
        """The rules of methods of a name, whatever their classes."""
        for module in [*self._unread]:
            self._read(module)
        return self._by_method.get(name, [])

    def has_changing_methods(self, kind: type) -> bool:
        """Whether a method of a class changes its object or the outside."""
        bases = [base for base in kind.__mro__ if base is not object]
        return any(map(self._is_owner, (name for base in bases for name in self.names_of(base))))

    def _is_owner(self, name: str) -> bool:
        self._read_for(name)
        return name in self._owners

    def exact(self, name: str) -> Rule | None:
        """The rule of a line that has the name itself."""
        self._read_for(name)
        return self._exact.get(name)

    # -- names -------------------------------------------------------------------------------------

    def names_of(self, value: Any) -> list[str]:
        """The public names of an object in imported modules, or the name that it gives itself."""
        self._resolve()
        home = getattr(value, "__module__", None)
        home = home if isinstance(home, str) else ""
        home = {"posix": "os", "nt": "os"}.get(home, home)
        known = self._names.get(id(value), [])
        known = sorted(known, key=lambda name: name.rpartition(".")[0] != home.lstrip("_"))
        name = getattr(value, "__qualname__", None) or getattr(value, "__name__", "")
        return list(dict.fromkeys((*known, f"{home}.{name}", f"{home.lstrip('_')}.{name}")))

    def _resolve(self) -> None:
        """Notes the names of the objects in modules that were imported since the last call."""
        if len(sys.modules) == self._imported:
            return
        self._imported = len(sys.modules)
        self._of_methods.clear()
        for name in [name for name in self._unresolved if name in sys.modules]:
            del self._unresolved[name]
            module = sys.modules.get(name)
            if not issubclass(type(module), ModuleType):
                continue
            held = dictionary(module) or {}  # to ask a lazy module for a name would import it
            for attribute in _public_names(module):
                value = held.get(attribute)
                known = self._names.setdefault(id(value), [])
                if callable(value) and f"{name}.{attribute}" not in known:
                    known.append(f"{name}.{attribute}")

    # -- rules -------------------------------------------------------------------------------------

    def rule_of(self, value: Any) -> Rule | None:
        """The rule of a callable; None if the table does not know it."""
        self._resolve()
        owner = getattr(value, "__self__", None)
        is_bound = owner is not None and not isinstance(owner, ModuleType)
        if is_bound and not isinstance(value, type) and id(value) not in self._names:
            kind = owner if isinstance(owner, type) else type(owner)
            return self.method(kind, value.__name__)
        names = self.names_of(value)
        exact = next(filter(None, map(self.exact, names)), None)
        if exact is not None:
            return exact
        if isinstance(value, type):
            return self._constructor(value, names)
        if is_bound:
            kind = owner if isinstance(owner, type) else type(owner)
            return self._first(names) or self.method(kind, value.__name__)
        if isinstance(value, DESCRIPTORS):
            return self.method(value.__objclass__, value.__name__)
        if isinstance(value, (FunctionType, BuiltinFunctionType)):
            return self._first(names) or self._function_of_a_class(value)
        called = self.method(type(value), "__call__")
        return called if called and called.changed else self._first(names) or called

    def _constructor(self, kind: type, names: list[str]) -> Rule | None:
        for base, known in ((BaseException, "builtins.BaseException"), (enum.Enum, "enum.Enum")):
            if issubclass(kind, base):
                return self.exact(known)
        return self._first(names)

    def _function_of_a_class(self, function: Any) -> Rule | None:
        """The rule of a method written in Python that is called as a function: `Path.unlink`."""
        module, name = sys.modules.get(function.__module__ or ""), function.__qualname__
        owner, _, attribute = name.rpartition(".")
        found: Any = module
        for part in owner.split(".") if owner else ():
            found = getattr(found, "__dict__", {}).get(part)
        return self.method(found, attribute) if owner and isinstance(found, type) else None

    def _first(self, names: list[str]) -> Rule | None:
        exact = next(filter(None, map(self.exact, names)), None)
        return exact or next(filter(None, map(self._by_pattern, names)), None)

    def _by_pattern(self, name: str) -> Rule | None:
        self._read_for(name)
        around, _, last = name.rpartition(".")
        is_special = last.startswith("__") and last.endswith("__")
        if not is_special:
            for start, rule in self._one_more.get(around, ()):
                if last.startswith(start):
                    return rule
        while around:
            if around in self._everything:
                return self._everything[around]
            around = around.rpartition(".")[0]
        return None

    def method(self, kind: type, attribute: str) -> Rule | None:
        """The rule of a method: exact ones from the class to the definition of the method, then
        patterns, then those of the bases."""
        self._resolve()
        known = self._of_methods.setdefault(kind, {})
        if attribute not in known:
            known[attribute] = self._method(kind, attribute)
        return known[attribute]

    def _method(self, kind: type, attribute: str) -> Rule | None:
        order = [base for base in kind.__mro__ if base is not object]
        owner = next((i for i, base in enumerate(order) if attribute in vars(base)), len(order) - 1)
        names = [[f"{name}.{attribute}" for name in self.names_of(base)] for base in order]
        upto, beyond = names[: owner + 1], names[owner + 1 :]
        exact = (self.exact(name) for group in upto for name in group)
        patterns = (self._by_pattern(n) for group in reversed(upto) for n in group)
        bases = (self._first(group) for group in beyond)
        found = next(filter(None, itertools.chain(exact, patterns, bases)), None)
        return found or self._special.get(attribute)


def _public_names(module: ModuleType) -> Iterator[str]:
    """The names of a module's own callables, and of those that its `__all__` lists."""
    held = dictionary(module) or {}
    name = held.get("__name__", "")
    package = name.partition(".")[0]
    homes = {name, f"_{name}", package, f"_{package}", None}
    listed = held.get("__all__")
    yield from listed or ()
    for attribute, value in list(held.items()):
        if attribute.startswith("_") or not callable(value):
            continue
        home = getattr(value, "__module__", None)
        inside = isinstance(home, str) and home.partition(".")[0].lstrip("_") == package
        if home in homes or listed is None and (inside or "__file__" not in held):
            yield attribute


@functools.cache
def _documented() -> tuple[str, ...]:
    """The modules of the table, by their headings."""
    return tuple(name for name in headings(FILE.read_text(encoding="utf-8")) if name != "*")


@functools.cache
def table() -> EffectTable:
    """The table of this library."""
    return EffectTable(FILE.read_text(encoding="utf-8"))


def rule_of(function: Any) -> Rule | None:
    """What a call of a builtin, or of a function of the standard library or NumPy, does."""
    if isinstance(function, MethodWrapperType):
        return table().method(type(function.__self__), function.__name__)
    return table().rule_of(function)
