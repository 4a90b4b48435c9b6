"""AutoGraph for JAX: converted functions under `jax.jit`, `grad`, `vmap` and all others.

    jax.jit(autograph.to_graph(f))(x)

    if, a if p else b, and, or, match        lax.cond; each branch is traced once
    for over an array, zip, enumerate        lax.scan; `break` makes the rest a lax.cond
    while, for over range(n)                 lax.while_loop; with set_loop_options(
                                             max_iterations=k) a scan, for reverse mode
    z.append(y) in such a loop               results of the scan, or rows of an array
    assert, raise                            a check in the run
    print                                    a callback of the run

JAX has no block that opens while it traces a function: the backend is *ambient*, active as long as
JAX is tracing.  This package is imported when `jax` is (`autograph/backends/__init__.py`).

| file | contents |
|---|---|
| `backend.py` | the meaning of each construct |
| `abstract.py`, `operands.py` | what a variable may hold on all paths, and its arrays |
| `blocks.py`, `branches.py`, `loops.py`, `loop_run.py` | blocks as jaxprs, and their `lax` calls |
| `direct.py` | the primitives of `lax`, given jaxprs that exist already |
| `lists.py`, `maybe.py`, `sharing.py` | growing lists; None or unbound; two names |
| `checks.py`, `texts.py`, `printing.py` | exceptions, f-strings, `print` |
| `matching.py`, `recursion.py` | `match`, functions that call themselves |
| `iteration.py`, `builtins.py`, `functions.py` | iterables; functions with another meaning |
| `tracers.py` | tracers, and the two private names of JAX that the backend uses |
"""

import jax
import numpy as np
from jax.extend.source_info_util import register_exclusion

from autograph.backend import register_ambient, register_backend
from autograph.backends.jax.backend import JaxBackend
from autograph.backends.jax.functions import register
from autograph.backends.jax.iteration import Combined, StagedRange
from autograph.backends.jax.lists import GrowList
from autograph.backends.jax.maybe import Maybe
from autograph.backends.jax.tracers import is_tracing, use
from autograph.functions.policy import PACKAGE
from autograph.staging.accessors import register_accessor
from autograph.staging.memory import is_known, register_memory

BACKEND = JaxBackend()
use(BACKEND)
for _kind in (jax.core.Tracer, Maybe, StagedRange, Combined, GrowList):
    register_backend(_kind, BACKEND)
register_ambient(is_tracing, BACKEND)
register_accessor(Maybe, None)
register()
register_exclusion(PACKAGE)  # JAX shows the user's lines as those of operations


def _contents(array: np.ndarray) -> tuple | None:
    return None if array.dtype.hasobject else (array.shape, str(array.dtype), array.tobytes())


def _put_back(array: np.ndarray, held: tuple) -> None:
    np.copyto(array, np.frombuffer(held[2], held[1]).reshape(held[0]))


if not is_known(np.ndarray):  # else `runtime` has registered it
    register_memory(np.ndarray, _contents, _put_back)
