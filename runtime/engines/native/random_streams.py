"""The memory of random generators, which machine code reads and writes.

A piece that draws numbers saves the state of the generator where it begins.  Where the piece is
left, it restores the state: the NumPy program draws the same numbers again.

    random.Random         the index of the next word, and 624 words (MT19937)
    MT19937               624 words, and the index
    PCG64                 a pointer to the state, and half a word that is left over

The layout is checked on the generator itself.  While a piece draws, other threads wait.  A
generator of NumPy that another thread is drawing from without Python's lock makes the piece be
left where it begins; so does a caller of the run who needs to know the numbers.
"""

import ctypes
import importlib
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from runtime.engines.native import legacy_normal
from runtime.engines.native.python_objects import HEADER, function_address
from runtime.ir.graph import Node
from runtime.ops.answers import noting
from runtime.ops.impure import KINDS, SHARED

WORDS = 624
INDEX = 4 * WORDS  # of the next word, in an MT19937 of NumPy
STATE, PERMUTED = INDEX + 4, 32  # bytes


class Memory(NamedTuple):
    """A part of the state of a generator: its address and its number of bytes."""

    address: int
    size: int


# The draws that have machine code, and how many arguments they have.
OF_PYTHON = {
    "random": (0,),
    "uniform": (2,),
    "randrange": (1, 2),
    "randint": (2,),
    "getrandbits": (1,),
    "expovariate": (1,),
    "triangular": (0, 2),
    "normalvariate": (0, 2),
}
OF_LEGACY = {
    "random": (0,),
    "random_sample": (0,),
    "rand": (0,),
    "uniform": (0, 2),
    "randint": (1, 2),
    "normal": (0, 2),
    "standard_normal": (0,),
    "randn": (0,),
    "poisson": (0, 1),
}
OF_NUMPY = {
    "random": (0,),
    "uniform": (0, 2),
    "integers": (1, 2),
    "normal": (0, 2),
    "standard_normal": (0,),
    "exponential": (0,),
    "standard_exponential": (0,),
    "poisson": (0, 1),
}
NORMAL = ("normal", "standard_normal", "randn")
DRAWS = {random.Random: OF_PYTHON, np.random.RandomState: OF_LEGACY, np.random.Generator: OF_NUMPY}


@dataclass(frozen=True)
class Stream:
    """A generator, and where its state is.

    words       the address of the words of an MT19937, and of the index of the next one; or None
    is_free     whether machine code may draw from it now
    interface   the addresses of a bit generator of NumPy, as it describes itself
    kept        the address of the normal number that a `RandomState` keeps (`legacy_normal.py`)
    """

    generator: Any
    memory: tuple[Memory, ...]
    words: tuple[int, int] | None = None
    is_free: Callable[[], bool] = lambda: noting() is None
    interface: Any = None
    kept: int | None = None


@dataclass(frozen=True)
class MadeStream:
    """A generator of a class that the run has made: the piece asks where its state is."""

    kind: type
    number: int  # of the registers with the addresses


def has_code(node: Node) -> bool:
    """Whether a node draws numbers as machine code may."""
    attributes = node.attributes
    if node.op.name != "ask" or attributes.get("named"):
        return False
    name = attributes["function"].rpartition(".")[2]
    made = kind_of_made(node)
    if made is np.random.RandomState and name in NORMAL:
        return False  # the piece does not look for the number that it keeps
    draws = DRAWS.get(made or type(_generator(node)), {})
    return len(attributes.get("given") or ()) in draws.get(name, ())


def kind_of_made(node: Node) -> type | None:
    """The class of the generator of a node, if the run makes it."""
    return KINDS.get(node.attributes.get("kind") or "")


def _generator(node: Node) -> Any:
    """The generator from which a node draws; None if it is none of Python and NumPy."""
    generator = node.attributes.get("generator")
    if generator is not None:
        return generator
    module = node.attributes["function"].rpartition(".")[0]
    return SHARED.get(module)


def stream_of(node: Node) -> Stream | None:
    """The stream that a node draws from; None if it has no code, or memory that is not known."""
    if not has_code(node) or kind_of_made(node) is not None:
        return None
    generator = _generator(node)
    return _of_python(generator) if type(generator) is random.Random else _of_numpy(generator)


