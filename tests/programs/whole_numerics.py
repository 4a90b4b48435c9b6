"""Programs of numerical work: linear algebra, stencils, statistics, filters, signals, networks.

The file is long because it is a collection of independent programs.
"""

import math
from collections import namedtuple
from dataclasses import dataclass

import numpy as np
from support.every_mode import Programs

PROGRAMS = Programs()
prog = PROGRAMS.program
X = np.array([3.0, 1.0, 2.0, 5.0, 4.0, -1.0])
A = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, -1.0], [0.5, -1.0, 5.0]])
B = np.array([1.0, -2.0, 3.0])
IMAGE = np.array([[0, 1, 2, 3], [4, 9, 6, 1], [8, 5, 2, 7], [3, 3, 1, 0]], dtype=np.uint8)
SIGNAL = np.array([0.0, 1.0, 0.5, -0.5, -1.0, 0.25, 0.75, -0.25])


# -- linear algebra --------------------------------------------------------------------------------


@prog(A, B)
def conjugate_gradients(a, b):
    x = np.zeros_like(b)
    r = b - a @ x
    p = r.copy()
    rs = r @ r
    for step in range(20):
        ap = a @ p
        alpha = rs / (p @ ap)
        x += alpha * p
        r -= alpha * ap
        rs_new = r @ r
        if math.sqrt(rs_new) < 1e-10:
            break
        p = r + (rs_new / rs) * p
        rs = rs_new
    return x, step


@prog(A)
def jacobi_eigenvalues(a):
    a = a.copy()
    n = a.shape[0]
    sweeps = 0
    while sweeps < 30:
        p, q, largest = 0, 1, 0.0
        for i in range(n):
            for j in range(i + 1, n):
                if abs(a[i, j]) > largest:
                    p, q, largest = i, j, abs(a[i, j])
        if largest < 1e-9:
            break
        theta = 0.5 * np.arctan2(2 * a[p, q], a[q, q] - a[p, p])
        c, s = np.cos(theta), np.sin(theta)
        g = np.eye(n)
        g[p, p] = g[q, q] = c
        g[p, q], g[q, p] = s, -s
        a = g.T @ a @ g
        sweeps += 1
    return np.sort(np.diag(a)), sweeps


@prog(A, B)
def gauss_with_pivots(a, b):
    m = np.hstack([a, b.reshape(-1, 1)])
    n = len(m)
    swaps = 0
    for k in range(n):
        pivot = k + int(np.argmax(np.abs(m[k:, k])))
        if pivot != k:
            m[[k, pivot]] = m[[pivot, k]]
            swaps += 1
        for i in range(k + 1, n):
            factor = m[i, k] / m[k, k]
            m[i, k:] -= factor * m[k, k:]
    x = np.zeros(n)
    for i in reversed(range(n)):
        x[i] = (m[i, -1] - m[i, i + 1 : n] @ x[i + 1 :]) / m[i, i]
    return x, swaps


@prog(A)
def householder(a):
    r = a.copy()
    q = np.eye(len(a))
    for k in range(len(a) - 1):
        x = r[k:, k]
        v = x.copy()
        v[0] += np.copysign(np.linalg.norm(x), x[0])
        v /= np.linalg.norm(v)
        r[k:] -= 2.0 * np.outer(v, v @ r[k:])
        q[:, k:] -= 2.0 * np.outer(q[:, k:] @ v, v)
    return q, np.triu(r)


@prog(A)
def power_iteration_with_history(a):
    v = np.ones(a.shape[0])
    history = []
    for _ in range(50):
        w = a @ v
        v = w / np.linalg.norm(w)
        history.append(v @ a @ v)
        if len(history) > 1 and abs(history[-1] - history[-2]) < 1e-8:
            break
    return history[-1], len(history)


@prog(A)
def leading_minors(a):
    minors = []
    for k in range(1, len(a) + 1):
        minors.append(np.linalg.det(a[:k, :k]))
    return all(m > 0 for m in minors), minors


# -- stencils --------------------------------------------------------------------------------------


@prog(np.array([0.0, 0.0, 1.0, 0.0, 0.0]), 0.2)
def heat_until_still(u, k):
    steps = 0
    while True:
        new = u.copy()
        new[1:-1] += k * (u[2:] - 2 * u[1:-1] + u[:-2])
        change = np.max(np.abs(new - u))
        u = new
        steps += 1
        if change < 1e-3 or steps >= 200:
            return u, steps


