"""How should a rod be heated, to have a given profile of temperatures in the end, for little
fuel?  The gradient passes through the simulation, which writes into its array.

python samples/heat_control.py --picture heating.png       (pip install autograph-numpy[pictures])
"""

import sys

import numpy as np

import runtime as rt

CELLS, STEPS, RATE = 20, 60, 0.4
HEATERS = np.array([3, 9, 16])


def simulate(powers):
    """The temperatures of the rod after each step; its ends are kept at 0."""
    u = np.zeros(CELLS)
    history = []
    for power in powers:
        u[HEATERS] += power
        u[1:-1] += RATE * (u[2:] - 2 * u[1:-1] + u[:-2])
        history.append(u.copy())
    return np.array(history)


def cost(powers, wanted):
    return np.sum((simulate(powers)[-1] - wanted) ** 2) + 0.02 * np.sum(powers**2)


@rt.function
def optimal(wanted, iterations):
    """Gradient descent, with momentum; heaters cannot cool."""
    powers = np.zeros((STEPS, len(HEATERS)))
    speed = np.zeros_like(powers)
    for iteration in range(iterations):
        value, slope = rt.value_and_grad(cost)(powers, wanted)
        if iteration % 50 == 0:
            print(f"iteration {iteration:3d}: cost {value:.4f}")
        speed = 0.9 * speed - 0.1 * slope
        powers = np.maximum(powers + speed, 0.0)
    return powers


place = np.arange(CELLS)
wanted = np.where(place < 10, 0.2 * place, 0.2 * (19 - place)) * np.where(place < 14, 1.0, 0.5)
powers = optimal(wanted, np.int64(201))
history = rt.function(simulate)(powers)
print("wanted ", *wanted[::3].round(2))
print("reached", *history[-1][::3].round(2))
print("fuel of each heater:", powers.sum(axis=0).round(2))

if "--picture" in sys.argv:
    from matplotlib import pyplot

    _, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4))
    left.plot(place, wanted, "k--", label="wanted")
    left.plot(place, history[-1], label="reached")
    left.set(xlabel="cell", ylabel="temperature")
    left.legend()
    right.plot(powers, label=[f"heater at {heater}" for heater in HEATERS])
    right.set(xlabel="step", ylabel="power")
    right.legend()
    pyplot.savefig(sys.argv[-1])
