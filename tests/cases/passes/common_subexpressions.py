"""The same operation on the same operands is computed once, also if a branch repeats it."""

import numpy as np


def f(x):
    y = np.sin(x)
    if x > 0:
        y = y + np.sin(x)
    return y


STAGED = [(np.float64(0.5),), (np.float64(-0.5),)]


# == graph ==

def f(x: f64):
    y: f64 = sin(x)  # common_subexpressions.py:7
    p: b1 = greater(x, 0)  # common_subexpressions.py:8

    def then():
        v: f64 = sin(x)  # common_subexpressions.py:9
        y_1: f64 = add(y, v)  # common_subexpressions.py:9
        return y_1

    def orelse():
        return y
    y_2: f64 = cond(p, then=then, orelse=orelse)  # common_subexpressions.py:8
    return y_2


# == diff common_subexpressions alone ==

@@ -5,4 +5,3 @@
     def then():
-        v: f64 = sin(x)  # common_subexpressions.py:9
-        y_1: f64 = add(y, v)  # common_subexpressions.py:9
+        y_1: f64 = add(y, y)  # common_subexpressions.py:9
         return y_1
