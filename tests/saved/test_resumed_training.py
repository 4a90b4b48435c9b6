"""Checkpoints: a run that is interrupted and resumed computes the same bits."""

import os

import numpy as np
import pytest

import runtime as rt
from runtime.errors import LoadError, SaveError


class Training:
    """A model, an optimizer with moments, and dropout: everything that changes is in variables."""

    def __init__(self, units=4):
        self.rng = rt.random.Generator(7)
        self.first = rt.nn.Dense(units, np.tanh, inputs=3, generator=rt.random.Generator(1))
        self.cells = [rt.nn.Dense(1, inputs=units, generator=rt.random.Generator(2))]
        self.optimizer = rt.optimizers.Adam(0.05, variables=self.parameters())
        self.checkpoint = rt.Checkpoint(
            model=[self.first, self.cells], optimizer=self.optimizer, rng=self.rng
        )

    def parameters(self):
        return rt.nn.parameters([self.first, self.cells])

    @rt.function
    def step(self, x, y):
        with rt.GradientTape() as tape:
            hidden = rt.nn.dropout(self.first(x), 0.3, self.rng)
            loss = np.mean((self.cells[0](hidden)[:, 0] - y) ** 2)
        self.optimizer.apply(tape.gradient(loss, self.parameters()), self.parameters())
        return loss


X = np.linspace(-1.0, 1.0, 24).reshape(8, 3)
Y = X.sum(axis=1)


def bits(training):
    return {path: one.value.tobytes() for path, one in training.checkpoint.variables().items()}


def test_a_resumed_run_has_the_same_bits(tmp_path):
    whole = Training()
    losses = [whole.step(X, Y) for _ in range(8)]
    first = Training()
    for step in range(1, 6):
        first.step(X, Y)
        first.checkpoint.save(tmp_path, step, keep=2)
    resumed = Training()
    assert resumed.checkpoint.restore(tmp_path) == 5
    assert [resumed.step(X, Y) for _ in range(3)] == losses[5:]
    assert bits(resumed) == bits(whole)
    assert sorted(os.listdir(tmp_path)) == ["step_0000000004.zip", "step_0000000005.zip"]
    assert resumed.checkpoint.restore(tmp_path, step=4) == 4
    assert [resumed.step(X, Y) for _ in range(4)] == losses[4:]


def test_the_paths_are_those_of_the_parts():
    paths = set(Training().checkpoint.variables())
    assert {"model[0].kernel", "model[1][0].bias", "optimizer.steps", "rng._state"} <= paths


def test_a_directory_without_checkpoints_restores_nothing(tmp_path):
    assert Training().checkpoint.restore(tmp_path) is None
    assert Training().checkpoint.restore(tmp_path / "nothing") is None
    with pytest.raises(LoadError, match="step_0000000003"):
        Training().checkpoint.restore(tmp_path, step=3)


def test_a_checkpoint_of_other_variables_is_refused_and_assigns_none(tmp_path):
    Training().checkpoint.save(tmp_path, 1)
    other = Training(units=5)
    before = bits(other)
    with pytest.raises(LoadError, match=r"is f64\[\d, \d\] there"):
        other.checkpoint.restore(tmp_path)
    assert bits(other) == before
    with pytest.raises(LoadError, match="Only the file has"):
        rt.Checkpoint(model=[other.first]).restore(tmp_path)
    with pytest.raises(SaveError, match="has no variables"):
        rt.Checkpoint(model=rt.nn.Dense(2)).save(tmp_path, 2)


def test_a_damaged_checkpoint_is_refused(tmp_path):
    training = Training()
    path = training.checkpoint.save(tmp_path, 1)
    data = bytearray(path.read_bytes())
    for at in range(0, len(data), 97):
        damaged = bytes(data[:at]) + bytes([data[at] ^ 1]) + bytes(data[at + 1 :])
        path.write_bytes(damaged)
        before = bits(training)
        try:
            training.checkpoint.restore(tmp_path)
        except LoadError:
            pass
        assert bits(training) == before  # a byte that no checksum covers changes nothing
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(LoadError):
        training.checkpoint.restore(tmp_path)


def test_an_interrupted_write_leaves_the_old_file(tmp_path, monkeypatch):
    training = Training()
    training.checkpoint.save(tmp_path, 1)
    old = (tmp_path / "step_0000000001.zip").read_bytes()
    training.step(X, Y)

    def fails(*arguments):
        raise OSError("no space left on device")

    for name in ("fsync", "replace"):
        with monkeypatch.context() as patched:
            patched.setattr(os, name, fails)
            with pytest.raises(OSError, match="no space"):
                training.checkpoint.save(tmp_path, 1)
        assert os.listdir(tmp_path) == ["step_0000000001.zip"]
        assert (tmp_path / "step_0000000001.zip").read_bytes() == old
