"""Programs with SciPy's matrices, equations, splines and minimisers, as people write them."""

import numpy as np
from scipy import integrate, linalg
from scipy.integrate import odeint, quad, solve_ivp
from scipy.interpolate import CubicSpline, UnivariateSpline, interp1d, make_interp_spline
from scipy.optimize import (
    brentq,
    curve_fit,
    fsolve,
    least_squares,
    linprog,
    minimize,
    minimize_scalar,
)
from scipy.signal import butter, filtfilt, find_peaks, sosfiltfilt
from support.every_mode import Programs

PROGRAMS = Programs()
prog = PROGRAMS.program
rng = np.random.default_rng(0)
M = rng.normal(size=(4, 4))
S = M @ M.T + 4 * np.eye(4)
B = rng.normal(size=4)
X = np.linspace(0, 4, 30)
Y = np.sin(X) + 0.1 * rng.normal(size=30)
T = np.arange(200) / 100.0
SIG = np.sin(2 * np.pi * 5 * T) + 0.3 * rng.normal(size=200)
PTS = rng.normal(size=(25, 2))


@prog(M)
def polar(a):
    u, p = linalg.polar(a)
    return u @ p - a, np.linalg.det(u)


@prog(M[:, :2], B)
def lstsq(a, b):
    sol, res, rank, s = linalg.lstsq(a, b)
    return sol, res, rank, s


@prog(M)
def eig(a):
    w, v = linalg.eig(a)
    i = np.argmax(np.abs(w))
    return w[i], v[:, i]


@prog(M)
def svd(a):
    u, s, vt = linalg.svd(a, full_matrices=False)
    k = 2
    return u[:, :k] * s[:k] @ vt[:k], s / s.sum()


@prog(M, B)
def qr_solve(a, b):
    q, r = linalg.qr(a)
    return linalg.solve_triangular(r, q.T @ b)


@prog(S)
def eigh_sub(a):
    w, v = linalg.eigh(a, subset_by_index=[2, 3])
    return w, v


@prog(S, B)
def cho(a, b):
    c = linalg.cho_factor(a)
    return linalg.cho_solve(c, b)


@prog(M)
def schur(a):
    t, z = linalg.schur(a)
    return t, z, linalg.null_space(a[:2]), linalg.orth(a)


@prog(M)
def matfuns(a):
    return (
        linalg.expm(a * 0.1),
        linalg.logm(linalg.expm(a * 0.01)),
        linalg.sqrtm(a @ a.T),
        linalg.pinv(a),
    )


@prog(B, M)
def toeplitz(b, m):
    t = linalg.toeplitz(b)
    return linalg.solve_toeplitz(b + 5, b), t, linalg.circulant(b), linalg.norm(m, "fro")


@prog(0.5, 1.0)
def pendulum(theta0, length):
    def rhs(t, y):
        return [y[1], -9.81 / length * np.sin(y[0])]

    sol = solve_ivp(rhs, (0, 2), [theta0, 0.0], t_eval=np.linspace(0, 2, 21), rtol=1e-8)
    return sol.t, sol.y, sol.success


@prog(np.array([10.0, 5.0]), 1.1, 0.4)
def lotka(y0, a, b):
    def rhs(y, t, a, b):
        u, v = y
        return [a * u - b * u * v, 0.1 * u * v - 0.4 * v]

    t = np.linspace(0, 5, 50)
    return odeint(rhs, y0, t, args=(a, b))


@prog(2.0, 3.0)
def quad_user(a, b):
    value, error = quad(lambda t: np.exp(-a * t * t) * np.cos(b * t), 0, np.inf)
    return value, error


@prog(2.0)
def quad_def(a):
    def f(t, k):
        return k * t**2

    return quad(f, 0, a, args=(3.0,))[0]


@prog(2.0)
def dblquad(a):
    v, e = integrate.dblquad(lambda y, x: a * x * y, 0, 1, 0, lambda x: x)
    return v


@prog(X, Y)
def spline(x, y):
    cs = CubicSpline(x, y)
    xs = np.linspace(x[0], x[-1], 50)
    return cs(xs), cs(xs, 1), cs.integrate(x[0], x[-1])


@prog(X, Y)
def interp(x, y):
    f = interp1d(x, y, kind="linear", fill_value="extrapolate")
    g = interp1d(x, y, kind="cubic")
    return f(np.array([0.5, 5.0])), g(1.5)


@prog(X, Y)
def bspline(x, y):
    spl = make_interp_spline(x, y, k=3)
    return spl(np.linspace(0.1, 3.9, 7)), spl.derivative()(1.0)


@prog(X, Y)
def smoothing(x, y):
    s = UnivariateSpline(x, y, s=0.5)
    return s(x), s.get_knots()


@prog(X, Y)
def fit(x, y):
    def model(x, a, b, c):
        return a * np.sin(b * x + c)

    p, cov = curve_fit(model, x, y, p0=[1.0, 1.0, 0.0])
    return p, np.sqrt(np.diag(cov))


@prog(np.array([-1.2, 1.0]))
def rosen(x0):
    def f(x):
        return 100 * (x[1] - x[0] ** 2) ** 2 + (1 - x[0]) ** 2

    r = minimize(f, x0, method="Nelder-Mead", options={"xatol": 1e-6})
    return r.x, r.fun, r.nit


@prog(X, Y)
def regression(x, y):
    def loss(w):
        return np.sum((w[0] * x + w[1] - y) ** 2)

    def grad(w):
        r = w[0] * x + w[1] - y
        return np.array([2 * np.sum(r * x), 2 * np.sum(r)])

    res = minimize(loss, np.zeros(2), jac=grad, method="BFGS")
    return res.x, res.success


@prog(2.0)
def root_brent(c):
    return brentq(lambda x: x**3 - c, 0, 2)


@prog(np.array([1.0, 2.0]))
def lp(c):
    res = linprog(-c, A_ub=[[1, 1], [1, 3]], b_ub=[4, 6], bounds=[(0, None), (0, None)])
    return res.x, res.fun


@prog(3.0)
def fsolve_sys(k):
    def eqs(v):
        x, y = v
        return [x + y - k, x * y - 2]

    return fsolve(eqs, [1.0, 1.5])


@prog(X, Y)
def lsq(x, y):
    r = least_squares(lambda p: p[0] * np.exp(-p[1] * x) - y, [1.0, 0.1])
    return r.x, r.cost


@prog(2.0)
def scalar_min(a):
    r = minimize_scalar(lambda x: (x - a) ** 2 + 1, bounds=(0, 5), method="bounded")
    return r.x, r.fun


@prog(SIG)
def lowpass(sig):
    b, a = butter(4, 0.2)
    y = filtfilt(b, a, sig)
    return y - sig, y.mean()


@prog(SIG, 100.0, 8.0)
def lowpass_rate(sig, fs, cut):
    sos = butter(3, cut / (fs / 2), btype="low", output="sos")
    return sosfiltfilt(sos, sig)


@prog(SIG)
def peaks(sig):
    idx, props = find_peaks(sig, height=0.5, distance=5)
    return idx, props["peak_heights"], len(idx)
