"""Inside a branch its condition is known: the second `if` is folded, and the flag is removed."""

import numpy as np


def f(x):
    positive = False
    if x > 0:
        positive = True
        x = x + 1
    if positive:
        x = x * 2
    return x


STAGED = [(np.float64(0.5),), (np.float64(-0.5),)]


# == graph ==

def f(x: f64):
    p: b1 = greater(x, 0)  # branch_simplification.py:8

    def then():
        x_1: f64 = add(x, 1)  # branch_simplification.py:10
        return True, x_1

    def orelse():
        return False, x
    positive_1, x_2 = cond(p, then=then, orelse=orelse)  # branch_simplification.py:8

    def then_1():
        x_3: f64 = multiply(x_2, 2)  # branch_simplification.py:12
        return x_3

    def orelse_1():
        return x_2
    x_4: f64 = cond(positive_1, then=then_1, orelse=orelse_1)  # branch_simplification.py:11
    return x_4


# == diff branch_simplification alone ==

@@ -2,2 +2,3 @@
     p: b1 = greater(x, 0)  # branch_simplification.py:8
+    positive_1: bool = truth(p)  # branch_simplification.py:8
 
@@ -5,15 +6,8 @@
         x_1: f64 = add(x, 1)  # branch_simplification.py:10
-        return True, x_1
+        x_2: f64 = multiply(x_1, 2)  # branch_simplification.py:12
+        return x_1, x_2
 
     def orelse():
-        return False, x
-    positive_1, x_2 = cond(p, then=then, orelse=orelse)  # branch_simplification.py:8
-
-    def then_1():
-        x_3: f64 = multiply(x_2, 2)  # branch_simplification.py:12
-        return x_3
-
-    def orelse_1():
-        return x_2
-    x_4: f64 = cond(positive_1, then=then_1, orelse=orelse_1)  # branch_simplification.py:11
+        return x, x
+    x_3, x_4 = cond(p, then=then, orelse=orelse)  # branch_simplification.py:8
     return x_4
