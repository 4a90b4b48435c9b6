"""Unused results are removed, and loop variables used only by themselves; effects stay."""

import numpy as np


def f(x, n):
    unused = np.sin(x)
    count = 0
    while n > 0:
        count = count + 1
        x = x * 2
        n = n - 1
    print(x)
    return x


STAGED = [(np.float64(0.5), np.int64(3))]


# == graph ==

def f(x: f64, n: i64):
    unused: f64 = sin(x)  # dead_code.py:7
    p: b1 = greater(n, 0)  # dead_code.py:9

    def body(count: int, x_1: f64, n_1: i64):
        count_1: int = add(count, 1)  # dead_code.py:10
        x_2: f64 = multiply(x_1, 2)  # dead_code.py:11
        n_2: i64 = subtract(n_1, 1)  # dead_code.py:12
        p_1: b1 = greater(n_2, 0)  # dead_code.py:9
        return p_1, count_1, x_2, n_2
    count_2, x_3, n_3 = loop(p, 0, x, n, body=body)  # dead_code.py:9
    print(x_3, parts=(_0,), sep=' ', end='\n')  # dead_code.py:13
    return x_3


# == diff dead_code alone ==

@@ -1,7 +1,5 @@
 def f(x: f64, n: i64):
-    unused: f64 = sin(x)  # dead_code.py:7
     p: b1 = greater(n, 0)  # dead_code.py:9
 
-    def body(count: int, x_1: f64, n_1: i64):
-        count_1: int = add(count, 1)  # dead_code.py:10
+    def body(x_1: f64, n_1: i64):
         x_2: f64 = multiply(x_1, 2)  # dead_code.py:11
@@ -9,4 +7,4 @@
         p_1: b1 = greater(n_2, 0)  # dead_code.py:9
-        return p_1, count_1, x_2, n_2
-    count_2, x_3, n_3 = loop(p, 0, x, n, body=body)  # dead_code.py:9
+        return p_1, x_2, n_2
+    x_3, n_3 = loop(p, x, n, body=body)  # dead_code.py:9
     print(x_3, parts=(_0,), sep=' ', end='\n')  # dead_code.py:13
