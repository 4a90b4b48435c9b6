"""Optimisers and filters by hand: simplex method, quasi-Newton, annealing, particle filters.

The file is long because it is a collection of independent programs.
"""

import math
from dataclasses import dataclass

import numpy as np
from support.every_mode import Programs

PROGRAMS = Programs()
prog = PROGRAMS.program
RNG = np.random.default_rng(31)


def rosen(x):
    return float(np.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2))


def rosen_slope(x):
    g = np.zeros_like(x)
    g[:-1] = -400 * x[:-1] * (x[1:] - x[:-1] ** 2) - 2 * (1 - x[:-1])
    g[1:] += 200 * (x[1:] - x[:-1] ** 2)
    return g


COSTS = np.array([3.0, 2.0, 4.0])
ROWS = np.array([[1.0, 1.0, 2.0], [2.0, 0.0, 3.0], [2.0, 1.0, 3.0]])
BOUNDS = np.array([4.0, 5.0, 7.0])


@prog(COSTS, ROWS, BOUNDS)
def simplex_method(c, a, b):
    m, n = a.shape
    table = np.zeros((m + 1, n + m + 1))
    table[:m, :n] = a
    table[:m, n : n + m] = np.eye(m)
    table[:m, -1] = b
    table[-1, :n] = -c
    basis = [n + i for i in range(m)]
    pivots = 0
    while table[-1, :-1].min() < -1e-9:
        column = int(np.argmin(table[-1, :-1]))
        row, best = -1, np.inf
        for i in range(m):
            if table[i, column] > 1e-9:
                ratio = table[i, -1] / table[i, column]
                if ratio < best:
                    row, best = i, ratio
        if row < 0:
            raise ValueError("unbounded")
        table[row] /= table[row, column]
        for i in range(m + 1):
            if i != row:
                table[i] -= table[i, column] * table[row]
        basis[row] = column
        pivots += 1
        if pivots > 100:
            raise RuntimeError("cycling")
    x = np.zeros(n)
    for i, variable in enumerate(basis):
        if variable < n:
            x[variable] = table[i, -1]
    return x, table[-1, -1], basis


@prog(COSTS, ROWS, BOUNDS)
def interior_point(c, a, b):
    m, n = a.shape
    a = np.hstack([a, np.eye(m)])
    c = np.concatenate([-c, np.zeros(m)])
    x, s, y = np.ones(n + m), np.ones(n + m), np.zeros(m)
    gaps = []
    for k in range(30):
        dual, primal = c - a.T @ y - s, b - a @ x
        mu = x @ s / len(x)
        gaps.append(float(mu))
        if mu < 1e-9 and np.linalg.norm(primal) < 1e-8:
            break
        right = 0.1 * mu - x * s
        d = x / s
        matrix = (a * d) @ a.T
        dy = np.linalg.solve(matrix, primal - a @ (right / s) + a @ (d * dual))
        ds = dual - a.T @ dy
        dx = right / s - d * ds
        step = 1.0
        for value, change in ((x, dx), (s, ds)):
            shrinking = change < 0
            if shrinking.any():
                step = min(step, 0.95 * np.min(-value[shrinking] / change[shrinking]))
        x, y, s = x + step * dx, y + step * dy, s + step * ds
    return x[:n], k, gaps[-1]


@prog(np.array([-1.2, 1.0]), 40)
def nelder_mead_sorted(start, limit):
    simplex = [(rosen(start), start)]
    for i in range(len(start)):
        point = start.copy()
        point[i] += 0.5
        simplex.append((rosen(point), point))
    moves = {"reflect": 0, "expand": 0, "contract": 0, "shrink": 0}
    for _ in range(limit):
        simplex.sort(key=lambda pair: pair[0])
        best, worst = simplex[0], simplex[-1]
        if abs(worst[0] - best[0]) < 1e-10:
            break
        centre = np.mean([p for _, p in simplex[:-1]], axis=0)
        reflected = centre + (centre - worst[1])
        value = rosen(reflected)
        if best[0] <= value < simplex[-2][0]:
            simplex[-1] = (value, reflected)
            moves["reflect"] += 1
        elif value < best[0]:
            expanded = centre + 2 * (reflected - centre)
            further = rosen(expanded)
            simplex[-1] = (further, expanded) if further < value else (value, reflected)
            moves["expand"] += 1
        else:
            contracted = centre + 0.5 * (worst[1] - centre)
            nearer = rosen(contracted)
            if nearer < worst[0]:
                simplex[-1] = (nearer, contracted)
                moves["contract"] += 1
            else:
                simplex = [
                    (rosen(q), q) for q in (best[1] + 0.5 * (p - best[1]) for _, p in simplex)
                ]
                moves["shrink"] += 1
    value, point = min(simplex, key=lambda pair: pair[0])
    return point, value, moves


