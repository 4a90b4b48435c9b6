"""A ray marcher: each pixel walks along its ray until it meets a surface, and the surface's normal
is the gradient of the distance to it.

python samples/ray_marcher.py --picture scene.png          (pip install autograph-numpy[pictures])
"""

import sys

import numpy as np

import runtime as rt

LIGHT = np.array([-0.5, 0.7, -0.5]) / np.linalg.norm([-0.5, 0.7, -0.5])


def distance(p):
    """The distance from a point to the scene: a ball and a ring above a floor."""
    ball = np.linalg.norm(p - np.array([-0.9, 0.0, 3.2])) - 0.8
    q = p - np.array([0.9, -0.1, 3.0])
    ring = np.hypot(np.hypot(q[0], q[1]) - 0.6, q[2]) - 0.22
    return np.minimum(np.minimum(ball, ring), p[1] + 0.85)


def march(start, direction, farthest=12.0):
    """How far a ray goes until it meets the scene; beyond `farthest` if it meets nothing."""
    far = 0.02
    while far < farthest:
        free = distance(start + far * direction)
        if free < 1e-3:
            break
        far = far + free
    return far


def brightness(pixel):
    direction = np.array([pixel[0], pixel[1], 1.4])
    direction = direction / np.linalg.norm(direction)
    far = march(np.zeros(3), direction)
    if far >= 12.0:
        return 0.0
    place = far * direction
    normal = rt.grad(distance)(place)
    light = np.maximum(normal @ LIGHT, 0.0)
    if march(place + 0.01 * normal, LIGHT) < 12.0:  # something is in the way
        light = 0.2 * light
    return 0.15 + 0.85 * light


def pixels(width, height):
    x, y = np.meshgrid(np.linspace(-1.3, 1.3, width), np.linspace(0.8, -0.8, height))
    return np.stack([x, y], axis=-1).reshape(-1, 2)


render = rt.function(rt.vmap(brightness))
image = render(pixels(64, 22)).reshape(22, 64)
for row in image:
    print("".join(" .:-=+*%#@"[round(9 * light)] for light in row).rstrip())

if "--picture" in sys.argv:
    from matplotlib import pyplot

    large = render(pixels(390, 240)).reshape(240, 390)
    pyplot.imsave(sys.argv[-1], large, cmap="gray", vmin=0, vmax=1)
