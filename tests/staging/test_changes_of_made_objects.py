"""Objects of a package that the traced function makes: each call of the function has its own.

What each run does to such an object must not accumulate in the one that was made at first.
"""

import numpy as np
import pytest
from installed import installed_module

import runtime as rt

SOURCE = """
class Cells:
    def __init__(self, table):
        self._table = table

    def __setitem__(self, name, value):
        self._table._columns[name] = value


class Table:
    def __init__(self, **columns):
        self._columns = columns

    @property
    def cells(self):
        return Cells(self)

    def copy(self):
        return Table(**self._columns)

    def insert(self, name, value):
        if name in self._columns:
            raise ValueError(f"{name} is there")
        self._columns[name] = value

    def drop(self, name, inplace=False):
        del self._columns[name]

    def __setitem__(self, name, value):
        self._columns[name] = value

    def __len__(self):
        return len(self._columns)

    def count(self):
        return len(self._columns)


kept = Table(a=1.0)


def current():
    return kept


def add(table, name, value):
    table.insert(name, value)
"""
tables = installed_module("changed_tables", SOURCE)
GLOBAL = tables.Table(a=1.0)


def insert_a_staged_value(x):
    table = GLOBAL.copy()
    table.insert("z", x)
    return x


def insert_in_a_branch(x):
    table = GLOBAL.copy()
    if x > 0:
        table.insert("z", 1.0)
    return x + len(table)


def set_in_a_branch(x):
    table = tables.Table(a=1.0)
    if x > 0:
        table["z"] = 1.0
    return x + len(table)


def set_a_part_in_a_branch(x):
    table = tables.Table(a=1.0)
    if x > 0:
        table.cells["z"] = 1.0
    return x + table.count()


def drop_in_a_loop(x):
    table = tables.Table(a=1.0)
    i = 0
    while i < x:
        table.drop("a", inplace=True)
        i += 5
    return x + len(table)


def handed_to_a_function(x):
    table = tables.Table(a=1.0)
    if x > 0:
        tables.add(table, "z", 1.0)
    return x + len(table)


def held_in_a_list(x):
    held = [tables.Table(a=1.0)]
    if x > 0:
        held[0].insert("z", 1.0)
    return x + len(held[0])


def changed_while_recorded(x):
    table = GLOBAL.copy()
    table.insert("z", 1.0)
    return x + len(table)


def read_in_a_branch(x):
    table = GLOBAL.copy()
    y = x
    if x > 0:
        y = x + table.count()
    return y + len(table)


CHANGES = [
    *(insert_a_staged_value, insert_in_a_branch, set_in_a_branch, set_a_part_in_a_branch),
    *(drop_in_a_loop, handed_to_a_function, held_in_a_list),
]


@pytest.mark.filterwarnings("ignore::runtime.tracing.trace.TracingWarning")
@pytest.mark.parametrize("plain", CHANGES, ids=lambda f: f.__name__)
def test_a_change_of_an_object_that_the_function_has_made_is_that_of_python_or_refused(plain):
    staged = rt.function(plain)
    for x in (-1.0, 1.0, 2.0, -3.0):
        try:
            found = staged(np.float64(x))
        except rt.StagingError:
            break
        assert found == plain(x)
    assert len(GLOBAL) == 1


@pytest.mark.filterwarnings("ignore::runtime.tracing.trace.TracingWarning")
@pytest.mark.parametrize("plain", [changed_while_recorded, read_in_a_branch])
def test_other_uses_are_recorded(plain):
    staged = rt.function(plain)
    for x in (-1.0, 1.0, 2.0, -3.0):
        assert staged(np.float64(x)) == plain(x)


@pytest.mark.filterwarnings("ignore::runtime.tracing.trace.TracingWarning")
def test_an_object_that_the_package_keeps_is_changed_by_each_run():
    @rt.function
    def f(x):
        table = tables.current()
        if x > 0:
            table["n"] = 2.0
        return x

    f(np.float64(-1.0))
    assert len(tables.kept) == 1
    f(np.float64(1.0))
    assert len(tables.kept) == 2
