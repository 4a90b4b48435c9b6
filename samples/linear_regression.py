"""Linear regression by gradient descent: all steps, the printed progress and the early stop are one
graph, which is called once."""

import numpy as np

import runtime as rt


def mean_squared_error(w, b, x, y):
    return np.mean(np.square(x @ w + b - y))


@rt.function
def fit(x, y, w, b, steps, rate=0.1):
    for step in range(steps):
        loss, (dw, db) = rt.value_and_grad(mean_squared_error, argnums=(0, 1))(w, b, x, y)
        if step % 20 == 0:
            print("step", step, "loss", f"{loss:.6f}")
        if np.sum(dw * dw) + db * db < 1e-12:
            print("converged after step", step)
            break
        w = w - rate * dw
        b = b - rate * db
    return w, b


generator = np.random.default_rng(0)
x = generator.normal(size=(200, 3))
y = x @ np.array([1.5, -2.0, 0.5]) + 3.0 + 0.1 * generator.normal(size=200)

w, b = fit(x, y, np.zeros(3), np.float64(0), steps=np.int64(1000))
print("w =", w.round(3), "b =", b.round(3))

exact = np.linalg.lstsq(np.column_stack([x, np.ones(200)]), y)[0]
print("least squares:", exact.round(3))
