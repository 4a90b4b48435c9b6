"""Effects in a batch: each element has its own, in the order in which a loop would have them."""

from runtime.errors import BatchError, staging_error
from runtime.ir.graph import Graph
from runtime.ir.host import CalledFrom, Host, Watched, described
from runtime.ir.types import OBJECT
from runtime.ops.host import unordered_call


def refuse_unordered_calls(region: Graph) -> None:
    """Raises `StagingError` for a host call whose order among others a batch would change."""
    node = unordered_call(region)
    if node is None:
        return
    function = node.attributes["function"]
    while isinstance(function, CalledFrom | Watched):
        function = function.function
    name = described(function.value) if isinstance(function, Host) else "a method"
    remedy = (
        "Call it once: put the calls into one function that is marked with @rt.effect, or loop "
        "over the elements."
    )
    if node.attributes["types"] == (OBJECT,):
        remedy += (
            f"  If it has no effect, state the type of its result: rt.library_call({name}, ..., "
            "result=rt.TensorSpec(shape, dtype))."
        )
    raise staging_error(
        f"{name} is called for each element of a batch, besides other effects",
        "A batch computes each operation for all elements, so effects would come in another order.",
        remedy,
        BatchError,
        where=node.location.in_message if node.location is not None else None,
    )
