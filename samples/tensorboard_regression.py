"""A training whose progress TensorBoard shows: the loop with its summaries is one graph.

`tensorboard --logdir logs` shows what `python samples/tensorboard_regression.py logs` has written.
"""

import importlib.util
import sys
import tempfile

import numpy as np

import runtime as rt


def mean_squared_error(w, x, y):
    return np.mean(np.square(x @ w - y))


@rt.function
def fit(x, y, w, steps, rate=0.1):
    for step in range(steps):
        loss, dw = rt.value_and_grad(mean_squared_error)(w, x, y)
        w = w - rate * dw
        rt.summary.scalar("loss", loss, step)
        if step % 10 == 0:
            rt.summary.histogram("errors", x @ w - y, step)
    return w


generator = np.random.default_rng(0)
x = generator.normal(size=(200, 3))
y = x @ np.array([1.5, -2.0, 0.5]) + 0.1 * generator.normal(size=200)

if importlib.util.find_spec("tensorboard") is None:
    print("TensorBoard is not installed: pip install tensorboard")
else:
    folder = sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp()
    with rt.summary.Writer(folder) as writer:
        with rt.profile() as profile:
            w = fit(x, y, np.zeros(3), np.int64(40))
        writer.graph(fit, x, y, np.zeros(3), np.int64(40), profile=profile)
    print("w =", w.round(2))

    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    events = EventAccumulator(folder, size_guidance={"tensors": 0}).Reload()
    for name in events.Tags()["tensors"]:
        print(name, "at", len(events.Tensors(name)), "steps")