@prog(np.array([1.0, -0.5]), 6)
def evolution_strategy(mean, generations):
    rng = np.random.default_rng(7)
    n, population = len(mean), 6
    weights = np.log(population / 2 + 0.5) - np.log(np.arange(1, population // 2 + 1))
    weights /= weights.sum()
    sigma, covariance, path = 0.5, np.eye(n), np.zeros(n)
    best = (np.inf, mean)
    for _ in range(generations):
        root = np.linalg.cholesky(covariance)
        steps = [root @ rng.standard_normal(n) for _ in range(population)]
        scored = sorted(((rosen(mean + sigma * z), i) for i, z in enumerate(steps)))
        if scored[0][0] < best[0]:
            best = (scored[0][0], mean + sigma * steps[scored[0][1]])
        move = np.zeros(n)
        update = np.zeros((n, n))
        for w, (_, i) in zip(weights, scored):
            move += w * steps[i]
            update += w * np.outer(steps[i], steps[i])
        mean = mean + sigma * move
        path = 0.7 * path + 0.7 * move
        covariance = 0.8 * covariance + 0.2 * update
        sigma *= math.exp(0.3 * (np.linalg.norm(path) / math.sqrt(n) - 1))
    return best[0], best[1], sigma


@prog(RNG.random((6, 2)), 50)
def annealed_tour(cities, steps):
    rng = np.random.default_rng(3)
    n = len(cities)
    tour = list(range(n))

    def length(tour):
        return sum(np.hypot(*(cities[tour[i]] - cities[tour[i - 1]])) for i in range(n))

    energy = length(tour)
    best, best_energy = tour[:], energy
    temperature = 1.0
    accepted = 0
    for _ in range(steps):
        i, j = sorted(rng.choice(n, 2, replace=False))
        trial = tour[:i] + tour[i : j + 1][::-1] + tour[j + 1 :]
        new = length(trial)
        if new < energy or rng.random() < math.exp((energy - new) / temperature):
            tour, energy = trial, new
            accepted += 1
            if energy < best_energy:
                best, best_energy = tour[:], energy
        temperature *= 0.95
    return best, best_energy, accepted


@prog(np.array([-1.2, 1.0, 0.8]), 4, 15)
def l_bfgs(x, memory, limit):
    g = rosen_slope(x)
    s_list, y_list = [], []
    evaluations = 1
    for iteration in range(limit):
        q = g.copy()
        alphas = []
        for s, y in zip(reversed(s_list), reversed(y_list)):
            alpha = (s @ q) / (y @ s)
            alphas.append(alpha)
            q -= alpha * y
        if s_list:
            q *= (s_list[-1] @ y_list[-1]) / (y_list[-1] @ y_list[-1])
        for (s, y), alpha in zip(zip(s_list, y_list), reversed(alphas)):
            beta = (y @ q) / (y @ s)
            q += (alpha - beta) * s
        step, value, slope = 1.0, rosen(x), -(g @ q)
        while rosen(x - step * q) > value + 1e-4 * step * slope:
            step *= 0.5
            evaluations += 1
            if step < 1e-10:
                return x, iteration, evaluations
        new = x - step * q
        new_g = rosen_slope(new)
        if (new - x) @ (new_g - g) > 1e-10:
            s_list.append(new - x)
            y_list.append(new_g - g)
            if len(s_list) > memory:
                s_list.pop(0)
                y_list.pop(0)
        x, g = new, new_g
        if np.linalg.norm(g) < 1e-6:
            break
    return x, iteration, evaluations


TIMES = np.linspace(0, 2, 8)


@prog(TIMES, 2.5 * np.exp(-1.3 * TIMES) + 0.1, np.array([1.0, 1.0, 0.0]))
def levenberg_marquardt(t, y, p):
    damping = 1e-2
    residual = y - (p[0] * np.exp(-p[1] * t) + p[2])
    cost = residual @ residual
    for iteration in range(30):
        e = np.exp(-p[1] * t)
        jacobian = np.stack([e, -p[0] * t * e, np.ones_like(t)], axis=1)
        gram = jacobian.T @ jacobian
        gradient = jacobian.T @ residual
        if np.abs(gradient).max() < 1e-9:
            break
        delta = np.linalg.solve(gram + damping * np.diag(np.diag(gram)), gradient)
        trial = p + delta
        new = y - (trial[0] * np.exp(-trial[1] * t) + trial[2])
        new_cost = new @ new
        if new_cost < cost:
            p, residual, cost = trial, new, new_cost
            damping = max(damping / 10, 1e-12)
        else:
            damping *= 10
            if damping > 1e10:
                raise RuntimeError("damping is too large")
    return p, cost, iteration


@prog(np.array([-1.2, 1.0]), 1.0)
def dogleg(x, radius):
    trace = []
    for _ in range(25):
        g = rosen_slope(x)
        h = np.array([[1200 * x[0] ** 2 - 400 * x[1] + 2, -400 * x[0]], [-400 * x[0], 200.0]])
        if np.linalg.norm(g) < 1e-8:
            break
        newton = -np.linalg.solve(h, g)
        curvature = g @ h @ g
        if np.linalg.norm(newton) <= radius and curvature > 0:
            p = newton
        else:
            steepest = (
                -(g @ g) / curvature * g if curvature > 0 else -radius * g / np.linalg.norm(g)
            )
            if np.linalg.norm(steepest) >= radius:
                p = radius * steepest / np.linalg.norm(steepest)
            else:
                d = newton - steepest
                a, b, c = d @ d, 2 * steepest @ d, steepest @ steepest - radius**2
                tau = (-b + math.sqrt(b * b - 4 * a * c)) / (2 * a)
                p = steepest + tau * d
        predicted = -(g @ p + 0.5 * p @ h @ p)
        ratio = (rosen(x) - rosen(x + p)) / predicted
        if ratio < 0.25:
            radius *= 0.25
        elif ratio > 0.75 and abs(np.linalg.norm(p) - radius) < 1e-9:
            radius = min(2 * radius, 10.0)
        if ratio > 0.1:
            x = x + p
        trace.append((round(float(ratio), 6), radius))
    return x, trace


@prog(np.array([[4.0, 1, 3, 2], [2, 0, 5, 3], [3, 2, 2, 1], [1, 4, 2, 2]]))
def hungarian(cost):
    n, m = cost.shape
    u, v = np.zeros(n + 1), np.zeros(m + 1)
    match, way = np.zeros(m + 1, dtype=int), np.zeros(m + 1, dtype=int)
    for i in range(1, n + 1):
        match[0] = i
        j0 = 0
        least = np.full(m + 1, np.inf)
        used = np.zeros(m + 1, dtype=bool)
        while True:
            used[j0] = True
            i0, delta, j1 = match[j0], np.inf, 0
            for j in range(1, m + 1):
                if not used[j]:
                    current = cost[i0 - 1, j - 1] - u[i0] - v[j]
                    if current < least[j]:
                        least[j], way[j] = current, j0
                    if least[j] < delta:
                        delta, j1 = least[j], j
            for j in range(m + 1):
                if used[j]:
                    u[match[j]] += delta
                    v[j] -= delta
                else:
                    least[j] -= delta
            j0 = j1
            if match[j0] == 0:
                break
        while j0:
            j1 = way[j0]
            match[j0] = match[j1]
            j0 = j1
    return -v[0], [(int(match[j]) - 1, j - 1) for j in range(1, m + 1)]


@dataclass
class UnscentedFilter:
    mean: np.ndarray
    covariance: np.ndarray
    kappa: float = 1.0

    def points(self):
        n = len(self.mean)
        root = np.linalg.cholesky((n + self.kappa) * self.covariance)
        points, weights = [self.mean], [self.kappa / (n + self.kappa)]
        for i in range(n):
            points += [self.mean + root[:, i], self.mean - root[:, i]]
            weights += [0.5 / (n + self.kappa)] * 2
        return np.array(points), np.array(weights)

    def step(self, z, dt):
        points, weights = self.points()
        moved = np.array([[p[0] + dt * p[1], p[1] - dt * math.sin(p[0])] for p in points])
        self.mean = weights @ moved
        centred = moved - self.mean
        self.covariance = (centred.T * weights) @ centred + 1e-3 * np.eye(2)
        points, weights = self.points()
        seen = np.sin(points[:, 0])
        expected = weights @ seen
        variance = weights @ (seen - expected) ** 2 + 1e-2
        cross = (weights * (seen - expected)) @ (points - self.mean)
        gain = cross / variance
        self.mean = self.mean + gain * (z - expected)
        self.covariance = self.covariance - np.outer(gain, gain) * variance
        return (z - expected) ** 2 / variance


@prog(np.array([0.4, 0.35, 0.3, 0.22, 0.1]), 0.2)
def unscented_kalman(measured, dt):
    f = UnscentedFilter(np.array([0.5, 0.0]), 0.1 * np.eye(2))
    errors = [f.step(z, dt) for z in measured]
    return f.mean, f.covariance, errors