@prog(np.array([[0, 1, 0, 0], [0, 0, 1, 0], [1, 1, 1, 0], [0, 0, 0, 0]]))
def life_by_cells(board):
    rows, cols = board.shape
    seen = []
    for _ in range(4):
        new = np.zeros_like(board)
        for r in range(rows):
            for c in range(cols):
                n = -board[r, c]
                for dr in (-1, 0, 1):
                    for dc in (-1, 0, 1):
                        n += board[(r + dr) % rows, (c + dc) % cols]
                new[r, c] = 1 if n == 3 or (n == 2 and board[r, c]) else 0
        board = new
        seen.append(int(board.sum()))
    return board, seen


@prog(SIGNAL)
def upwind(u):
    v = u.copy()
    for _ in range(3):
        old = v.copy()
        for i in range(len(v)):
            speed = old[i]
            if speed >= 0:
                slope = old[i] - old[i - 1]
            else:
                slope = old[(i + 1) % len(v)] - old[i]
            v[i] = old[i] - 0.1 * speed * slope
    return v


# -- images ----------------------------------------------------------------------------------------


@prog(IMAGE)
def histogram_equalised(image):
    counts = np.zeros(16, dtype=int)
    for value in image.ravel():
        counts[value] += 1
    total, table = 0, []
    for count in counts:
        total += count
        table.append(round(15 * total / image.size))
    out = np.empty_like(image)
    for i in range(image.shape[0]):
        for j in range(image.shape[1]):
            out[i, j] = table[image[i, j]]
    return out


