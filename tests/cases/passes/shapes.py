"""Known sizes become constants, and transpositions that undo each other are removed."""

import numpy as np

import runtime as rt


def f(x):
    y = np.sin(x).T
    return y.T.reshape(-1, 3) + x.shape[0]


STAGED = [(rt.TensorSpec((None, 3), "f8"),)]


# == graph ==

def f(x: f64[None, 3]):
    v: f64[None, 3] = sin(x)  # shapes.py:9
    y: f64[3, None] = transpose(v)  # shapes.py:9
    v_1: f64[None, 3] = transpose(y)  # shapes.py:10
    v_2: f64[None, 3] = reshape(v_1, shape=(-1, 3))  # shapes.py:10
    v_3: int = size(x, axis=0)  # shapes.py:10
    v_4: f64[None, 3] = add(v_2, v_3)  # shapes.py:10
    return v_4


# == diff shapes alone ==

@@ -3,6 +3,4 @@
     y: f64[3, None] = transpose(v)  # shapes.py:9
-    v_1: f64[None, 3] = transpose(y)  # shapes.py:10
-    v_2: f64[None, 3] = reshape(v_1, shape=(-1, 3))  # shapes.py:10
-    v_3: int = size(x, axis=0)  # shapes.py:10
-    v_4: f64[None, 3] = add(v_2, v_3)  # shapes.py:10
-    return v_4
+    v_1: int = size(x, axis=0)  # shapes.py:10
+    v_2: f64[None, 3] = add(v, v_1)  # shapes.py:10
+    return v_2
