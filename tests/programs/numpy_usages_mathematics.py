"""Further ordinary usages of NumPy: mathematics, statistics, sorting, linear algebra, dtypes.

The file is long because it is a collection of independent usages.
"""

import numpy as np
from numpy_usages import usages

# -- ufuncs ----------------------------------------------------------------------------------------

usages(
    "ufuncs",
    lambda x: (np.sin(x), np.cos(x), np.tan(x), np.arctan(x), np.sinh(x), np.cosh(x), np.tanh(x)),
    lambda u: (np.arcsin(u), np.arccos(u), np.arctanh(u / 2), np.arccosh(u + 1), np.arcsinh(u)),
    lambda u: (np.asin(u), np.acos(u), np.atan(u), np.atan2(u, u), np.pow(u, 2)),
    lambda u: (np.exp(u), np.exp2(u), np.expm1(u), np.log(u), np.log2(u), np.log10(u), np.log1p(u)),
    lambda x: (np.abs(x), np.fabs(x), np.sign(x), np.square(x), np.cbrt(x), np.reciprocal(x)),
    lambda u: (np.sqrt(u), np.sqrt(4), np.sqrt(u[0])),
    lambda x: (np.floor(x), np.ceil(x), np.trunc(x), np.rint(x), np.fix(x), np.around(x, 1)),
    lambda x, y: (np.maximum(x, y), np.minimum(x, 0), np.fmax(x, y), np.fmin(x, y)),
    lambda x, y: (np.add(x, y), np.subtract(x, y), np.multiply(x, 2), np.divide(x, y)),
    lambda x, y: (np.true_divide(x, y), np.floor_divide(x, y), np.mod(x, y), np.fmod(x, y)),
    lambda x, y: (np.power(y, 2), np.float_power(y, 2), np.hypot(x, y), np.arctan2(x, y)),
    lambda x, y: (np.logaddexp(x, y), np.logaddexp2(x, y), np.copysign(x, y), np.nextafter(x, y)),
    lambda x: np.modf(x),
    lambda x: np.frexp(x),
    lambda x: np.ldexp(x, 2),
    lambda x, y: np.divmod(x, y),
    lambda q: (
        np.isnan(q),
        np.isinf(q),
        np.isfinite(q),
        np.signbit(q),
        np.isposinf(q),
        np.isneginf(q),
    ),
    lambda x, y: (np.equal(x, y), np.less(x, y), np.greater_equal(x, 0), np.not_equal(x, 0)),
    lambda b: (
        np.logical_and(b, True),
        np.logical_or(b, b),
        np.logical_not(b),
        np.logical_xor(b, b),
    ),
    lambda i: (np.bitwise_and(i, 1), np.bitwise_or(i, 8), np.invert(i), np.left_shift(i, 1)),
    lambda i: (np.bitwise_count(i), np.bitwise_not(i), np.bitwise_invert(i), np.right_shift(i, 1)),
    lambda i: (np.gcd(i, 6), np.lcm(i, 4), np.negative(i), np.positive(i)),
    lambda x: (np.degrees(x), np.radians(x), np.deg2rad(x), np.rad2deg(x), np.heaviside(x, 0.5)),
    lambda z: (np.conj(z), np.conjugate(z), np.abs(z), np.angle(z), np.real(z), np.imag(z)),
    lambda z: (np.exp(z), np.sqrt(z), np.isreal(z), np.iscomplex(z), np.angle(z, deg=True)),
    lambda m, x: (np.matmul(m, x), np.vecdot(m, m), np.matvec(m, m[0]), np.vecmat(m[0], m)),
    lambda x: (np.sinc(x), np.i0(x), np.nan_to_num(x), np.spacing(x)),
    lambda q: (np.nan_to_num(q), np.nan_to_num(q, nan=1.0), np.nan_to_num(q, posinf=9, neginf=-9)),
    lambda x, y: np.add(x, y, dtype=np.float32, casting="same_kind"),
    lambda i: np.add(i, 1, dtype=np.float64),
    lambda i: np.sqrt(i, dtype=np.float32),
    lambda x, y: np.subtract(x, y, out=np.zeros((3, 4))),
    lambda x, y: (np.add(x, y, out=x), x),
    lambda x, y: (np.add(x, y, x), x),
    lambda x, y: (np.add(x, y, out=(x,)), x),
    lambda x: (np.exp(x[0], out=x[1]), x),
    lambda x, p: np.multiply(x, 2, out=np.zeros((3, 4)), where=p),
    lambda x, y, p: (np.add(x, y, out=x, where=p), x),
    lambda x: np.divide(1.0, x, out=np.zeros_like(x), where=x != 0),
    lambda x: np.log(x, out=np.full(x.shape, -1.0), where=x > 0),
    lambda x: np.modf(x, out=(np.zeros((3, 4)), np.zeros((3, 4)))),
    lambda x: np.modf(x, out=(x, None)),
    lambda x: np.frexp(x, np.zeros((3, 4))),
    lambda i, v: (np.add(i, i, out=v), v),
    lambda f: np.sin(f, out=np.zeros(3)),
    lambda x: np.exp(x, casting="unsafe", dtype="f4"),
    lambda x: np.add(x, 1, order="F"),
    lambda x: np.add(x, 1, subok=False),
    lambda i: np.add(i, i, signature="dd->d"),
    lambda v: np.sqrt([1.0, 4.0]) + v[:2],
    lambda v: np.add([1, 2], v[:2]),
    lambda v: np.maximum(v, [0.0] * 5),
    lambda n: np.add(n, 1) + np.subtract(2, n),
    lambda n: np.maximum(n, 2),
    lambda s: (np.sin(s), np.add(s, 1), np.exp(-s)),
    lambda s: np.add(1, 2) * s,
    lambda s: np.abs(-3) * s,
)

