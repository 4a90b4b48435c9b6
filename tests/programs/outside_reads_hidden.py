"""Reads of the outside world that no call or attribute names: operators, arguments that calls
fill, iterators over folders, imports, bases, weak references; see `outside_reads.py`."""

import array
import builtins
import decimal
import fractions
import glob
import io
import os
import random
import sys
import tempfile
import types
import warnings
import weakref
from pathlib import Path

import numpy as np  # noqa: F401  (as in any program)
from outside_world import case

D = decimal.Decimal


# -- decimals --------------------------------------------------------------------------------------


def with_another_precision(read):
    """A case of a function whose decimals are rounded to another number of digits."""
    before = decimal.getcontext().prec
    decimal.getcontext().prec = 20

    def change():
        decimal.getcontext().prec = 3

    def restore():
        decimal.getcontext().prec = before

    return read, change, restore


@case
def a_quotient_of_new_decimals():
    return with_another_precision(lambda x: x * float(D(1) / D(3)))


@case
def a_sign_of_a_decimal():
    return with_another_precision(lambda x: x * float(+D("1.23456")))


@case
def a_power_of_decimals():
    return with_another_precision(lambda x: x * float(pow(D(3), D("0.5"))))


@case
def a_decimal_of_a_fraction():
    def read(x):
        third = fractions.Fraction(1, 3)
        return x * float(D(third.numerator) / third.denominator)

    return with_another_precision(read)


# -- folders ---------------------------------------------------------------------------------------


def with_another_file(read):
    """A case of a function that looks into a folder, which gets another file."""
    folder = Path(tempfile.mkdtemp())
    (folder / "a.txt").write_text("a")

    def remove():
        for path in folder.iterdir():
            path.unlink()
        folder.rmdir()

    return (lambda x: read(x, folder)), lambda: (folder / "b.txt").write_text("b"), remove


@case
def the_paths_of_a_pattern():
    return with_another_file(lambda x, folder: x * len(list(folder.glob("*.txt"))))


@case
def a_loop_over_a_folder():
    def read(x, folder):
        for _path in folder.iterdir():
            x = x + 1.0
        return x

    return with_another_file(read)


@case
def the_names_in_a_folder():
    return with_another_file(lambda x, folder: x * len([p.name for p in folder.iterdir()]))


@case
def a_question_about_a_folder():
    def read(x, folder):
        return x * (2.0 if any(path.name == "b.txt" for path in folder.rglob("*")) else 5.0)

    return with_another_file(read)


@case
def the_entries_of_a_folder():
    return with_another_file(lambda x, folder: x * len(list(os.scandir(folder))))


@case
def the_entries_of_a_folder_in_a_with():
    def read(x, folder):
        with os.scandir(folder) as entries:
            return x * sum(entry.is_file() for entry in entries)

    return with_another_file(read)


@case
def a_walk_through_folders():
    def read(x, folder):
        return x * sum(len(names) for _, _, names in os.walk(folder))

    return with_another_file(read)


@case
def the_iterator_of_a_pattern():
    return with_another_file(lambda x, folder: x * len(list(glob.iglob(f"{folder}/*"))))


# -- arguments that a call fills -------------------------------------------------------------------


def with_a_new_seed(read):
    """A case of a function that draws; the seed is set when the world begins, and never again."""
    before = random.getstate()
    random.seed(5)
    return read, lambda: None, lambda: random.setstate(before)


@case
def a_shuffled_list():
    def read(x):
        order = [1, 2, 3, 4, 5, 6]
        random.shuffle(order)
        return x * order[0] + order[3]

    return with_a_new_seed(read)


@case
def a_list_that_an_object_shuffles():
    rng = random.Random(3)

    def read(x):
        order = [1, 2, 3, 4, 5, 6]
        rng.shuffle(order)
        return x * order[0] + order[3]

    return with_a_new_seed(read)


@case
def a_list_that_a_function_shuffles():
    def drawn(order):
        random.shuffle(order)
        return order[0] + 10 * order[3]

    return with_a_new_seed(lambda x: x * drawn([1, 2, 3, 4, 5, 6]))


@case
def bytes_read_into_an_array():
    stream = io.BufferedReader(io.BytesIO(bytes(range(1, 100))))

    def read(x):
        found = bytearray(4)
        stream.readinto(found)
        return x * found[0]

    return read, lambda: None


