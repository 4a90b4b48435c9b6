"""How graphs of functions, and loaded functions and models, are pickled: as saved programs.

    pickle.dumps(f.get_concrete_function(x))      the record and the text of the graph (`rt.save`)
                                                  the variables and arrays that it reads
    pickle.loads(...)                             a function that needs no code and traces nothing

Variables and arrays are pickled as objects, so those that are pickled together stay together.  A
graph that cannot be saved is pickled as its function and signature (`function/pickling.py`), and
traced again.
"""

import copyreg
import sys
from typing import Any

from autograph.backend.completion import complete
from runtime.errors import SaveError
from runtime.function.concrete_function import ConcreteFunction
from runtime.function.pickling import reduced_graph
from runtime.saved.limits import Limits
from runtime.saved.loaded import LoadedConcreteFunction, LoadedFunction, LoadedModel
from runtime.saved.loading import ReadProgram
from runtime.saved.saving import functions_of, program_of
from runtime.saved.trusted_text import TrustedText

# A pickle is code, which must be trusted anyway.
UNLIMITED = Limits(*[sys.maxsize] * 7)


def _reduced_concrete(concrete: ConcreteFunction) -> tuple:
    try:
        program, files, states = program_of(concrete, functions_of(concrete, None))
    except SaveError:
        return reduced_graph(concrete)
    return restored_concrete, (program, files, states)


def _reduced(loaded: Any) -> tuple:
    made_from = loaded.made_from
    given = made_from.program, made_from.files, made_from.values
    if isinstance(loaded, LoadedConcreteFunction):
        return restored_concrete, given
    return restored, (*given, made_from.called)


def restored_concrete(program: Any, files: dict[str, bytes], values: list) -> Any:
    """The graph of a function in a pickle, as a function for its one signature."""
    return _read(program, files, values, LoadedConcreteFunction)


def restored(program: Any, files: dict[str, bytes], values: list, called: str | None) -> Any:
    """A loaded function or model in a pickle; `called` is the name of one method of a model."""
    found = _read(program, files, values, LoadedFunction)
    return found if called is None else found.methods[called]


def _read(program, files, values, kind):
    complete()
    records = [one for function in program["functions"].values() for one in function["graphs"]]
    allowed = {name for record in records for name in record["calls"]}
    text = TrustedText(tuple(sorted(allowed)), UNLIMITED)
    return ReadProgram(files, text, values, kind).read(program)


copyreg.pickle(ConcreteFunction, _reduced_concrete)  # type: ignore[arg-type]
for loaded in (LoadedConcreteFunction, LoadedFunction, LoadedModel):
    copyreg.pickle(loaded, _reduced)  # type: ignore[arg-type]
