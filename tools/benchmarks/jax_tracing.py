"""How long JAX traces converted programs, beside the same programs written with `lax` by hand.

Each trace is of a function that JAX has not seen, as the first call of a program is.  CPU time is
compared, and both sides alternate: other work on the machine changes the figures less.
"""

import gc
import importlib.util
import statistics
import time
from collections.abc import Callable
from typing import Any

import autograph
from benchmarks.timing import benchmark


def _programs() -> dict[str, tuple[Callable, Callable, tuple]]:
    """The programs, written in Python and by hand, and their arguments."""
    from benchmarks import jax_traced_programs

    return jax_traced_programs.PAIRS


@benchmark("jax-tracing")
def jax_tracing(rounds: int) -> None:
    """CPU time of `jax.jit(f).trace(...)`: converted, and written with `lax` by hand."""
    if importlib.util.find_spec("jax") is None:
        print("\njax-tracing: JAX is not installed")
        return
    print(f"\ntracing for JAX ({rounds} rounds)")
    for name, (fn, by_hand, arguments) in _programs().items():
        converted, hand = _trace_times(autograph.to_graph(fn), by_hand, arguments, rounds)
        print(f"  {name:<34}{converted:8.2f} ms {hand:8.2f} ms   x{converted / hand:.2f}")


def _trace_times(fn: Callable, by_hand: Callable, arguments: tuple, rounds: int) -> list[float]:
    """The medians of the CPU times of a trace, in ms."""
    _same_results(fn, by_hand, arguments)
    taken: tuple[list, list] = [], []
    gc.collect()
    gc.disable()
    try:
        for _ in range(rounds):
            for one, times in zip((fn, by_hand), taken, strict=True):
                times.append(_trace_time(one, arguments))
    finally:
        gc.enable()
    return [statistics.median(times) * 1e3 for times in taken]


def _trace_time(fn: Callable, arguments: tuple) -> float:
    import jax

    jitted: Any = jax.jit(lambda *given: fn(*given))  # JAX keeps the traces of a function
    start = time.process_time()
    jitted.trace(*arguments)
    return time.process_time() - start


def _same_results(fn: Callable, by_hand: Callable, arguments: tuple) -> None:
    import jax
    import numpy as np

    for one, other in zip(
        *(jax.tree.leaves(jax.jit(each)(*arguments)) for each in (fn, by_hand)), strict=True
    ):
        np.testing.assert_allclose(one, other, rtol=1e-5)
