"""A second counter with equal values, and a variable set to a constant, are not carried."""

import numpy as np


def f(x, n):
    i = 0
    j = 0
    found = False
    while i < n:
        x = x + j
        i = i + 1
        j = j + 1
        found = True
    return x, found


STAGED = [(np.float64(0.5), np.int64(3)), (np.float64(0.5), np.int64(0))]


# == graph ==

def f(x: f64, n: i64):
    p: b1 = greater(n, 0)  # loop_state.py:10

    def body(x_1: f64, i: int, j: int, found: bool):
        x_2: f64 = add(x_1, j)  # loop_state.py:11
        i_1: int = add(i, 1)  # loop_state.py:12
        j_1: int = add(j, 1)  # loop_state.py:13
        p_1: b1 = less(i_1, n)  # loop_state.py:10
        return p_1, x_2, i_1, j_1, True
    x_3, i_2, j_2, found_1 = loop(p, x, 0, 0, False, body=body)  # loop_state.py:10
    return x_3, found_1


# == diff loop_state alone ==

@@ -3,9 +3,16 @@
 
-    def body(x_1: f64, i: int, j: int, found: bool):
-        x_2: f64 = add(x_1, j)  # loop_state.py:11
+    def body(x_1: f64, i: int):
+        x_2: f64 = add(x_1, i)  # loop_state.py:11
         i_1: int = add(i, 1)  # loop_state.py:12
-        j_1: int = add(j, 1)  # loop_state.py:13
+        j: int = add(i, 1)  # loop_state.py:13
         p_1: b1 = less(i_1, n)  # loop_state.py:10
-        return p_1, x_2, i_1, j_1, True
-    x_3, i_2, j_2, found_1 = loop(p, x, 0, 0, False, body=body)  # loop_state.py:10
-    return x_3, found_1
+        return p_1, x_2, i_1
+    x_3, i_2 = loop(p, x, 0, body=body)  # loop_state.py:10
+
+    def then():
+        return True
+
+    def orelse():
+        return False
+    found: bool = cond(p, then=then, orelse=orelse)  # loop_state.py:10
+    return x_3, found
