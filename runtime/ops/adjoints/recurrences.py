"""The adjoint of the linear recurrence in the derivative of `cumprod`.

    s[i] = d[i] + x[i + 1] * s[i + 1]          its adjoint:  t[i] = e[i] + x[i] * t[i - 1]

The adjoint is the same recurrence on reversed operands.
"""

import numpy as np

from runtime.ir.op import find
from runtime.ops.adjoints.products import conjugated


def behind(e, s, d, x):
    """d gets t; each factor x[i] gets t[i - 1] * s[i]."""
    factors = conjugated(x)
    turned = np.roll(np.flip(factors, -1), 1, -1)  # its first element is never read
    t = np.flip(find("recurrence_behind")(np.flip(e, -1), turned), -1)
    before = np.concatenate([np.zeros_like(t[..., :1], order="C"), t[..., :-1]], axis=-1)
    return t, before * conjugated(s)
