"""Derivatives of the recurrence that the derivative of `cumprod` needs.

    s[i] = d[i] + x[i + 1] * s[i + 1]          its adjoint:  t[i] = e[i] + x[i] * t[i - 1]

which is the recurrence again, of what is reversed.
"""

import numpy as np

from runtime.ir.op import find
from runtime.ops.adjoints.products import conjugated


def behind(e, s, d, x):
    """t for d; for each factor x[i], t[i - 1] * s[i]."""
    factors = conjugated(x)
    turned = np.roll(np.flip(factors, -1), 1, -1)  # whose first is never asked for
    t = np.flip(find("recurrence_behind")(np.flip(e, -1), turned), -1)
    before = np.concatenate([np.zeros_like(t[..., :1], order="C"), t[..., :-1]], axis=-1)
    return t, before * conjugated(s)
