"""Stencils and partial differential equations on grids."""

import numpy as np
from collection import Collection

PROGRAMS = Collection()
example = PROGRAMS.example

rng = np.random.default_rng(2)
GRID = rng.random((18, 16))
LINE = rng.random(40)
CUBE = rng.random((8, 7, 6))
ROOM = np.zeros((14, 14))
ROOM[0] = 1.0
WAVE = np.exp(-((np.linspace(0, 1, 40) - 0.5) ** 2) * 60)


@example(5, GRID, GRID.copy())
def jacobi_2d(steps, a, b):
    for _ in range(1, steps):
        b[1:-1, 1:-1] = 0.2 * (
            a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1]
        )
        a[1:-1, 1:-1] = 0.2 * (
            b[1:-1, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:] + b[2:, 1:-1] + b[:-2, 1:-1]
        )


@example(30, LINE, LINE.copy())
def jacobi_1d(steps, a, b):
    for _ in range(steps):
        b[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:])
        a[1:-1] = 0.33333 * (b[:-2] + b[1:-1] + b[2:])


@example(4, GRID)
def seidel_2d(steps, a):
    n, m = a.shape
    for _ in range(steps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                a[i, j] = (
                    a[i - 1, j - 1] + a[i - 1, j] + a[i - 1, j + 1]
                    + a[i, j - 1] + a[i, j] + a[i, j + 1]
                    + a[i + 1, j - 1] + a[i + 1, j] + a[i + 1, j + 1]
                ) / 9.0  # fmt: skip


@example(6, CUBE, CUBE.copy())
def heat_3d(steps, a, b):
    for _ in range(1, steps):
        b[1:-1, 1:-1, 1:-1] = (
            0.125 * (a[2:, 1:-1, 1:-1] - 2.0 * a[1:-1, 1:-1, 1:-1] + a[:-2, 1:-1, 1:-1])
            + 0.125 * (a[1:-1, 2:, 1:-1] - 2.0 * a[1:-1, 1:-1, 1:-1] + a[1:-1, :-2, 1:-1])
            + 0.125 * (a[1:-1, 1:-1, 2:] - 2.0 * a[1:-1, 1:-1, 1:-1] + a[1:-1, 1:-1, :-2])
            + a[1:-1, 1:-1, 1:-1]
        )
        a, b = b, a
    return a


@example(ROOM)
def laplace_until_still(u):
    u = u.copy()
    for iteration in range(500):
        old = u.copy()
        u[1:-1, 1:-1] = 0.25 * (old[2:, 1:-1] + old[:-2, 1:-1] + old[1:-1, 2:] + old[1:-1, :-2])
        if np.max(np.abs(u - old)) < 1e-3:
            break
    return u, iteration


@example(ROOM)
def successive_over_relaxation(u):
    u = u.copy()
    n = u.shape[0]
    omega = 2.0 / (1 + np.sin(np.pi / n))
    error = 1.0
    sweeps = 0
    while error > 1e-3 and sweeps < 200:
        error = 0.0
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                r = 0.25 * (u[i + 1, j] + u[i - 1, j] + u[i, j + 1] + u[i, j - 1]) - u[i, j]
                u[i, j] += omega * r
                error = max(error, abs(r))
        sweeps += 1
    return u, sweeps


@example(WAVE, 60)
def wave_1d(u0, steps):
    c2 = 0.25
    u_old = u0.copy()
    u = u0.copy()
    for _ in range(steps):
        u_new = np.zeros_like(u)
        u_new[1:-1] = 2 * u[1:-1] - u_old[1:-1] + c2 * (u[2:] - 2 * u[1:-1] + u[:-2])
        u_old, u = u, u_new
    return u


@example(WAVE, 0.4, 50)
def advection_upwind(u, courant, steps):
    for _ in range(steps):
        un = u.copy()
        for i in range(1, len(u)):
            u[i] = un[i] - courant * (un[i] - un[i - 1])
        u[0] = u[-1]
    return u


@example(WAVE + 0.5, 30)
def burgers(u, steps):
    nx = u.size
    dx, dt, nu = 2 * np.pi / (nx - 1), 0.002, 0.07
    u = u.copy()
    for _ in range(steps):
        un = u.copy()
        for i in range(1, nx - 1):
            u[i] = (
                un[i]
                - un[i] * dt / dx * (un[i] - un[i - 1])
                + nu * dt / dx**2 * (un[i + 1] - 2 * un[i] + un[i - 1])
            )
        u[0] = (
            un[0]
            - un[0] * dt / dx * (un[0] - un[-2])
            + nu * dt / dx**2 * (un[1] - 2 * un[0] + un[-2])
        )
        u[-1] = u[0]
    return u


@example(np.ones((16, 16)) + GRID[:16, :16] / 10, GRID[:16, :16] / 5, 20)
def gray_scott(u, v, steps):
    du, dv, f, k = 0.16, 0.08, 0.035, 0.065
    for _ in range(steps):
        lap_u = -4 * u + np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1)
        lap_v = -4 * v + np.roll(v, 1, 0) + np.roll(v, -1, 0) + np.roll(v, 1, 1) + np.roll(v, -1, 1)
        uvv = u * v * v
        u = u + du * lap_u - uvv + f * (1 - u)
        v = v + dv * lap_v + uvv - (f + k) * v
    return u, v


