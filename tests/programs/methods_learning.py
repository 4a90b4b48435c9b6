"""Statistics and clustering written by hand: hidden Markov models, regressions, clusters, trees.

The file is long because it is a collection of independent programs.
"""

import math
from dataclasses import dataclass, field

import numpy as np
from support.every_mode import Programs

PROGRAMS = Programs()
prog = PROGRAMS.program
RNG = np.random.default_rng(5)
TRANSITION = np.array([[0.7, 0.3], [0.4, 0.6]])
EMISSION = np.array([[0.5, 0.4, 0.1], [0.1, 0.3, 0.6]])
START = np.array([0.6, 0.4])
SEEN = np.array([0, 1, 2, 1, 0, 2, 2])
POINTS = np.concatenate([RNG.standard_normal((5, 2)) * 0.4, RNG.standard_normal((4, 2)) * 0.4 + 3])
LABELS = np.array([1.0, 1, 1, -1, 1, -1, -1, 1, -1])
X = np.linspace(0.0, 2.0, 9)
Y = np.sin(2 * X) + 0.1 * RNG.standard_normal(9)


@prog(TRANSITION, EMISSION, START, SEEN)
def forward_log_likelihood(transition, emission, start, seen):
    alpha = start * emission[:, seen[0]]
    total = 0.0
    for t in range(1, len(seen)):
        scale = alpha.sum()
        if scale == 0:
            return -np.inf
        total += math.log(scale)
        alpha = (alpha / scale) @ transition * emission[:, seen[t]]
    return total + math.log(alpha.sum())


@prog(TRANSITION, EMISSION, START, SEEN)
def viterbi_path(transition, emission, start, seen):
    log_t, log_e = np.log(transition), np.log(emission)
    score = np.log(start) + log_e[:, seen[0]]
    back = []
    for symbol in seen[1:]:
        choices = score[:, None] + log_t
        back.append(choices.argmax(axis=0))
        score = choices.max(axis=0) + log_e[:, symbol]
    state = int(score.argmax())
    path = [state]
    for pointers in reversed(back):
        state = int(pointers[state])
        path.insert(0, state)
    return path, score.max()


@prog(TRANSITION, EMISSION, START, SEEN, 3)
def baum_welch(transition, emission, start, seen, rounds):
    n, length = len(start), len(seen)
    for _ in range(rounds):
        alpha, beta = np.zeros((length, n)), np.ones((length, n))
        scales = np.zeros(length)
        for t in range(length):
            if t == 0:
                alpha[t] = start * emission[:, seen[0]]
            else:
                alpha[t] = alpha[t - 1] @ transition * emission[:, seen[t]]
            scales[t] = alpha[t].sum()
            alpha[t] /= scales[t]
        for t in range(length - 2, -1, -1):
            beta[t] = transition @ (emission[:, seen[t + 1]] * beta[t + 1]) / scales[t + 1]
        gamma = alpha * beta
        xi = np.zeros((n, n))
        for t in range(length - 1):
            both = np.outer(alpha[t], emission[:, seen[t + 1]] * beta[t + 1])
            xi += transition * both / scales[t + 1]
        start = gamma[0]
        transition = xi / gamma[:-1].sum(axis=0)[:, None]
        emission = np.zeros_like(emission)
        for t, symbol in enumerate(seen):
            emission[:, symbol] += gamma[t]
        emission /= gamma.sum(axis=0)[:, None]
    return transition, emission, np.log(scales).sum()


@prog(np.array([1.0, 3.0, 2.0, 4.0, 3.5, 3.0, 5.0]), np.array([1.0, 1, 2, 1, 1, 1, 1]))
def isotonic_regression(y, w):
    blocks = []
    for value, weight in zip(y, w):
        blocks.append([value, weight, 1])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            v2, w2, n2 = blocks.pop()
            v1, w1, n1 = blocks.pop()
            blocks.append([(v1 * w1 + v2 * w2) / (w1 + w2), w1 + w2, n1 + n2])
    fitted = []
    for value, _, count in blocks:
        fitted.extend([value] * count)
    return np.array(fitted)


