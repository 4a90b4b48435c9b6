"""Backends for libraries of others: each is imported when its library is.

import jax           afterwards converted functions stage JAX's tracers: `backends/jax/`
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from threading import local
from types import ModuleType

BACKENDS = {"jax": "autograph.backends.jax"}


class _Then(Loader):
    """Imports a library, and then the backend for it."""

    def __init__(self, spec: ModuleSpec):
        self.spec, self.loader = spec, spec.loader

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        assert self.loader is not None
        return self.loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        assert self.loader is not None
        self.spec.loader = module.__loader__ = self.loader  # the library sees its own loader
        self.loader.exec_module(module)
        import_module(BACKENDS[self.spec.name])


class _WhenImported(MetaPathFinder):
    """Finds the libraries for which there are backends."""

    def __init__(self) -> None:
        self.finding = local()  # `find_spec` asks this finder, too

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name not in BACKENDS or getattr(self.finding, "name", None) == name:
            return None
        self.finding.name = name
        try:
            spec = find_spec(name)
        finally:
            self.finding.name = None
        if spec is not None and spec.loader is not None:
            spec.loader = _Then(spec)
        return spec


def load_when_imported() -> None:
    """Imports the backends for the libraries that are imported, now or later."""
    for name, backend in BACKENDS.items():
        if sys.modules.get(name) is not None:  # None blocks an import
            import_module(backend)
    if not any(isinstance(finder, _WhenImported) for finder in sys.meta_path):
        sys.meta_path.insert(0, _WhenImported())
