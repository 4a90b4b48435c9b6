"""Numerical linear algebra, written with loops as in textbooks."""

import math

import numpy as np
from collection import Collection

PROGRAMS = Collection()
example = PROGRAMS.example

rng = np.random.default_rng(1)
SQUARE = rng.standard_normal((12, 12)) + 12 * np.eye(12)
POSITIVE = SQUARE @ SQUARE.T
VECTOR = rng.standard_normal(12)
TALL = rng.standard_normal((14, 5))
SYMMETRIC = (SQUARE + SQUARE.T) / 2
LOWER = np.tril(SQUARE)
BANDED = np.diag(np.full(12, 4.0)) + np.diag(np.full(11, -1.0), 1) + np.diag(np.full(11, -1.0), -1)


@example(SQUARE)
def lu_in_place(a):
    a = a.copy()
    n = a.shape[0]
    for k in range(n - 1):
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            for j in range(k + 1, n):
                a[i, j] -= a[i, k] * a[k, j]
    return a


@example(SQUARE)
def lu_with_pivots(a):
    a = a.copy()
    n = a.shape[0]
    pivots = np.arange(n)
    for k in range(n):
        p = k + np.argmax(np.abs(a[k:, k]))
        if p != k:
            a[[k, p]] = a[[p, k]]
            pivots[[k, p]] = pivots[[p, k]]
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])
    return a, pivots


@example(POSITIVE)
def cholesky(a):
    n = len(a)
    lower = np.zeros_like(a)
    for i in range(n):
        for j in range(i + 1):
            s = 0.0
            for k in range(j):
                s += lower[i, k] * lower[j, k]
            if i == j:
                lower[i, i] = math.sqrt(a[i, i] - s)
            else:
                lower[i, j] = (a[i, j] - s) / lower[j, j]
    return lower


@example(POSITIVE)
def cholesky_by_columns(a):
    n = a.shape[0]
    out = np.tril(a)
    for k in range(n):
        out[k, k] = np.sqrt(out[k, k])
        out[k + 1 :, k] /= out[k, k]
        for j in range(k + 1, n):
            out[j:, j] -= out[j, k] * out[j:, k]
    return out


@example(LOWER, VECTOR)
def forward_substitution(lower, b):
    n = b.size
    x = np.empty(n)
    for i in range(n):
        x[i] = b[i]
        for j in range(i):
            x[i] -= lower[i, j] * x[j]
        x[i] /= lower[i, i]
    return x


@example(LOWER.T.copy(), VECTOR)
def back_substitution(upper, b):
    n = len(b)
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - np.dot(upper[i, i + 1 :], x[i + 1 :])) / upper[i, i]
    return x


@example(SQUARE, VECTOR)
def gauss_elimination(a, b):
    a, b = a.copy(), b.copy()
    n = len(b)
    for k in range(n - 1):
        for i in range(k + 1, n):
            if a[i, k] != 0.0:
                factor = a[i, k] / a[k, k]
                a[i, k + 1 : n] = a[i, k + 1 : n] - factor * a[k, k + 1 : n]
                b[i] = b[i] - factor * b[k]
    for k in range(n - 1, -1, -1):
        b[k] = (b[k] - np.dot(a[k, k + 1 : n], b[k + 1 : n])) / a[k, k]
    return b


@example(TALL)
def gram_schmidt(a):
    m, n = a.shape
    q = np.zeros((m, n))
    r = np.zeros((n, n))
    for j in range(n):
        v = a[:, j].copy()
        for i in range(j):
            r[i, j] = np.dot(q[:, i], a[:, j])
            v -= r[i, j] * q[:, i]
        r[j, j] = np.linalg.norm(v)
        q[:, j] = v / r[j, j]
    return q, r


