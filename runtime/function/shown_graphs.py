"""Views of the graphs of a function: programs, signatures, and why each of them was traced."""

from typing import Any

from runtime import config
from runtime.function.concrete_function import ConcreteFunction
from runtime.observability.memory import Memory, measured
from runtime.observability.notebooks import shown
from runtime.tracing.signature import leaf_paths


class ShownGraphs:
    """The views of a `Function`."""

    __slots__ = ()

    @property
    def graphs(self) -> list[ConcreteFunction]:
        """The cached graphs, the most recently used one first."""
        return list(self._concretes)

    def source(self, *args: Any, **kwargs: Any) -> str:
        """The generated program for a call with these arguments; without arguments, that of
        the graph that was used last.

        Raises `ValueError` where there are neither arguments nor a graph.
        """
        return self._graph_of("source", args, kwargs).source

    def native(self, *args: Any, what: str = "pieces", **kwargs: Any) -> str:
        """The machine code that runs for a call with these arguments, or for the graph that was
        used last: its `pieces` and the operations that NumPy computes, with the reasons; the
        LLVM `ir`; or the `assembly`.

        Raises `ValueError` for another word, and where there are neither arguments nor a graph;
        `TypeError` if an engine without machine code runs the function.
        """
        return self._graph_of("native", args, kwargs).compiled.native(what)

    def memory(self, *args: Any, **kwargs: Any) -> Memory:
        """The bytes that a call with these arguments allocates.  The function runs three times:
        the first two calls record its graph and make its machine code.

        Raises `TypeError` if XLA runs the function: its memory is not seen.
        """
        if self.placement or self._next_engine() == "xla":
            raise TypeError(
                f"the memory of {self.__name__} is that of XLA, which is not counted here\n"
                "Choose another engine: @rt.function(engine='numpy'), or look at "
                "jax.profiler.device_memory_profile()."
            )
        for _ in range(2):
            self(*args, **kwargs)
        return measured(lambda: self(*args, **kwargs))

    def _next_engine(self) -> str:
        """The name of the engine of the next call."""
        return self.engine or config.current().engine

    def _repr_html_(self) -> str:
        """The function in a notebook: the graph that was used last."""
        if not self._concretes:
            return shown(repr(self), "", {})
        return self._concretes[0]._repr_html_()

    def _graph_of(self, method, args, kwargs):
        if args or kwargs or self.input_signature is not None:
            return self.get_concrete_function(*args, **kwargs)
        if not self._concretes:
            raise ValueError(
                f"{self.__name__} has not run yet, so it has no program; "
                f"pass the arguments: f.{method}(x)"
            )
        return self._concretes[0]

    def pretty_printed_concrete_signatures(self) -> str:
        """A line for each graph: the types and values of the arguments, and the result's types."""
        return "\n".join(self._shown(concrete) for concrete in reversed(self._concretes))

    def _shown(self, concrete):
        names = leaf_paths(concrete.signature.structure, self._parameters.names)
        pairs = zip(names, concrete.signature.keys, strict=True)
        arguments = ", ".join(f"{name}: {key}" for name, key in pairs)
        captured = ", ".join(concrete.captured)
        reads = f"   reads {captured}" if captured else ""
        return f"{self.__name__}({arguments}) -> {concrete.result_types()}{reads}"

    def explain_retraces(self) -> str:
        """Why each graph was traced: the first guard of the graph used before that failed."""
        return self._retraces.explained()