@prog(IMAGE)
def median_filtered(image):
    out = image.copy()
    for i in range(1, image.shape[0] - 1):
        for j in range(1, image.shape[1] - 1):
            window = sorted(image[i - 1 : i + 2, j - 1 : j + 2].flatten())
            out[i, j] = window[len(window) // 2]
    return out


@prog(IMAGE)
def otsu(image):
    best, threshold = -1.0, 0
    for t in range(1, 10):
        low, high = image[image < t], image[image >= t]
        if len(low) == 0 or len(high) == 0:
            continue
        between = len(low) * len(high) * (low.mean() - high.mean()) ** 2
        if between > best:
            best, threshold = between, t
    return best, threshold


@prog(IMAGE)
def local_maxima(image):
    peaks = {}
    for i in range(1, image.shape[0] - 1):
        for j in range(1, image.shape[1] - 1):
            patch = image[i - 1 : i + 2, j - 1 : j + 2]
            if image[i, j] == patch.max():
                peaks[i, j] = int(image[i, j])
    return sorted(peaks.items(), key=lambda item: -item[1])


@prog(IMAGE)
def run_lengths(image):
    runs = []
    for row in image > 3:
        line, length = [], 1
        for a, b in zip(row[:-1], row[1:], strict=True):
            if a == b:
                length += 1
            else:
                line.append(length)
                length = 1
        line.append(length)
        runs.append(line)
    return runs


# -- statistics ------------------------------------------------------------------------------------


@prog(X)
def welford(x):
    n, mean, m2 = 0, 0.0, 0.0
    for v in x:
        n += 1
        delta = v - mean
        mean += delta / n
        m2 += delta * (v - mean)
    if n < 2:
        return mean, float("nan")
    return mean, m2 / (n - 1)


@prog(X)
def ranks_with_ties(x):
    order = sorted(range(len(x)), key=lambda i: x[i])
    ranks = [0.0] * len(x)
    i = 0
    while i < len(order):
        j = i
        while j + 1 < len(order) and x[order[j + 1]] == x[order[i]]:
            j += 1
        for k in range(i, j + 1):
            ranks[order[k]] = (i + j) / 2 + 1
        i = j + 1
    return ranks


Fit = namedtuple("Fit", "slope offset error")


@prog(X)
def best_of_fits(y):
    t = np.arange(len(y), dtype=float)
    best = None
    for skip in range(len(y)):
        keep = np.arange(len(y)) != skip
        slope, offset = np.polyfit(t[keep], y[keep], 1)
        fit = Fit(slope, offset, np.sum((y[keep] - slope * t[keep] - offset) ** 2))
        if best is None or fit.error < best.error:
            best = fit
    return best._replace(error=math.sqrt(best.error))


@prog(X)
def outliers_removed(x):
    kept = list(x)
    while len(kept) > 2:
        mean = sum(kept) / len(kept)
        worst = max(kept, key=lambda v: abs(v - mean))
        spread = math.sqrt(sum((v - mean) ** 2 for v in kept) / len(kept))
        if abs(worst - mean) <= 1.4 * spread:
            break
        kept.remove(worst)
    return kept


@prog(np.array([0.2, 0.5, 0.9, 0.1, 0.7]), np.array([1, 0, 1, 0, 0]))
def area_under_curve(scores, labels):
    pairs = sorted(zip(scores, labels, strict=True), reverse=True)
    hits = misses = 0
    area = 0.0
    for _, label in pairs:
        if label:
            hits += 1
        else:
            misses += 1
            area += hits
    return area / (hits * misses) if hits and misses else math.nan


# -- filters and signals ---------------------------------------------------------------------------


@dataclass
class Kalman:
    x: float
    p: float
    q: float = 0.01
    r: float = 0.5

    def step(self, z):
        self.p += self.q
        gain = self.p / (self.p + self.r)
        self.x += gain * (z - self.x)
        self.p *= 1 - gain
        return self.x


@prog(X)
def kalman_with_gate(z):
    filter_ = Kalman(z[0], 1.0)
    track, rejected = [], 0
    for v in z[1:]:
        if abs(v - filter_.x) > 3 * math.sqrt(filter_.p + filter_.r):
            rejected += 1
            continue
        track.append(filter_.step(v))
    return track, rejected, filter_.p


@prog(SIGNAL)
def zero_crossings(s):
    places = []
    for i in range(1, len(s)):
        if s[i - 1] == 0:
            continue
        if (s[i - 1] > 0) != (s[i] > 0):
            places.append(i - s[i] / (s[i] - s[i - 1]))
    return np.array(places)


@prog(SIGNAL)
def goertzel(s):
    powers = {}
    for k in range(4):
        w = 2 * math.cos(2 * math.pi * k / 8)
        a = b = 0.0
        for v in s:
            a, b = v + w * a - b, a
        powers[k] = a * a + b * b - w * a * b
    return max(powers, key=powers.get), powers


@prog(SIGNAL)
def biquad(s):
    b0, b1, b2, a1, a2 = 0.2, 0.4, 0.2, -0.3, 0.1
    x1 = x2 = y1 = y2 = 0.0
    out = np.zeros_like(s)
    for n, x in enumerate(s):
        y = b0 * x + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2
        x1, x2, y1, y2 = x, x1, y, y1
        out[n] = y
    return out


@prog(SIGNAL)
def schmitt_trigger(s):
    high, edges, state = [], [], False
    for i, v in enumerate(s):
        before = state
        if state and v < -0.3:
            state = False
        elif not state and v > 0.3:
            state = True
        if state is not before:
            edges.append((i, "up" if state else "down"))
        high.append(state)
    return high, edges


@prog(SIGNAL)
def adaptive_filter(d):
    w, errors = np.zeros(2), []
    for n in range(2, len(d)):
        u = d[n - 2 : n][::-1]
        e = d[n] - w @ u
        w = w + 0.5 * e * u
        errors.append(e**2)
    return w, np.mean(errors)


# -- networks by hand ------------------------------------------------------------------------------


@prog(np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), np.array([0, 1, 1, 1]))
def perceptron(inputs, targets):
    w, bias = np.zeros(2), 0.0
    for epoch in range(20):
        wrong = 0
        for x, t in zip(inputs, targets, strict=True):
            out = 1 if x @ w + bias > 0 else 0
            if out != t:
                w += (t - out) * x
                bias += t - out
                wrong += 1
        if not wrong:
            break
    else:
        epoch = -1
    return w, bias, epoch


@prog(np.array([[0.5, -1.0, 2.0], [1.0, 0.0, -1.0]]))
def layers_of_dicts(x):
    layers = [{"w": np.eye(3) * (i + 1), "act": act} for i, act in enumerate(["relu", "tanh"])]
    cache = []
    for layer in layers:
        z = x @ layer["w"]
        x = np.maximum(z, 0) if layer["act"] == "relu" else np.tanh(z)
        cache.append(z)
    grad = np.ones_like(x)
    for layer, z in zip(reversed(layers), reversed(cache), strict=True):
        grad = grad * (z > 0) if layer["act"] == "relu" else grad * (1 - np.tanh(z) ** 2)
        grad = grad @ layer["w"].T
    return x, grad


@prog(np.array([1.0, 2.0, 0.5]))
def beam_of_two(logits):
    beams = [((), 0.0)]
    p = np.exp(logits) / np.exp(logits).sum()
    for _ in range(3):
        grown = []
        for path, score in beams:
            for k in range(3):
                if path and path[-1] == k:
                    continue
                grown.append(((*path, k), score + math.log(p[k])))
        beams = sorted(grown, key=lambda beam: beam[1], reverse=True)[:2]
    return beams
