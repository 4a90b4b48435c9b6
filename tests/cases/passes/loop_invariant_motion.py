"""Loop-invariant values are computed before the loop."""

import numpy as np


def f(x, n):
    y = x
    while n > 0:
        y = y + np.abs(x)
        n = n - 1
    return y


STAGED = [(np.ones(3), np.int64(2))]


# == graph ==

def f(x: f64[3], n: i64):
    p: b1 = greater(n, 0)  # loop_invariant_motion.py:8

    def body(n_1: i64, y: f64[3]):
        v: f64[3] = absolute(x)  # loop_invariant_motion.py:9
        y_1: f64[3] = add(y, v)  # loop_invariant_motion.py:9
        n_2: i64 = subtract(n_1, 1)  # loop_invariant_motion.py:10
        p_1: b1 = greater(n_2, 0)  # loop_invariant_motion.py:8
        return p_1, n_2, y_1
    n_3, y_2 = loop(p, n, x, body=body)  # loop_invariant_motion.py:8
    return y_2


# == diff loop_invariant_motion alone ==

@@ -2,5 +2,5 @@
     p: b1 = greater(n, 0)  # loop_invariant_motion.py:8
+    v: f64[3] = absolute(x)  # loop_invariant_motion.py:9
 
     def body(n_1: i64, y: f64[3]):
-        v: f64[3] = absolute(x)  # loop_invariant_motion.py:9
         y_1: f64[3] = add(y, v)  # loop_invariant_motion.py:9
