"""Krylov methods and factorisations of matrices, as people write them from a book.

The file is long because it is a collection of independent programs.
"""

import numpy as np
from support.every_mode import Programs

PROGRAMS = Programs()
prog = PROGRAMS.program
RNG = np.random.default_rng(11)
SQUARE = RNG.standard_normal((6, 6)) + 5 * np.eye(6)
SYMMETRIC = (SQUARE + SQUARE.T) / 2
TALL = RNG.standard_normal((7, 4))
VECTOR = RNG.standard_normal(6)


@prog(SQUARE, VECTOR)
def gmres(a, b):
    n = len(b)
    m = min(n, 8)
    beta = np.linalg.norm(b)
    if beta == 0:
        return np.zeros(n), 0
    basis = [b / beta]
    h = np.zeros((m + 1, m))
    cs, sn = np.zeros(m), np.zeros(m)
    g = np.zeros(m + 1)
    g[0] = beta
    used = 0
    for j in range(m):
        w = a @ basis[j]
        for i in range(j + 1):
            h[i, j] = w @ basis[i]
            w = w - h[i, j] * basis[i]
        h[j + 1, j] = np.linalg.norm(w)
        if h[j + 1, j] > 1e-12:
            basis.append(w / h[j + 1, j])
        for i in range(j):
            t = cs[i] * h[i, j] + sn[i] * h[i + 1, j]
            h[i + 1, j] = -sn[i] * h[i, j] + cs[i] * h[i + 1, j]
            h[i, j] = t
        r = np.hypot(h[j, j], h[j + 1, j])
        cs[j], sn[j] = h[j, j] / r, h[j + 1, j] / r
        h[j, j] = r
        h[j + 1, j] = 0.0
        g[j + 1] = -sn[j] * g[j]
        g[j] = cs[j] * g[j]
        used = j + 1
        if abs(g[j + 1]) < 1e-10 * beta or len(basis) <= j + 1:
            break
    y = np.zeros(used)
    for i in reversed(range(used)):
        y[i] = (g[i] - h[i, i + 1 : used] @ y[i + 1 :]) / h[i, i]
    x = np.zeros(n)
    for i in range(used):
        x += y[i] * basis[i]
    return x, used


@prog(SYMMETRIC, VECTOR, 5)
def lanczos(a, start, steps):
    alphas, betas = [], []
    v = start / np.linalg.norm(start)
    previous = np.zeros_like(v)
    beta = 0.0
    for _ in range(steps):
        w = a @ v - beta * previous
        alpha = w @ v
        w -= alpha * v
        alphas.append(alpha)
        beta = np.linalg.norm(w)
        if beta < 1e-12:
            break
        betas.append(beta)
        previous, v = v, w / beta
    k = len(alphas)
    t = np.zeros((k, k))
    for i in range(k):
        t[i, i] = alphas[i]
        if i + 1 < k:
            t[i, i + 1] = t[i + 1, i] = betas[i]
    return t


@prog(SQUARE, VECTOR, 4)
def arnoldi(a, b, k):
    n = a.shape[0]
    q = np.zeros((n, k + 1))
    h = np.zeros((k + 1, k))
    q[:, 0] = b / np.sqrt(np.sum(b**2))
    for j in range(k):
        v = a @ q[:, j]
        for i in range(j + 1):
            h[i, j] = np.dot(q[:, i], v)
            v = v - h[i, j] * q[:, i]
        h[j + 1, j] = np.linalg.norm(v)
        if h[j + 1, j] < 1e-12:
            return q[:, : j + 1], h[: j + 1, : j + 1]
        q[:, j + 1] = v / h[j + 1, j]
    return q, h


@prog(TALL)
def jacobi_svd(a):
    u = a.copy()
    m, n = u.shape
    v = np.eye(n)
    rotated, sweeps = True, 0
    while rotated and sweeps < 30:
        rotated = False
        sweeps += 1
        for p in range(n - 1):
            for q in range(p + 1, n):
                alpha = u[:, p] @ u[:, p]
                beta = u[:, q] @ u[:, q]
                gamma = u[:, p] @ u[:, q]
                if abs(gamma) <= 1e-12 * np.sqrt(alpha * beta):
                    continue
                rotated = True
                zeta = (beta - alpha) / (2 * gamma)
                t = np.sign(zeta) / (abs(zeta) + np.sqrt(1 + zeta * zeta))
                c = 1 / np.sqrt(1 + t * t)
                s = c * t
                for w in (u, v):
                    column = w[:, p].copy()
                    w[:, p] = c * column - s * w[:, q]
                    w[:, q] = s * column + c * w[:, q]
    sigma = np.array([np.linalg.norm(u[:, j]) for j in range(n)])
    order = np.argsort(-sigma)
    return u[:, order] / sigma[order], sigma[order], v[:, order], sweeps


