"""Sun and planets: the forces are the gradient of the energy, and time steps of leapfrog keep it.

python samples/n_body.py --picture orbits.png              (pip install autograph-numpy[pictures])
"""

import sys

import numpy as np

import runtime as rt

NAMES = ["sun", "inner", "middle", "outer"]
MASSES = np.array([1.0, 1e-3, 3e-4, 1e-3])
RADII = np.array([0.0, 1.0, 1.6, 2.5])


def potential(places, masses):
    """The potential energy of all pairs; the gravitational constant is 1."""
    total = 0.0
    for i in range(len(masses)):
        for j in range(i):
            total -= masses[i] * masses[j] / np.linalg.norm(places[i] - places[j])
    return total


def energy(places, speeds, masses):
    return 0.5 * np.sum(masses[:, None] * speeds**2) + potential(places, masses)


@rt.function
def simulate(places, speeds, masses, step, steps):
    """The places in every hundredth step, and the largest relative error of the energy."""
    at_first = energy(places, speeds, masses)
    track, worst = [], 0.0
    acceleration = -rt.grad(potential)(places, masses) / masses[:, None]
    for number in range(steps):
        if number % 100 == 0:
            track.append(places)
            now = energy(places, speeds, masses)
            worst = max(worst, abs(now / at_first - 1))
        speeds = speeds + step / 2 * acceleration
        places = places + step * speeds
        acceleration = -rt.grad(potential)(places, masses) / masses[:, None]
        speeds = speeds + step / 2 * acceleration
    return np.array(track), worst


places = np.stack([RADII, np.zeros(4)], axis=1)
speeds = np.stack([np.zeros(4), np.sqrt(1 / np.maximum(RADII, 1))], axis=1)
speeds[0] = -(MASSES[1:] @ speeds[1:])  # the centre of mass rests
track, worst = simulate(places, speeds, MASSES, np.float64(0.01), np.int64(5000))
print(f"the energy is kept to {worst:.1e}")
for name, orbit in zip(NAMES[1:], np.moveaxis(track - track[:, :1], 1, 0)[1:], strict=True):
    distances = np.linalg.norm(orbit, axis=-1)
    print(f"{name:6s} planet: distance from {distances.min():.3f} to {distances.max():.3f}")

if "--picture" in sys.argv:
    from matplotlib import pyplot

    for name, orbit in zip(NAMES, np.moveaxis(track, 1, 0), strict=True):
        pyplot.plot(*orbit.T, ".-", label=name)
    pyplot.axis("equal")
    pyplot.legend()
    pyplot.savefig(sys.argv[-1])