@case
def bytes_read_into_an_array_by_a_stream_of_the_function():
    path = Path(tempfile.mkdtemp(), "bytes")
    path.write_bytes(bytes([2]))

    def read(x):
        found = array.array("B")
        with path.open("rb") as file:
            found.fromfile(file, 1)
        return x * found[0]

    return read, lambda: path.write_bytes(bytes([3]))


# -- names, modules and classes --------------------------------------------------------------------


@case
def a_builtin_that_the_program_adds():
    builtins.rate_of_all = 2.0

    def read(x):
        return x * rate_of_all  # noqa: F821

    return (
        read,
        lambda: setattr(builtins, "rate_of_all", 3.0),
        lambda: delattr(builtins, "rate_of_all"),
    )


@case
def a_builtin_that_a_test_replaces():
    before = builtins.input
    builtins.input = lambda text: "2"

    def read(x):
        return x * float(input("rate? "))

    def change():
        builtins.input = lambda text: "3"

    return read, change, lambda: setattr(builtins, "input", before)


def with_another_module(read):
    """A case of a function that imports a module, in whose place another one is put."""

    def put(rate):
        sys.modules["outside_rates"] = types.SimpleNamespace(rate=rate)

    put(2.0)
    return read, lambda: put(3.0), lambda: sys.modules.pop("outside_rates")


@case
def a_module_that_is_imported():
    def read(x):
        import outside_rates

        return x * outside_rates.rate

    return with_another_module(read)


@case
def a_name_that_is_imported():
    def read(x):
        from outside_rates import rate

        return x * rate

    return with_another_module(read)


@case
def a_module_that_is_imported_by_a_call():
    return with_another_module(lambda x: x * __import__("outside_rates").rate)


@case
def a_list_of_a_module_of_python():
    before = list(warnings.filters)

    def read(x):
        return x * len(warnings.filters)

    def restore():
        warnings.filters[:] = before

    return read, lambda: warnings.filterwarnings("ignore", "nothing of this text"), restore


class Slow:
    rate = 2.0

    def scaled(self, x):
        return x * 2.0


class Fast:
    rate = 3.0

    def scaled(self, x):
        return x * 3.0


def with_another_base(reader):
    """A case of a function that uses a class, whose base is replaced."""

    class Engine(Slow):
        pass

    engine = Engine()

    def change():
        Engine.__bases__ = (Fast,)

    return (lambda x: reader(x, engine)), change


@case
def an_attribute_of_a_base():
    return with_another_base(lambda x, engine: x * type(engine).rate)


@case
def a_method_of_a_base():
    return with_another_base(lambda x, engine: engine.scaled(x))


@case
def a_question_about_a_base():
    return with_another_base(lambda x, engine: x * (2.0 if isinstance(engine, Fast) else 5.0))


# -- weak references -------------------------------------------------------------------------------


class Part:
    def __init__(self, rate):
        self.rate = rate


PART = Part(2.0)


@case
def the_length_of_a_weak_dict():
    parts = weakref.WeakValueDictionary()
    return (lambda x: x * len(parts)), lambda: parts.update(a=PART)


@case
def a_key_of_a_weak_dict():
    parts = weakref.WeakValueDictionary()
    return (lambda x: x * (2.0 if "a" in parts else 5.0)), lambda: parts.update(a=PART)


@case
def an_object_of_a_weak_dict():
    parts = weakref.WeakValueDictionary(a=PART)
    part = Part(3.0)
    return (lambda x: x * parts["a"].rate), lambda: parts.update(a=part)


@case
def an_object_of_a_weak_dict_that_is_freed():
    kept = [Part(2.0)]
    parts = weakref.WeakValueDictionary(a=kept[0])
    return (lambda x: x * (2.0 if parts.get("a") is None else 5.0)), kept.clear


@case
def the_values_of_a_dict_by_weak_keys():
    rates = weakref.WeakKeyDictionary({PART: 2.0})

    def change():
        rates[PART] = 3.0

    return (lambda x: x * sum(rates.values())), change


@case
def the_length_of_a_weak_set():
    parts = weakref.WeakSet()
    return (lambda x: x * len(parts)), lambda: parts.add(PART)


@case
def the_values_of_a_weak_dict_in_a_loop():
    parts = weakref.WeakValueDictionary(a=PART)
    part = Part(3.0)

    def read(x):
        for one in parts.values():
            x = x * one.rate
        return x

    return read, lambda: parts.update(b=part)
