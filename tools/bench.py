"""Runs benchmarks: python tools/bench.py [NAME...] [--rounds N]

    conversion      cold `to_graph` of functions in files of 50 lines that have not been parsed yet
    large-file      the first and the later conversions of functions in a file of 1,400 lines
    library         conversion of the functions in 20 modules, and the memory that they keep
    chains          cold conversion of 80 `elif`s, 80 guards, an `and` of 100 terms, and twice that
    import          `import autograph` as a process
    command-line    `autograph FILE.py` as a process, with a file of 1,000 lines and of 1 line
    plain           converted code on Python's own numbers, beside the original
    plain-operations  loops, branches, calls, `in`, `not` and `for` on plain values, one by one
    real-programs   modules of the standard library, each function converted, beside the originals
    depth           how deep a converted function recurses at Python's default limit
    staged          a graph, beside the same function over NumPy scalars in Python
    calls           one call: of a converted function, and of a graph
    guards          a call of a graph, besides the operations in it
    tracing         a straight line of 1,000 and 10,000 operations, from trace to program
    growth          how cost grows: with operations, iterations, elements, signatures
    iterations      loops over NumPy scalars, and small arrays, in the programs of graphs
    loops           first calls, graphs and runs of programs of loops, as people write them
    domains         the same of the programs of nine domains in `tests/programs`
    first-calls     first calls of all programs in `tests/programs` that are functions
    ordinary        programs over dicts, lists and numbers: the first call, and later ones
    debugging       a graph whose numerics are checked, and one that is profiled
    threads         independent parts of a run in two threads (`OMP_NUM_THREADS=1` for products)
    native          loops as machine code, by the NumPy engine, and by numba if it is installed
    native-calls    one call of a small function: as machine code, by the NumPy engine, by numba
    native-first-calls  the first calls of functions as machine code, in processes of their own
    native-functions  functions of arrays and gradients, by each engine
    goals           models and gradients that the native engine has goals for, beside numba and JAX
    processes       the first call of a process that compiles, and of one that loads machine code
    gradients       loops of 300 iterations, and their gradients
    differentiation the first call of the gradient of an LSTM with a staged loop over its steps
    sgd             1,000 steps of a classifier of 28 x 28 pixels in one call, beside NumPy by hand
    lstm            training on the sonnets of `samples/` until the loss is below 1.6 nats
    lstm-step       recording and differentiating a step of an LSTM, until its program can run
    vector-math     each function of the vector math, beside NumPy's (llvmlite, x86-64 with FMA)
    jax-tracing     how long JAX traces converted programs, beside `lax` written by hand
    saved-models    size and load of a saved LSTM, beside TensorFlow, JAX and PyTorch if installed
    models          calls of models outside of graphs and in them

The contestants of a benchmark run alternately, round after round, after their results were
compared.  The output shows the median of each and its ratio to the first.  Times depend on the
machine: compare within a run.

    python tools/bench.py --against ../before calls iterations --rounds 15 --passes 5

compares this checkout with another one: both run alternately, each with its own code.
"""

import argparse
from pathlib import Path

from benchmarks import (  # noqa: F401  (they register)
    conversion,
    domains,
    first_calls,
    goals,
    gradients,
    graphs,
    growth,
    jax_tracing,
    known_loops,
    native,
    native_calls,
    native_first_calls,
    native_functions,
    ordinary,
    plain_operations,
    processes,
    real_programs,
    saved_models,
    training,
    vector_math,
)
from benchmarks.against import compare_checkouts
from benchmarks.timing import BENCHMARKS


def main() -> None:
    """Runs the benchmarks that are named, or all of them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHMARKS))
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--against", type=Path, metavar="CHECKOUT", help="compare with its code")
    parser.add_argument("--passes", type=int, default=5, help="runs of each side of --against")
    options = parser.parse_args()
    names = options.names or list(BENCHMARKS)
    for name in names:
        if name not in BENCHMARKS:
            parser.error(f"there is no benchmark {name}; there are {', '.join(BENCHMARKS)}")
    if options.against:
        compare_checkouts(options.against, names, options.rounds, options.passes)
        return
    for name in names:
        BENCHMARKS[name](options.rounds)


if __name__ == "__main__":
    main()
