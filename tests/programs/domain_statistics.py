"""Statistics and machine learning without a library."""

import math

import numpy as np
from collection import Collection

PROGRAMS = Collection()
example = PROGRAMS.example

rng = np.random.default_rng(5)
SAMPLE = rng.standard_normal(40)
POINTS = np.concatenate([rng.standard_normal((12, 2)), rng.standard_normal((12, 2)) + 4])
TABLE = rng.standard_normal((30, 4))
TARGET = TABLE @ np.array([1.0, -2.0, 0.5, 0.0]) + 0.1 * rng.standard_normal(30)
LABELS = (TARGET > 0).astype(int)
COUNTS = rng.integers(0, 9, 25)


@example(SAMPLE)
def welford(x):
    count, mean, m2 = 0, 0.0, 0.0
    for value in x:
        count += 1
        delta = value - mean
        mean += delta / count
        m2 += delta * (value - mean)
    return mean, m2 / (count - 1)


@example(SAMPLE)
def moments(x):
    n = len(x)
    mean = sum(x) / n
    m2 = sum((v - mean) ** 2 for v in x) / n
    m3 = sum((v - mean) ** 3 for v in x) / n
    m4 = sum((v - mean) ** 4 for v in x) / n
    return mean, m2, m3 / m2**1.5, m4 / m2**2 - 3


@example(SAMPLE)
def median_by_sorting(x):
    s = np.sort(x)
    n = s.size
    if n % 2 == 0:
        return (s[n // 2 - 1] + s[n // 2]) / 2
    return s[n // 2]


@example(POINTS, POINTS[[0, 20]].copy())
def k_means(points, centers):
    for iteration in range(20):
        labels = np.zeros(len(points), dtype=int)
        for i in range(len(points)):
            best = np.inf
            for c in range(len(centers)):
                d = np.sum((points[i] - centers[c]) ** 2)
                if d < best:
                    best = d
                    labels[i] = c
        new = np.array([points[labels == c].mean(axis=0) for c in range(len(centers))])
        if np.all(new == centers):
            break
        centers = new
    return labels, centers, iteration


@example(POINTS, np.array([1.0, 1.0]), 5)
def nearest_neighbours(points, query, k):
    distances = np.sqrt(((points - query) ** 2).sum(axis=1))
    order = np.argsort(distances, kind="stable")[:k]
    votes = 0
    for i in order:
        if points[i, 0] > 2:
            votes += 1
    return order, votes > k / 2


@example(TABLE, TARGET)
def linear_regression_by_descent(x, y):
    w = np.zeros(x.shape[1])
    b = 0.0
    for epoch in range(100):
        prediction = x @ w + b
        error = prediction - y
        w -= 0.1 * (x.T @ error) / len(y)
        b -= 0.1 * error.mean()
        if epoch > 10 and np.abs(error).mean() < 0.1:
            break
    return w, b, epoch


@example(TABLE, LABELS)
def logistic_regression(x, y):
    w = np.zeros(x.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-(x @ w)))
        gradient = x.T @ (p - y) / len(y) + 0.01 * w
        w = w - 0.5 * gradient
    loss = -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p))
    return w, loss


@example(TABLE, LABELS * 2 - 1)
def perceptron(x, y):
    w = np.zeros(x.shape[1])
    for epoch in range(20):
        mistakes = 0
        for i in range(len(x)):
            if y[i] * np.dot(w, x[i]) <= 0:
                w = w + y[i] * x[i]
                mistakes += 1
        if mistakes == 0:
            break
    return w, epoch


@example(TABLE, LABELS * 2 - 1)
def pegasos(x, y):
    w = np.zeros(x.shape[1])
    t = 0
    for _ in range(3):
        for i in range(x.shape[0]):
            t += 1
            eta = 1.0 / (0.1 * t)
            if y[i] * (w @ x[i]) < 1:
                w = (1 - eta * 0.1) * w + eta * y[i] * x[i]
            else:
                w = (1 - eta * 0.1) * w
    return w


@example(TABLE, TARGET)
def lasso_by_coordinates(x, y):
    n, p = x.shape
    beta = np.zeros(p)
    for _ in range(25):
        for j in range(p):
            residual = y - x @ beta + x[:, j] * beta[j]
            rho = x[:, j] @ residual / n
            z = (x[:, j] ** 2).sum() / n
            if rho < -0.05:
                beta[j] = (rho + 0.05) / z
            elif rho > 0.05:
                beta[j] = (rho - 0.05) / z
            else:
                beta[j] = 0.0
    return beta


@example(POINTS[:, 0].copy())
def mixture_of_gaussians(x):
    pi, mu, sigma = np.array([0.5, 0.5]), np.array([0.0, 3.0]), np.array([1.0, 1.0])
    last = -np.inf
    for _ in range(40):
        density = np.zeros((len(x), 2))
        for k in range(2):
            density[:, k] = (
                pi[k]
                * np.exp(-0.5 * ((x - mu[k]) / sigma[k]) ** 2)
                / (sigma[k] * np.sqrt(2 * np.pi))
            )
        total = density.sum(axis=1, keepdims=True)
        r = density / total
        nk = r.sum(axis=0)
        mu = (r * x[:, None]).sum(axis=0) / nk
        sigma = np.sqrt((r * (x[:, None] - mu) ** 2).sum(axis=0) / nk)
        pi = nk / len(x)
        likelihood = np.log(total).sum()
        if likelihood - last < 1e-6:
            break
        last = likelihood
    return pi, mu, sigma


