"""The arrays of a trace that aliases depend on: their memory may have other names."""

from runtime.tracing.tensor import Tensor


class ViewedArrays:
    """The arrays of a trace that aliases depend on."""

    def __init__(self) -> None:
        self._known: dict[int, Tensor] = {}

    def add(self, sources: tuple[Tensor, ...]) -> None:
        """Notes the sources of an alias."""
        self._known.update((id(source), source) for source in sources)

    def has(self, array: Tensor) -> bool:
        """Whether an alias of an array exists, or has existed."""
        return id(array) in self._known
