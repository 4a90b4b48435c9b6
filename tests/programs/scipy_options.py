"""Calls of SciPy's functions with options, one a line: their gradients are compared with
differences.

The matrices are not symmetric where a function reads one triangle: the other has no derivative.
"""

import functools

from library_programs import programs

IMPORTS = """
import numpy as np
from scipy import fft, integrate, interpolate, linalg, ndimage, optimize, signal, spatial, special
from scipy import stats
from scipy.spatial import distance
from scipy.spatial.transform import Rotation

NEAR = POSITIVE + 0.3 * SQUARE
WIDTHS = np.cumsum(ABOVE_ZERO[:8] + 0.2)
KNOTS = np.arange(12.0)
PLACES = np.array([0.3, 4.7])
TURN = ROW[:3] * 0.4
WEIGHTS = np.array([1.0, 2.0, 3.0])
SPLINE = interpolate.CubicSpline(KNOTS, SINE)
POLYGON = interpolate.interp1d(KNOTS, SINE, fill_value="extrapolate")
FILLED = interpolate.interp1d(KNOTS, SINE, bounds_error=False, fill_value=0.0)
"""


@functools.cache
def scipy_options() -> list:
    """Their texts, as functions, with arguments.  SciPy must be installed."""
    return programs(OPTIONS, IMPORTS, "<SciPy options>")


@functools.cache
def scipy_without_derivative() -> list:
    """Calls whose derivative is not known, or not defined."""
    return programs(WITHOUT_DERIVATIVE, IMPORTS, "<SciPy options without derivative>")


