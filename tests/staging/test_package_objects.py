"""Objects of packages that the code of a graph reads: each call finds their contents of then."""

import threading

import numpy as np
import pytest
from installed import installed_module

import runtime as rt

SOURCE = """
import numpy as np


class Table:
    def __init__(self, **columns):
        self._columns = columns

    @property
    def first(self):
        return next(iter(self._columns.values()))

    @property
    def names(self):
        return Names(self)

    def __getitem__(self, name):
        return Column(self, name)

    def __getattr__(self, name):
        if name.startswith("_") or name not in self._columns:
            raise AttributeError(name)
        return self._columns[name]

    def __setitem__(self, name, values):
        self._columns[name] = values

    def __len__(self):
        return len(self._columns)

    def __iter__(self):
        return iter(self._columns)

    def __contains__(self, name):
        return name in self._columns

    def __array__(self, dtype=None, copy=None):
        return np.array(self.first, dtype)

    def total(self):
        return float(sum(map(np.sum, self._columns.values())))

    def copy(self):
        return Table(**{name: np.array(one) for name, one in self._columns.items()})


class Column:
    __slots__ = ("table", "name")

    def __init__(self, table, name):
        self.table, self.name = table, name

    @property
    def values(self):
        return self.table._columns[self.name]


class Names:
    def __init__(self, table):
        self.table = table

    def __iter__(self):
        return iter(self.table._columns)


class Locked(Table):
    def __init__(self, lock, **columns):
        super().__init__(**columns)
        self.lock = lock


class Scaled:
    def __init__(self, factor):
        self.factor = factor

    def times(self, x):
        return x * self.factor


def total_of(table):
    return table.total()
"""
tables = installed_module("tables_of_a_package", SOURCE)
rt.pure(tables.total_of)
rt.pure(tables.Table.total)
rt.pure(tables.Table.copy)
X = np.array([3.0, 1.0, 2.0])


def counted(table, x):
    total = 0.0
    for _ in table.names:
        total = total + x
    return total


def through_another_name(table, x):
    other = table
    return other["u"].values * x


def of_a_copy(table, x):
    made = table.copy()
    return made["u"].values * x + made.total()


READS = [
    lambda table, x: table["u"].values * x,
    lambda table, x: table.first * x,
    lambda table, x: table.u * x,  # by __getattr__
    lambda table, x: len(table) * x,
    lambda table, x: np.asarray(table) * x,
    lambda table, x: x * float(np.sum(table)),
    lambda table, x: table.total() * x,
    lambda table, x: tables.total_of(table) * x,
    lambda table, x: x * len([name for name in table]),
    lambda table, x: x if "w" in table else -x,
    lambda table, x: (lambda y: y["u"].values[0] * x)(table),
    counted,
    through_another_name,
    of_a_copy,
]


def new_table():
    return tables.Table(u=np.array([1.0, 2.0, 3.0]), v=np.ones(3))


def check(read, table):
    staged = rt.function(lambda x: read(table, x))
    given = rt.function(read)

    def agree():
        for _ in range(2):
            assert np.array_equal(staged(X), read(table, X))
            assert np.array_equal(given(table, X), read(table, X))

    agree()
    agree()
    table._columns["u"][0] = 7.0
    agree()
    table["w"] = np.full(3, 5.0)
    agree()
    return staged


@pytest.mark.parametrize("number", range(len(READS)))
def test_reads_of_an_object_of_a_package_are_never_stale(number):
    check(READS[number], new_table())


def test_a_graph_is_used_again_while_the_contents_are_the_same():
    staged = check(READS[0], new_table())
    before = len(staged.graphs)
    for _ in range(3):
        staged(X)
    assert len(staged.graphs) == before


def test_objects_that_graphs_have_read_are_freed():
    import gc
    import weakref

    staged = rt.function(READS[0])
    table = new_table()
    staged(table, X)
    known = weakref.ref(table)
    del table
    gc.collect()
    assert known() is None


def test_an_object_that_cannot_be_pickled_is_read_once():
    table = tables.Locked(threading.Lock(), u=np.ones(3))
    staged = rt.function(lambda x: table["u"].values * x)
    assert np.array_equal(staged(X), X) and np.array_equal(staged(X), X)
    assert len(staged.graphs) == 1


def test_code_that_a_package_writes_for_its_functions_is_the_packages():
    text = "def made(x):\n    return x.tolist()[0] if x[0] > 0 else 0.0\n"
    exec(compile(text, "<made by a package>", "exec"), vars(tables))
    staged = rt.function(lambda x: x * tables.made(x))
    for x in (X, -X):
        assert np.array_equal(staged(x), x * tables.made(x))


def test_pandas():
    pandas = pytest.importorskip("pandas", reason="pip install autograph-numpy[packages]")
    frame = pandas.DataFrame({"u": [1.0, 2.0, 3.0], "v": [4.0, 5.0, 6.0]})
    series = pandas.Series([1.0, 2.0, 3.0])
    programs = [
        lambda x: frame["u"].values * x,
        lambda x: frame.loc[0, "u"] * x,
        lambda x: frame.shape[0] * x + len(frame),
        lambda x: series.values * x + series.iloc[0],
        lambda x: np.asarray(series) * x,
        lambda x: sum(x[i] * v for i, v in enumerate(series)),
    ]
    staged = [rt.function(one) for one in programs]
    for change in (1.0, 2.0, 3.0):
        frame.loc[0, "u"] = change
        series.iloc[0] = -change
        for program, function in zip(programs, staged, strict=True):
            for _ in range(2):
                assert np.array_equal(function(X), program(X))


def test_calls_with_other_functions_of_the_same_name_are_not_merged():
    optimize = pytest.importorskip("scipy.optimize", reason="pip install autograph-numpy[scipy]")

    def roots(x):
        one = optimize.brentq(lambda t: t - x[0], -10, 10)
        return one, optimize.brentq(lambda t: t - x[0] - 1, -10, 10)

    assert rt.function(roots)(X) == roots(X) == (3.0, 4.0)


def test_calls_with_other_objects_of_the_same_class_are_not_merged():
    rt.pure(tables.Scaled.times)
    one, other = tables.Scaled(2.0), tables.Scaled(3.0)
    program = lambda x: (one.times(x), other.times(x))  # noqa: E731
    assert np.array_equal(rt.function(program)(X), program(X))
