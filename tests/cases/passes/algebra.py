"""Only rules that preserve every bit apply: `x * 1` becomes `x`, but `x + 0` stays."""

import numpy as np


def f(x, n):
    y = x * 1 + 0
    if not (n != 3):
        y = -(-y)
    return y


STAGED = [(np.float64(0.5), np.int64(3))]


# == graph ==

def f(x: f64, n: i64):
    v: f64 = multiply(x, 1)  # algebra.py:7
    y: f64 = add(v, 0)  # algebra.py:7
    p: b1 = not_equal(n, 3)  # algebra.py:8
    p_1: bool = not_(p)  # algebra.py:8

    def then():
        v_1: f64 = negative(y)  # algebra.py:9
        y_1: f64 = negative(v_1)  # algebra.py:9
        return y_1

    def orelse():
        return y
    y_2: f64 = cond(p_1, then=then, orelse=orelse)  # algebra.py:8
    return y_2


# == diff algebra alone ==

@@ -8,4 +8,3 @@
         v_1: f64 = negative(y)  # algebra.py:9
-        y_1: f64 = negative(v_1)  # algebra.py:9
-        return y_1
+        return y
 
@@ -13,3 +12,3 @@
         return y
-    y_2: f64 = cond(p_1, then=then, orelse=orelse)  # algebra.py:8
-    return y_2
+    y_1: f64 = cond(p_1, then=then, orelse=orelse)  # algebra.py:8
+    return y_1