OPTIONS = """
x = NEAR: linalg.cholesky(x) * SQUARE
x = NEAR: linalg.cholesky(x, True) * SQUARE
x, b = NEAR, ROW: linalg.cho_solve(linalg.cho_factor(x), b)
x, b = NEAR, ROW: linalg.cho_solve(linalg.cho_factor(x, lower=True), b)
x = NEAR: linalg.cho_factor(x)[0] * SQUARE
x, b = NEAR, ROW: linalg.solve(x, b)
x, b = NEAR, ROW: linalg.solve(x, b, lower=True)
x, b = NEAR, ROW: linalg.solve(x, b, transposed=True)
x, b = NEAR, ROW: linalg.solve(x, b, assume_a='gen')
x, b = NEAR, ROW: linalg.solve(x, b, assume_a='sym')
x, b = NEAR, ROW: linalg.solve(x, b, assume_a='symmetric', lower=True)
x, b = NEAR, ROW: linalg.solve(x, b, assume_a='her', lower=True)
x, b = NEAR, ROW: linalg.solve(x, b, assume_a='pos')
x, b = NEAR, ROW: linalg.solve(x, b, assume_a='positive definite', lower=True)
x, b = NEAR, ROW: linalg.solve(x, b, assume_a='diagonal')
x, b = NEAR, ROW: linalg.solve(x, b, assume_a='tridiagonal')
x, b = NEAR, ROW: linalg.solve(x, b, assume_a='upper triangular')
x, b = NEAR, ROW: linalg.solve(x, b, assume_a='lower triangular')
x, b = NEAR, ROW: linalg.solve_triangular(x, b)
x, b = NEAR, ROW: linalg.solve_triangular(x, b, unit_diagonal=True)
x, b = NEAR, ROW: linalg.solve_triangular(x, b, trans='T', lower=True)
x = NEAR: linalg.inv(x, assume_a='sym') * SQUARE
x = NEAR: linalg.inv(x, assume_a='pos', lower=True) * SQUARE
x = np.stack([NEAR, NEAR + 1]): linalg.inv(x)
x = NEAR: linalg.eigh(x)[0] * ROW
x = NEAR: linalg.eigh(x, lower=False)[0] * ROW
x = NEAR: linalg.eigh(x)[1] ** 2 * SQUARE
x, w = NEAR, SQUARE: linalg.eigh(x, lower=False, driver='ev')[1] * w
x = NEAR: linalg.eigh(x, driver='evx', check_finite=False)[1] * SQUARE
x = NEAR: linalg.eigh(x, eigvals_only=True) * ROW
x = NEAR: linalg.eigvalsh(x, lower=False) * ROW
x = np.eye(3): linalg.eigh(x)[0]
x, y = NEAR, POSITIVE + SQUARE: linalg.eigh(x, y, driver='gvx')[1] * SQUARE
x, y = NEAR, POSITIVE + SQUARE: linalg.eigh(x, y)[0] * ROW
x, y = NEAR, POSITIVE + SQUARE: linalg.eigh(x, y, lower=False)[1] ** 2 * SQUARE
x = SQUARE: linalg.svd(x)[1] * ROW
x = np.eye(3): linalg.svd(x)[1]
x, w = SQUARE, NEAR: linalg.svd(x)[0] * w
x, w = SQUARE, NEAR: linalg.svd(x)[2] * w
x, w = SQUARE[:, :2], NEAR[:, :2]: linalg.svd(x, full_matrices=False)[0] * w
x, w = SQUARE[:2], NEAR[:2]: linalg.svd(x, full_matrices=False)[2] * w
x = np.stack([SQUARE, SQUARE + 1]): linalg.svd(x)[0] * NEAR
x = SQUARE: linalg.svd(x, compute_uv=False) * ROW
x, w = SQUARE, NEAR: linalg.qr(x)[0] * w
x, w = SQUARE, NEAR: linalg.qr(x)[1] * w
x, w = SQUARE[:, :2], NEAR[:, :2]: linalg.qr(x, mode='economic')[0] * w
x, w = SQUARE, NEAR: linalg.lu(x)[1] * w
x, w = SQUARE, NEAR: linalg.lu(x)[2] * w
x, w = SQUARE, NEAR: linalg.lu(x)[0] @ linalg.lu(x)[1] * w
x, w = ROW, SQUARE: linalg.toeplitz(x) * w
x, y, w = ROW, ROW[:2] * 2, NEAR[:, :2]: linalg.toeplitz(x, y) * w
x, w = ROW, SQUARE: linalg.hankel(x) * w
x, y, w = ROW, ROW[:2] * 2, NEAR[:, :2]: linalg.hankel(x, r=y) * w
x, w = ROW, SQUARE: linalg.circulant(x) * w
x, b = NEAR[0], ROW: linalg.solve_toeplitz(x, b)
x, y, b = NEAR[0], NEAR[1], ROW: linalg.solve_toeplitz((x, y), b)
x = np.stack([SQUARE, SQUARE / 2]): linalg.expm(x)
x = SQUARE: linalg.norm(x, 1)
x = SQUARE: linalg.norm(x, 2, axis=1)
x = SQUARE: linalg.norm(x, 'nuc')
a, b = ROW, TALL: linalg.block_diag(a, b) ** 2
x, b = SQUARE, TALL.T: linalg.lu_solve(linalg.lu_factor(x), b, trans=1)
x, m, s = ROW, ROW * 0.5, np.abs(ROW) + 1: stats.norm.logpdf(x, m, s)
x, m, s = np.array([0.2, 0.4]), np.float64(0.3), np.float64(2.0): stats.norm.ppf(x, m, s)
x, s = np.array([0.2, 0.4]), np.float64(2.0): stats.norm(scale=s).isf(x)
x, m, s = ROW, np.float64(0.3), np.float64(2.0): stats.norm(m, s).mean() * x + stats.norm(m, s).std()
x, c = ROW, NEAR: stats.multivariate_normal.logpdf(x, np.zeros(4), c)
x, c = ROW, np.abs(ROW) + 1: stats.multivariate_normal.pdf(x, np.zeros(4), c)
x, c = ROW, np.float64(2.0): stats.multivariate_normal.logpdf(x, np.zeros(4), c)
x = ROW: stats.multivariate_normal.logpdf(x, cov=2 * np.eye(4))
x = SIGNAL: stats.multivariate_normal.pdf(x, 0.0, 2.0)
x, m = ROW, np.float64(1.0): stats.multivariate_normal.logpdf(x, m, np.eye(1))
x = TALL: stats.multivariate_normal(ROW, POSITIVE).logpdf(x)
r = TURN: Rotation.from_rotvec(r).as_euler('xyz')
r = TURN: Rotation.from_rotvec(r).as_euler('ZYX', degrees=True)
r = TURN: Rotation.from_rotvec(r).as_euler('zxz')
r = POINTS * 0.3: Rotation.from_rotvec(r).as_euler('YXY')
m = Rotation.from_rotvec(TURN).as_matrix() + 0.01 * SQUARE[:3, :3]: Rotation.from_matrix(m).as_quat()
r = POINTS * 3: Rotation.from_matrix(Rotation.from_rotvec(r).as_matrix()).as_rotvec()
r = TURN: Rotation.from_mrp(r).as_rotvec()
r = TURN: Rotation.from_rotvec(r).as_mrp()
r = TURN: (Rotation.from_rotvec(r) ** 2).as_rotvec()
r = POINTS: Rotation.from_rotvec(r).magnitude()
r = POINTS * 3: Rotation.from_rotvec(r).inv().as_quat()
r = POINTS * 3: (Rotation.from_rotvec(r) * Rotation.from_rotvec(r / 3)).as_quat()
r = POINTS: (Rotation.from_rotvec(r) ** 3).as_quat()
r = POINTS * 2: Rotation.from_mrp(r).as_quat()
r = POINTS * 2: Rotation.from_mrp(r).as_mrp()
r = POINTS * 3: Rotation.from_quat(Rotation.from_rotvec(r).as_quat()).as_euler('xzy')
r = POINTS * 3: Rotation.from_euler('ZXZ', r).as_quat(canonical=True)
r = POINTS[:1]: Rotation.from_euler('zyx', r).as_matrix() ** 3
r = ROW: Rotation.from_quat(r).as_matrix() ** 3
r = POINTS: Rotation.from_rotvec(r)[1].as_quat()
r = TURN: Rotation.concatenate([Rotation.from_rotvec(r), Rotation.from_rotvec(r / 2)]).as_quat()
r = POINTS * 30: Rotation.from_euler('xyz', r, degrees=True).as_matrix() * np.arange(9.0).reshape(3, 3)
r = TURN.reshape(3, 1): Rotation.from_euler('z', r).as_matrix() * np.arange(9.0).reshape(3, 3)
x = ROW[:3]: Rotation.from_euler('x', 0.3).apply(x)
r = TURN: (Rotation.from_euler('x', 0.3) * Rotation.from_rotvec(r)).as_quat()
r = TURN: (Rotation.from_rotvec(r) * Rotation.from_euler('x', 0.3)).as_quat()
r, x = POINTS, POINTS * 0.7: Rotation.from_rotvec(r).apply(x, inverse=True) * POINTS
r = np.zeros(3): Rotation.from_rotvec(r).as_matrix() * np.arange(9.0).reshape(3, 3)
r = TURN * 9: Rotation.from_rotvec(r).as_rotvec()
x, y = POINTS, FEW_POINTS: distance.cdist(x, y, 'euclidean', w=WEIGHTS)
x, y = POINTS, FEW_POINTS: distance.cdist(x, y, 'minkowski', p=3)
x, y = POINTS, FEW_POINTS: distance.cdist(x, y, 'correlation')
x, y = POINTS, FEW_POINTS: distance.cdist(x, y, 'canberra')
x, y = np.abs(POINTS), np.abs(FEW_POINTS): distance.cdist(x, y, 'braycurtis')
x, y = POINTS, FEW_POINTS: distance.cdist(x, y, 'seuclidean', V=np.array([1.0, 2.0, 3.0]))
x, y = POINTS, FEW_POINTS: distance.cdist(x, y, 'mahalanobis', VI=POSITIVE[:3, :3])
x = POINTS: distance.pdist(x, 'cosine')
x = POINTS: distance.squareform(distance.pdist(x)) ** 2
x = POSITIVE - np.diag(np.diag(POSITIVE)): distance.squareform(x, checks=False) ** 2
x, y = ROW[:3], TURN: distance.euclidean(x, y, WEIGHTS)
x, y = ROW[:3], POINTS[0]: distance.cosine(x, y, WEIGHTS)
x, y = ROW[:3], POINTS[0]: distance.correlation(x, y, WEIGHTS)
x, y = ROW[:3], TURN: distance.sqeuclidean(x, y, w=WEIGHTS)
x, y = ROW[:3], TURN: distance.minkowski(x, y, 3, WEIGHTS)
x, y = ROW[:3], TURN: distance.mahalanobis(x, y, POSITIVE[:3, :3])
x, y = POINTS, FEW_POINTS: spatial.distance_matrix(x, y, 3)
y, x = SIGNAL[:8], WIDTHS: integrate.simpson(y, x=x) ** 2
y, x = SIGNAL[:7], WIDTHS[:7]: integrate.simpson(y, x=x) ** 2
y = IMAGE: integrate.simpson(y, x=np.tile(WIDTHS, (8, 1))) ** 2
y = IMAGE: integrate.simpson(y, axis=0) ** 2
y, h = SIGNAL[:8], np.float64(0.3): integrate.simpson(y, dx=h) ** 2
y, h = SIGNAL[:7], np.float64(0.3): integrate.simpson(y, dx=h) ** 2
y = SIGNAL[:2]: integrate.simpson(y)
y, x = SIGNAL[:8], WIDTHS: integrate.cumulative_trapezoid(y, x) ** 2
a = np.float64(2.0): integrate.fixed_quad(lambda t: np.sin(a * t), 0, a, n=6)[0]
y, q = SINE, PLACES: interpolate.interp1d(KNOTS, y, kind='cubic')(q) ** 2
y, q = SINE, PLACES * 3 - 2: interpolate.interp1d(KNOTS, y, bounds_error=False, fill_value=0.0)(q) ** 2
y, q = SINE, PLACES * 3 - 2: interpolate.interp1d(KNOTS, y, fill_value='extrapolate')(q) ** 2
y, q = SINE, PLACES * 3 - 2: interpolate.interp1d(KNOTS, y, bounds_error=False, fill_value=(1.0, 2.0))(q) ** 2
y, q = SINE, PLACES: interpolate.interp1d(KNOTS[::-1].copy(), y)(q) ** 2
y, q = IMAGE, PLACES: interpolate.interp1d(KNOTS[:8], y)(q) ** 2
q = PLACES: POLYGON(q) ** 2
q = PLACES * 3 - 2: POLYGON(q) ** 2
q = PLACES * 3 - 2: FILLED(q) ** 2
y, q = SINE, PLACES: interpolate.CubicSpline(KNOTS, y, bc_type='natural')(q, 1) ** 2
q = PLACES: SPLINE(q, 2) ** 2
q = PLACES: SPLINE.derivative()(q) ** 2
a = np.float64(2.0): optimize.brentq(lambda t, c: t * t - c, 0.0, 5.0, (a,))
a = np.float64(2.0): optimize.brentq(lambda t, c: t * t - c, 0.0, 5.0, args=a)
a = np.float64(2.0): optimize.ridder(lambda t: t ** 3 - a, 0.0, 5.0)
a = np.float64(2.0): optimize.newton(lambda t: t ** 3 - a, 1.0, lambda t: 3 * t * t)
a = np.float64(2.0): optimize.newton(lambda t, c: t ** 3 - c, 1.0, None, (a,))
a = ABOVE_ZERO[:3]: optimize.newton(lambda t: t ** 3 - a, np.ones(3))
a = np.float64(2.0): optimize.root_scalar(lambda t: t ** 3 - a, bracket=[0.0, 5.0]).root
a = np.float64(2.0): optimize.root_scalar(lambda t, c: t ** 3 - c, args=(a,), x0=1.0, x1=1.2).root
a = np.float64(2.0): optimize.fixed_point(lambda t: np.sqrt(t + a), 1.0)
a = ABOVE_ZERO[:3]: optimize.fsolve(lambda t: [t[0] * t[1] - a[0], t[0] - a[1] * t[1]], [1.0, 1.5])
a = ABOVE_ZERO[:3]: optimize.fsolve(lambda t, c: t ** 3 - c, np.ones(3), (a,))
a = ABOVE_ZERO[:3]: optimize.root(lambda t: t ** 3 - a, np.ones(3), jac=lambda t: np.diag(3 * t * t)).x
a = ABOVE_ZERO[:3]: optimize.minimize(lambda t: np.sum((t - a) ** 2) + np.sum(a * a), np.zeros(3)).fun
a = np.float64(2.0): optimize.minimize_scalar(lambda t: (t - a) ** 2 + a).fun
a = ABOVE_ZERO[:3]: optimize.least_squares(lambda t: t ** 3 - a, np.ones(3), xtol=1e-12, ftol=1e-12, gtol=1e-12).x
x = IMAGE[:5]: ndimage.maximum_filter(x, 3) * IMAGE[:5]
x = IMAGE[:5]: ndimage.minimum_filter(x, size=(3, 2), mode='wrap') * IMAGE[:5]
x = IMAGE[:5]: ndimage.median_filter(x, footprint=np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]])) * IMAGE[:5]
x = IMAGE[:5]: ndimage.median_filter(x, 2, mode='constant', cval=0.3) * IMAGE[:5]
x = IMAGE[:5]: ndimage.percentile_filter(x, 20, 3) * IMAGE[:5]
x = IMAGE[:5]: ndimage.percentile_filter(x, -30, 3) * IMAGE[:5]
x = IMAGE[:5]: ndimage.rank_filter(x, -2, 3, origin=(1, 0)) * IMAGE[:5]
x = SIGNAL: ndimage.maximum_filter1d(x, 4) * SIGNAL
x = IMAGE[:5]: ndimage.minimum_filter1d(x, 3, axis=0, origin=1) * IMAGE[:5]
x = IMAGE[:5]: ndimage.gaussian_laplace(x, 0.6) * IMAGE[:5]
x = IMAGE[:5]: ndimage.gaussian_gradient_magnitude(x, (0.6, 0.8), mode='nearest') * IMAGE[:5]
x = IMAGE[:5]: ndimage.gaussian_filter(x, (0.6, 0)) * IMAGE[:5]
x = IMAGE[:5]: ndimage.gaussian_filter(x, [0.6, 0.9], order=(1, 3), mode=['wrap', 'nearest']) * IMAGE[:5]
x, s = SIGNAL, np.float64(0.8): ndimage.gaussian_filter1d(x, s, order=2, radius=3) * SIGNAL
x = SIGNAL[:5]: ndimage.gaussian_filter1d(x, 3.0, mode='mirror') * SIGNAL[:5]
x = IMAGE[:5]: ndimage.convolve(x, [[1.0, 2, 1], [0, 1, 0], [0, 0, 1]]) * IMAGE[:5]
x = IMAGE[:5]: ndimage.uniform_filter(x, size=(3, 4)) * IMAGE[:5]
x = SIGNAL: signal.filtfilt([0.5, 0.5], [1.0], x) * SIGNAL
x = SIGNAL: signal.filtfilt(*signal.butter(2, 0.3), x) * SIGNAL
x = SIGNAL: signal.sosfiltfilt(signal.butter(2, 0.3, output='sos'), x) * SIGNAL
x = IMAGE: signal.savgol_filter(x, 5, 2, deriv=1, axis=0, mode='wrap') * IMAGE
x = SIGNAL: signal.savgol_filter(x, 5, 2, mode='constant', cval=0.7) * SIGNAL
x = SIGNAL: signal.detrend(x, type='constant') * SIGNAL
x = IMAGE: signal.detrend(x, axis=0) * IMAGE
x = SIGNAL: np.abs(signal.hilbert(x))
x = SIGNAL: signal.resample_poly(x, 2, 3) ** 2
x = SIGNAL: signal.decimate(x, 2) ** 2
x = SIGNAL: signal.upfirdn([1.0, 2, 1], x, 2) ** 2
x, y = SIGNAL, SHORT: signal.correlate(x, y, 'same') ** 2
x, y = SHORT, SIGNAL: signal.correlate(x, y, 'valid') ** 2
x, y = SHORT, SIGNAL: signal.correlate(x, y, 'same') ** 2
x, y = SHORT, SIGNAL: signal.convolve(x, y, 'same') ** 2
x, y = IMAGE, SQUARE: signal.correlate2d(x, y, 'same', 'symm') ** 2
x, y = IMAGE, SQUARE[:3]: signal.correlate2d(x, y, 'same') ** 2
x, y = SIGNAL, SHORT[:4]: signal.correlate(x, y, 'same') ** 2
x, y = IMAGE, SQUARE[:3]: signal.convolve2d(x, y, 'full', 'wrap') ** 2
x, y = IMAGE, SQUARE[:3]: signal.convolve2d(x, y, 'same', 'fill', 0.5) ** 2
s = np.float64(2.0): signal.windows.gaussian(12, s, sym=False) * SINE
s = np.float64(2.0): signal.windows.kaiser(12, s) * SINE
s = np.float64(2.0): signal.windows.exponential(12, tau=s) * SINE
s = np.float64(2.0): signal.windows.exponential(12, s, 3.0, False) * SINE
p, s = np.float64(1.5), np.float64(3.0): signal.windows.general_gaussian(12, p, s) * SINE
a = ABOVE_ZERO[:3]: signal.windows.general_cosine(12, a) * SINE
a = np.float64(0.5): signal.windows.general_hamming(12, a) * SINE
x = IMAGE: np.abs(fft.fft(x, n=9, axis=0, norm='ortho')) ** 2
x = IMAGE: np.abs(fft.rfft2(x)) ** 2
x = IMAGE: fft.irfft(x) ** 2
x = IMAGE: fft.dct(x, type=3, axis=0, norm='ortho') ** 2
x = IMAGE: fft.idst(x) ** 2
x = ABOVE_ZERO[:5]: special.k1(x)
x = ABOVE_ZERO[:5]: special.y0(x) * special.y1(x)
x = ABOVE_ZERO[:5]: special.exp1(x) * special.expi(x)
x, y = ABOVE_ZERO[:5], SIGNAL[:5]: special.pseudo_huber(x, y)
x, y = ABOVE_ZERO[:5] + 2, ABOVE_ZERO[5:10]: special.binom(x, y)
x, y = ABOVE_ZERO[:5] + 2, ABOVE_ZERO[5:10]: special.poch(x, y)
y = SINE: integrate.cumulative_simpson(y, dx=0.3, initial=0) ** 2
"""


