"""Programs with SciPy's signals, points, statistics, graphs and images, as people write them."""

import numpy as np
from scipy import cluster, fft, ndimage, optimize, signal, sparse, spatial, special, stats
from scipy.interpolate import CubicSpline
from scipy.signal import savgol_filter, welch
from scipy.sparse import csr_matrix, diags
from scipy.sparse.linalg import spsolve
from scipy.spatial import ConvexHull, KDTree, distance
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


@prog(SIG)
def psd(sig):
    f, pxx = welch(sig, fs=100.0, nperseg=64)
    return f[np.argmax(pxx)], pxx


@prog(SIG)
def stft(sig):
    f, t, z = signal.stft(sig, fs=100, nperseg=32)
    return np.abs(z).max(axis=1), t


@prog(SIG)
def savgol(sig):
    return (
        savgol_filter(sig, 11, 3),
        signal.medfilt(sig, 5),
        signal.detrend(sig),
        signal.hilbert(sig),
    )


@prog(SIG)
def envelope(sig):
    a = signal.hilbert(sig)
    env = np.abs(a)
    ph = np.unwrap(np.angle(a))
    return env, np.diff(ph) / (2 * np.pi) * 100


@prog(SIG, B)
def corr(sig, k):
    c = signal.correlate(sig, k, mode="same")
    lag = signal.correlation_lags(len(sig), len(k), mode="same")
    return lag[np.argmax(c)], signal.resample(sig, 50), signal.decimate(sig, 2)


@prog(PTS, np.array([0.0, 0.1]))
def neighbours(pts, q):
    tree = KDTree(pts)
    d, i = tree.query(q, k=3)
    return d, i, pts[i].mean(axis=0)


@prog(PTS)
def ball(pts):
    tree = KDTree(pts)
    pairs = tree.query_pairs(0.5)
    return sorted(pairs)


@prog(PTS)
def ball_counts(pts):
    tree = spatial.cKDTree(pts)
    return [len(tree.query_ball_point(p, 0.5)) for p in pts]


@prog(PTS)
def hull(pts):
    h = ConvexHull(pts)
    return h.vertices, h.area, h.volume, pts[h.vertices]


@prog(PTS)
def delaunay(pts):
    tri = spatial.Delaunay(pts)
    t = pts[tri.simplices]
    a = t[:, 1] - t[:, 0]
    b = t[:, 2] - t[:, 0]
    return np.abs(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum() / 2


@prog(PTS)
def dists(pts):
    d = distance.squareform(distance.pdist(pts))
    return d.max(), distance.cdist(pts[:3], pts, "cityblock"), distance.cosine(pts[0], pts[1])


@prog(SIG[:50], SIG[50:100])
def ttest(a, b):
    r = stats.ttest_ind(a, b)
    t, p = stats.ttest_rel(a, b)
    return r.statistic, r.pvalue, t, p


@prog(X, Y)
def linreg(x, y):
    r = stats.linregress(x, y)
    return r.slope, r.intercept, r.rvalue**2, r.pvalue


@prog(X, Y)
def correlations(x, y):
    r, p = stats.pearsonr(x, y)
    s = stats.spearmanr(x, y)
    return r, p, s.correlation, stats.kendalltau(x, y)[0]


@prog(SIG[:50])
def describe(a):
    n, (lo, hi), mean, var, sk, ku = stats.describe(a)
    return (
        n,
        lo,
        hi,
        mean,
        var,
        sk,
        ku,
        stats.zscore(a),
        stats.sem(a),
        stats.iqr(a),
        stats.trim_mean(a, 0.1),
    )


@prog(SIG[:50])
def normality(a):
    w, p = stats.shapiro(a)
    k, q = stats.kstest(a, "norm")
    mu, sd = stats.norm.fit(a)
    return (
        w,
        p,
        k,
        q,
        mu,
        sd,
        stats.norm.cdf(a, mu, sd),
        stats.norm.interval(0.95, loc=a.mean(), scale=stats.sem(a)),
    )


@prog(np.array([[10, 20], [15, 5]]))
def chi2(t):
    chi, p, dof, exp = stats.chi2_contingency(t)
    return chi, p, dof, exp


@prog(SIG[:20], SIG[20:40], SIG[40:60])
def anova(a, b, c):
    f, p = stats.f_oneway(a, b, c)
    u = stats.mannwhitneyu(a, b)
    return f, p, u.statistic, u.pvalue


@prog(SIG[:50], X)
def kde(a, grid):
    k = stats.gaussian_kde(a)
    return k(grid), k.integrate_box_1d(-1, 1)


@prog(S, B)
def sparse_solve(a, b):
    m = csr_matrix(a)
    return spsolve(m, b), m.dot(b), m.nnz


@prog(B)
def poisson(b):
    n = len(b)
    A = diags([-1, 2, -1], [-1, 0, 1], shape=(n, n), format="csc")
    return spsolve(A, b), A @ b


@prog(np.array([0, 1, 2, 0]), np.array([1, 2, 3, 3]), np.array([1.0, 2.0, 1.5, 7.0]))
def shortest(i, j, w):
    g = sparse.coo_matrix((w, (i, j)), shape=(4, 4)).tocsr()
    d = sparse.csgraph.dijkstra(g, indices=0)
    n, lab = sparse.csgraph.connected_components(g, directed=False)
    return d, n, lab


@prog(PTS)
def hier(pts):
    z = cluster.hierarchy.linkage(pts, "ward")
    lab = cluster.hierarchy.fcluster(z, 3, criterion="maxclust")
    return z, lab, np.bincount(lab)


@prog(PTS)
def kmeans2(pts):
    c, lab = cluster.vq.kmeans2(pts, pts[:3].copy(), minit="matrix")
    code, d = cluster.vq.vq(pts, c)
    return c, lab, code, d.sum()


@prog(SIG)
def spectrum(sig):
    f = fft.rfft(sig)
    fr = fft.rfftfreq(len(sig), 0.01)
    f[np.abs(f) < 10] = 0
    return (
        fr[np.argmax(np.abs(f))],
        fft.irfft(f, n=len(sig)),
        fft.dct(sig, norm="ortho"),
        fft.next_fast_len(len(sig)),
    )


@prog(PTS)
def images(p):
    g = ndimage.gaussian_filter(p, 1.0)
    lab, n = ndimage.label(p > 0)
    return g, lab, n, ndimage.sum(p, lab, range(1, n + 1)), ndimage.center_of_mass(p)


@prog(X)
def specials(x):
    return (
        special.gamma(x + 1),
        special.erf(x),
        special.comb(5, 2),
        special.expit(x),
        special.logsumexp(x),
        special.jv(0, x),
        special.softmax(x),
    )


@prog(X, Y)
def newton_root(x, y):
    cs = CubicSpline(x, y)
    return optimize.newton(lambda t: cs(t) - 0.5, 0.5), cs.roots()


@prog(np.array([[4, 1, 3], [2, 0, 5], [3, 2, 2]]))
def assign(cost):
    r, c = optimize.linear_sum_assignment(cost)
    return r, c, cost[r, c].sum()


@prog(np.array([0.3, 0.2, 0.5]))
def rotation(v):
    r = spatial.transform.Rotation.from_rotvec(v)
    return r.as_matrix(), r.apply(np.eye(3)), r.as_quat(), (r * r.inv()).magnitude()