@prog(X, Y, 5)
def lowess(x, y, r):
    n = len(x)
    fitted = np.zeros(n)
    delta = np.ones(n)
    for _ in range(2):
        for i in range(n):
            distance = np.abs(x - x[i])
            h = np.sort(distance)[min(r, n - 1)]
            u = np.clip(distance / h, 0.0, 1.0)
            w = delta * (1 - u**3) ** 3
            b = np.array([np.sum(w * y), np.sum(w * y * x)])
            a = np.array([[np.sum(w), np.sum(w * x)], [np.sum(w * x), np.sum(w * x * x)]])
            c0, c1 = np.linalg.solve(a, b)
            fitted[i] = c0 + c1 * x[i]
        residuals = y - fitted
        s = np.median(np.abs(residuals))
        if s == 0:
            break
        delta = np.clip(residuals / (6.0 * s), -1, 1)
        delta = (1 - delta**2) ** 2
    return fitted


@dataclass
class GaussianProcess:
    length: float
    noise: float = 1e-2
    x: np.ndarray = field(default_factory=lambda: np.zeros(0))

    def kernel(self, a, b):
        return np.exp(-0.5 * ((a[:, None] - b[None, :]) / self.length) ** 2)

    def fit(self, x, y):
        self.x = x
        k = self.kernel(x, x)
        k[np.diag_indices_from(k)] += self.noise
        self.chol = np.linalg.cholesky(k)
        self.alpha = np.linalg.solve(self.chol.T, np.linalg.solve(self.chol, y))
        return self

    def predict(self, z):
        k = self.kernel(z, self.x)
        v = np.linalg.solve(self.chol, k.T)
        variance = 1.0 - np.sum(v * v, axis=0)
        return k @ self.alpha, np.sqrt(np.maximum(variance, 0))

    def log_evidence(self, y):
        determinant = 0.0
        for i in range(len(y)):
            determinant += np.log(self.chol[i, i])
        return -0.5 * y @ self.alpha - determinant - 0.5 * len(y) * np.log(2 * np.pi)


@prog(X, Y, np.array([0.1, 0.7, 2.5]))
def gaussian_process(x, y, z):
    best = None
    for length in (0.3, 0.6, 1.2):
        model = GaussianProcess(length).fit(x, y)
        evidence = model.log_evidence(y)
        if best is None or evidence > best[0]:
            best = evidence, length, model
    evidence, length, model = best
    return evidence, length, *model.predict(z)


@prog(np.concatenate([Y - 2, Y + 2]), 4)
def mixture_em(x, rounds):
    k = 2
    mean, variance = np.array([x.min(), x.max()]), np.full(k, x.var())
    weight = np.full(k, 1 / k)
    last = -np.inf
    history = []
    for _ in range(rounds):
        density = np.zeros((len(x), k))
        for j in range(k):
            spread = np.sqrt(2 * np.pi * variance[j])
            density[:, j] = weight[j] * np.exp(-((x - mean[j]) ** 2) / (2 * variance[j])) / spread
        likelihood = np.log(density.sum(axis=1)).sum()
        history.append(likelihood)
        if likelihood - last < 1e-6:
            break
        last = likelihood
        share = density / density.sum(axis=1, keepdims=True)
        counts = share.sum(axis=0)
        for j in range(k):
            mean[j] = (share[:, j] * x).sum() / counts[j]
            variance[j] = (share[:, j] * (x - mean[j]) ** 2).sum() / counts[j] + 1e-6
        weight = counts / len(x)
    return weight, mean, variance, history


@prog(POINTS, 2)
def k_medoids(points, k):
    n = len(points)
    distance = np.array([[np.linalg.norm(p - q) for q in points] for p in points])
    medoids = list(range(k))
    cost = distance[:, medoids].min(axis=1).sum()
    improved = True
    while improved:
        improved = False
        for place in range(k):
            for candidate in range(n):
                if candidate in medoids:
                    continue
                trial = medoids[:place] + [candidate] + medoids[place + 1 :]
                new_cost = distance[:, trial].min(axis=1).sum()
                if new_cost < cost - 1e-12:
                    medoids, cost, improved = trial, new_cost, True
    return medoids, cost, distance[:, medoids].argmin(axis=1)


@prog(POINTS, 1.2, 3)
def dbscan(points, eps, least):
    n = points.shape[0]
    labels = np.zeros(n, dtype=int)
    cluster = 0

    def neighbours(i):
        return [j for j in range(n) if np.sqrt(np.sum((points[i] - points[j]) ** 2)) <= eps]

    for i in range(n):
        if labels[i] != 0:
            continue
        near = neighbours(i)
        if len(near) < least:
            labels[i] = -1
            continue
        cluster += 1
        labels[i] = cluster
        seeds = [j for j in near if j != i]
        while seeds:
            j = seeds.pop(0)
            if labels[j] == -1:
                labels[j] = cluster
            if labels[j] != 0:
                continue
            labels[j] = cluster
            more = neighbours(j)
            if len(more) >= least:
                seeds += more
    return labels, cluster