def _of_python(generator: random.Random) -> Stream | None:
    index = id(generator) + HEADER
    words = index + 4
    _, state, _ = generator.getstate()
    found = (ctypes.c_uint32 * WORDS).from_address(words)[:]
    if [*found, ctypes.c_int.from_address(index).value] != list(state):
        return None
    return Stream(generator, (Memory(index, 4 + 4 * WORDS),), (words, index))


def _of_numpy(generator: Any) -> Stream | None:
    bits = _bit_generator(generator)
    address = bits.ctypes.state_address
    if type(bits) is np.random.MT19937:
        memory: tuple[Memory, ...] = (Memory(address, 4 * WORDS + 4),)
        is_known = _is_mersenne(bits, address)
    elif type(bits) is np.random.PCG64:
        state = ctypes.c_size_t.from_address(address).value
        memory = Memory(state, 32), Memory(address + 8, 8)
        is_known = _is_permuted(bits, address, state)
    else:
        return None
    words = (address, address + 4 * WORDS) if type(bits) is np.random.MT19937 else None

    def is_free() -> bool:
        return _bit_generator(generator) is bits and _is_free(bits)

    kept = (
        legacy_normal.kept_by(generator) if isinstance(generator, np.random.RandomState) else None
    )
    if kept is not None:
        memory += (Memory(kept, legacy_normal.KEPT),)
    return Stream(generator, memory, words, is_free, bits.ctypes, kept) if is_known else None


def _is_free(bits: Any) -> bool:
    if noting() is not None or not bits.lock.acquire(blocking=False):
        return False
    bits.lock.release()
    return True


def _bit_generator(generator: Any) -> Any:
    is_legacy = isinstance(generator, np.random.RandomState)
    return generator._bit_generator if is_legacy else generator.bit_generator


def _is_mersenne(bits: Any, address: int) -> bool:
    state = bits.state["state"]
    found = (ctypes.c_uint32 * (WORDS + 1)).from_address(address)[:]
    return bool(found == [*map(int, state["key"]), state["pos"]])


def _is_permuted(bits: Any, address: int, state: int) -> bool:
    known = bits.state
    found = bytes((ctypes.c_uint8 * 32).from_address(state))
    numbers = (int.from_bytes(part, "little") for part in (found[:16], found[16:]))
    left = (ctypes.c_uint32 * 2).from_address(address + 8)[:]
    expected = [known["state"]["state"], known["state"]["inc"]]
    return [*numbers] == expected and left == [known["has_uint32"], known["uinteger"]]


@cache
def _sample(kind: type) -> Any:
    """A generator of a class of NumPy, with the bit generator that it has by default."""
    return kind(3) if kind is np.random.RandomState else np.random.default_rng(3)


@cache
def located(kind: type) -> Callable[[Any], int]:
    """A function that returns where the state of a generator of a class is, or zero: the index and
    the words of `random.Random`, the interface of a bit generator of NumPy."""
    if kind is random.Random:
        is_known = _of_python(random.Random(3)) is not None
        return lambda made: id(made) + HEADER if is_known and _is_one(made, kind) else 0
    is_known = _of_numpy(_sample(kind)) is not None
    of_bits = type(_bit_generator(_sample(kind)))
    get = ctypes.PyDLL(None).PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_size_t, [ctypes.py_object, ctypes.c_char_p]

    def where(made: Any) -> int:
        if not is_known or not _is_one(made, kind):
            return 0
        bits = _bit_generator(made)
        if type(bits) is not of_bits or not _is_free(bits):
            return 0
        found: int = get(bits.capsule, b"BitGenerator")
        return found

    return where


def _is_one(made: Any, kind: type) -> bool:
    return type(made) is kind and noting() is None


@cache
def interface(kind: type) -> Any:
    """The functions of a bit generator of the class that generators have by default."""
    return _bit_generator(_sample(kind)).ctypes


@cache
def distribution(name: str) -> int | None:
    """The address of a function of NumPy that draws from a distribution; None if NumPy hides it."""
    library = ctypes.CDLL(importlib.import_module("numpy.random._generator").__file__)
    try:
        return function_address(getattr(library, name))
    except AttributeError:
        return None
