"""An augmented assignment to elements is one store: Python writes through a view, then assigns."""

import numpy as np


def f(x, v):
    x[1:] += v
    return x


STAGED = [(np.zeros(3), np.ones(2))]


# == graph ==

def f(x: f64[3], v: f64[2]):
    v_1: f64[2] = getitem(x, at=(slice(1, None, None),))  # redundant_stores.py:7
    v_2: f64[2] = add(v_1, v)  # redundant_stores.py:7
    v_3: f64[3] = setitem(x, v_2, at=(slice(1, None, None),))  # redundant_stores.py:7
    written(x, v_3)  # redundant_stores.py:7
    v_4: f64[3] = setitem(v_3, v_2, at=(slice(1, None, None),))  # redundant_stores.py:7
    written(x, v_4)  # redundant_stores.py:7
    return v_4


# == diff redundant_stores alone ==

@@ -5,4 +5,2 @@
     written(x, v_3)  # redundant_stores.py:7
-    v_4: f64[3] = setitem(v_3, v_2, at=(slice(1, None, None),))  # redundant_stores.py:7
-    written(x, v_4)  # redundant_stores.py:7
-    return v_4
+    return v_3
