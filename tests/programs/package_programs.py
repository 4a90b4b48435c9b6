"""Programs with objects and functions of packages, as people write them: the bodies of `f(x)`.

`PROGRAMS` has for each package the code before, and the bodies, one in each paragraph.
"""

PROGRAMS: dict[str, tuple[str, str]] = {}
PROGRAMS["sklearn"] = (
    """
from sklearn.linear_model import LinearRegression, Ridge, LogisticRegression
from sklearn.preprocessing import StandardScaler
from sklearn.decomposition import PCA
from sklearn.pipeline import make_pipeline
from sklearn.cluster import KMeans
from sklearn.ensemble import RandomForestRegressor
from sklearn.tree import DecisionTreeClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.model_selection import train_test_split, cross_val_score, KFold
from sklearn.metrics import mean_squared_error, accuracy_score, r2_score, roc_auc_score
from sklearn import metrics
from sklearn.svm import SVC
from sklearn.naive_bayes import GaussianNB
model = LinearRegression().fit(X0, y0); logi = LogisticRegression().fit(X0, c0)
pipe = make_pipeline(StandardScaler(), Ridge()).fit(X0, y0); sc = StandardScaler().fit(X0)
tree = DecisionTreeClassifier(random_state=0).fit(X0, c0)
class Holder:
    def __init__(self): self.m = model
h = Holder()
""",
    """
return model.predict(x)
---
return model.predict(x) * 2 + 1
---
return x @ model.coef_ + model.intercept_
---
return pipe.predict(x).sum()
---
return logi.predict_proba(x)
---
return logi.predict(x) == 1
---
return h.m.predict(x)
---
return model.score(x, x[:, 0])
---
return sc.transform(x) @ np.ones(3)
---
return sc.fit_transform(x)
---
return StandardScaler().fit_transform(x)
---
return LinearRegression().fit(x, x[:, 0] * 2).coef_
---
return LinearRegression().fit(x, x @ np.ones(3)).predict(x[:2])
---
m = LinearRegression(); m.fit(x, x[:, 0]); return m.coef_ * 2, m.intercept_
---
m = Ridge(alpha=0.5); m.fit(x, x[:, 1]); return m.predict(x)
---
return PCA(n_components=2, random_state=0).fit(x).explained_variance_
---
return PCA(n_components=2, random_state=0).fit_transform(x)
---
return KMeans(2, random_state=0, n_init=1).fit(x).labels_
---
return KMeans(2, random_state=0, n_init=1).fit_predict(x)
---
return make_pipeline(StandardScaler(), Ridge()).fit(x, x[:, 0]).predict(x)
---
a, b = train_test_split(x, random_state=0); return a.sum(), b
---
a, b, c, d = train_test_split(x, x[:, 0], test_size=0.25, random_state=1); return LinearRegression().fit(a, c).predict(b)
---
return mean_squared_error(x[:, 0], x[:, 1])
---
return metrics.mean_absolute_error(x[:, 0], model.predict(x))
---
return accuracy_score(tree.predict(x), x[:, 0] > 0)
---
return r2_score(y0[:6], model.predict(x))
---
return roc_auc_score(np.array([0, 1, 0, 1, 0, 1]), x[:, 0])
---
return RandomForestRegressor(3, random_state=0).fit(x, x[:, 0]).predict(x)
---
return SVC().fit(x, [0, 1, 0, 1, 0, 1]).decision_function(x)
---
return GaussianNB().fit(x, np.array([0, 1, 0, 1, 0, 1])).predict_proba(x)
---
return KNeighborsClassifier(1).fit(x, [0, 1, 0, 1, 0, 1]).predict(x + 0.1)
---
return cross_val_score(LinearRegression(), x, x[:, 0], cv=3)
---
s = 0.0; [s := s + x[t].sum() for a, t in KFold(3).split(x)]; return s
---
out = 0.0;
for a, t in KFold(3).split(x): out = out + LinearRegression().fit(x[a], x[a][:, 0]).score(x[t], x[t][:, 0])
return out
---
if model.predict(x).sum() > 0: return x * 2
return x
---
y = x
for k in range(3): y = y * 0.5 + model.predict(y)[:, None]
return y
---
while np.abs(x).sum() > 1: x = x - 0.1 * model.predict(x)[:, None] * 0 - x * 0.5
return x
---
if x.sum() > 0: return model.predict(x)
return pipe.predict(x)
---
p = logi.predict_proba(x); return np.argmax(p, axis=1), p.max()
---
return rt.vmap(lambda r: model.predict(r[None])[0])(x)
---
return rt.vmap(lambda r: sc.transform(r.reshape(1, -1))[0])(x)
---
m = LinearRegression(); m.fit(X0, y0); return m.predict(x)
---
m = LinearRegression(); m.fit(X0, y0); return m
---
m = LinearRegression(); m.fit(x, x[:, 0]); return m.coef_, m.get_params()
---
return model.coef_[0] * x
---
model.set_params(fit_intercept=True); return model.predict(x)
---
return len(tree.classes_) * x
---
return model.predict(x.tolist())
---
return model.predict(np.vstack([x, x]))
---
return tree.predict(x).astype(float) + 1
""",
)
PROGRAMS["networkx"] = (
    """
import networkx as nx
G = nx.path_graph(4); nx.set_edge_attributes(G, 1.0, "weight")
""",
    """
return nx.shortest_path_length(G, 0, 3) * x
---
g = nx.from_numpy_array(np.abs(x[:3, :3])); return nx.pagerank(g)[0]
---
g = nx.from_numpy_array(np.abs(x[:3, :3])); return nx.to_numpy_array(g) * 2
---
g = nx.Graph(); g.add_weighted_edges_from([(0, 1, x[0, 0]), (1, 2, x[0, 1])]); return g.size(weight="weight")
---
return sum(d for _, d in G.degree) * x
---
t = 0.0
for a, b in G.edges: t = t + x[a] * b
return t
---
return nx.to_numpy_array(G) @ np.ones(4) * x[0, 0]
---
g = nx.Graph(); g.add_edge(0, 1, weight=float(x[0, 0])); return g.edges[0, 1]["weight"]
""",
)
PROGRAMS["numexpr"] = (
    """
import numexpr as ne
w = np.ones(3)
""",
    """
a = x; b = x + 1; return ne.evaluate("a + b")
---
return ne.evaluate("2 * x + w")
---
return ne.evaluate("a * 2", {"a": x})
---
return ne.evaluate("sum(x)")
---
return ne.evaluate("where(x > 0, x, 0)") + 1
---
y = x * 2; return ne.evaluate("sqrt(y ** 2)").sum()
---
if x.sum() > 0: return ne.evaluate("x + 1")
return ne.evaluate("x - 1")
---
y = x
for k in range(3): y = ne.evaluate("y * 2 + k")
return y
---
return ne.evaluate("w * 2") * x
---
return ne.evaluate("x > 0").astype(int)
""",
)
PROGRAMS["xarray"] = (
    """
import xarray as xr
da = xr.DataArray(np.arange(6.0).reshape(2, 3), dims=("t", "u"), coords={"t": [0, 1]})
ds = xr.Dataset({"a": ("u", [1.0, 2.0, 3.0])})
""",
    """
return (da + x[:2]).values
---
return da * x[0]
---
return (da * x[0]).mean("u").values * 2
---
return xr.DataArray(x, dims=("i", "j")).sum("i").values
---
return ds["a"].values * x
---
return (ds.a * x[0]).values
---
return x[0] * ds.a
---
return np.sin(da) + x[0, 0]
---
d = ds.copy(); d["b"] = ("u", x[0]); return d.b.values + 1
---
return xr.DataArray(x, dims=("i", "j")).isel(i=0).values
---
d = da.copy(); d[0] = x[0]; return d
---
return xr.where(xr.DataArray(x, dims=("i", "j")) > 0, 1.0, 0.0).values
""",
)
PROGRAMS["sympy"] = (
    """
import sympy
a, b = sympy.symbols("a b")
fab = sympy.lambdify((a, b), sympy.sin(a) * b + a ** 2)
fs = sympy.lambdify(a, [a, a * 2])
g = sympy.lambdify(a, sympy.exp(-a), "numpy")
""",
    """
return fab(x, 2.0)
---
return fab(x, x)
---
return fs(x)
---
return g(x) * 2
---
return fab(x[0, 0], 3)
---
if fab(x, x).sum() > 0: return x
return -x
---
return rt.grad(lambda y: np.sum(fab(y, 2.0)))(x)
---
return rt.vmap(lambda r: g(r))(x)
---
return sympy.lambdify(a, a + 1)(x)
---
return float(sympy.sqrt(4)) * x
---
y = x
for k in range(3): y = g(y)
return y
---
return (a * 2).subs(a, 3) * 1.0 * x
""",
)
PROGRAMS["statsmodels"] = (
    """
import statsmodels.api as sm
""",
    """
return sm.OLS(x[:, 0], x[:, 1:]).fit().params
---
return sm.add_constant(x)
---
r = sm.OLS(x[:, 0], sm.add_constant(x[:, 1:])).fit(); return r.rsquared, r.params * 2
---
return sm.tsa.acf(x[:, 0], nlags=2, fft=False)
---
return sm.nonparametric.lowess(x[:, 0], x[:, 1])
---
m = sm.OLS(x[:, 0], x[:, 1:]); r = m.fit(); return r.predict(x[:, 1:])
---
return sm.stats.DescrStatsW(x[:, 0]).mean
---
return sm.GLM(np.abs(x[:, 0]), x[:, 1:]).fit().params
---
return sm.OLS(y0, X0).fit().params @ x[0]
---
return sm.OLS(y0, X0).fit().predict(x)
""",
)
PROGRAMS["PIL"] = (
    """
from PIL import Image
im = Image.fromarray(np.arange(16, dtype=np.uint8).reshape(4, 4))
""",
    """
return np.asarray(im) * x[0, 0]
---
return np.array(im.resize((2, 2))) + x[0, 0]
---
a = Image.fromarray((np.abs(x) * 50).astype(np.uint8)); return np.asarray(a)
---
a = Image.fromarray((np.abs(x) * 50).astype(np.uint8)).resize((2, 2)); return np.array(a) * 1.0
---
return im.size[0] * x
---
a = Image.fromarray((np.abs(x) * 50).astype(np.uint8)); return a.getpixel((0, 0)) * 2
---
a = im.copy(); a.putpixel((0, 0), int(abs(x[0, 0]) * 10)); return np.asarray(a)
""",
)
PROGRAMS["numba"] = (
    """
import numba
@numba.njit
def nsum(v):
    t = 0.0
    for k in range(v.shape[0]):
        for j in range(v.shape[1]): t += v[k, j]
    return t
@numba.vectorize
def plus1(v): return v + 1.0
@numba.njit
def fill(v):
    v[:] = 1.0
@numba.njit
def half(v): return v / 2
""",
    """
return nsum(x)
---
return nsum(x * 2) + 1
---
return plus1(x)
---
return half(x).sum()
---
if nsum(x) > 0: return x
return -x
---
y = x
for k in range(3): y = half(y)
return y
---
return half(X0) [:6] * x
""",
)
PROGRAMS["cv2"] = (
    """
import cv2
""",
    """
return cv2.GaussianBlur(x, (3, 3), 0)
---
return cv2.resize(x, (2, 2))
---
return cv2.filter2D(x, -1, np.ones((3, 3)))
---
r, m = cv2.threshold(x, 0.0, 1.0, cv2.THRESH_BINARY); return m * 2
---
return cv2.magnitude(x[:, 0].copy(), x[:, 1].copy())
---
return cv2.warpAffine(x, np.eye(2, 3), (3, 6))
---
return cv2.flip(x, 1) + x
---
return cv2.Sobel(x, cv2.CV_64F, 1, 0)
---
return cv2.norm(x)
---
return cv2.Rodrigues(x[0])[0] @ x[0]
""",
)
