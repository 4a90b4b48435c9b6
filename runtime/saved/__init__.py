"""Programs that outlive their code: saved functions and models, and checkpoints of training.

    rt.save("model.zip", model, signatures={"predict": [(rt.TensorSpec((None, 3), np.float64),)]})

    model = rt.load("model.zip")          in another process, without the code of the model
    model.predict(np.ones((2, 3)))

The files, which hold data and nothing that is executed:

    manifest.json          version, signatures, templates of results, size and sha256 of the others
    graph_0.txt            one graph, as `ir/text.py` prints it
    weights.safetensors    the arrays: variables, and arrays that functions read
    source.py              the user's code, for people; loading never reads it
"""

from runtime.saved import pickled as pickled  # says how graphs are pickled
from runtime.saved.checkpoint import Checkpoint
from runtime.saved.limits import Limits
from runtime.saved.loaded import LoadedFunction, LoadedModel
from runtime.saved.loading import from_bytes, load
from runtime.saved.saving import as_bytes, save

__all__ = [
    "Checkpoint",
    "Limits",
    "LoadedFunction",
    "LoadedModel",
    "as_bytes",
    "from_bytes",
    "load",
    "save",
]
