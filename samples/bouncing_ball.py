"""How must a ball be thrown, so that it falls into a basket after it has bounced?  The derivatives
pass through the collisions: each is a branch, which computes when the ball meets the ground.

python samples/bouncing_ball.py --picture flight.png       (pip install autograph-numpy[pictures])
"""

import sys

import numpy as np

import runtime as rt

GRAVITY, BOUNCE, STEP = np.array([0.0, -9.81]), 0.7, 0.01
BASKET = np.array([3.0, 0.6])


def flight(speed, seconds=1.2):
    """The places of the ball at each step, and the number of bounces."""
    place, bounces = np.array([0.0, 1.0]), 0
    places = []
    for _ in range(int(seconds / STEP)):
        places.append(place)
        following = place + STEP * speed + STEP**2 / 2 * GRAVITY
        if following[1] >= 0:
            place, speed = following, speed + STEP * GRAVITY
        else:
            # The time until the ground is met: 0 = y + v t - g t^2 / 2.
            fall, height = speed[1], place[1]
            time = (fall + np.sqrt(fall**2 - 2 * GRAVITY[1] * height)) / -GRAVITY[1]
            impact = place + time * speed + time**2 / 2 * GRAVITY
            speed = (speed + time * GRAVITY) * np.array([1.0, -BOUNCE])
            rest = STEP - time
            place = impact * np.array([1.0, 0.0]) + rest * speed + rest**2 / 2 * GRAVITY
            speed = speed + rest * GRAVITY
            bounces += 1
    return np.array(places), bounces


def end(speed):
    places, _ = flight(speed)
    return places[-1]


@rt.function
def aimed(speed, tolerance=1e-6):
    """The speed with which the ball ends in the basket, by Newton's method."""
    for step in range(20):
        miss = end(speed) - BASKET
        print(f"step {step}: it misses by {np.linalg.norm(miss):.6f} m")
        if np.linalg.norm(miss) < tolerance:
            break
        speed = speed - np.linalg.solve(rt.jacobian(end)(speed), miss)
    return speed


speed = aimed(np.array([1.5, 1.0]))
places, bounces = flight(speed)
print("speed", speed.round(4), "- bounces:", bounces, "- end", places[-1].round(4))
exact = rt.jacobian(end)(speed)
move = 1e-6 * np.eye(2)
differences = np.stack([(end(speed + e) - end(speed - e)) / 2e-6 for e in move], axis=-1)
print("derivatives", *exact.round(5), "by differences", *differences.round(5), sep="\n")

if "--picture" in sys.argv:
    from matplotlib import pyplot

    pyplot.plot(*places.T, label="flight")
    pyplot.plot(*BASKET, "ko", label="basket")
    pyplot.legend()
    pyplot.savefig(sys.argv[-1])