usages(
    "methods of ufuncs",
    lambda x: (np.add.reduce(x), np.add.reduce(x, axis=1), np.multiply.reduce(x, axis=None)),
    lambda x: (np.maximum.reduce(x), np.minimum.reduce(x, axis=1, keepdims=True)),
    lambda x, p: np.add.reduce(x, where=p, initial=0),
    lambda x: np.add.reduce(x, axis=(0, 1)),
    lambda x: (np.add.accumulate(x), np.maximum.accumulate(x, axis=1)),
    lambda v: np.multiply.accumulate(v),
    lambda v, w: (np.multiply.outer(v, w), np.subtract.outer(v, w), np.maximum.outer(v, w)),
    lambda v: np.add.reduceat(v, [0, 2, 4]),
    lambda v, i: np.add.reduceat(v, np.sort(i)[:2]),
    lambda x: np.add.reduceat(x, [0, 2], axis=1),
    lambda v, i: (np.add.at(v, i, 1.0), v),
    lambda v, i: (np.add.at(v, [0, 0, 1], 2.0), v),
    lambda v, i, w: (np.maximum.at(v, i, w), v),
    lambda x, n: (np.add.at(x, (slice(None), 0), 1.0), x),
    lambda x, n: (np.add.at(x, ([0, 1], [1, 2]), 1.0), x),
    lambda v: (np.negative.at(v, [0, 1]), v),
    lambda b: (np.logical_and.reduce(b), np.logical_or.reduce(b), np.bitwise_xor.reduce(b)),
    lambda i: np.bitwise_or.reduce(i),
    lambda v: np.add.reduce(v, out=np.zeros(())),
    lambda v: np.add.accumulate(v, out=np.zeros(5)),
    lambda v: np.logaddexp.reduce(v),
    lambda v: np.hypot.reduce(v),
    lambda i: np.gcd.reduce(i),
    lambda b, v: np.logical_and(b, v > 0).any(),
    lambda x: (np.add.nin, np.add.identity, np.add.__name__, x),
)

