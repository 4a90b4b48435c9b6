"""NumPy's functions with an integer of the run as an axis, a number of parts, a size or an offset.

Each is exact or refused, for a NumPy integer and for a Python int.
"""

import numpy as np
import pytest
from exact_outcomes import is_refused
from loading import load

CALLS = (
    "np.tile(x,k)",
    "np.tile(x,(k,1))",
    "np.rot90(x,k)",
    "np.split(x,k,1)",
    "np.array_split(x,k)",
    "np.hsplit(x,k)",
    "np.vsplit(x,k+2)",
    "np.moveaxis(x,k-1,0)",
    "np.rollaxis(x,k)",
    "np.swapaxes(x,0,k)",
    "np.expand_dims(x,k)",
    "np.squeeze(x[:1],k-1)",
    "np.diff(x,k)",
    "np.vander(x[0],k)",
    "np.triu(x,k)",
    "np.tril(x,k)",
    "np.diag(x,k)",
    "np.diagonal(x,k)",
    "np.trace(x,k)",
    "np.eye(3,k=k)",
    "np.eye(k)",
    "np.roll(x,k)",
    "np.roll(x,k,axis=1)",
    "np.repeat(x,k)",
    "np.take(x,k)",
    "np.delete(x,k,0)",
    "np.insert(x,k,0.0,1)",
    "x.sum(axis=k)",
    "np.mean(x,axis=k)",
    "x.argmax(k)",
    "np.sort(x,axis=k)",
    "np.concatenate([x,x],axis=k)",
    "np.stack([x,x],axis=k)",
    "np.flip(x,k)",
    "np.cumsum(x,k)",
    "np.pad(x,k)",
    "np.round(x/3,k)",
    "np.linspace(0,1,k)",
    "np.arange(k)",
    "np.zeros(k)",
    "np.full((k,2),1.0)",
    "x.reshape(k*6//k*k//k,-1)",
    "np.reshape(x,(k,-1))",
    "np.resize(x,(k,2))",
    "np.partition(x,k,axis=1)",
    "np.argpartition(x[0],k)",
    "np.quantile(x,0.5,axis=k)",
    "np.unravel_index(k,(3,4))",
    "np.bincount(np.array([0,1]),minlength=k)",
    "np.histogram(x,k)[0]",
    "np.ptp(x,k)",
    "x.std(k)",
    "x.std(ddof=k)",
    "np.linalg.matrix_power(x[:,:3],k)",
    "np.linalg.norm(x,ord=k)",
    "np.linalg.norm(x,axis=k)",
    "np.tensordot(x,x.T,k)",
    "np.cross(x[:,:3],x[:,:3],axis=k)",
    "np.fft.fft(x,k)",
    "np.polyfit(x[0],x[1],k)",
    "np.cov(x,ddof=k)",
    "np.indices((k,2))",
    "np.tri(3,k=k)",
    "np.apply_along_axis(np.sum,k,x)",
    "np.gradient(x,k)",
    "np.gradient(x,axis=k)",
    "np.trapezoid(x,axis=k)",
    "np.unwrap(x,axis=k)",
    "np.median(x,k)",
    "np.count_nonzero(x,axis=k)",
    "np.any(x,k)",
    "np.nansum(x,k)",
    "np.average(x,k)",
    "np.searchsorted(x[0],k)",
    "np.unstack(x,axis=k)",
    "np.mgrid[0:k]",
    "x.item(k)",
    "x[:k]",
    "np.dsplit(x.reshape(3,2,2),k)",
    "np.unique(x,axis=k)",
    "np.lexsort((x,x),k-1)",
    "np.choose(k,[x,x+1,x+2])",
    "np.ldexp(x,k)",
    "np.clip(x,k,5)",
    "np.identity(k)",
    "np.geomspace(1,8,k)",
    "np.hamming(k)",
    "np.binary_repr(k)",
    "np.broadcast_to(x[0],(k,4))",
    "np.atleast_2d(k)",
    "np.kron(x,k)",
    "np.vdot(x,k)",
    "np.convolve(x[0],[k])",
    "np.triu_indices(3,k)",
    "np.fliplr(x)*k",
)
X = np.arange(12.0).reshape(3, 4)
GIVEN = [(X, np.int64(k)) for k in (1, 2, 0)]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.sampled(4)
@pytest.mark.parametrize("call", CALLS)
def test_an_integer_of_the_run_is_exact_or_refused(call):
    for integer in ("k", "int(k)"):
        text = f"import numpy as np\n\n\ndef f(x, k):\n    k = {integer}\n    return {call}\n"
        is_refused(load(text, f"<{integer} in {call}>").f, GIVEN, "numpy", call)
