"""Objects that only a run has, as keys of dicts and elements of sets: read in the run, or refused."""

import random

import pytest

import runtime as rt


def drawn():
    return random.choices(["a", "b"])[0]


def read(n):
    return {"a": 1, "b": 2}[drawn()] + n


def found(n):
    return drawn() in {"a": 1, "c": 2}, drawn() in {"a", "c"}, n


def written(n):
    counts = {"a": 0, "b": 0}
    counts[drawn()] += n
    return counts


def added(n):
    seen = {"a"}
    seen.add(drawn())
    return len(seen), n


def counted(n):
    counts = {"a": 0, "b": 0}
    for _ in range(20):
        counts[random.choice(["a", "b"])] += n
    return counts


def results(function):
    random.seed(3)
    return [function(2) for _ in range(4)]


@pytest.mark.parametrize("program", [read, found, counted])
@pytest.mark.parametrize("engine", ["numpy", "native"])
def test_a_key_is_looked_up_in_the_run(program, engine):
    assert results(rt.function(program, engine=engine)) == results(program)


@pytest.mark.parametrize("program", [written, added])
def test_a_key_that_is_written_is_refused(program):
    with pytest.raises(
        rt.errors.HashNeededError, match=r"becomes a key of a dict(.|\n)*str\(key\)"
    ):
        results(rt.function(program))


@pytest.mark.parametrize("value", [2.5, 3])
def test_a_scalar_has_no_elements(value):
    def inside(x):
        return "b" in x

    with pytest.raises(TypeError, match="is not iterable|is not a container"):
        rt.function(inside)(value)