BANDS = np.array(
    [[0.0, 0, 1, -1, 2, 1], [0.0, -1, 1, 2, 1, -1], [6, 7, 5, 8, 9, 6.0], [1, -1, 1, 2, -2, 0]]
)


@prog(BANDS, 2, 1, VECTOR)
def banded_solve(ab, upper, lower, b):
    """Bands as `scipy.linalg.solve_banded` has them: `ab[upper + i - j, j]` is a[i, j]."""
    ab, x = ab.copy(), b.copy()
    n = len(x)
    for k in range(n - 1):
        for i in range(k + 1, min(k + lower + 1, n)):
            factor = ab[upper + i - k, k] / ab[upper, k]
            for j in range(k, min(k + upper + 1, n)):
                ab[upper + i - j, j] -= factor * ab[upper + k - j, j]
            x[i] -= factor * x[k]
    for k in range(n - 1, -1, -1):
        for j in range(k + 1, min(k + upper + 1, n)):
            x[k] -= ab[upper + k - j, j] * x[j]
        x[k] /= ab[upper, k]
    return x


def reflector(x):
    """v and beta such that (I - beta v v^T) x is a multiple of e_1."""
    sigma = x[1:] @ x[1:]
    v = x.copy()
    v[0] = 1.0
    if sigma == 0:
        return v, 0.0
    mu = np.sqrt(x[0] ** 2 + sigma)
    if x[0] <= 0:
        v[0] = x[0] - mu
    else:
        v[0] = -sigma / (x[0] + mu)
    beta = 2 * v[0] ** 2 / (sigma + v[0] ** 2)
    return v / v[0], beta


@prog(TALL)
def qr_with_pivoting(a):
    r = a.copy()
    m, n = r.shape
    norms = np.sum(r**2, axis=0)
    pivots = list(range(n))
    rank = 0
    for k in range(min(m, n)):
        best = k + int(np.argmax(norms[k:]))
        if norms[best] < 1e-14:
            break
        if best != k:
            r[:, [k, best]] = r[:, [best, k]]
            norms[k], norms[best] = norms[best], norms[k]
            pivots[k], pivots[best] = pivots[best], pivots[k]
        v, beta = reflector(r[k:, k])
        r[k:, k:] -= beta * np.outer(v, v @ r[k:, k:])
        norms[k + 1 :] -= r[k, k + 1 :] ** 2
        rank += 1
    return np.triu(r), pivots, rank


@prog(SYMMETRIC)
def qr_algorithm(a):
    t = a.copy()
    n = t.shape[0]
    found = []
    iterations = 0
    while n > 1:
        if abs(t[n - 1, n - 2]) < 1e-10:
            found.append(t[n - 1, n - 1])
            n -= 1
            t = t[:n, :n]
            continue
        mu = t[n - 1, n - 1]
        q, r = np.linalg.qr(t - mu * np.eye(n))
        t = r @ q + mu * np.eye(n)
        iterations += 1
        if iterations > 200:
            raise ValueError(f"no convergence, {len(found)} eigenvalues found")
    found.append(t[0, 0])
    return np.sort(np.array(found)), iterations


@prog(SYMMETRIC, VECTOR)
def minres(a, b):
    x = np.zeros_like(b)
    r = b - a @ x
    p0 = r.copy()
    s0 = a @ p0
    p1, s1 = p0, s0
    history = [float(np.linalg.norm(r))]
    for iteration in range(1, 12):
        p2, p1 = p1, p0
        s2, s1 = s1, s0
        alpha = (r @ s1) / (s1 @ s1)
        x += alpha * p1
        r -= alpha * s1
        history.append(float(np.linalg.norm(r)))
        if history[-1] < 1e-10:
            break
        p0 = s1
        s0 = a @ s1
        beta1 = (s0 @ s1) / (s1 @ s1)
        p0 = p0 - beta1 * p1
        s0 = s0 - beta1 * s1
        if iteration > 1:
            beta2 = (s0 @ s2) / (s2 @ s2)
            p0 = p0 - beta2 * p2
            s0 = s0 - beta2 * s2
    return x, history


