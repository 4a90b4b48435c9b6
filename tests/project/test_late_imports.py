"""`import runtime` imports little; the first use of a public name imports the rest."""

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import runtime
from runtime import public

ROOT = Path(__file__).parents[2]

# Wings and packages that `import runtime` must not import.
HEAVY = """
runtime.analyses runtime.engines runtime.explorer runtime.export runtime.frameworks
runtime.graph_api runtime.ir runtime.nn runtime.observability runtime.ops runtime.optimizers
runtime.passes runtime.public runtime.random runtime.saved runtime.staging runtime.state
runtime.summary runtime.tracing runtime.transforms autograph.staging autograph.reports
scipy llvmlite jax torch onnx tensorboard matplotlib IPython pygments
""".split()


def printed(program, folder):
    """The output of a program that runs in a process of its own."""
    file = folder / "program.py"
    file.write_text(textwrap.dedent(program))
    done = subprocess.run(
        [sys.executable, file], capture_output=True, text=True, env={"PYTHONPATH": str(ROOT)}
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_importing_the_runtime_imports_no_wing_that_makes_graphs(tmp_path):
    program = """
        import sys
        import runtime
        print(*sys.modules)
    """
    loaded = printed(program, tmp_path).split()
    assert not set(HEAVY) & set(loaded)
    own = [name for name in loaded if name.partition(".")[0] == "runtime"]
    assert len(own) <= 5, own


def test_the_names_are_those_of_the_public_module():
    assert runtime.__all__ == public.__all__
    assert all(getattr(runtime, name) is getattr(public, name) for name in public.__all__)


def test_the_list_of_public_modules_is_complete():
    modules = [name for name in public.__all__ if type(getattr(public, name)) is type(sys)]
    assert sorted(runtime._MODULES) == sorted(modules)


def test_names_are_the_same_before_and_after_the_first_use(tmp_path):
    program = """
        import runtime as rt
        before = dir(rt)
        import runtime.function.guards          # a wing of the same name as the decorator
        from runtime import function, grad
        assert dir(rt) == before
        assert rt.function is function and rt.grad is grad
        assert function.__module__ == "runtime.function.decorator"
        assert rt.errors.StagingError is rt.StagingError
        assert not hasattr(rt, "jit") and not hasattr(rt, "__wrapped__")
        from runtime import *
        assert vmap is rt.vmap
    """
    printed(program, tmp_path)


def test_threads_may_use_names_for_the_first_time_at_once(tmp_path):
    program = """
        import threading
        import numpy as np
        import runtime as rt

        names = [name for name in rt.__all__ if name[0] in "cefg"]
        barrier, found, errors = threading.Barrier(len(names), timeout=60), [], []

        def use(name):
            barrier.wait()
            try:
                found.append(getattr(rt, name))
                double = rt.function(lambda x: x[:2] * 2)
                assert double(np.arange(3.0)).tolist() == [0.0, 2.0]
            except BaseException as error:
                errors.append(repr(error))

        threads = [threading.Thread(target=use, args=(name,)) for name in names]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(found) == len(names) >= 12 and not errors, errors
    """
    printed(program, tmp_path)


def test_a_directive_for_plain_lists_means_the_same_before_the_first_use(tmp_path):
    program = """
        import autograph
        import runtime
        print(type(autograph.stack([1, 2])).__name__)
    """
    assert printed(program, tmp_path) == "ndarray\n"


def test_a_report_is_the_same_before_and_after_the_first_use(tmp_path):
    program = """
        import logging
        import time
        import autograph
        import runtime as rt

        def f(x):
            logging.info("called")
            return x + time.time() + max(x, 1)

        before = str(autograph.explain(f))
        rt.function
        assert str(autograph.explain(f)) == before
    """
    printed(program, tmp_path)


@pytest.mark.parametrize("module", ["runtime.function.function", "runtime.saved.pickled"])
def test_a_function_that_is_made_from_a_wing_is_complete(tmp_path, module):
    """As when a process loads a pickle of a function, and imports the module that it names."""
    program = f"""
        import {module}
        import numpy as np
        from runtime.function.function import Function

        def f(x):
            return x[1:].flat[0] * 2

        made = Function(f)
        assert made(np.arange(3.0)) == 2.0
        assert "digraph" in made.graphs[0].graph.to_dot()
        import pickle
        assert pickle.loads(pickle.dumps(made.graphs[0]))(np.arange(3.0)) == 2.0
    """
    printed(program, tmp_path)


@pytest.mark.parametrize("state", ["enable", "disable"])
def test_the_first_use_of_a_name_leaves_the_garbage_collector_as_it_was(tmp_path, state):
    program = f"""
        import gc
        import runtime
        gc.{state}()
        runtime.function
        print(gc.isenabled())
    """
    assert printed(program, tmp_path) == f"{state == 'enable'}\n"