@example(ROOM, ROOM * 0.1, 0.01, 0.5, 0.5)
def pressure_poisson(p, b, tolerance, dx, dy):
    p = p.copy()
    difference = tolerance + 1
    count = 0
    while difference > tolerance:
        pn = p.copy()
        p[1:-1, 1:-1] = (
            (pn[1:-1, 2:] + pn[1:-1, :-2]) * dy**2 + (pn[2:, 1:-1] + pn[:-2, 1:-1]) * dx**2
        ) / (2 * (dx**2 + dy**2)) - dx**2 * dy**2 / (2 * (dx**2 + dy**2)) * b[1:-1, 1:-1]
        p[:, -1] = p[:, -2]
        p[0, :] = p[1, :]
        p[:, 0] = p[:, 1]
        p[-1, :] = 0
        difference = np.sum(np.abs(p - pn)) / (np.sum(np.abs(pn)) + 1e-9)
        count += 1
        if count >= 100:
            break
    return p, count


@example(ROOM[:8, :8], 8)
def cavity_flow(field, steps):
    u, v = field.copy(), field * 0
    dt = 0.001
    for n in range(steps):
        un, vn = u.copy(), v.copy()
        u[1:-1, 1:-1] = un[1:-1, 1:-1] - dt * un[1:-1, 1:-1] * (un[1:-1, 1:-1] - un[1:-1, :-2])
        v[1:-1, 1:-1] = vn[1:-1, 1:-1] - dt * vn[1:-1, 1:-1] * (vn[1:-1, 1:-1] - vn[:-2, 1:-1])
        u[-1, :] = 1 + 0.1 * n
        v[:, 0] = v[:, -1] = 0
    return u, v


@example(LINE, 25)
def crank_nicolson(u, steps):
    n = len(u)
    r = 0.3
    left = np.diag((1 + r) * np.ones(n))
    right = np.diag((1 - r) * np.ones(n))
    for i in range(n - 1):
        left[i, i + 1] = left[i + 1, i] = -r / 2
        right[i, i + 1] = right[i + 1, i] = r / 2
    inverse = np.linalg.inv(left)
    for _ in range(steps):
        u = inverse @ (right @ u)
    return u


@example(np.sin(np.linspace(0, 6, 32)), 10)
def korteweg_de_vries(u, steps):
    dx, dt = 0.2, 0.0005
    old = u
    for step in range(steps):
        um1, up1 = np.roll(u, 1), np.roll(u, -1)
        um2, up2 = np.roll(u, 2), np.roll(u, -2)
        change = -dt / (3 * dx) * (up1 + u + um1) * (up1 - um1) - dt / dx**3 * (
            up2 - 2 * up1 + 2 * um1 - um2
        )
        if step == 0:
            new = u + change / 2
        else:
            new = old + change
        old, u = u, new
    return u


@example(GRID, 3)
def smooth_with_mirrored_edges(image, times):
    h, w = image.shape
    for _ in range(times):
        out = np.zeros_like(image)
        for y in range(h):
            for x in range(w):
                total, count = 0.0, 0
                for dy in (-1, 0, 1):
                    for dx in (-1, 0, 1):
                        yy, xx = y + dy, x + dx
                        if 0 <= yy < h and 0 <= xx < w:
                            total += image[yy, xx]
                            count += 1
                out[y, x] = total / count
        image = out
    return image


@example(rng.random((10, 10, 4)), rng.random((12, 12, 4)))
def horizontal_diffusion(coefficients, field):
    lap = 4.0 * field[1:-1, 1:-1] - (
        field[2:, 1:-1] + field[:-2, 1:-1] + field[1:-1, 2:] + field[1:-1, :-2]
    )
    res = lap[1:, :] - lap[:-1, :]
    inner = field[2:-1, 1:-1] - field[1:-2, 1:-1]
    flx = np.where(res * inner > 0, 0, res)
    return field[2:-2, 1:-1] - coefficients[1:-1] * (flx[1:] - flx[:-1])


@example(rng.random((9, 9)), 12)
def fdtd(ez, steps):
    n = ez.shape[0]
    hx, hy = np.zeros((n, n)), np.zeros((n, n))
    for t in range(steps):
        hy[0, :] = np.exp(-(((t - 4) / 2.0) ** 2))
        hy[1:, :] -= 0.5 * (ez[1:, :] - ez[:-1, :])
        hx[:, 1:] -= 0.5 * (ez[:, 1:] - ez[:, :-1])
        ez[:-1, :-1] -= 0.7 * (hx[:-1, 1:] - hx[:-1, :-1] + hy[1:, :-1] - hy[:-1, :-1])
    return hx, hy
