"""Markers are replaced by the values that they mark, checkpoints by their nodes."""

import numpy as np

import runtime as rt


def f(x):
    y = rt.stop_gradient(x) * x
    return rt.checkpoint(lambda z: np.sin(z) + 1)(y)


STAGED = [(np.float64(0.5),)]


# == graph ==

def f(x: f64):
    v: f64 = stop_gradient(x)  # strip_autodiff_markers.py:9
    y: f64 = multiply(v, x)  # strip_autodiff_markers.py:9

    def body():
        v_1: f64 = sin(y)  # strip_autodiff_markers.py:10
        v_2: f64 = add(v_1, 1)  # strip_autodiff_markers.py:10
        return v_2
    v_3: f64 = checkpoint(body=body)  # strip_autodiff_markers.py:10
    return v_3


# == diff strip_autodiff_markers alone ==

@@ -1,10 +1,5 @@
 def f(x: f64):
-    v: f64 = stop_gradient(x)  # strip_autodiff_markers.py:9
-    y: f64 = multiply(v, x)  # strip_autodiff_markers.py:9
-
-    def body():
-        v_1: f64 = sin(y)  # strip_autodiff_markers.py:10
-        v_2: f64 = add(v_1, 1)  # strip_autodiff_markers.py:10
-        return v_2
-    v_3: f64 = checkpoint(body=body)  # strip_autodiff_markers.py:10
-    return v_3
+    y: f64 = multiply(x, x)  # strip_autodiff_markers.py:9
+    v: f64 = sin(y)  # strip_autodiff_markers.py:10
+    v_1: f64 = add(v, 1)  # strip_autodiff_markers.py:10
+    return v_1
