"""Programs of SciPy's functions that have derivatives, with their arguments."""

import numpy as np
import scipy.integrate as SI
import scipy.interpolate as IN
import scipy.linalg as L
import scipy.ndimage as ND
import scipy.optimize as OP
import scipy.signal as SG
import scipy.spatial.distance as D
import scipy.stats as ST
from scipy.spatial.transform import Rotation

rng = np.random.default_rng(1)
A = rng.normal(size=(3, 3))
v = rng.normal(size=3)
s = rng.normal(size=12)
P = rng.normal(size=(4, 3))
I = rng.normal(size=(5, 6))
pd = lambda x: x @ x.T + 3 * np.eye(3)
w3 = rng.normal(size=(3, 3))
spl = IN.CubicSpline(np.arange(12.0), s)
bsp = IN.make_interp_spline(np.arange(12.0), s)
fz = ST.norm(0.3, 2.0)
mvn = ST.multivariate_normal([0.0, 1, 2], np.eye(3) * 2)
GRADIENTS = {}


def add(n, f, *a):
    GRADIENTS[n] = (f, a)


add("cholesky", lambda x: L.cholesky(pd(x)) * w3, A)
add("choleskyL", lambda x: L.cholesky(pd(x), lower=True) * w3, A)
add("cho_solve", lambda x, b: L.cho_solve(L.cho_factor(pd(x)), b), A, v)
add("solve", lambda x, b: L.solve(pd(x), b), A, v)
add("solveT", lambda x, b: L.solve(pd(x) + x, b, transposed=True), A, v)
add("inv", lambda x: L.inv(pd(x)) * w3, A)
add("expm", lambda x: L.expm(x) * w3, A)
add("det", lambda x: L.det(x), A)
add("eigh", lambda x: L.eigh(pd(x))[0] * v, A)
add("eighv", lambda x: (L.eigh(pd(x))[1] ** 2) * w3, A)
add("lu", lambda x, b: L.lu_solve(L.lu_factor(x), b), A, v)
add("sqrtm", lambda x: L.sqrtm(pd(x)) * w3, A)
add("block_diag", lambda x, y: L.block_diag(x, y, x) ** 2, A, P)
add("solve_tri", lambda x, b: L.solve_triangular(pd(x), b, lower=True), A, v)
add("norm", lambda x: L.norm(x), A)
add("pinv", lambda x: L.pinv(x), P)
add("lu_factor", lambda x: L.lu_factor(x)[0] * w3, A)
for n in ("pdf", "logpdf", "cdf", "logcdf", "sf", "logsf"):
    add(
        "norm." + n,
        (lambda f: lambda x, m, s: f(x, m, s))(getattr(ST.norm, n)),
        v,
        np.float64(0.3),
        np.float64(1.7),
    )
add("normkw", lambda x, m: ST.norm.pdf(x, loc=m, scale=2.0), v, np.float64(0.3))
add("norm_frozen", lambda x, m, s: ST.norm(m, s).logpdf(x), v, np.float64(0.3), np.float64(1.7))
add("fz", lambda x: fz.pdf(x), v)
add("mvn", lambda x, m, c: ST.multivariate_normal.logpdf(x, m, pd(c)), v, v * 0.5, A)
add("mvnpdf", lambda x, m, c: ST.multivariate_normal(m, pd(c)).pdf(x), P, v * 0.5, A)
add("mvnfz", lambda x: mvn.pdf(x), v)
for m in ("euclidean", "sqeuclidean", "cityblock", "chebyshev", "cosine", "minkowski"):
    add("cdist." + m, (lambda m: lambda x, y: D.cdist(x, y, m))(m), P, A)