usages(
    "functions of Python's that arrays are mapped over",
    lambda x: np.apply_along_axis(np.sum, 0, x),
    lambda x: np.apply_along_axis(lambda row: row.max() - row.min(), 1, x),
    lambda x: np.apply_along_axis(np.sort, 1, x),
    lambda x: np.apply_along_axis(lambda row, by: row * by, 0, x, 2.0),
    lambda c: np.apply_along_axis(lambda row: np.outer(row, row), 1, c),
    lambda x: np.vectorize(lambda value: value * 2 if value > 0 else 0.0)(x),
    lambda v: np.vectorize(lambda value, by: value + by)(v, 2),
    lambda v: np.vectorize(lambda value: value > 0)(v),
    lambda v: np.vectorize(lambda value: (value, value * 2))(v),
    lambda v: np.vectorize(lambda value: value, otypes=[np.float32])(v),
    lambda x: np.piecewise(x, [x < 0, x >= 0], [-1, 1]),
    lambda x: np.piecewise(x, [x < 0, x >= 0], [lambda values: -values, lambda values: values * 2]),
    lambda x: np.piecewise(x, [x < 0], [lambda values: -values, 5.0]),
    lambda n: np.fromfunction(lambda r, c: r + c, (3, 3), dtype=int),
    lambda n: np.fromfunction(lambda r: r == n, (5,)),
)


# -- sums, statistics, sorting ---------------------------------------------------------------------

usages(
    "reductions",
    lambda x: (np.sum(x), np.sum(x, 0), np.sum(x, axis=(0, 1)), np.sum(x, keepdims=True)),
    lambda x, p: (np.sum(x, where=p), np.sum(x, initial=3.0), np.prod(x, axis=1, where=p)),
    lambda x: (np.sum(x, dtype=np.float32), np.mean(x, dtype=np.float32), np.sum([1, 2]) + x),
    lambda i: (np.sum(i), np.sum(i, dtype=np.int8), np.mean(i), np.prod(i + 1)),
    lambda x: (np.mean(x), np.mean(x, 0), np.std(x), np.var(x, ddof=1), np.median(x)),
    lambda x, p: (
        np.mean(x, where=x > -9),
        np.std(x, where=x > 0),
        np.var(x, axis=0, keepdims=True),
    ),
    lambda x: (np.max(x), np.min(x, 0), np.amax(x, 1), np.amin(x), np.ptp(x), np.ptp(x, axis=0)),
    lambda x, p: (np.max(x, where=p, initial=0.0), np.min(x, axis=1, initial=-100)),
    lambda x: (np.argmax(x), np.argmin(x, 0), np.argmax(x, axis=1, keepdims=True)),
    lambda x, p: (
        np.any(x > 1),
        np.all(x, 0),
        np.any(p, axis=1, keepdims=True),
        np.all(x, where=p),
    ),
    lambda x: (np.cumsum(x), np.cumsum(x, 0), np.cumprod(x, axis=1), np.cumsum(x, dtype="f4")),
    lambda v: (
        np.cumulative_sum(v),
        np.cumulative_prod(v),
        np.cumulative_sum(v, include_initial=True),
    ),
    lambda q: (np.nansum(q), np.nanmax(q), np.nanmin(q), np.nanprod(q[:2]), np.nancumsum(q)),
    lambda q: (
        np.nanmean(q[[0, 1, 4]]),
        np.nanstd(q[[0, 1, 4]]),
        np.nanmedian(q),
        np.nanvar(q[:2]),
    ),
    lambda q: (np.nanargmax(q), np.nanargmin(q), np.nanpercentile(q, 50), np.nanquantile(q, 0.5)),
    lambda x: (np.percentile(x, 50), np.percentile(x, [25, 75]), np.percentile(x, 30, axis=0)),
    lambda x, s: (np.quantile(x, 0.5), np.quantile(x, s), np.quantile(x, 0.3, method="lower")),
    lambda x: (np.median(x, axis=0), np.median(x, axis=1, keepdims=True)),
    lambda v, w: (np.average(v), np.average(v, weights=w), np.average(v, weights=w, returned=True)),
    lambda x: np.average(x, axis=1, weights=[1, 2, 3, 4]),
    lambda x: (np.cov(x), np.corrcoef(x), np.cov(x, rowvar=False), np.cov(x[0], x[1])),
    lambda v, w: (np.correlate(v, w), np.correlate(v, w[:2], "full"), np.convolve(v, w[:3])),
    lambda v, w: (np.convolve(v, [1, 2], "same"), np.convolve(v, w, mode="valid")),
    lambda v: np.histogram(v),
    lambda v: np.histogram(v, bins=3),
    lambda v: np.histogram(v, bins=[-2, 0, 2, 10]),
    lambda v, w: np.histogram(v, bins=3, weights=w),
    lambda v: np.histogram(v, 4, range=(0, 8), density=True),
    lambda v, w: np.histogram2d(v, w, bins=2),
    lambda v, w: np.histogramdd(np.stack([v, w], 1), bins=2),
    lambda v: np.histogram_bin_edges(v, 3),
    lambda i: (np.bincount(i), np.bincount(i, minlength=6)),
    lambda i, v: np.bincount(i, weights=v),
    lambda v: np.digitize(v, [0, 1, 5]),
    lambda v, w: np.digitize(v, np.sort(w), right=True),
    lambda x: (np.count_nonzero(x), np.count_nonzero(x > 1, axis=0)),
    lambda v: (np.diff(v), np.diff(v, n=2), np.diff(v, prepend=0), np.diff(v, append=[1, 2])),
    lambda x: (np.diff(x), np.diff(x, axis=0), np.ediff1d(x)),
    lambda v: np.diff(v, n=0),
    lambda v: (np.gradient(v), np.gradient(v, 2.0), np.gradient(v, edge_order=2)),
    lambda v, u: np.gradient(v, u),
    lambda x: np.gradient(x),
    lambda x: np.gradient(x, axis=0),
    lambda v: (np.trapezoid(v), np.trapezoid(v, dx=0.5)),
    lambda v, u: np.trapezoid(v, u),
    lambda u, v: (np.interp(0.3, u, v), np.interp([0.15, 0.5], u, v), np.interp(u + 0.1, u, v)),
    lambda u, v: np.interp(0.0, u, v, left=-1, right=9),
    lambda s, u, v: np.interp(s, u, v),
    lambda u: np.interp(2.5, [1, 2, 3], [3.0, 2.0, 0.0]) * u,
    lambda v: np.unwrap(v),
    lambda e: (np.sum(e), np.prod(e), np.any(e), np.all(e), np.cumsum(e)),
    lambda x: np.max(x, axis=(0, 1)),
    lambda v: np.sum(v * 2 for v in [v]) if False else np.sum([v, v]),
    lambda v: np.mean([v[0], v[1]]),
    lambda v: np.max([v[0], 2.0]),
    lambda v: np.sum((v, v), axis=0),
)

