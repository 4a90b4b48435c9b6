"""An operation on constants is computed once, before the graph runs."""

import numpy as np


def f(x):
    weights = np.arange(3) * 2.0
    return x + weights


STAGED = [(np.float64(0.5),)]


# == graph ==

def f(x: f64):
    v: i64[3] = constant(value=array([0, 1, 2], i64, (3,)))  # constant_folding.py:7
    weights: f64[3] = multiply(v, 2.0)  # constant_folding.py:7
    v_1: f64[3] = add(x, weights)  # constant_folding.py:8
    return v_1


# == diff constant_folding alone ==

@@ -2,3 +2,3 @@
     v: i64[3] = constant(value=array([0, 1, 2], i64, (3,)))  # constant_folding.py:7
-    weights: f64[3] = multiply(v, 2.0)  # constant_folding.py:7
+    weights: f64[3] = constant(value=array([0.0, 2.0, 4.0], f64, (3,)))  # constant_folding.py:7
     v_1: f64[3] = add(x, weights)  # constant_folding.py:8
