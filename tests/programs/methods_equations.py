"""Differential equations by hand: Runge-Kutta with steps of its own, multigrid, finite volumes.

The file is long because it is a collection of independent programs.
"""

import math
from dataclasses import dataclass

import numpy as np
from support.every_mode import SIZES, Programs

PROGRAMS = Programs()
prog = PROGRAMS.program
RNG = np.random.default_rng(8)

NODES = (0.0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0)
TABLEAU = (
    (),
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)
FOURTH = (5179 / 57600, 0.0, 7571 / 16695, 393 / 640, -92097 / 339200, 187 / 2100, 1 / 40)


def oscillator(t, y):
    return np.array([y[1], (1 - y[0] ** 2) * y[1] - y[0]])


@prog(np.array([2.0, 0.0]), 0.5, 1e-4)
def dormand_prince(y, end, tolerance):
    t, h = 0.0, 0.1
    accepted = rejected = 0
    times, states = [t], [y]
    while t < end:
        h = min(h, end - t)
        stages = []
        for c, row in zip(NODES, TABLEAU):
            z = y.copy()
            for a, k in zip(row, stages):
                z = z + h * a * k
            stages.append(oscillator(t + c * h, z))
        new = z
        error = np.zeros_like(y)
        for b, bs, k in zip((*TABLEAU[-1], 0.0), FOURTH, stages):
            error += h * (b - bs) * k
        size = np.sqrt(np.mean((error / (tolerance * (1 + np.abs(new)))) ** 2))
        if size <= 1:
            t += h
            y = new
            times.append(t)
            states.append(y)
            accepted += 1
        else:
            rejected += 1
        h *= min(5.0, max(0.2, 0.9 * (size + 1e-12) ** -0.2))
        if h < 1e-12:
            raise RuntimeError("the step is too small at t = %g" % t)
    return np.array(times), np.array(states), accepted, rejected


@prog(np.array([1.0, 0.5]), 0.1, 6)
def bdf2(y, h, steps):
    matrix = np.array([[-10.0, 2.0], [1.0, -3.0]])
    eye = np.eye(2)
    previous = y
    y = np.linalg.solve(eye - h * matrix, y)
    out = np.empty((steps + 1, 2))
    out[0], out[1] = previous, y
    for k in range(2, steps + 1):
        right = 4 / 3 * y - 1 / 3 * previous
        new = y.copy()
        for _ in range(10):
            residual = new - right - 2 / 3 * h * (matrix @ new + 0.1 * new**2)
            jacobian = eye - 2 / 3 * h * (matrix + np.diag(0.2 * new))
            delta = np.linalg.solve(jacobian, -residual)
            new += delta
            if np.abs(delta).max() < 1e-12:
                break
        previous, y = y, new
        out[k] = y
    return out


@prog(np.array([1.0, 0.0]), np.array([0.0, 1.1]), 0.05, 12)
def leapfrog_orbit(q, p, h, steps):
    def force(q):
        return -q / np.sum(q * q) ** 1.5

    energies = []
    p = p + h / 2 * force(q)
    for step in range(steps):
        q = q + h * p
        p = p + h * force(q)
        if step % 3 == 0:
            kinetic = 0.5 * (p @ p)
            energies.append(float(kinetic - 1 / math.sqrt(q @ q)))
    p = p - h / 2 * force(q)
    angular = q[0] * p[1] - q[1] * p[0]
    return q, p, energies, angular


def minmod(a, b):
    if a * b <= 0:
        return 0.0
    return a if abs(a) < abs(b) else b


def godunov_flux(left, right):
    if left <= right:
        if left > 0:
            return 0.5 * left * left
        if right < 0:
            return 0.5 * right * right
        return 0.0
    return 0.5 * max(left * left, right * right)


@prog(np.sin(2 * np.pi * np.arange(10) / 10), 0.02, 4)
def burgers_godunov(u, dt, steps):
    n = len(u)
    dx = 1.0 / n
    for _ in range(steps):
        slopes = [minmod(u[i] - u[i - 1], u[(i + 1) % n] - u[i]) for i in range(n)]
        flux = np.zeros(n)
        for i in range(n):
            j = (i + 1) % n
            flux[i] = godunov_flux(u[i] + 0.5 * slopes[i], u[j] - 0.5 * slopes[j])
        u = u - dt / dx * (flux - np.roll(flux, 1))
        if dt / dx * np.abs(u).max() > 1:
            print("unstable")
            break
    return u


@dataclass
class Water:
    h: np.ndarray
    hu: np.ndarray

    def speeds(self):
        return np.abs(self.hu / self.h) + np.sqrt(9.81 * self.h)

    def flux(self):
        return self.hu, self.hu**2 / self.h + 0.5 * 9.81 * self.h**2


@prog(np.where(np.arange(12) < 5, 2.0, 1.0), np.zeros(12), 0.02)
def shallow_water(h, hu, end):
    water = Water(h.copy(), hu.copy())
    t, dx, count = 0.0, 1 / 12, 0
    while t < end and count < 50:
        a = water.speeds().max()
        dt = min(0.4 * dx / a, end - t)
        f1, f2 = water.flux()
        g1 = 0.5 * (f1[:-1] + f1[1:]) - 0.5 * a * (water.h[1:] - water.h[:-1])
        g2 = 0.5 * (f2[:-1] + f2[1:]) - 0.5 * a * (water.hu[1:] - water.hu[:-1])
        water.h[1:-1] -= dt / dx * (g1[1:] - g1[:-1])
        water.hu[1:-1] -= dt / dx * (g2[1:] - g2[:-1])
        water.h[0], water.h[-1] = water.h[1], water.h[-2]
        water.hu[0], water.hu[-1] = -water.hu[1], -water.hu[-2]
        t += dt
        count += 1
    return water.h, water.hu, t, count