usages(
    "sorting, searching, sets",
    lambda v: (np.sort(v), np.sort(v)[::-1], np.sort(v, kind="stable"), np.argsort(v)),
    lambda x: (np.sort(x), np.sort(x, axis=0), np.sort(x, axis=None), np.argsort(x, axis=0)),
    lambda x: (np.argsort(x, kind="mergesort"), np.sort(x, stable=True)),
    lambda i: np.argsort(i, stable=True),
    lambda z: (np.sort(z), np.sort_complex(z)),
    lambda v: (np.partition(v, 2)[2], np.argpartition(v, 2)[2]),
    lambda i, v: np.lexsort((v, i)),
    lambda i: np.lexsort((i,)),
    lambda w: (np.searchsorted([1, 2, 3], w), np.searchsorted([1, 2, 3], 2, side="right")),
    lambda w, s: np.searchsorted(np.sort(w), s),
    lambda w: np.searchsorted(w, 1.5, sorter=np.argsort(w)),
    lambda x: (np.nonzero(x > 1), np.flatnonzero(x > 1), np.argwhere(x > 1), np.where(x > 1)),
    lambda b: np.nonzero(b)[0],
    lambda x, y: (np.where(x > 0, x, y), np.where(x > 0, 1, 0), np.where(x > 0, x, 0)),
    lambda s: np.where(s > 0, 1.0, 2.0),
    lambda v, w: np.where(True, v, w),
    lambda x: np.select([x < 0, x > 2], [-x, x * 2], default=7.0),
    lambda x: np.select([x < 0, x > 2], [-1, 1]),
    lambda i: np.unique(i),
    lambda i: np.unique(i, return_counts=True),
    lambda i: np.unique(i, return_index=True, return_inverse=True),
    lambda j: np.unique(j, axis=0),
    lambda i: (np.unique_values(i), np.unique_counts(i), np.unique_inverse(i)),
    lambda i: (np.intersect1d(i, [1, 2, 9]), np.union1d(i, [9]), np.setdiff1d(i, [2])),
    lambda i: (np.setxor1d(i, [2, 9]), np.isin(i, [1, 2]), np.isin(i, [1], invert=True)),
    lambda i: np.intersect1d(i, [3, 1], return_indices=True),
    lambda i: len(np.unique(i)),
    lambda i: np.unique(i).size,
    lambda i: np.unique(i).shape,
    lambda v: (np.allclose(v, v + 1e-12), np.isclose(v, v + 1e-3), np.array_equal(v, v)),
    lambda q: (
        np.array_equal(q, q),
        np.array_equal(q, q, equal_nan=True),
        np.allclose(q, q, equal_nan=True),
    ),
    lambda v, w: (np.array_equal(v, w), np.array_equal(v, w[:2]), np.array_equiv(v, w)),
    lambda x: (np.unravel_index(5, x.shape), np.ravel_multi_index((1, 2), (3, 4))),
    lambda n: np.unravel_index(n, (3, 4)),
    lambda x: (np.isscalar(x), np.iterable(x)),
    lambda s: np.isscalar(s),
    lambda x: np.clip(x, -1, 1),
    lambda x: (np.clip(x, None, 2), np.clip(x, 0, None), np.clip(x, a_min=0, a_max=1)),
    lambda x: np.clip(x, min=0),
    lambda x: np.clip(x, 0, 1, out=np.zeros((3, 4))),
    lambda x: np.clip(x, [0, 0, 1, 1], 2),
    lambda i: (np.clip(i, 0, 2), np.clip(i, 0.5, 2)),
    lambda i: np.clip(i, 1, 1.5),
    lambda k: np.clip(k, 5, 100),
    lambda x: (np.round(x), np.round(x, 1), np.round(x, 2), np.round(x, -1), np.around(x)),
    lambda i: (np.round(i), np.round(i, 1), np.round(i, -1)),
    lambda f: (np.round(f), np.round(f, 1)),
    lambda s: (np.round(s, 1), np.round(s)),
    lambda z: np.round(z, 1),
    lambda x: np.round(x, 1, out=np.zeros((3, 4))),
)