add("pdist", lambda x: D.pdist(x), P)
add("euclid", lambda x, y: D.euclidean(x, y), v, A[0])
add("rotvec", lambda r: Rotation.from_rotvec(r).as_matrix() * w3, v)
add("quat", lambda r: Rotation.from_quat(r).apply(v), rng.normal(size=4))
add("euler", lambda r: Rotation.from_euler("xyz", r).as_rotvec(), v)
add("EULER", lambda r: Rotation.from_euler("ZYX", r).as_quat(), v)
add(
    "rotmul",
    lambda r, q: (Rotation.from_rotvec(r) * Rotation.from_rotvec(q)).inv().apply(P),
    v,
    v * 0.3,
)
add("rotn", lambda r: Rotation.from_rotvec(r).as_rotvec() * P, P * 0.5)
add(
    "lfilter",
    lambda b, a, x: SG.lfilter(b, a, x) * np.arange(12),
    np.array([1.0, 0.3, 0.2]),
    np.array([1.2, 0.3]),
    s,
)
add("lfilter2", lambda x: SG.lfilter([1.0, 0.5], [1.0, 0.2], x, axis=0) * I, I)
sos = SG.butter(3, 0.3, output="sos")
add("sosfilt", lambda x: SG.sosfilt(sos, x), s)
for m in ("full", "same", "valid"):
    add("fftconv." + m, (lambda m: lambda x, y: SG.fftconvolve(x, y, mode=m) ** 2)(m), s, s[:4])
    add("conv2." + m, (lambda m: lambda x, y: SG.convolve2d(x, y, mode=m) ** 2)(m), I, A)
    add("fftconv2d." + m, (lambda m: lambda x, y: SG.fftconvolve(x, y, mode=m) ** 2)(m), I, A)
add("correlate", lambda x, y: SG.correlate(x, y) ** 2, s, s[:4])
add("window", lambda x: SG.windows.hann(12) * x, s)
for mode in ("reflect", "mirror", "nearest", "wrap", "constant"):
    add("nd.conv." + mode, (lambda m: lambda x, k: ND.convolve(x, k, mode=m) ** 2)(mode), I, A)
    add("nd.corr." + mode, (lambda m: lambda x, k: ND.correlate(x, k, mode=m) ** 2)(mode), I, A)
    add("nd.gauss." + mode, (lambda m: lambda x: ND.gaussian_filter(x, 0.6, mode=m) ** 2)(mode), I)
add("nd.conv_even", lambda x, k: ND.convolve(x, k) ** 2, I, rng.normal(size=(2, 3)))
add("nd.conv1d", lambda x, k: ND.convolve1d(x, k, axis=0) ** 2, I, rng.normal(size=2))
add("nd.conv_origin", lambda x, k: ND.convolve(x, k, origin=(1, -1)) ** 2, I, A)
add("nd.gauss1d", lambda x: ND.gaussian_filter1d(x, 0.7) ** 2, s)
for n in ("sobel", "prewitt", "laplace", "uniform_filter"):
    add("nd." + n, (lambda f: lambda x: f(x) ** 2)(getattr(ND, n)), I)
add("trapz", lambda y, x: SI.trapezoid(y, x), s, np.arange(12.0) + 0.1 * s)
add("cumtrapz", lambda y: SI.cumulative_trapezoid(y, dx=0.5, initial=0) ** 2, s)
add("simps", lambda y, x: SI.simpson(y, x=x), s[:9], np.arange(9.0) + 0.1 * s[:9])
add("simps_even", lambda y: SI.simpson(y, dx=0.3), s)
add("simpsdx", lambda y: SI.simpson(y, dx=0.3) ** 2, I)
add("interp1d", lambda y, q: IN.interp1d(np.arange(12.0), y)(q) ** 2, s, np.array([0.3, 4.7]))
add("spline_y", lambda y, q: IN.CubicSpline(np.arange(12.0), y)(q) ** 2, s, np.array([0.3, 4.7]))
add("spl_q", lambda q: spl(q) ** 2, np.array([0.3, 4.7]))
add("bsp_q", lambda q: bsp(q) ** 2, np.array([0.3, 4.7]))
add("brentq", lambda a: OP.brentq(lambda t: t**3 - a * t - 1, 0.0, 5.0), np.float64(2.0))
add("newton", lambda a: OP.newton(lambda t: t * t - a, 1.0), np.float64(2.0))
add(
    "brentq_args", lambda a: OP.brentq(lambda t, c: t * t - c, 0.0, 5.0, args=(a,)), np.float64(2.0)
)
add("fsolve", lambda a: OP.fsolve(lambda t: t * t * t - a, np.ones(3)) * v, np.abs(v) + 1)
add("root", lambda a: OP.root(lambda t: t * t - a, np.ones(3)).x * v, np.abs(v) + 1)
add(
    "minimize",
    lambda a: (
        OP.minimize(lambda t: np.sum((t - a) ** 2 * (1 + a**2)), np.zeros(3), tol=1e-10).x * v
    ),
    v,
)
add(
    "minscalar",
    lambda a: OP.minimize_scalar(lambda t: (t - a) ** 2 + t, tol=1e-12).x,
    np.float64(2.0),
)
