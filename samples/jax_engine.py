"""Training on the devices of JAX: `engine="xla"` runs loops and products of arrays there.

The pieces of the graph that XLA runs, and the operations that NumPy computes, are listed by
`native()`.
"""

import importlib.util

import numpy as np

import runtime as rt


def train(w, x, y):
    """Logistic regression by gradient descent; prints the loss when it is done."""
    for _ in range(200):
        predicted = 1.0 / (1.0 + np.exp(-(x @ w)))
        w = w - 0.5 * x.T @ (predicted - y) / len(y)
    loss = -np.mean(y * np.log(predicted) + (1.0 - y) * np.log(1.0 - predicted))
    print(f"loss: {loss:.3f}")
    return w


def main():
    """Separates points by their distance from a line."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 2))
    y = (x @ np.array([2.0, -1.0]) > 0.0).astype(float)
    on_device = rt.function(train, engine="xla")
    w = on_device(np.zeros(2), x, y)
    print("weights:", w.round(2))
    print("right:", np.mean((x @ w > 0.0) == (y > 0.5)))
    print(on_device.native())


if __name__ == "__main__":
    if importlib.util.find_spec("jax") is None:
        print("JAX is not installed: pip install jax")
    else:
        main()