def tridiagonal(lower, diagonal, upper, right):
    n = right.shape[0]
    c, d = np.zeros(n), np.zeros(n)
    c[0], d[0] = upper / diagonal, right[0] / diagonal
    for i in range(1, n):
        m = diagonal - lower * c[i - 1]
        c[i] = upper / m
        d[i] = (right[i] - lower * d[i - 1]) / m
    for i in range(n - 2, -1, -1):
        d[i] -= c[i] * d[i + 1]
    return d


@prog(RNG.standard_normal((5, 6)), 0.3, 3)
def alternating_directions(u, r, steps):
    u = u.copy()
    rows, columns = u.shape
    for _ in range(steps):
        half = np.zeros_like(u)
        for j in range(1, columns - 1):
            b = u[1:-1, j] + r / 2 * (u[1:-1, j - 1] - 2 * u[1:-1, j] + u[1:-1, j + 1])
            half[1:-1, j] = tridiagonal(-r / 2, 1 + r, -r / 2, b)
        for i in range(1, rows - 1):
            b = half[i, 1:-1] + r / 2 * (half[i - 1, 1:-1] - 2 * half[i, 1:-1] + half[i + 1, 1:-1])
            u[i, 1:-1] = tridiagonal(-r / 2, 1 + r, -r / 2, b)
    return u


def smooth(u, f, h, sweeps):
    for _ in range(sweeps):
        for i in range(1, len(u) - 1):
            u[i] = 0.5 * (u[i - 1] + u[i + 1] + h * h * f[i])
    return u


def v_cycle(u, f, h):
    n = len(u) - 1
    if n <= 2:
        u[1] = 0.5 * h * h * f[1]
        return u
    u = smooth(u, f, h, 2)
    r = np.zeros_like(u)
    r[1:-1] = f[1:-1] - (2 * u[1:-1] - u[:-2] - u[2:]) / h**2
    coarse = np.zeros(n // 2 + 1)
    coarse[1:-1] = 0.25 * (r[1:-2:2] + 2 * r[2:-1:2] + r[3::2])
    error = v_cycle(np.zeros_like(coarse), coarse, 2 * h)
    u[::2] += error
    u[1::2] += 0.5 * (error[:-1] + error[1:])
    return smooth(u, f, h, 2)


@prog(np.sin(np.pi * np.linspace(0, 1, 17)), refused=SIZES)
def multigrid(f):
    h = 1 / (len(f) - 1)
    u = np.zeros_like(f)
    residuals = []
    for _ in range(4):
        u = v_cycle(u, f, h)
        r = f[1:-1] - (2 * u[1:-1] - u[:-2] - u[2:]) / h**2
        residuals.append(np.abs(r).max())
        if residuals[-1] < 1e-8:
            break
    return u, residuals


@prog(np.array([0.9, 0.1, 0.0]), 0.3)
def rosenbrock_step(y, h):
    """Robertson's reactions, with a linearly implicit step."""

    def rates(y):
        a, b, c = y
        return np.array(
            [-0.04 * a + 1e4 * b * c, 0.04 * a - 1e4 * b * c - 3e7 * b * b, 3e7 * b * b]
        )

    gamma = 1 - 1 / math.sqrt(2)
    jacobian = np.zeros((3, 3))
    base = rates(y)
    for j in range(3):
        bumped = y.copy()
        step = 1e-7 * max(1e-5, abs(bumped[j]))
        bumped[j] += step
        jacobian[:, j] = (rates(bumped) - base) / step
    w = np.eye(3) - h * gamma * jacobian
    k1 = np.linalg.solve(w, base)
    k2 = np.linalg.solve(w, rates(y + h * k1) - 2 * k1)
    return y + h * (1.5 * k1 + 0.5 * k2)


@prog(np.array([0.0, 1.0]), 1.0, 20)
def shooting(guesses, target, n):
    def final(slope):
        y, v = 0.0, slope
        h = 1.0 / n
        for i in range(n):
            v += h * (6 * i * h)
            y += h * v
        return y

    low, high = guesses
    f_low, f_high = final(low) - target, final(high) - target
    for count in range(30):
        if f_high == f_low:
            break
        slope = high - f_high * (high - low) / (f_high - f_low)
        low, f_low = high, f_high
        high, f_high = slope, final(slope) - target
        if abs(f_high) < 1e-12:
            break
    return high, count


@prog(np.array([1.0, 0.3, -0.2, 0.05]), 0.1, 5)
def double_pendulum(state, h, steps):
    def derivative(s):
        t1, t2, w1, w2 = s
        d = t1 - t2
        den = 3 - math.cos(2 * d)
        a1 = -3 * 9.8 * math.sin(t1) - 9.8 * math.sin(t1 - 2 * t2)
        a1 -= 2 * math.sin(d) * (w2 * w2 + w1 * w1 * math.cos(d))
        a2 = 2 * math.sin(d) * (2 * w1 * w1 + 2 * 9.8 * math.cos(t1) + w2 * w2 * math.cos(d))
        return np.array([w1, w2, a1 / den, a2 / den])

    track = np.zeros((steps + 1, 4))
    track[0] = state
    flips = 0
    for k in range(steps):
        s = track[k]
        k1 = derivative(s)
        k2 = derivative(s + h / 2 * k1)
        k3 = derivative(s + h / 2 * k2)
        k4 = derivative(s + h * k3)
        track[k + 1] = s + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        if (track[k + 1, 1] > np.pi) != (s[1] > np.pi):
            flips += 1
    return track, flips