@prog(POINTS, 2)
def agglomerative(points, wanted):
    clusters = [[i] for i in range(len(points))]
    heights = []
    while len(clusters) > wanted:
        best = (np.inf, -1, -1)
        for a in range(len(clusters)):
            for b in range(a + 1, len(clusters)):
                d = min(
                    float(np.hypot(*(points[i] - points[j])))
                    for i in clusters[a]
                    for j in clusters[b]
                )
                if d < best[0]:
                    best = (d, a, b)
        d, a, b = best
        clusters[a] = clusters[a] + clusters[b]
        del clusters[b]
        heights.append(d)
    return [sorted(c) for c in clusters], heights


class Stump:
    def __init__(self):
        self.feature, self.threshold, self.sign = 0, 0.0, 1

    def predict(self, x):
        side = np.where(x[:, self.feature] < self.threshold, -1.0, 1.0)
        return side * self.sign

    def fit(self, x, y, w):
        best = np.inf
        for feature in range(x.shape[1]):
            for threshold in np.unique(x[:, feature]):
                for sign in (1, -1):
                    guess = sign * np.where(x[:, feature] < threshold, -1.0, 1.0)
                    error = w[guess != y].sum()
                    if error < best:
                        best = error
                        self.feature, self.threshold, self.sign = feature, threshold, sign
        return best


@prog(POINTS, LABELS, 4)
def ada_boost(x, y, rounds):
    w = np.full(len(y), 1 / len(y))
    ensemble = []
    for _ in range(rounds):
        stump = Stump()
        error = stump.fit(x, y, w)
        if error <= 0 or error >= 0.5:
            break
        alpha = 0.5 * np.log((1 - error) / error)
        w *= np.exp(-alpha * y * stump.predict(x))
        w /= w.sum()
        ensemble.append((alpha, stump))
    score = sum(alpha * stump.predict(x) for alpha, stump in ensemble)
    return np.sign(score), [(alpha, s.feature, s.threshold, s.sign) for alpha, s in ensemble]


@prog(POINTS, (LABELS > 0).astype(float))
def logistic_irls(x, y):
    design = np.column_stack([np.ones(len(x)), x])
    beta = np.zeros(design.shape[1])
    for iteration in range(25):
        p = 1 / (1 + np.exp(-design @ beta))
        w = p * (1 - p)
        hessian = design.T @ (design * w[:, None])
        step = np.linalg.solve(hessian + 1e-8 * np.eye(len(beta)), design.T @ (y - p))
        beta = beta + step
        if np.max(np.abs(step)) < 1e-8:
            break
    deviance = -2 * sum(math.log(q) if t == 1 else math.log(1 - q) for q, t in zip(p, y))
    return beta, iteration, deviance


@dataclass
class Leaf:
    value: float


@dataclass
class Split:
    feature: int
    threshold: float
    left: object
    right: object


def grow(x, y, depth):
    if depth == 0 or len(y) < 2 or np.ptp(y) == 0:
        return Leaf(float(y.mean()))
    best = None
    for feature in range(x.shape[1]):
        order = np.argsort(x[:, feature], kind="stable")
        for i in range(1, len(order)):
            left, right = y[order[:i]], y[order[i:]]
            cost = left.var() * len(left) + right.var() * len(right)
            if best is None or cost < best[0]:
                low, high = x[order[i - 1], feature], x[order[i], feature]
                best = (cost, feature, (low + high) / 2)
    _, feature, threshold = best
    goes_left = x[:, feature] <= threshold
    if goes_left.all() or not goes_left.any():
        return Leaf(float(y.mean()))
    left = grow(x[goes_left], y[goes_left], depth - 1)
    right = grow(x[~goes_left], y[~goes_left], depth - 1)
    return Split(feature, float(threshold), left, right)


def ask(node, row):
    while isinstance(node, Split):
        node = node.left if row[node.feature] <= node.threshold else node.right
    return node.value


@prog(POINTS, LABELS)
def regression_tree(x, y):
    tree = grow(x, y, 2)
    return np.array([ask(tree, row) for row in x])
