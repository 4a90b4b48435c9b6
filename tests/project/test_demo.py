"""`make demo` shows the samples in their order, and stops at one that fails."""

import demo
import pytest


@pytest.fixture
def samples(tmp_path):
    """Makes files of the given texts, named by letters."""

    def make(*texts):
        paths = [tmp_path / f"{letter}.py" for letter, _ in zip("abc", texts, strict=False)]
        for path, text in zip(paths, texts, strict=True):
            path.write_text(text)
        return [str(path) for path in paths]

    return make


def test_outputs_are_in_the_order_of_the_samples(samples, capsys):
    slow = "import time; time.sleep(0.2); print('first')"
    assert demo.main(samples(slow, "import sys; print('second', file=sys.stderr)")) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line in ("first", "second")] == ["first", "second"]
    assert lines[-1].startswith("2 samples in ")


def test_a_sample_that_fails_is_the_last_one(samples, capsys):
    paths = samples("print('first')", "raise SystemExit('broken')", "print('never shown')")
    assert demo.main(paths) == 1
    printed = capsys.readouterr().out
    assert "first" in printed and "broken" in printed and "never shown" not in printed
    assert printed.endswith(f"{paths[1]} has failed, with exit status 1\n")