@prog(SQUARE, VECTOR)
def bicgstab(a, b):
    x = np.zeros(len(b))
    r = b - a @ x
    shadow = r.copy()
    rho = alpha = omega = 1.0
    v = p = np.zeros(len(b))
    for k in range(1, 50):
        rho_new = shadow @ r
        if rho_new == 0:
            raise ArithmeticError("breakdown in step %d" % k)
        beta = (rho_new / rho) * (alpha / omega)
        p = r + beta * (p - omega * v)
        v = a @ p
        alpha = rho_new / (shadow @ v)
        s = r - alpha * v
        if np.linalg.norm(s) < 1e-12:
            x = x + alpha * p
            break
        t = a @ s
        omega = (t @ s) / (t @ t)
        x = x + alpha * p + omega * s
        r = s - omega * t
        rho = rho_new
        if np.linalg.norm(r) < 1e-12:
            break
    return x, k


class ConjugateGradients:
    """A solver that keeps its residuals."""

    def __init__(self, a, tolerance=1e-10, limit=50):
        self.a = a
        self.tolerance = tolerance
        self.limit = limit
        self.residuals = []
        self.converged = False

    def precondition(self, r):
        return r / np.diag(self.a)

    def solve(self, b):
        x = np.zeros(b.shape)
        r = b - self.a @ x
        z = self.precondition(r)
        p = z.copy()
        rz = r @ z
        while len(self.residuals) < self.limit:
            ap = self.a @ p
            step = rz / (p @ ap)
            x = x + step * p
            r = r - step * ap
            size = np.max(np.abs(r))
            self.residuals.append(size)
            if size < self.tolerance:
                self.converged = True
                break
            z = self.precondition(r)
            rz, old = r @ z, rz
            p = z + rz / old * p
        return x


@prog(SYMMETRIC @ SYMMETRIC, VECTOR)
def preconditioned_solver(a, b):
    solver = ConjugateGradients(a)
    x = solver.solve(b)
    return x, len(solver.residuals), solver.residuals[-1], solver.converged


@prog(SYMMETRIC @ SYMMETRIC)
def ldl(a):
    n = a.shape[0]
    lower, d = np.eye(n), np.zeros(n)
    for j in range(n):
        d[j] = a[j, j] - sum(lower[j, k] ** 2 * d[k] for k in range(j))
        if d[j] == 0:
            raise ZeroDivisionError("zero pivot")
        for i in range(j + 1, n):
            lower[i, j] = (a[i, j] - sum(lower[i, k] * lower[j, k] * d[k] for k in range(j))) / d[j]
    return lower, d


@prog(SQUARE, VECTOR, 1e-10)
def inverse_iteration(a, start, tolerance):
    shift = 4.5
    x = start / np.linalg.norm(start)
    value = np.inf
    for count in range(100):
        try:
            y = np.linalg.solve(a - shift * np.eye(len(x)), x)
        except np.linalg.LinAlgError:
            return shift, x, count
        new = shift + 1 / (x @ y)
        x = y / np.linalg.norm(y)
        if abs(new - value) < tolerance:
            break
        value = new
    else:
        print("no convergence after", count + 1)
    return value, x, count


@prog(np.array([4.0, 1.0, 0.5, 0.25, 0.1, 0.0]), VECTOR)
def levinson(t, y):
    n = len(y)
    f = np.array([1 / t[0]])
    x = np.array([y[0] / t[0]])
    for k in range(1, n):
        error = 0.0
        for i in range(k):
            error += t[k - i] * f[i]
        denominator = 1 - error * error
        if denominator == 0:
            return None
        longer = np.append(f, 0.0)
        f = (longer - error * longer[::-1]) / denominator
        missing = y[k] - np.dot(t[k:0:-1], x)
        x = np.append(x, 0.0) + missing * f[::-1]
    return x