usages(
    "copying and writing functions",
    lambda v, w: (np.copyto(v, w), v),
    lambda v, w: (np.copyto(v, w, where=v > 0), v),
    lambda v: (np.copyto(v, 1), v),
    lambda i: (np.copyto(i, 2.0, casting="unsafe"), i),
    lambda v: (np.put(v, [0, 2], [7, 8]), v),
    lambda x: (np.put(x, [0, 2], [7, 8]), x),
    lambda v: (np.put(v, [0, 2, 3], [7, 8]), v),
    lambda v: (np.put(v, 9, 1.0, mode="wrap"), v),
    lambda v: (np.place(v, v > 0, [1.0, 2.0]), v),
    lambda v: (np.putmask(v, v > 0, 0.0), v),
    lambda v: (np.putmask(v, v > 0, v * 2), v),
    lambda v: (np.putmask(v, v > 0, [1.0, 2.0]), v),
    lambda x: (np.put_along_axis(x, np.argmax(x, axis=1, keepdims=True), 99.0, axis=1), x),
    lambda m: (np.fill_diagonal(m, 0), m),
    lambda m: (np.fill_diagonal(m, [1, 2, 3]), m),
    lambda x: (np.fill_diagonal(x, 1), x),
    lambda x: (np.fill_diagonal(x.T, 1, wrap=True), x),
    lambda c: (np.fill_diagonal(c[:, :2, :2], 1), c),
    lambda x: np.nan_to_num(x, copy=False),
    lambda x: (np.nan_to_num(x, copy=False), x),
    lambda v: np.sort(v, out=v) if False else v,
    lambda x: (np.sum(x, axis=0, out=x[0]), x),
    lambda x: (np.mean(x, axis=1, out=np.zeros(3)), x),
    lambda x: (np.cumsum(x, axis=1, out=x), x),
    lambda v, w: np.concatenate([v, w], out=np.zeros(10)),
    lambda m: np.dot(m, m, out=np.zeros((3, 3))),
    lambda m: np.matmul(m, m, out=np.zeros((3, 3))),
    lambda v: np.take(v, [0, 1], out=np.zeros(2)),
    lambda x: np.median(x, axis=0, out=np.zeros(4)),
    lambda v: np.einsum("i,i->i", v, v, out=np.zeros(5)),
    lambda v, w: np.stack([v, w], out=np.zeros((2, 5))),
    lambda x: np.max(x, axis=0, out=np.zeros(4)),
    lambda x: np.argmax(x, axis=0, out=np.zeros(4, np.intp)),
)


