"""Lists that grow inside of dicts, objects, dataclasses, tuples and other lists."""

import collections
import dataclasses
from typing import Any, NamedTuple

import numpy as np
from support.every_mode import Programs

PROGRAMS = Programs()
prog = PROGRAMS.program

X = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
N = np.int64(4)
Z = np.array([3, 1, 2, 1, 0, 3, 3])


@prog(X, N)
def hist_dict(x, n):
    hist = {"t": [], "y": []}
    y = x[0]
    for i in range(n):
        y = y * 0.5 + x[i]
        hist["t"].append(i)
        hist["y"].append(y)
    return hist


@prog(X, N)
def hist_stack(x, n):
    hist = {"t": [], "y": []}
    y = x[0]
    for i in range(n):
        y = y * 0.5 + x[i]
        hist["t"].append(i)
        hist["y"].append(y)
    return np.array(hist["y"]), np.asarray(hist["t"])


@prog(X)
def hist_while(x):
    hist = {"t": [], "y": []}
    t = 0.0
    while t < x[0]:
        hist["t"].append(t)
        hist["y"].append(t * t)
        t += 0.5
    return {k: np.array(v) for k, v in hist.items()}


@prog(X, N)
def hist_if(x, n):
    log = {"big": [], "small": []}
    for i in range(n):
        if x[i] > 2:
            log["big"].append(x[i])
        else:
            log["small"].append(x[i])
    return log


@prog(X, N)
def hist_key(x, n):
    log = {"big": [], "small": []}
    for v in x:
        key = "big" if v > 2 else "small"
        log[key].append(v)
    return log


@prog(X, N)
def hist_nested(x, n):
    log = {"train": {"loss": [], "acc": []}, "val": {"loss": []}}
    for i in range(n):
        log["train"]["loss"].append(x[i])
        log["train"]["acc"].append(x[i] > 2)
        if i % 2 == 0:
            log["val"]["loss"].append(x[i] * 2)
    return log


class Logger:
    def __init__(self):
        self.log = []
        self.count = 0

    def add(self, v):
        self.log.append(v)
        self.count += 1


@prog(X, N)
def object_log(x, n):
    logger = Logger()
    for i in range(n):
        logger.add(x[i])
    return logger.log, logger.count


@prog(X, N)
def object_log_direct(x, n):
    logger = Logger()
    for i in range(n):
        if x[i] > 1:
            logger.log.append(x[i])
    return np.array(logger.log), len(logger.log)


@prog(X, N)
def object_returned(x, n):
    logger = Logger()
    for i in range(n):
        logger.add(x[i] * 2)
    return logger.__dict__


@dataclasses.dataclass
class Track:
    t: list = dataclasses.field(default_factory=list)
    y: list = dataclasses.field(default_factory=list)


@prog(X, N)
def dataclass_returned(x, n):
    tr = Track()
    for i in range(n):
        tr.t.append(i * 0.1)
        tr.y.append(x[i])
    return tr


class Pair(NamedTuple):
    a: Any
    b: Any


@prog(X, N)
def namedtuple_lists(x, n):
    p = Pair([], [])
    for i in range(n):
        p.a.append(x[i])
        p.b.append(i)
    return p


@prog(X, N)
def tuple_lists(x, n):
    ts, ys = [], []
    both = (ts, ys)
    for i in range(n):
        both[0].append(x[i])
        both[1].append(i)
    return ts, ys


@prog(X, N)
def list_of_lists_known(x, n):
    out = [[], []]
    for i in range(n):
        out[0].append(x[i])
        out[1].append(i)
    return out


@prog(X, N)
def dict_comp_lists(x, n):
    out = {k: [] for k in ("a", "b")}
    for i in range(n):
        out["a"].append(x[i])
        out["b"].append(x[i] + 1)
    return out


@prog(X, N)
def dict_loop_keys(x, n):
    out = {"a": [], "b": []}
    for i in range(n):
        for k in out:
            out[k].append(x[i])
    return out


@prog(X, N)
def dict_loop_items(x, n):
    out = {"a": [], "b": []}
    for i in range(n):
        for k, v in out.items():
            v.append(x[i])
    return out


@prog(X, N)
def dict_iadd(x, n):
    out = {"a": []}
    for i in range(n):
        out["a"] += [x[i]]
    return out


@prog(X, N)
def dict_alias(x, n):
    ys = []
    out = {"y": ys}
    for i in range(n):
        ys.append(x[i])
    return out, ys


@prog(X, N)
def dict_fn(x, n):
    def step(h, v):
        h["v"].append(v)
        h["n"] = h["n"] + 1

    h = {"v": [], "n": 0}
    for i in range(n):
        step(h, x[i])
    return h


@prog(X, N)
def defaultdict_list_known(x, n):
    d = collections.defaultdict(list)
    for i in range(n):
        d["y"].append(x[i])
    return dict(d)


@prog(X, N)
def setdefault_known(x, n):
    d = {}
    for i in range(n):
        d.setdefault("y", []).append(x[i])
    return d


@prog(X, N)
def dict_arrays(x, n):
    h = {"x": [], "v": []}
    s = x.copy()
    for i in range(n):
        s = s * 0.9
        h["x"].append(s)
        h["v"].append(s.sum())
    return np.array(h["x"]), np.stack(h["x"]), h["v"]


@prog(X, N)
def dict_last(x, n):
    h = {"y": [1.0]}
    for i in range(n):
        h["y"].append(h["y"][-1] * 0.5 + x[i])
    return h["y"][-1], len(h["y"]), h


@prog(X, N)
def dict_reset(x, n):
    h = {"y": []}
    out = []
    for i in range(n):
        h["y"].append(x[i])
        if len(h["y"]) > 2:
            out.append(sum(h["y"]))
            h["y"] = []
    return out, h


class Sim:
    def __init__(self, y):
        self.y = y
        self.history = {"y": [], "t": []}

    def run(self, n):
        for i in range(n):
            self.y = self.y * 0.5
            self.history["y"].append(self.y)
            self.history["t"].append(i)
        return self.history


@prog(X, N)
def sim_run(x, n):
    return Sim(x[0]).run(n)


@prog(X, N)
def sim_attr(x, n):
    s = Sim(x[0])
    s.run(n)
    return s.history["y"], s.y


@prog(X, N)
def dict_extend(x, n):
    h = {"y": [], "z": []}
    for i in range(n):
        h["y"].extend([x[i], x[i] + 1])
        h["z"].insert(0, x[i])
    return h


@prog(X, N)
def hist_zero(x, n):
    h = {"y": []}
    for i in range(n - 4):
        h["y"].append(x[i])
    return h
