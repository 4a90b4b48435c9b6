"""The error about arrays that may share memory with others, where a graph cannot tell."""

from runtime.errors import SharedMemoryError, staging_error


def shared_memory_error(path: str, action: str) -> BaseException:
    """The error about an array that may share memory, it is not known with which."""
    name = path or "an array"
    return staging_error(
        f"{name} {action}, and may share its memory with another array",
        "Where a staged branch or loop binds a name to views, or to arrays that have other names "
        "or other dtypes, a graph cannot tell which array it shares.",
        f"Bind a copy: {path if path.isidentifier() else 'y'} = x.copy()",
        SharedMemoryError,
    )
