"""Checkpoints of training: the variables of models, optimizers and random generators.

    checkpoint = rt.Checkpoint(model=model, optimizer=optimizer, rng=rng)
    step = checkpoint.restore("run") or 0           None if there is no checkpoint yet
    while step < 1_000:
        train(...)
        step += 1
        checkpoint.save("run", step, keep=3)        run/step_0000000001.zip, ...

A run that is interrupted at any time and resumed computes the same bits as one that is not, if all
that changes is in variables: the state of `rt.random.Generator` is one, and so are the moments and
the count of an optimizer.
"""

import re
from pathlib import Path
from typing import Any

import numpy as np

from runtime.errors import LoadError, SaveError
from runtime.ir.types import DTYPE_NAMES, DTYPES
from runtime.saved import members
from runtime.saved.guarding import guarded
from runtime.saved.limits import DEFAULT, Limits
from runtime.saved.loading import WEIGHTS
from runtime.saved.paths import variables_by_path
from runtime.saved.tensors import as_declared, packed, unpacked
from runtime.state.variable import WRITING, Variable

NAME = re.compile(r"step_(\d{10})\.zip")


class Checkpoint:
    """The variables of some objects, which can be written to files and restored from them.

    >>> import numpy as np, runtime as rt, tempfile
    >>> w, folder = rt.Variable(np.zeros(2)), tempfile.mkdtemp()
    >>> checkpoint = Checkpoint(w=w)
    >>> path = checkpoint.save(folder, 1)
    >>> w.assign([3.0, 4.0])
    <rt.Variable: array([3., 4.])>
    >>> checkpoint.restore(folder), w
    (1, <rt.Variable: array([0., 0.])>)
    """

    def __init__(self, **parts: Any):
        """`parts`: models, layers, optimizers, generators, variables, and containers of them."""
        self.parts = parts

    def variables(self) -> dict[str, Variable]:
        """The variables of all parts by their paths: `model.layer.kernel`.

        A variable that several parts hold has its path in the first of them.  Raises `SaveError`
        for a part that has none, such as a layer that no call has built yet.
        """
        found: dict[str, Variable] = {}
        for name, part in self.parts.items():
            known, inside = set(map(id, found.values())), variables_by_path(part)
            if not inside:
                raise SaveError.about(
                    f"{name}, a part of the checkpoint, has no variables",
                    None,
                    "A checkpoint consists of variables; many layers create them in the first "
                    "call.",
                    f"Call {name} once before, or hold its state in an rt.Variable.",
                )
            new = {path: one for path, one in inside.items() if id(one) not in known}
            found |= {_joined(name, path): one for path, one in new.items()}
        return found

    def save(self, directory: Any, step: int, keep: int = 3) -> Path:
        """Writes a checkpoint and returns its path; of older ones the last `keep - 1` are kept.

        It is complete on the disk before it gets its name, and older ones are removed after that.
        Raises `ValueError` for a step below 0, and `OSError` if it cannot be written.
        """
        if keep < 1 or not 0 <= step < 10**10:
            raise ValueError(f"step is {step} and keep is {keep}: they start from 0 and from 1")
        folder = Path(directory)
        folder.mkdir(parents=True, exist_ok=True)
        with WRITING:  # no run writes variables meanwhile
            arrays = {path: one._read() for path, one in self.variables().items()}
        states = [
            {"path": path, "dtype": DTYPE_NAMES[array.dtype], "shape": list(array.shape)}
            for path, array in arrays.items()
        ]
        program = {"kind": "checkpoint", "step": int(step), "states": states}
        weights = packed({f"state_{i}": array for i, array in enumerate(arrays.values())})
        path = folder / f"step_{step:010}.zip"
        files = members.sealed(program, {WEIGHTS: weights})
        members.write_file(path, members.as_bytes(files))
        others = [other for other in _saved(folder) if other[0] != step]
        for _, old in others[: len(others) - keep + 1]:
            old.unlink(missing_ok=True)
        return path

    def restore(self, directory: Any, step: int | None = None, limits: Limits = DEFAULT) -> Any:
        """Assigns the variables of the last checkpoint, or of the one of a step; returns its step.

        Returns None if the directory has no checkpoint.  Raises `LoadError` if it is damaged, or if
        its variables are not those of the parts, by path, dtype and shape; none is assigned then.
        """
        known = dict(_saved(Path(directory)))
        if not known and step is None:
            return None
        last = max(known) if step is None else step
        path = known.get(last, Path(directory) / f"step_{last:010}.zip")
        read = guarded(path.name, lambda: _read(path, limits))
        self._assign(path.name, read)
        return last

    def _assign(self, shown, found):
        variables = self.variables()
        for path in sorted(set(variables) ^ set(found)):
            where = "the parts" if path in variables else "the file"
            raise _other(shown, f"only {where} have {path}" if path in variables else
                         f"only {where} has {path}")  # fmt: skip
        for path, variable in variables.items():
            array = found[path]
            if (array.dtype, array.shape) != (variable.dtype, variable.shape):
                kind = f"{DTYPE_NAMES[array.dtype]}{list(array.shape)}"
                raise _other(shown, f"{path} is {kind} there, and here the {variable.described}")
        with WRITING:
            for path, variable in variables.items():
                variable.assign(found[path])


def _joined(name, path):
    """The path of a variable of a part: `model.layer.kernel`, `cells[0].bias`."""
    return name + ("" if not path or path[0] == "[" else ".") + path


def _saved(folder):
    """The steps and paths of the checkpoints in a directory, the last one at the end."""
    names = [] if not folder.is_dir() else [path.name for path in folder.iterdir()]
    steps = [(int(match[1]), folder / match[0]) for match in map(NAME.fullmatch, names) if match]
    return sorted(steps)


def _read(path: Path, limits: Limits) -> dict[str, np.ndarray]:
    """The arrays of a checkpoint by path.  Raises exceptions of several kinds."""
    files = members.read(path, limits)
    program = members.opened(files, limits)
    if type(program) is not dict or set(program) != {"kind", "step", "states"}:
        raise ValueError("it is no checkpoint")
    match = NAME.fullmatch(path.name)
    if program["kind"] != "checkpoint" or match is None or program["step"] != int(match[1]):
        raise ValueError("it is no checkpoint of this step")
    arrays, states = unpacked(files[WEIGHTS]), program["states"]
    if len(arrays) != len(states):
        raise ValueError("its arrays are not those of the variables")
    found = {}
    for i, state in enumerate(states):
        dtype, shape = DTYPES[state["dtype"]], tuple(state["shape"])
        found[state["path"]] = as_declared(arrays[f"state_{i}"], dtype, shape)
    if len(found) != len(states):
        raise ValueError("two variables have one path")
    return found


def _other(shown, why):
    return LoadError.about(
        f"{shown} is a checkpoint of other variables",
        None,
        f"{why[0].upper()}{why[1:]}.",
        "Make the parts as they were when it was saved; call a model once to create its variables.",
    )
