"""Programs with tables of pandas beside staged arrays, as people write them.

`EXPRESSIONS` are of an array `x`; `FUNCTIONS` change tables, branch and loop.
"""

IMPORTS = """
import numpy as np
import pandas as pd

import runtime as rt

s = pd.Series([1.0, 2.0, 3.0], name="s")
b = pd.Series([True, False, True])
i = pd.Series([0, 2, 1])
df = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [4.0, 5.0, 6.0]})
idx = pd.Index([1.0, 2.0, 3.0])


class Holder:
    pass


h = Holder()
h.df, h.s = df, s
"""

EXPRESSIONS = """
s + x
x + s
x - s
s * x
x / s
x ** s
s ** x
s // x
x % s
s == x
x == s
s < x
x < s
s != x
(x > 1) & b
b & (x > 1)
b | (x > 2)
-(s + x)
s[x > 1]
x[b]
x[i]
x[i.values]
x[s > 1]
df[x > 1]
df.loc[x > 1, "a"]
df.loc[x > 1]
df.iloc[x.astype(int) - 1]
s.iloc[x.astype(int) - 1]
s.loc[(x - 1).astype(int)]
np.add(s, x)
np.add(x, s)
np.multiply(df["a"], x)
np.maximum(x, s)
np.exp(s + x)
np.exp(s) + x
np.where(s > 1, x, 0.0)
np.where(x > 1, s, 0.0)
np.concatenate([s, x])
np.stack([s, x])
np.dot(df, x[:2])
np.dot(s, x)
np.sum(s * x)
(s * x).sum()
(s + x).mean() * 2
(s + x).values
(s + x).values * x
(s + x).to_numpy() + 1
s.values * x
s.to_numpy() @ x
df @ x[:2]
x @ df
x @ df.values
df.values.T @ x
df.T @ x
s @ x
df.mul(x, axis=0)
df * x[:2]
df + x[0]
x[0] + df
df["a"] * x[0]
df["a"] * x
df["a"].values * x
df.a * x
df.apply(lambda c: c.sum()) * x[0]
df.apply(lambda c: (c * x).sum())
df["a"].apply(lambda v: v * 2) * x
s.map(lambda v: v * x[0])
pd.Series(x).rolling(3).mean().to_numpy()
pd.Series(x).rolling(2).mean().to_numpy()[1:] * 2
pd.Series(x).mean()
pd.Series(x) + s
pd.Series(x).cumsum().values
pd.Series(x, index=["a", "b", "c"])["b"]
pd.DataFrame({"x": x, "s": s})
pd.DataFrame({"x": x, "s": s}).sum().values
pd.DataFrame({"x": x, "s": s}).corr().loc["x", "s"]
pd.DataFrame({"x": x, "g": [0, 1, 0]}).groupby("g")["x"].sum().values
pd.concat([s, pd.Series(x)]).values
pd.merge(df.assign(k=[0, 1, 2]), pd.DataFrame({"k": [0, 1, 2], "x": x}), on="k")
df.assign(w=x)
df.assign(w=x)["w"].sum()
df.assign(w=lambda t: t.a * x).w.values
df.query("a > 1").b.values * x[0]
df.eval("a + b").values * x
df.clip(x[0], x[1])
s.clip(x[0], x[1]).values
s.fillna(x[0]).values
s.where(x > 1, 0.0).values
s.mask(x > 1).values
s.isin(x)
s.isin(x).any()
s.dot(x)
s.add(x)
s.add(x, fill_value=0.0).values
s.searchsorted(x)
s.quantile(x / 10)
s.corr(pd.Series(x))
s.max() * x
s.shape[0] * x
len(df) * x
df.shape[1] * x
df["a"].sum() * x
df.mean().values @ x[:2]
df.loc[0, "a"] * x
df.iloc[0].values + x[:2]
df.iloc[0] + x[:2]
df.at[0, "a"] + x
idx * x
x * idx
idx[x > 1]
h.df["a"] * x
x * h.s
x[s.index]
x[df.index]
pd.isna(x)
pd.cut(x, [0, 1, 2, 5], labels=False)
pd.unique(x)
pd.to_numeric(x)
x.dot(s)
x.dot(df)
x.sum() + s
float(x.sum()) * s
int(x[0]) + s
s * x.shape[0]
s + np.float64(2) * x[0]
s.sum() + x.sum()
[v * x for v in s]
sum(v * x[k] for k, v in s.items())
{c: df[c].values * x for c in df}
{c: df[c] * x for c in df.columns}
max(s.max(), x[0])
abs(s - x)
round(s * x, 1)
~(b & (x > 1))
(s > x).all()
(s > x).sum()
bool((s > x).any())
np.sqrt(df) * x[0]
np.add.reduce(s * x)
np.mean(s - x)
np.clip(s, x[0], x[2])
np.polyfit(s, x, 1)
np.interp(x, s, df["b"])
np.cumsum(s) + x
np.linalg.norm(s - x)
np.asarray(s) + x
np.array(df) * x[0]
np.corrcoef(s, x)
np.isin(x, s)
np.allclose(s, x)
np.array_equal(s, x)
np.outer(s, x)
np.average(x, weights=s)
f"{s.sum():.2f}"
x if s.sum() > 3 else -x
(x if x.sum() > 3 else -x) + s
"""