@example(TABLE)
def principal_components(x):
    centered = x - x.mean(axis=0)
    covariance = centered.T @ centered / (len(x) - 1)
    values, vectors = np.linalg.eigh(covariance)
    order = np.argsort(values)[::-1]
    return values[order], np.abs(vectors[:, order])


@example(SAMPLE, 0.5)
def kernel_density(x, h):
    grid = np.linspace(-3, 3, 13)
    out = np.zeros_like(grid)
    for i in range(len(grid)):
        s = 0.0
        for j in range(len(x)):
            u = (grid[i] - x[j]) / h
            if abs(u) <= 1:
                s += 0.75 * (1 - u * u)
        out[i] = s / (len(x) * h)
    return out


@example(TABLE)
def covariance_by_loops(data):
    n, m = data.shape
    mean = np.zeros(m)
    for j in range(m):
        mean[j] = 0.0
        for i in range(n):
            mean[j] += data[i, j]
        mean[j] /= n
    cov = np.zeros((m, m))
    for i in range(m):
        for j in range(i, m):
            for k in range(n):
                cov[i, j] += (data[k, i] - mean[i]) * (data[k, j] - mean[j])
            cov[i, j] /= n - 1.0
            cov[j, i] = cov[i, j]
    return cov


@example(TABLE)
def correlation(data):
    m = data.shape[1]
    std = np.std(data, axis=0)
    std[std <= 0.1] = 1.0
    data = (data - data.mean(axis=0)) / (math.sqrt(data.shape[0]) * std)
    corr = np.eye(m)
    for i in range(m - 1):
        corr[i + 1 :, i] = corr[i, i + 1 :] = data[:, i] @ data[:, i + 1 :]
    return corr


@example(COUNTS)
def histogram_by_hand(x):
    counts = np.zeros(x.max() + 1, dtype=int)
    for v in x:
        counts[v] += 1
    return counts


@example(COUNTS, sizes=False)
def most_common(x):
    best, best_count = -1, 0
    for v in np.unique(x):
        c = np.count_nonzero(x == v)
        if c > best_count:
            best, best_count = v, c
    return best, best_count


@example(SAMPLE, SAMPLE[::-1] * 0.5 + SAMPLE)
def ranks_correlation(x, y):
    def ranks(v):
        order = np.argsort(v)
        r = np.empty(len(v))
        r[order] = np.arange(len(v))
        return r

    rx, ry = ranks(x), ranks(y)
    d = rx - ry
    n = len(x)
    return 1 - 6 * np.sum(d**2) / (n * (n**2 - 1))


@example(SAMPLE)
def exponential_smoothing(x):
    level, trend = x[0], x[1] - x[0]
    out = [level + trend]
    for value in x[1:]:
        previous = level
        level = 0.4 * value + 0.6 * (level + trend)
        trend = 0.3 * (level - previous) + 0.7 * trend
        out.append(level + trend)
    return np.array(out)


@example(SAMPLE)
def drawdown(returns):
    wealth = np.cumprod(1 + returns / 100)
    peak, worst, start = wealth[0], 0.0, 0
    for i, w in enumerate(wealth):
        if w > peak:
            peak = w
            start = i
        fall = (peak - w) / peak
        if fall > worst:
            worst = fall
    return worst, start


@example(SAMPLE, 8)
def rolling_statistics(x, window):
    n = len(x) - window + 1
    means, highs = np.empty(n), np.empty(n)
    for i in range(n):
        part = x[i : i + window]
        means[i] = part.mean()
        highs[i] = part.max()
    return means, highs


@example(7, 400)
def metropolis(seed, steps):
    random = np.random.default_rng(seed)
    x, accepted, total = 0.0, 0, 0.0
    for _ in range(steps):
        proposal = x + random.normal()
        if np.log(random.random()) < 0.5 * (x * x - proposal * proposal):
            x = proposal
            accepted += 1
        total += x
    return total / steps, accepted


@example(TABLE, TARGET)
def decision_stump(x, y):
    best_score, best_feature, best_value = np.inf, -1, 0.0
    for feature in range(x.shape[1]):
        for value in x[:, feature]:
            left, right = y[x[:, feature] <= value], y[x[:, feature] > value]
            if len(left) == 0 or len(right) == 0:
                continue
            score = len(left) * np.var(left) + len(right) * np.var(right)
            if score < best_score:
                best_score, best_feature, best_value = score, feature, value
    return best_score, best_feature, best_value


@example(np.array([1.2, 3.4, 2.2, 5.0]), np.array([2.0, 2.5, 3.1]))
def t_statistic(a, b):
    va, vb = np.var(a, ddof=1) / len(a), np.var(b, ddof=1) / len(b)
    t = (np.mean(a) - np.mean(b)) / math.sqrt(va + vb)
    freedom = (va + vb) ** 2 / (va**2 / (len(a) - 1) + vb**2 / (len(b) - 1))
    return t, freedom


@example(TABLE, LABELS)
def naive_bayes(x, y):
    scores = np.zeros((len(x), 2))
    for c in range(2):
        rows = x[y == c]
        mean, var = rows.mean(axis=0), rows.var(axis=0) + 1e-9
        for i in range(len(x)):
            scores[i, c] = np.log(len(rows) / len(x)) - 0.5 * np.sum(
                np.log(2 * np.pi * var) + (x[i] - mean) ** 2 / var
            )
    return scores.argmax(axis=1)