@example(TALL)
def modified_gram_schmidt(a):
    q = a.copy()
    n = q.shape[1]
    r = np.zeros((n, n))
    for i in range(n):
        r[i, i] = np.sqrt(np.sum(q[:, i] ** 2))
        q[:, i] /= r[i, i]
        for j in range(i + 1, n):
            r[i, j] = q[:, i] @ q[:, j]
            q[:, j] -= r[i, j] * q[:, i]
    return q, r


@example(TALL)
def householder(a):
    r = a.copy()
    m, n = r.shape
    q = np.eye(m)
    for k in range(n):
        x = r[k:, k]
        e = np.zeros_like(x)
        e[0] = np.copysign(np.linalg.norm(x), x[0])
        u = x + e
        u = u / np.linalg.norm(u)
        r[k:, :] -= 2.0 * np.outer(u, u @ r[k:, :])
        q[:, k:] -= 2.0 * np.outer(q[:, k:] @ u, u)
    return q, r


@example(TALL[:8])
def givens(a):
    r = a.copy()
    m, n = r.shape
    for j in range(n):
        for i in range(m - 1, j, -1):
            x, y = r[i - 1, j], r[i, j]
            h = np.hypot(x, y)
            if h == 0:
                continue
            c, s = x / h, y / h
            upper = c * r[i - 1] + s * r[i]
            r[i] = -s * r[i - 1] + c * r[i]
            r[i - 1] = upper
    return r


@example(SQUARE, VECTOR)
def jacobi(a, b):
    x = np.zeros_like(b)
    for iteration in range(100):
        new = np.zeros_like(x)
        for i in range(a.shape[0]):
            s = np.dot(a[i, :i], x[:i]) + np.dot(a[i, i + 1 :], x[i + 1 :])
            new[i] = (b[i] - s) / a[i, i]
        if np.allclose(x, new, rtol=1e-10):
            break
        x = new
    return x, iteration


@example(SQUARE, VECTOR)
def gauss_seidel(a, b, sweeps=20):
    n = len(b)
    x = np.zeros(n)
    for _ in range(sweeps):
        for i in range(n):
            s = 0.0
            for j in range(n):
                if j != i:
                    s += a[i, j] * x[j]
            x[i] = (b[i] - s) / a[i, i]
    return x


@example(POSITIVE / 100, VECTOR)
def conjugate_gradients(a, b):
    x = np.zeros(len(b))
    r = b - a @ x
    p = r.copy()
    old = r @ r
    for _ in range(len(b)):
        ap = a @ p
        alpha = old / (p @ ap)
        x += alpha * p
        r -= alpha * ap
        new = r @ r
        if np.sqrt(new) < 1e-10:
            break
        p = r + (new / old) * p
        old = new
    return x


@example(POSITIVE)
def power_iteration(a):
    b = np.ones(a.shape[0])
    value = 0.0
    for i in range(1000):
        c = a @ b
        norm = np.linalg.norm(c)
        b = c / norm
        if abs(norm - value) < 1e-9 * norm:
            break
        value = norm
    return value, b, i


@example(SYMMETRIC[:5, :5])
def jacobi_eigenvalues(a):
    a = a.copy()
    n = a.shape[0]
    v = np.eye(n)
    for _ in range(60):
        largest, p, q = 0.0, 0, 1
        for i in range(n):
            for j in range(i + 1, n):
                if abs(a[i, j]) > largest:
                    largest = abs(a[i, j])
                    p, q = i, j
        if largest < 1e-9:
            break
        theta = 0.5 * math.atan2(2 * a[p, q], a[q, q] - a[p, p])
        c, s = math.cos(theta), math.sin(theta)
        rotation = np.eye(n)
        rotation[p, p] = c
        rotation[q, q] = c
        rotation[p, q] = s
        rotation[q, p] = -s
        a = rotation.T @ a @ rotation
        v = v @ rotation
    return np.diag(a), v