FUNCTIONS = """
def f(x):
    d = df.copy()
    d["w"] = x
    return d["w"].sum() + d["a"].sum()
def f(x):
    d = df.copy()
    d["w"] = x
    return d
def f(x):
    d = df.copy()
    d["w"] = d["a"] * x
    d.loc[x > 1, "w"] = 0.0
    return d.w.values * 2
def f(x):
    d = df.copy()
    d.loc[1, "a"] = x[0]
    return d.values
def f(x):
    d = df.copy()
    d["a"] += x
    return d["a"].values
def f(x):
    d = pd.DataFrame({"x": x})
    d["y"] = d["x"].diff().fillna(0)
    return d["y"].values + x
def f(x):
    t = s.copy()
    t[0] = x[1]
    return t
def f(x):
    t = s.copy()
    t += x
    return t
def f(x):
    t = s
    t = t + x
    return t
def f(x):
    total = 0.0
    for v in s:
        total = total + v * x
    return total
def f(x):
    for k in range(3):
        x = x + s
    return x
def f(x):
    y = x
    for k in range(3):
        y = y + (s * x).values
    return y
def f(x):
    y = x
    while y.sum() < 100:
        y = y + s.values
    return y
def f(x):
    y = x
    while y.sum() < 100:
        y = (y + s).values
    return y
def f(x):
    y = x
    while y.sum() < 100:
        y = y + s
    return y
def f(x):
    if x.sum() > 3:
        return s + x
    return s - x
def f(x):
    if x.sum() > 3:
        y = (s + x).values
    else:
        y = x
    return y * 2
def f(x):
    if x.sum() > 3:
        y = s + x
    else:
        y = x * 2
    return y * 2
def f(x):
    if (s + x).sum() > 3:
        return x
    return -x
def f(x):
    m = s > x
    if m.any():
        return x
    return -x
def f(x):
    g = df.groupby(x > 1)["b"].sum()
    return g.values
def f(x):
    out = []
    for name, col in df.items():
        out.append((col * x).sum())
    return np.array(out)
def f(x):
    out = []
    for _, row in df.iterrows():
        out.append(row["a"] * x[0] + row["b"])
    return np.array(out)
def f(x):
    z = np.zeros(3)
    z[s > 1] = x[s > 1]
    return z
def f(x):
    x = x.copy()
    x[b] = 0
    return x
def f(x):
    x = x.copy()
    x[:] = s
    return x
def f(x):
    x = x.copy()
    x += s
    return x
def f(x):
    z = np.zeros(3)
    z[:] = s * x
    return z
def f(x):
    z = np.zeros(3)
    z[0] = (s * x).sum()
    return z
def f(x):
    r = pd.Series(x).rolling(2).mean()
    return r.dropna().values * 2
def f(x):
    d = pd.DataFrame(x.reshape(1, 3), columns=list("abc"))
    return d["a"].iloc[0] + d["c"].iloc[0]
def f(x):
    d = {"k": s}
    return d["k"] * x
def f(x):
    y = s.to_numpy()
    y = y * x
    return y, s.index
def f(x):
    t = s.reindex([2, 1, 0])
    return t + x
def f(x):
    try:
        return df["nope"] * x
    except KeyError:
        return x
def f(x):
    t = pd.Series(x)
    t.iloc[0] = 5.0
    return t.values, x
def f(x):
    t = pd.Series(x)
    x = x.copy()
    x[0] = 100.0
    return t.values + x
def f(x):
    print((s * x).sum())
    return x
def f(x):
    print(s * x)
    return x
def f(x):
    return rt.grad(lambda y: np.sum(y * s.values))(x)
def f(x):
    return rt.vmap(lambda y: y * s.values)(np.stack([x, x]))
def f(x):
    return rt.vmap(lambda y: (y * s).values)(np.stack([x, x]))
def f(x):
    return rt.vmap(lambda y: (y * s).sum())(np.stack([x, x]))
"""
