"""Programs of loops as people write them over NumPy, with the arguments that they are run with.

`PROGRAMS` maps the name of a row to the name of a function, a function that makes its arguments,
and the places of the arguments for which the gradient is taken, if it is.
"""

import numpy as np


def lu(a):
    a = a.copy()
    n = a.shape[0]
    for i in range(n):
        for j in range(i):
            a[i, j] -= a[i, :j] @ a[:j, j]
            a[i, j] /= a[j, j]
        for j in range(i, n):
            a[i, j] -= a[i, :i] @ a[:i, j]
    return a


def cholesky(a):
    n = a.shape[0]
    lower = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            s = a[i, j] - lower[i, :j] @ lower[j, :j]
            if i == j:
                lower[i, i] = np.sqrt(s)
            else:
                lower[i, j] = s / lower[j, j]
    return lower


def gram_schmidt(a):
    q = a.copy()
    n = a.shape[1]
    r = np.zeros((n, n))
    for k in range(n):
        r[k, k] = np.sqrt(q[:, k] @ q[:, k])
        q[:, k] = q[:, k] / r[k, k]
        for j in range(k + 1, n):
            r[k, j] = q[:, k] @ q[:, j]
            q[:, j] -= q[:, k] * r[k, j]
    return q, r


def triangular_solve(lower, b):
    x = np.zeros_like(b)
    for i in range(b.shape[0]):
        x[i] = (b[i] - lower[i, :i] @ x[:i]) / lower[i, i]
    return x


def rank_k_update(c, a):
    c = c.copy()
    for i in range(a.shape[0]):
        c[i, : i + 1] *= 0.5
        for k in range(a.shape[1]):
            c[i, : i + 1] += 1.5 * a[i, k] * a[: i + 1, k]
    return c


def gauss_seidel(a, sweeps):
    a = a.copy()
    n = a.shape[0]
    for _ in range(sweeps):
        for i in range(1, n - 1):
            a[i, 1:-1] += a[i - 1, :-2] + a[i - 1, 1:-1] + a[i - 1, 2:] + a[i, 2:]
            a[i, 1:-1] += a[i + 1, :-2] + a[i + 1, 1:-1] + a[i + 1, 2:]
            for j in range(1, n - 1):
                a[i, j] += a[i, j - 1]
                a[i, j] /= 9.0
    return a


def pairing(bases):
    """The most pairs of bases that match (Nussinov)."""
    n = bases.shape[0]
    table = np.zeros((n, n), np.int64)
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            table[i, j] = np.maximum(table[i, j], table[i, j - 1])
            if i + 1 < n:
                table[i, j] = np.maximum(table[i, j], table[i + 1, j])
            if i < j - 1:
                match = bases[i] + bases[j] == 3
                table[i, j] = np.maximum(table[i, j], table[i + 1, j - 1] + match)
            for k in range(i + 1, j):
                table[i, j] = np.maximum(table[i, j], table[i, k] + table[k + 1, j])
    return table


def fixed_point(x):
    y = x
    for i in range(2000):
        x = y
        y = 0.5 * (x + 2.0 / x) + 1e-3 / (i + 1)
        if abs(y - x) < 1e-9:
            break
    return y


def edit_distance(a, b):
    n, m = len(a), len(b)
    d = np.zeros((n + 1, m + 1), np.int64)
    for i in range(n + 1):
        d[i, 0] = i
    for j in range(m + 1):
        d[0, j] = j
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + cost)
    return d[n, m]


def mandelbrot(xs, ys):
    counts = np.zeros((len(ys), len(xs)), np.int64)
    for i in range(len(ys)):
        for j in range(len(xs)):
            c = xs[j] + 1j * ys[i]
            z = 0j
            k = 0
            while k < 20 and z.real * z.real + z.imag * z.imag < 4.0:
                z = z * z + c
                k += 1
            counts[i, j] = k
    return counts


def rnn(w, u, x):
    h = np.zeros((x.shape[0], u.shape[0]))
    for t in range(x.shape[1]):
        h = np.tanh(x[:, t] @ w + h @ u)
    return np.sum(h)


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


def lstm(w, u, b, x):
    size = u.shape[0]
    h = np.zeros((x.shape[0], size))
    c = np.zeros((x.shape[0], size))
    for t in range(x.shape[1]):
        gates = x[:, t] @ w + h @ u + b
        i = sigmoid(gates[:, :size])
        f = sigmoid(gates[:, size : 2 * size])
        o = sigmoid(gates[:, 2 * size : 3 * size])
        g = np.tanh(gates[:, 3 * size :])
        c = f * c + i * g
        h = o * np.tanh(c)
    return np.sum(h)


def ten_loops(x):
    a = x.copy()
    for i in range(2):
        for j in range(2):
            for k in range(2):
                for l in range(2):  # noqa: E741
                    for m in range(2):
                        for n in range(2):
                            for o in range(2):
                                for p in range(2):
                                    for q in range(2):
                                        for r in range(2):
                                            at = (i + j + k + l + m + n + o + p + q + r) % 8
                                            a[at] += 1.5
    return a


# -- arguments -------------------------------------------------------------------------------------


def matrix(n):
    """A matrix with a large diagonal."""
    return np.random.default_rng(n).normal(size=(n, n)) + n * np.eye(n)


def positive(n):
    """A positive definite matrix."""
    a = matrix(n)
    return a @ a.T


def letters(n, kinds=4, seed=0):
    return np.random.default_rng(seed).integers(0, kinds, n)


def weights(inputs, size, gates):
    """Weights of a recurrent layer, its bias if it has gates, and 8 sequences of 64 steps."""
    rng = np.random.default_rng(1)
    w = rng.normal(size=(inputs, gates * size)) / 4
    u = rng.normal(size=(size, gates * size)) / 4
    x = rng.normal(size=(8, 64, inputs))
    return (w, u, x) if gates == 1 else (w, u, rng.normal(size=gates * size), x)


PROGRAMS = {
    "LU 100 x 100": ("lu", lambda: (matrix(100),), None),
    "Cholesky 200 x 200": ("cholesky", lambda: (positive(200),), None),
    "Gram-Schmidt 100 x 100": ("gram_schmidt", lambda: (matrix(100),), None),
    "triangular solve 400": (
        "triangular_solve",
        lambda: (np.tril(matrix(400)), matrix(400)[0]),
        None,
    ),
    "C[i, :i+1] += ... 100 x 60": (
        "rank_k_update",
        lambda: (matrix(100), matrix(100)[:, :60]),
        None,
    ),
    "Gauss-Seidel 100 x 100, 4 sweeps": ("gauss_seidel", lambda: (matrix(100), 4), None),
    "pairs of 100 bases": ("pairing", lambda: (letters(100),), None),
    "2,000 iterations with a break": ("fixed_point", lambda: (np.float64(9.0),), None),
    "edit distance 60 x 60": ("edit_distance", lambda: (letters(60), letters(60, seed=1)), None),
    "Mandelbrot 200 x 200": (
        "mandelbrot",
        lambda: (np.linspace(-2.0, 1.0, 200), np.linspace(-1.5, 1.5, 200)),
        None,
    ),
    "RNN of 64 steps": ("rnn", lambda: weights(6, 16, 1), None),
    "its gradient": ("rnn", lambda: weights(6, 16, 1), (0, 1)),
    "LSTM of 64 steps": ("lstm", lambda: weights(6, 16, 4), None),
    "its gradient ": ("lstm", lambda: weights(6, 16, 4), (0, 1, 2)),
    "ten nested loops": ("ten_loops", lambda: (np.zeros(8),), None),
}
