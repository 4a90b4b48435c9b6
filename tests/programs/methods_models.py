"""Simulations, markets and decisions, written by hand.

The file is long because it is a collection of independent programs.
"""

import heapq
import math
from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from support.every_mode import SIZES, Programs

PROGRAMS = Programs()
prog = PROGRAMS.program
RNG = np.random.default_rng(13)
POSITIONS = RNG.random((6, 2)) * 2
VELOCITIES = RNG.standard_normal((6, 2)) * 0.1


def neighbour_list(x, cutoff):
    pairs = []
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            d = x[i] - x[j]
            if d @ d < cutoff * cutoff:
                pairs.append((i, j))
    return pairs


@prog(POSITIONS, VELOCITIES, 0.01, 3)
def lennard_jones(x, v, dt, steps):
    x, v = x.copy(), v.copy()
    pairs, since = [], 0
    forces = np.zeros_like(x)
    for step in range(steps):
        if step % 2 == 0:
            pairs = neighbour_list(x, 1.5)
            since = step
        forces[:] = 0.0
        energy = 0.0
        for i, j in pairs:
            d = x[i] - x[j]
            r2 = max(float(d @ d), 0.25)
            s6 = (0.3 / r2) ** 3
            energy += 4 * (s6 * s6 - s6)
            f = 24 * (2 * s6 * s6 - s6) / r2 * d
            forces[i] += f
            forces[j] -= f
        v += dt * forces
        x += dt * v
        for k in range(2):
            outside = (x[:, k] < 0) | (x[:, k] > 2)
            v[outside, k] *= -1
    return x, v, energy, since, len(pairs)


@dataclass
class Body:
    mass: float
    position: np.ndarray
    velocity: np.ndarray

    def kinetic(self):
        return 0.5 * self.mass * float(self.velocity @ self.velocity)


@prog(POSITIONS[:3].copy(), VELOCITIES[:3].copy(), 3, refused=SIZES)
def bodies_in_orbit(x, v, steps):
    bodies = [Body(1.0 + i, x[i].copy(), v[i].copy()) for i in range(len(x))]
    for _ in range(steps):
        for body in bodies:
            pull = np.zeros(2)
            for other in bodies:
                if other is body:
                    continue
                d = other.position - body.position
                pull += other.mass * d / (np.sqrt(d @ d) + 0.1) ** 3
            body.velocity = body.velocity + 0.01 * pull
        for body in bodies:
            body.position += 0.01 * body.velocity
    centre = sum(b.mass * b.position for b in bodies) / sum(b.mass for b in bodies)
    return centre, [b.kinetic() for b in bodies]


@prog(POSITIONS, 0.8)
def smoothed_particles(x, h):
    n = len(x)
    density = np.zeros(n)
    for i in range(n):
        for j in range(n):
            r = np.linalg.norm(x[i] - x[j]) / h
            if r < 1:
                density[i] += 1 - 1.5 * r * r + 0.75 * r**3
            elif r < 2:
                density[i] += 0.25 * (2 - r) ** 3
    pressure = 2.0 * np.maximum(density - 1.0, 0.0)
    acceleration = np.zeros_like(x)
    for i in range(n):
        for j in range(n):
            d = x[i] - x[j]
            r = np.linalg.norm(d)
            if i == j or r >= 2 * h or r == 0:
                continue
            slope = -0.75 * (2 - r / h) ** 2 if r > h else -3 * r / h + 2.25 * (r / h) ** 2
            push = pressure[i] / density[i] ** 2 + pressure[j] / density[j] ** 2
            acceleration[i] -= push * slope * d / r
    return density, acceleration


@prog(np.array([0.5, 1.1, 1.3, 2.0, 4.0]), np.array([1.0, 0.9, 0.4, 2.5, 0.2]), 2)
def service_queue(arrivals, services, servers):
    free = [0.0] * servers
    heapq.heapify(free)
    waits, busy = [], 0.0
    for arrival, service in zip(arrivals, services):
        start = max(arrival, heapq.heappop(free))
        waits.append(start - arrival)
        heapq.heappush(free, start + service)
        busy += service
    return np.array(waits), busy / (servers * max(free)), sum(w > 0 for w in waits)


@prog(np.array([50, 10, 0]), np.array([0.005, 0.1]), 4.0, refused=SIZES)
def gillespie(state, rates, end):
    rng = np.random.default_rng(2)
    s, i, r = (int(n) for n in state)
    t, events = 0.0, 0
    history = [(t, s, i, r)]
    while i > 0 and events < 30:
        infection, recovery = rates[0] * s * i, rates[1] * i
        total = infection + recovery
        t += rng.exponential(1 / total)
        if t > end:
            break
        if rng.random() * total < infection:
            s, i = s - 1, i + 1
        else:
            i, r = i - 1, r + 1
        events += 1
        if events % 5 == 0:
            history.append((t, s, i, r))
    return s, i, r, events, history


@prog(100.0, 105.0, 0.05, 0.2, 1.0)
def price_by_paths(spot, strike, rate, sigma, maturity):
    rng = np.random.default_rng(4)
    steps, paths = 4, 50
    dt = maturity / steps
    s = np.full(paths, spot)
    alive = np.ones(paths, dtype=bool)
    for _ in range(steps):
        z = rng.standard_normal(paths)
        s = s * np.exp((rate - 0.5 * sigma**2) * dt + sigma * math.sqrt(dt) * z)
        alive &= s < 140.0
    payoff = np.where(alive, np.maximum(s - strike, 0), 0)
    discount = math.exp(-rate * maturity)
    return discount * payoff.mean(), discount * payoff.std(ddof=1) / math.sqrt(paths), alive.sum()