@example(np.diag(BANDED, -1).copy(), np.diag(BANDED).copy(), np.diag(BANDED, 1).copy(), VECTOR)
def thomas(a, b, c, d):
    n = len(d)
    c_, d_ = np.zeros(n - 1), np.zeros(n)
    c_[0] = c[0] / b[0]
    d_[0] = d[0] / b[0]
    for i in range(1, n - 1):
        m = b[i] - a[i - 1] * c_[i - 1]
        c_[i] = c[i] / m
        d_[i] = (d[i] - a[i - 1] * d_[i - 1]) / m
    d_[n - 1] = (d[n - 1] - a[n - 2] * d_[n - 2]) / (b[n - 1] - a[n - 2] * c_[n - 2])
    x = np.zeros(n)
    x[-1] = d_[-1]
    for i in reversed(range(n - 1)):
        x[i] = d_[i] - c_[i] * x[i + 1]
    return x


@example(SQUARE)
def determinant(a):
    a = a.copy()
    n = len(a)
    det = 1.0
    for i in range(n):
        pivot = i
        for r in range(i + 1, n):
            if abs(a[r, i]) > abs(a[pivot, i]):
                pivot = r
        if a[pivot, i] == 0:
            return 0.0
        if pivot != i:
            a[[i, pivot]] = a[[pivot, i]]
            det = -det
        det *= a[i, i]
        for r in range(i + 1, n):
            a[r, i:] -= a[i, i:] * (a[r, i] / a[i, i])
    return det


@example(SQUARE)
def inverse_by_gauss_jordan(a):
    n = a.shape[0]
    m = np.hstack([a, np.eye(n)])
    for i in range(n):
        m[i] = m[i] / m[i, i]
        for j in range(n):
            if i != j:
                m[j] = m[j] - m[j, i] * m[i]
    return m[:, n:]


@example(SQUARE / 30, 13)
def matrix_power(a, n):
    result = np.eye(a.shape[0])
    while n > 0:
        if n % 2 == 1:
            result = result @ a
        a = a @ a
        n //= 2
    return result


@example(SQUARE / 30)
def exponential_series(a):
    result = np.eye(len(a))
    term = np.eye(len(a))
    k = 1
    while np.abs(term).max() > 1e-16:
        term = term @ a / k
        result = result + term
        k += 1
    return result, k


@example(TALL, TALL.T.copy())
def matmul_by_loops(a, b):
    n, m = a.shape
    p = b.shape[1]
    c = np.zeros((n, p))
    for i in range(n):
        for j in range(p):
            for k in range(m):
                c[i, j] += a[i, k] * b[k, j]
    return c


@example(TALL, VECTOR[:5])
def row_wise_product(a, x):
    return np.array([sum(a[i, j] * x[j] for j in range(len(x))) for i in range(a.shape[0])])


@example(SQUARE)
def hessenberg(a):
    h = a.copy()
    n = h.shape[0]
    for k in range(n - 2):
        x = h[k + 1 :, k].copy()
        x[0] += np.sign(x[0]) * np.linalg.norm(x)
        norm = np.linalg.norm(x)
        if norm > 0:
            x /= norm
            h[k + 1 :, k:] -= 2 * np.outer(x, x @ h[k + 1 :, k:])
            h[:, k + 1 :] -= 2 * np.outer(h[:, k + 1 :] @ x, x)
    return h


@example(POSITIVE, VECTOR)
def rayleigh_quotient(a, x):
    x = x / np.linalg.norm(x)
    mu = x @ a @ x
    for _ in range(8):
        try:
            y = np.linalg.solve(a - mu * np.eye(len(a)), x)
        except np.linalg.LinAlgError:
            break
        x = y / np.linalg.norm(y)
        mu = x @ a @ x
    return mu


@example(TALL, rng.standard_normal(14))
def normal_equations(a, b):
    gram, right = a.T @ a, a.T @ b
    for i in range(len(gram)):
        gram[i, i] += 1e-3
    return np.linalg.solve(gram, right)
