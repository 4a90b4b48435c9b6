"""Cells of recurrent networks: one step, from an input and a state to an output and the next state.

cell = LSTMCell(10)
for t in range(len(xs)):
    y, state = cell(xs[t], state)
"""

from typing import Any

import numpy as np

from runtime.nn.functions import sigmoid
from runtime.nn.layers import Layer, glorot_uniform
from runtime.state.variable import Variable


class Cell(Layer):
    """Base of cells: a matrix for the input, one for the output of the previous step, and a bias,
    each with the columns of several gates side by side."""

    gates = 1

    def __init__(
        self, units: int, inputs: int | None = None, generator: Any = None, dtype: Any = float
    ):
        self.units, self.generator, self.dtype = units, generator, np.dtype(dtype)
        self.kernel: Variable | None = None
        self.recurrent: Variable | None = None
        self.bias: Variable | None = None
        if inputs is not None:
            self.build(inputs)

    def build(self, inputs: int) -> None:
        """Creates the parameters, for a number of inputs."""
        width = self.gates * self.units
        start = glorot_uniform((inputs, width), self.generator, self.dtype)
        recurrent = glorot_uniform((self.units, width), self.generator, self.dtype)
        self.kernel = Variable(start, name="kernel")
        self.recurrent = Variable(recurrent, name="recurrent")
        self.bias = Variable(self.start_of_bias(), name="bias")

    def start_of_bias(self) -> np.ndarray:
        """The initial bias."""
        return np.zeros(self.gates * self.units, self.dtype)

    def __repr__(self):
        return f"{type(self).__name__}({self.units})"


class LSTMCell(Cell):
    """Long short-term memory (Hochreiter and Schmidhuber, 1997; forget gate: Gers et al., 2000).

    `x` is `f[batch, inputs]`, the state a list of h and c, `f[batch, units]` each.  Returns h and
    the next state.  The parameters are created by the first call, or immediately with `inputs`.
    """

    gates = 4

    def start_of_bias(self) -> np.ndarray:
        """Zeros, and ones for the forget gate, so that the untrained cell keeps its state."""
        start = np.zeros(4 * self.units, self.dtype)
        start[self.units : 2 * self.units] = 1
        return start

    def zero_state(self, batch: int) -> list[np.ndarray]:
        """The state before the first step."""
        return [np.zeros((batch, self.units), self.dtype) for _ in range(2)]

    def __call__(self, x: Any, state: Any) -> tuple[Any, list[Any]]:
        if self.kernel is None:
            self.build(x.shape[-1])
        n = self.units
        h, c = state
        gates = x @ self.kernel + h @ self.recurrent + self.bias
        let_in, forget, let_out = (
            sigmoid(gates[:, :n]),
            sigmoid(gates[:, n : 2 * n]),
            sigmoid(gates[:, 3 * n :]),
        )
        c = forget * c + let_in * np.tanh(gates[:, 2 * n : 3 * n])
        h = let_out * np.tanh(c)
        return h, [h, c]


class GRUCell(Cell):
    """Gated recurrent unit (Cho et al., 2014).

    `x` is `f[batch, inputs]`, the state `f[batch, units]`.  Returns the next state twice, as
    output and as state.  The parameters are created by the first call, or immediately with
    `inputs`.
    """

    gates = 3

    def zero_state(self, batch: int) -> np.ndarray:
        """The state before the first step."""
        return np.zeros((batch, self.units), self.dtype)

    def __call__(self, x: Any, state: Any) -> tuple[Any, Any]:
        if self.kernel is None:
            self.build(x.shape[-1])
        n = self.units
        given = x @ self.kernel + self.bias
        before = state @ self.recurrent[:, : 2 * n]
        update = sigmoid(given[:, :n] + before[:, :n])
        reset = sigmoid(given[:, n : 2 * n] + before[:, n:])
        new = np.tanh(given[:, 2 * n :] + (reset * state) @ self.recurrent[:, 2 * n :])
        h = update * state + (1 - update) * new
        return h, h
