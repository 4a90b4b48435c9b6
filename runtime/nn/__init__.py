"""Neural networks: functions, and layers with their parameters in variables.

>>> import numpy as np
>>> import runtime as rt
>>> class Model:
...     def __init__(self):
...         self.hidden = rt.nn.Dense(20, rt.nn.relu)
...         self.last = rt.nn.Dense(10)
...     def __call__(self, x):
...         return self.last(self.hidden(x))
>>> model, optimizer = Model(), rt.optimizers.Adam(1e-3)
>>> @rt.function
... def step(x, labels):
...     with rt.GradientTape() as tape:
...         loss = rt.nn.cross_entropy(model(x), labels)
...     parameters = rt.nn.parameters(model)
...     optimizer.apply(tape.gradient(loss, parameters), parameters)
...     return loss
>>> x, labels = np.ones((8, 4)), np.zeros(8, np.int64)
>>> bool(step(x, labels) > step(x, labels))     # each step reduces the loss
True

Models are plain callable objects.  This package is ordinary code, which is converted like the
user's own when it is called.
"""

from typing import TYPE_CHECKING

from autograph.spellings import module_getattr
from runtime.nn.cells import GRUCell, LSTMCell
from runtime.nn.functions import (
    binary_cross_entropy,
    cross_entropy,
    dropout,
    gelu,
    log_softmax,
    mean_squared_error,
    one_hot,
    relu,
    sigmoid,
    softmax,
    softplus,
)
from runtime.nn.layers import Dense, Dropout, Embedding, LayerNorm, parameters, variables
from runtime.spellings.modules import NN

__all__ = [
    "Dense",
    "Dropout",
    "Embedding",
    "GRUCell",
    "LSTMCell",
    "LayerNorm",
    "binary_cross_entropy",
    "cross_entropy",
    "dropout",
    "gelu",
    "log_softmax",
    "mean_squared_error",
    "one_hot",
    "parameters",
    "relu",
    "sigmoid",
    "softmax",
    "softplus",
    "variables",
]

if not TYPE_CHECKING:
    __getattr__ = module_getattr(__name__, "rt.nn", NN)
