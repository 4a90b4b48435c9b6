"""The comparison of two checkouts reads the reports of benchmarks."""

import pytest
from benchmarks import against, growth, saved_models

REPORT = """
one call (3 rounds)
  original                                     0.18 us   x1.00
  graph, run twice                             1.50 ms   x8.33

loops of 300 turns: the loop, its gradient, and the ratio
  Newton's iteration                          61.31 us   219.48 us   x3.58

its gradient, too, until it can run: 17.90 ms (the first one: 20.00 ms)
"""


def test_times_are_read_with_their_headings():
    found = against.times_in(REPORT)
    heading = "loops of 300 turns: the loop, its gradient, and the ratio"
    assert found == pytest.approx(
        {
            ("one call", "original", 0): 0.18e-6,
            ("one call", "graph, run twice", 0): 1.5e-3,
            (heading, "Newton's iteration", 0): 61.31e-6,
            (heading, "Newton's iteration", 1): 219.48e-6,
            ("", "its gradient, too, until it can run", 0): 17.9e-3,
            ("", "its gradient, too, until it can run", 1): 20e-3,
        }
    )


@pytest.mark.slow
def test_a_checkout_is_compared_with_its_own_code(tmp_path):
    against.check_code(against.HERE)
    with pytest.raises(SystemExit, match="would be compared by the code in"):
        against.check_code(tmp_path)


@pytest.mark.thorough
def test_a_saved_model_is_measured_in_processes_of_its_own(monkeypatch, capsys):
    monkeypatch.setattr(saved_models, "PROGRAMS", {"rt.save": saved_models.PROGRAMS["rt.save"]})
    saved_models.saved_models(1)
    line = capsys.readouterr().out.splitlines()[-1]
    assert line.startswith("  rt.save")
    assert 97 < float(line.split()[1]) < 110  # KiB, of which 97 are the weights


def test_growth_is_shown_as_the_exponent_of_the_number(capsys):
    assert growth.exponent([1, 2, 4], [3.0, 6.0, 12.0]) == pytest.approx(1.0)
    assert growth.exponent([10, 20, 40], [1.0, 4.0, 16.0]) == pytest.approx(2.0)
    growth.show_growth("sizes", [1, 2, 4], {"a run": [1e-3, 1e-3, 1e-3]})
    assert capsys.readouterr().out.splitlines()[-1].split() == [
        *("a", "run", "1.00", "ms", "1.00", "ms", "1.00", "ms", "0.00"),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("table", [growth.operations, growth.iterations, growth.elements])
def test_growth_is_measured(table):
    costs = table(1, [4, 8])
    assert all(len(seconds) == 2 and min(seconds) >= 0 for seconds in costs.values())
    assert len(growth.signatures(1, [1, 2])) == 2