# -- linear algebra, transforms, polynomials -------------------------------------------------------

usages(
    "linear algebra",
    lambda m, x, v, w: (np.dot(m, x), np.dot(v, w), np.vdot(v, w), np.inner(v, w), np.outer(v, w)),
    lambda m: (np.dot(m, 2.0), np.dot(m[0], m), np.inner(m, m)),
    lambda m: (np.linalg.inv(m), np.linalg.det(m), np.linalg.slogdet(m), np.linalg.pinv(m)),
    lambda m: (np.linalg.solve(m, m[0]), np.linalg.solve(m, m), np.linalg.lstsq(m, m[0])),
    lambda m: (np.linalg.cholesky(m), np.linalg.qr(m), np.linalg.svd(m)),
    lambda m: (np.linalg.svd(m, compute_uv=False), np.linalg.svd(m, full_matrices=False)),
    lambda x: (np.linalg.qr(x, mode="r"), np.linalg.svdvals(x)),
    lambda m: (np.linalg.eigh(m), np.linalg.eigvalsh(m)),
    lambda m: np.linalg.eigh(m).eigenvalues,
    lambda m: np.linalg.qr(m).Q,
    lambda m: np.linalg.svd(m).S,
    lambda m: np.linalg.slogdet(m).logabsdet,
    lambda m: (np.linalg.matrix_power(m, 3), np.linalg.matrix_rank(m), np.linalg.cond(m)),
    lambda m: np.linalg.matrix_power(m, -1),
    lambda m, v: (np.linalg.norm(v), np.linalg.norm(m), np.linalg.norm(m, axis=1)),
    lambda v: (
        np.linalg.norm(v, 1),
        np.linalg.norm(v, np.inf),
        np.linalg.norm(v, 2),
        np.linalg.norm(v, 3),
    ),
    lambda m: (
        np.linalg.norm(m, "fro"),
        np.linalg.norm(m, 2),
        np.linalg.norm(m, 1),
        np.linalg.norm(m, "nuc"),
    ),
    lambda m: (np.linalg.norm(m, axis=0, keepdims=True), np.linalg.norm(m, axis=(0, 1))),
    lambda z: np.linalg.norm(z),
    lambda i: np.linalg.norm(i),
    lambda f: np.linalg.norm(f),
    lambda m: (np.linalg.vector_norm(m), np.linalg.matrix_norm(m), np.linalg.trace(m)),
    lambda m: (np.linalg.multi_dot([m, m, m]), np.linalg.matmul(m, m), np.linalg.diagonal(m)),
    lambda v, w: (np.linalg.outer(v, w), np.linalg.vecdot(v, w), np.linalg.tensordot(v, w, axes=1)),
    lambda v, w: (np.cross(v[:3], w[:3]), np.linalg.cross(v[:3], w[:3]), np.kron(v[:2], w[:2])),
    lambda m, c: (np.tensordot(m, m), np.tensordot(c, c, axes=([0, 1], [0, 1])), np.trace(m)),
    lambda m: (np.einsum("ij,jk->ik", m, m), np.einsum("ii", m), np.einsum("ij->ji", m)),
    lambda m: np.einsum("ij,j", m, m[0]),
    lambda m: np.einsum("...j,...j->...", m, m, optimize=True),
    lambda m: np.einsum(m, [0, 1], m, [1, 2], [0, 2]),
    lambda m: np.einsum("i...->...", m),
    lambda m: np.einsum_path("ij,jk,kl->il", m, m, m)[0],
    lambda m: np.trace(m, offset=1),
    lambda c: (c @ c.swapaxes(1, 2), np.matmul(c, c.mT), np.linalg.matrix_transpose(c)),
    lambda m: np.linalg.tensorsolve(m, m[0]),
)

