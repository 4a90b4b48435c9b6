"""An explicit graph: placeholders and constants, name scopes, a session that computes the
fetched values."""

import numpy as np

import runtime as rt

with rt.Graph().as_default() as graph:
    x = rt.placeholder(np.float64, shape=(None, 2), name="x")
    with rt.name_scope("layer"):
        weights = rt.constant(np.array([[1.0, -1.0], [0.5, 2.0]]))
        hidden = np.maximum(x @ weights, 0.0)
    with rt.name_scope("summary"):
        mean = np.mean(hidden, axis=0)
        largest = np.max(hidden)

print(graph)

with rt.Session() as session:
    batch = np.array([[1.0, 2.0], [3.0, -4.0]])
    print("one fetch:", session.run(mean, {x: batch}))
    print("several:", session.run({"mean": mean, "largest": largest}, {x: batch}))
