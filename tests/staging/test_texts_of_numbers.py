"""Characters of texts that a run has, numbers that are read from them, and texts of numbers."""

import numpy as np
import pytest
from support.every_mode import check_in_every_mode
from texts_of_numbers import PROGRAMS

import runtime as rt


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_pythons_in_every_mode(name):
    check_in_every_mode(PROGRAMS[name])


@pytest.mark.parametrize("number", [0, 9, 10, 21978, 2**62])
def test_one_graph_has_the_digits_of_each_number(number):
    reverse = rt.function(lambda n: [int(c) for c in reversed(str(n))])
    reverse(np.int64(-0))
    assert reverse(np.int64(number)) == [int(c) for c in reversed(str(number))]
    assert len(reverse.graphs) == 1


def test_numpys_integers_have_no_power_with_a_modulus_as_in_python():
    with pytest.raises(TypeError):
        pow(np.int64(5), 3, 7)
    with pytest.raises(TypeError):
        rt.function(lambda n: pow(n, 3, 7))(np.int64(5))


def test_a_batch_of_powers():
    batch = rt.vmap(lambda n: pow(int(n), 5, 7))
    assert list(batch(np.arange(6))) == [pow(n, 5, 7) for n in range(6)]


@pytest.mark.parametrize("transform", [rt.grad, lambda f: lambda x: rt.jvp(f, (x,), (1.0,))])
def test_a_number_that_is_read_from_a_text_has_no_derivative(transform):
    def read(x):
        return x * float(f"{x:.1f}")

    def through_a_loop(x):
        text = f"{x}"
        for _ in range(int(x)):
            text = text + "0"
        return x * float(text)

    for function in (read, rt.function(read), through_a_loop):
        with pytest.raises(rt.StagingError, match="before it becomes a string"):
            transform(function)(2.0)
    assert rt.grad(lambda x: x * int(f"{x:.0f}"))(2.0) == 2.0  # as of int(x), which is constant


def test_a_saved_function_reads_characters(tmp_path):
    total = rt.function(lambda n: sum(int(c) for c in str(n)))
    total(np.int64(1))
    rt.save(tmp_path / "digits", total)
    assert rt.load(tmp_path / "digits")(np.int64(5678)) == 26