WITHOUT_DERIVATIVE = """
b = ABOVE_ZERO[:3]: signal.filtfilt(b, [1.0], SIGNAL)
s = np.float64(0.8): ndimage.gaussian_filter1d(SIGNAL, s)
x = SIGNAL: signal.lfilter([1.0, 0.5], [1.0, 0.2], x, zi=x[:1])[0]
x = KNOTS: interpolate.CubicSpline(x, SINE)(PLACES)
x = NEAR: linalg.eigh(x, subset_by_index=[0, 1])[0]
x = NEAR: linalg.solve(x, ROW, assume_a='banded')
x = TALL: linalg.svd(x)[0]
x = SQUARE: linalg.svd(x * 1j)[1]
x = SQUARE: linalg.qr(x, pivoting=True)[1]
x = TALL: linalg.qr(x)[0]
x = TALL: linalg.lu(x)[1]
x = SQUARE: linalg.lu(x, permute_l=True)[0]
x = TALL: linalg.pinv(x, rtol=0.4)
x = TALL: linalg.pinv(x, return_rank=True)[0]
x = ROW: stats.multivariate_normal.logpdf(x, np.zeros(4), POSITIVE, allow_singular=True)
s = np.float64(2.0): stats.norm(0.0, s).entropy()
r = POINTS: Rotation.from_rotvec(r).mean().as_quat()
x, y = POINTS, FEW_POINTS: distance.cdist(x, y, 'jensenshannon')
x, y = POINTS, FEW_POINTS: distance.cdist(x, y, 'chebyshev', w=WEIGHTS)
y = SINE: interpolate.interp1d(KNOTS, y, kind='nearest')(PLACES)
a = ABOVE_ZERO[:3]: optimize.fsolve(lambda t: t ** 3 - a, np.ones(3), full_output=True)[0]
a = ABOVE_ZERO[:3]: optimize.minimize(lambda t: np.sum((t - a) ** 2), np.zeros(3), bounds=[(0, None)] * 3).x
a = ABOVE_ZERO[:3]: optimize.minimize(lambda t: (np.sum((t - a) ** 2), 2 * (t - a)), np.zeros(3), jac=True).x
"""
