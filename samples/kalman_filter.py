"""How noisy is a moving target, and how noisy are the measurements of it?  Both are found by the
gradient of the likelihood, through a Kalman filter: a staged loop with linear algebra."""

import numpy as np

import runtime as rt

MOVE = np.array([[1.0, 1.0], [0.0, 1.0]])  # the state is a position and a speed
PUSH = np.array([[0.25, 0.5], [0.5, 1.0]])  # the effect of a random acceleration


def surprise(logarithms, positions):
    """The negative logarithm of the likelihood, for each measurement."""
    push, noise = np.exp(logarithms)
    state, spread = np.zeros(2), 10.0 * np.eye(2)
    total = 0.0
    for position in positions:
        state = MOVE @ state
        spread = MOVE @ spread @ MOVE.T + push * PUSH
        seen = np.array([[1.0, 0.0]])
        expected = seen @ spread @ seen.T + noise * np.eye(1)
        error = position - seen @ state
        total += np.log(np.linalg.det(expected)) + error @ np.linalg.solve(expected, error)
        gain = np.linalg.solve(expected, seen @ spread).T
        state = state + gain @ error
        spread = spread - gain @ seen @ spread
    return 0.5 * total / len(positions)


@rt.function
def fitted(logarithms, positions, steps):
    slope = np.zeros_like(logarithms)
    for step in range(steps):
        value, new = rt.value_and_grad(surprise)(logarithms, positions)
        slope = 0.8 * slope + new
        logarithms = logarithms - 0.2 * slope
        if step % 20 == 0:
            push, noise = np.exp(logarithms)
            print(f"step {step:2d}: {value:.4f}, push {push:.3f}, noise {noise:.3f}")
    return np.exp(logarithms)


generator = np.random.default_rng(1)
accelerations = generator.normal(0, np.sqrt(0.02), 300)
speeds = np.cumsum(accelerations)
places = np.cumsum(speeds - accelerations / 2)
measured = places + generator.normal(0, np.sqrt(0.5), 300)
print("fitted:", fitted(np.zeros(2), measured, steps=np.int64(100)).round(3), "true: [0.02 0.5]")