usages(
    "transforms and polynomials",
    lambda v: (np.fft.fft(v), np.fft.rfft(v), np.fft.ifft(v), np.fft.fft(v, 8)),
    lambda v: np.fft.irfft(np.fft.rfft(v), 5),
    lambda x: (np.fft.fft2(x), np.fft.fftn(x), np.fft.fft(x, axis=0), np.fft.fft(x, norm="ortho")),
    lambda v: (np.fft.fftshift(v), np.fft.ifftshift(v), np.fft.fftfreq(5) * v),
    lambda v: np.fft.rfftfreq(5, 0.1)[:2],
    lambda f: np.fft.fft(f),
    lambda v, s: (np.polyval(v, s), np.polyval([1, 2], v), np.polyfit(v, v * 2, 1)),
    lambda v: (np.polyder(v), np.polyint(v), np.polymul(v, [1, 2]), np.polyadd(v, [1])),
    lambda v: np.polydiv(v, [1.0, 2.0]),
    lambda v: np.polynomial.polynomial.polyval(v, [1.0, 2.0, 3.0]),
    lambda v: np.polynomial.chebyshev.chebval(v, [1.0, 2.0]),
)


# -- dtypes ----------------------------------------------------------------------------------------

usages(
    "dtypes",
    lambda x, i: (np.result_type(x, i), np.result_type(x, 1), np.result_type(i, 1.0)),
    lambda f: (
        np.result_type(f, 1.0),
        np.result_type(f, np.float64),
        np.result_type(f.dtype, "i8"),
    ),
    lambda x, f: (np.promote_types(x.dtype, f.dtype), np.can_cast(f.dtype, x.dtype)),
    lambda x: (np.issubdtype(x.dtype, np.floating), np.issubdtype(x.dtype, np.integer)),
    lambda i: (np.iinfo(i.dtype).max, np.iinfo(np.int8).min),
    lambda x: (np.finfo(x.dtype).eps, np.finfo(x.dtype).max),
    lambda x: np.isdtype(x.dtype, "real floating"),
    lambda x: (np.dtype(x.dtype), np.dtype("f4")),
    lambda i: (i.dtype.kind in "iu", i.dtype.char, i.dtype.str),
    lambda x: np.min_scalar_type(3),
    lambda x: np.common_type(x, x),
    lambda f, x: np.common_type(f, x),
    lambda x: np.iscomplexobj(x),
    lambda k: (k + 1, k + 100, k * 2, k - 5, k // 2, k / 2),
    lambda k, k8: (k + k8, k * 2.0, k8 + True, k8**2),
    lambda f: (f + 1, f * 2.5, f + np.float64(1), f + 1j, f**2),
    lambda h, f: (h + 1, h + f, h * h),
    lambda t: (t + 1, t * 2.5, t + np.float64(1), t**2, t / 3),
    lambda t, i: (t + i, i + t, t * 2),
    lambda n: (n + 1, n / 2, n * 1.5, n**2, n // 2, n % 2, -n),
    lambda k: k.astype(np.int16) + 300,
    lambda k: np.uint8(250) + k,
    lambda b: (b + b, b * 2, b / 2, b.sum(), b + 1.0),
    lambda i: i.astype(np.int32) + 1,
    lambda i: (i.astype("i4") / 2).dtype,
    lambda i: np.astype(i, np.float32),
    lambda i: np.bool(i),
    lambda x: x.astype(np.result_type(x, np.complex64)),
)

usages(
    "errors that NumPy ignores or warns of",
    lambda i: i // 0,
    lambda i: i % 0,
    lambda v: v / 0.0,
    lambda v: np.log(-v),
    lambda n: n // 0,
    lambda s: s / 0,
    lambda k: k[0] * np.uint8(200),
    lambda q: q.astype(int)[:1],
    lambda e: np.mean(e),
    lambda e: e.mean(),
    lambda v: np.sqrt(-1) * v,
    lambda q: q - q,
)


def _ignoring(v):
    with np.errstate(all="ignore"):
        return np.log(v) / 0


def _ignoring_once(v):
    with np.errstate(all="ignore"):
        quiet = np.log(-v)
    return np.log(-v), quiet


def _items(x):
    return [(index, value) for index, value in np.ndenumerate(x)]


def _places(x):
    total = 0.0
    for place in np.ndindex(x.shape):
        total = total + x[place]
    return total


def _iterated(x):
    return [float(value) * 2 for value in np.nditer(x, order="C")]


usages(
    "contexts and iterators",
    _ignoring,
    _ignoring_once,
    _items,
    _places,
    _iterated,
    lambda x: [place for place in np.ndindex(2, 2)],
    lambda x: (np.get_printoptions()["precision"], x),
)

usages(
    "little things",
    lambda v: np.lib.stride_tricks.sliding_window_view(v, 3),
    lambda v: np.lib.stride_tricks.sliding_window_view(v, 3).mean(axis=1),
    lambda v: np.packbits(v > 0),
    lambda k: np.unpackbits(k),
    lambda m: np.tri(3) * m,
    lambda j: j.T[::-1].copy(),
    lambda x: np.add(*x[:2]),
    lambda x: np.expand_dims(x.mean(axis=0), 0) - x,
    lambda x: (x - x.mean(0)) / x.std(0),
    lambda x: (
        np.exp(x - x.max(axis=1, keepdims=True))
        / np.exp(x - x.max(1, keepdims=True)).sum(1)[:, None]
    ),
    lambda v: np.sqrt(np.mean((v - v.mean()) ** 2)),
    lambda x: np.allclose(x.T.T, x),
    lambda x: np.where(np.isnan(x), 0, x).sum(),
    lambda v: v.dtype.type(3),
    lambda v: np.bitwise_xor.reduce((v > 0).astype(int)),
    lambda v: np.asarray([v, v]).shape,
    lambda v: np.asarray(v).reshape(-1, 1) * v,
    lambda i: np.equal.outer(i, i).sum(axis=0),
    lambda i: np.eye(4)[i],
)


# -- refusals, with a reason -----------------------------------------------------------------------

MEMORY = "of a staged array is not known"
NUMBER = "cannot be converted to a Python number"
NOT_SUPPORTED = "does not work on staged values"

REFUSED = [
    (MEMORY, lambda x: x.flags.owndata),
    (MEMORY, lambda x: x.strides if x[0, 0] > 9 else ()),
    (MEMORY, lambda x: x.base is None),
    (MEMORY, lambda v: v.tobytes()),
    ("order='K' is given for a staged array", lambda x: x.T.ravel(order="K")),
    ("np.nditer is called on a staged array", lambda x: list(np.nditer([x, x]))),
    ("np.errstate\\(divide='raise'\\) is entered", lambda v: np.errstate(divide="raise")),
    ("np.seterr is called", lambda v: np.seterr(all="ignore")),
    ("without out=", lambda x, p: np.add(x, 1, where=p)),
    ("np.real_if_close is called on a staged complex array", lambda z: np.real_if_close(z)),
    (
        "np.linalg.eig does not work on staged values",
        lambda m: np.linalg.eig(m)[0] if m[0, 0] > 9 else 0,
    ),
    ("np.roots does not work on staged values", lambda v: np.roots(v)[0] if v[0] > 9 else 0),
    (
        "np.poly does not work on staged values",
        lambda v: np.poly(v + 1j)[1] if v[0] > 9 else 0,
    ),
    (NOT_SUPPORTED, lambda s: s.hex()),
    (NOT_SUPPORTED, lambda x: np.median(x, overwrite_input=True)),
    (NOT_SUPPORTED, lambda v: np.r_["0,2", v, v]),
    (NOT_SUPPORTED, lambda x: np.vectorize(np.sum, signature="(n)->()")(x)),
    (NOT_SUPPORTED, lambda x: np.shares_memory(x, x[1:])),
    ("the attribute 'shape' of a staged array is set", lambda x: setattr(x, "shape", (4, 3))),
    ("cannot be an element of a set or a key of a dict", lambda n: frozenset((n, 1))),
    ("str cannot be staged", lambda n: np.where(n > 2, "a", "b")),
    (NUMBER, lambda n: "ab" * n),
    ("np.binary_repr is given the staged value `n`", lambda n: np.binary_repr(n)),
    ("np.broadcast is given the staged value `x`", lambda x: np.broadcast(x, x[0])),
    ("Polynomial is given the staged value", lambda v: np.polynomial.Polynomial([1.0, 2.0])(v)),
    ("np.ma.core.masked_invalid is given", lambda x: np.ma.masked_invalid(x).sum()),
]