@prog(np.cumprod(1 + 0.1 * RNG.standard_normal((4, 12)), axis=0) * 36, 40.0, 0.06)
def longstaff_schwartz(paths, strike, rate):
    discount = np.exp(-rate / len(paths))
    value = np.maximum(strike - paths[-1], 0)
    exercised = 0
    for t in range(len(paths) - 2, -1, -1):
        value = value * discount
        payoff = np.maximum(strike - paths[t], 0)
        money = np.flatnonzero(payoff > 0)
        if len(money) < 4:
            continue
        x = paths[t, money] / strike
        basis = np.column_stack([np.ones_like(x), x, x * x])
        beta, *_ = np.linalg.lstsq(basis, value[money], rcond=None)
        keep = basis @ beta
        for k, path in enumerate(money):
            if payoff[path] > keep[k]:
                value[path] = payoff[path]
                exercised += 1
    return discount * value.mean(), exercised


@prog(100.0, 100.0, 0.05, 0.3, 5)
def american_put(spot, strike, rate, sigma, n):
    dt = 1.0 / n
    up = math.exp(sigma * math.sqrt(dt))
    p = (math.exp(rate * dt) - 1 / up) / (up - 1 / up)
    values = [max(strike - spot * up ** (2 * j - n), 0.0) for j in range(n + 1)]
    early = []
    for step in range(n - 1, -1, -1):
        for j in range(step + 1):
            held = math.exp(-rate * dt) * (p * values[j + 1] + (1 - p) * values[j])
            now = strike - spot * up ** (2 * j - step)
            if now > held:
                early.append((step, j))
            values[j] = max(held, now)
    return values[0], early


TRANSITIONS = np.array(
    [
        [[0.9, 0.1, 0.0], [0.1, 0.6, 0.3], [0.0, 0.2, 0.8]],
        [[0.5, 0.5, 0], [0.2, 0.2, 0.6], [1, 0, 0]],
    ]
)
REWARDS = np.array([[0.0, 0.5, 1.0], [-0.2, 0.3, 2.0]])


@prog(TRANSITIONS, REWARDS, 0.9)
def policy_iteration(p, r, gamma):
    states = p.shape[1]
    policy = [0] * states
    for count in range(20):
        chosen_p = np.array([p[a, s] for s, a in enumerate(policy)])
        chosen_r = np.array([r[a, s] for s, a in enumerate(policy)])
        v = np.linalg.solve(np.eye(states) - gamma * chosen_p, chosen_r)
        stable = True
        for s in range(states):
            q = r[:, s] + gamma * p[:, s] @ v
            best = int(np.argmax(q))
            if best != policy[s]:
                policy[s] = best
                stable = False
        if stable:
            break
    return policy, v, count


@prog(REWARDS, 40)
def q_learning(rewards, steps):
    rng = np.random.default_rng(9)
    q = np.zeros((3, 2))
    state, visits = 0, defaultdict(int)
    for step in range(steps):
        if rng.random() < 0.2:
            action = int(rng.integers(2))
        else:
            action = int(np.argmax(q[state]))
        following = (state + 1 + action) % 3
        target = rewards[action, state] + 0.9 * q[following].max()
        q[state, action] += 0.5 * (target - q[state, action])
        visits[state, action] += 1
        state = following
    return q, dict(visits)


@prog(np.sign(RNG.standard_normal((4, 4))).astype(int), 0.5, 30)
def ising_with_energies(spins, beta, flips):
    rng = np.random.default_rng(6)
    spins = spins.copy()
    n = spins.shape[0]
    table = {e: math.exp(-beta * e) for e in (4, 8)}
    energies = []
    for _ in range(flips):
        i, j = rng.integers(n, size=2)
        around = spins[i - 1, j] + spins[(i + 1) % n, j] + spins[i, j - 1] + spins[i, (j + 1) % n]
        change = 2 * spins[i, j] * around
        if change <= 0 or rng.random() < table[int(change)]:
            spins[i, j] *= -1
            energies.append(int(change))
    return spins, sum(energies), len(energies)


@prog(np.array([0.2, 0.5, 0.9, 1.1]))
def bootstrap_filter(observed):
    rng = np.random.default_rng(5)
    n = 12
    particles = rng.normal(0, 0.3, n)
    estimates, resampled = [], 0
    weights = np.full(n, 1 / n)
    for z in observed:
        particles = particles + 0.3 + 0.1 * rng.standard_normal(n)
        weights = weights * np.exp(-((z - particles) ** 2) / 0.08) + 1e-300
        weights /= weights.sum()
        estimates.append(weights @ particles)
        if 1 / np.sum(weights**2) < n / 2:
            cumulative = np.cumsum(weights)
            start, i = rng.random() / n, 0
            chosen = []
            for k in range(n):
                while cumulative[i] < start + k / n and i < n - 1:
                    i += 1
                chosen.append(i)
            particles, weights = particles[chosen], np.full(n, 1 / n)
            resampled += 1
    return np.array(estimates), resampled
