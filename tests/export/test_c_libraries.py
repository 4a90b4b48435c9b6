"""Functions as C libraries: called by ctypes and from a C program, equal to Python, or a status.

The file is long because it is a collection of independent tests.
"""

import copy
import shutil
import subprocess
import sys

import numpy as np
import pytest

import runtime as rt
from runtime.errors import ExportError
from runtime.export.library.command import main as build

pytest.importorskip("llvmlite", reason="the `native` extra installs it")
from c_library import CLibrary  # noqa: E402

COMPILER = shutil.which("cc") or shutil.which("gcc")
pytestmark = [
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.skipif(COMPILER is None, reason="there is no C compiler (cc or gcc)"),
    pytest.mark.skipif(sys.platform != "linux", reason="ctypes loads the ELF files of Linux here"),
]
N, NM = rt.TensorSpec(("n",)), rt.TensorSpec(("n", "m"))
F, I = rt.TensorSpec((), np.float64), rt.TensorSpec((), np.int64)
OK, ZERO_DIVISION, INDEX, RANGE, EXCEPTION, WORKSPACE, SIZES = range(7)


def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def library(function, *specs):
    return CLibrary(rt.function(function).get_concrete_function(*specs))


def check(compiled, function, *args):
    """Compares the library with Python: all results, and arrays that are written into."""
    given, expected_given = copy.deepcopy(args), copy.deepcopy(args)
    status, message, found = compiled(*given)
    assert (status, message) == (OK, "")
    expected = function(*expected_given)
    if compiled.signature.results and not isinstance(expected, tuple):
        expected = (expected,)
    for one, other in zip(found, expected or (), strict=False):
        np.testing.assert_array_equal(one, other)
    for one, other in zip(given, expected_given, strict=True):
        np.testing.assert_array_equal(one, other)


def statistics(x, limit):
    """Several results, a branch in a loop, and pairwise sums."""
    above, largest = 0, x[0]
    for value in x:
        if value > limit:
            above += 1
        largest = max(largest, value)
    scaled = (x - np.mean(x)) / np.sqrt(np.mean(x * x) + 1)
    return above, largest, scaled, np.sum(scaled * x), (x > limit).any(), x.min()


def test_several_results_of_arrays_of_any_size():
    compiled = library(statistics, N, F)
    for size in (1, 2, 7, 8, 9, 127, 128, 129, 513, 3001):
        check(compiled, statistics, np.random.default_rng(size).normal(size=size), 0.5)


def heat(u, rate):
    """Writes into its argument."""
    for _ in range(50):
        u[1:-1] = u[1:-1] + rate * (u[2:] - 2 * u[1:-1] + u[:-2])


def test_an_array_is_written_into():
    compiled = library(heat, N, F)
    for size in (1, 2, 3, 40):
        check(compiled, heat, np.cos(np.arange(float(size))), 0.1)


def matrix_kernel(a, rate):
    """Elements of a matrix, rows and columns, in place and returned."""
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] = a[i, j] * rate + i - j
    return a.sum(axis=0), a.sum(axis=1), a.max(axis=1) - a.min(axis=1)


def test_matrices_with_two_named_sizes():
    compiled = library(matrix_kernel, NM, F)
    for shape in ((1, 2), (3, 4), (20, 150)):
        check(compiled, matrix_kernel, np.sin(np.arange(float(np.prod(shape)))).reshape(shape), 0.9)


@pytest.mark.parametrize("dtype", ["i1", "u2", "i4", "i8", "f4", "f8", "?"])
def test_dtypes(dtype):
    def function(x, y):
        return x + y, np.where(x > y, x, y), x[0], (x == y).all()

    spec = rt.TensorSpec((4,), np.dtype(dtype))
    compiled = library(function, spec, spec)
    x, y = np.array([0, 1, 2, 100], dtype), np.array([3, 1, 0, 100], dtype)
    check(compiled, function, x, y)


def test_numbers_of_python_and_constants():
    table = np.arange(6.0).reshape(2, 3)

    def function(a, flag, x):
        total = 0
        for i in range(a):
            total += i * i
        return total, (x + 1 if flag else x - 1), table * x, 3

    concrete = rt.function(function, input_signature=[int, bool, float])
    compiled = CLibrary(concrete.get_concrete_function(1, True, 1.0))
    for given in ((10, True, 0.25), (0, False, -1.5)):
        check(compiled, function, *given)


def test_the_gradient_of_a_loop():
    def loss(x, rate):
        total = 0.0
        for _ in range(3):
            x = x * rate + np.sum(x * x)
            total = total + np.sum(x)
        return total

    slope = rt.grad(loss)
    compiled = CLibrary(rt.function(slope).get_concrete_function(rt.TensorSpec((4,)), F))
    check(compiled, slope, np.array([0.5, -1.0, 0.25, 2.0]), np.float64(0.5))


def test_the_gradient_of_a_product_with_named_sizes():
    """Exponentials and products need not have the last bits of NumPy and BLAS."""

    def loss(w, x, y):
        return np.mean((1 / (1 + np.exp(-(x @ w))) - y) ** 2)

    slope = rt.grad(loss)
    specs = rt.TensorSpec((3,)), rt.TensorSpec(("n", 3)), N
    compiled = CLibrary(rt.function(slope).get_concrete_function(*specs))
    random = np.random.default_rng(0)
    for size in (1, 5, 700):
        given = random.normal(size=3), random.normal(size=(size, 3)), random.normal(size=size)
        status, message, (found,) = compiled(*given)
        assert (status, message) == (OK, "")
        np.testing.assert_allclose(found, slope(*given), rtol=1e-12, atol=1e-15)


def table(x):
    """Results that are made inside, of sizes that the arguments have."""
    total, sums = 0.0, np.zeros(len(x))
    differences = np.zeros((len(x), len(x)))
    for i in range(len(x)):
        total += x[i]
        sums[i] = total
        for j in range(i):
            differences[i, j] = x[i] - x[j]
    return sums, differences, np.zeros_like(x) + 1


def test_new_arrays_of_named_sizes():
    compiled = library(table, N)
    for size in (0, 1, 5, 40):
        check(compiled, table, np.random.default_rng(size).normal(size=size))


def swapped(x, count):
    """Two arrays change places in a loop, and one of them is written into."""
    y = x * 2
    for i in range(count):
        x, y = y, x + 1
        if i % 2 == 0:
            y[0] = x[0] * 3
    return x, y


def nested(x, count):
    """New arrays in two loops: the workspace holds those that are alive, not all of them."""
    total = x * 0
    for i in range(count):
        z = x + i
        for j in range(i):
            w = z * j
            total = total + w
            if w[0] > 3:
                z = w
    return total


@pytest.mark.parametrize("function", [swapped, nested])
def test_arrays_that_loops_make(function):
    compiled = library(function, N, I)
    for size, count in ((1, 0), (3, 6), (100, 9)):
        check(compiled, function, np.random.default_rng(0).normal(size=size) + 1, np.int64(count))


def integers(a, b):
    return a // b, a % b, a & b, a | b, a ^ b, -a, abs(a), a < b


def floats(x, y):
    return x // y, x % y, np.floor(x), x / y, x > y, np.minimum(x, y)


def test_quotients_and_bits_of_negative_numbers():
    compiled = library(integers, I, I)
    for a in (7, -7, 0, 2**62, -(2**63) + 1):
        for b in (3, -3, 1, -1):
            check(compiled, integers, np.int64(a), np.int64(b))
    compiled = library(floats, F, F)
    for x in (7.5, -7.5, 0.0, -0.0, np.inf, np.nan):
        for y in (2.0, -2.5, np.inf):
            check(compiled, floats, np.float64(x), np.float64(y))


def test_sizes_that_differ_are_a_status():
    compiled = library(lambda x, y: np.sum(x * y), N, rt.TensorSpec(("m",)))
    assert compiled(np.ones(3), np.ones(3))[0] == OK
    status, message, _ = compiled(np.ones(3), np.ones(4))
    assert status == SIZES and "do not fit together" in message


# -- statuses --------------------------------------------------------------------------------------


def fails(x, i, k):
    if k < 0:
        raise ValueError("k is negative")
    assert k < 100, "k is too large"
    y = x.copy()
    y[0] = 5.0
    return y[i], k // (i - 1), k * 2**62


FAILURES = [
    ((2, 0), OK, ""),
    ((3, 0), INDEX, "IndexError: index out of bounds"),
    ((-4, 0), INDEX, "IndexError: index out of bounds"),
    ((1, 1), ZERO_DIVISION, "ZeroDivisionError: division by zero"),
    ((2, 2), RANGE, "an integer is outside of the range of its machine type"),
    ((2, -1), EXCEPTION, "ValueError: k is negative"),
    ((2, 100), EXCEPTION, "AssertionError: k is too large"),
]


@pytest.mark.parametrize(("given", "status", "message"), FAILURES)
def test_what_python_raises_is_a_status_with_a_line(given, status, message):
    compiled = library(fails, rt.TensorSpec((3,)), I, I)
    found, text, results = compiled(np.arange(3.0), *given)
    assert found == status
    if not message:
        assert text == ""
        return
    code = fails.__code__
    name, _, line = text.removeprefix(message).strip(" ()").partition(", line ")
    assert name == "test_c_libraries.py" and text.startswith(message)
    assert code.co_firstlineno <= int(line) <= code.co_firstlineno + 7
    assert [float(one) for one in results] == [77, 77, 77], "results are not written"


def test_division_of_floats():
    """Python's floats raise; NumPy's give inf, as NumPy does with a warning."""

    def quotient(x, y):
        return x / y

    compiled = library(quotient, F, F)
    check(compiled, quotient, np.float64(1.0), np.float64(0.0))
    own = rt.function(quotient, input_signature=[float, float])
    compiled = CLibrary(own.get_concrete_function(1.0, 1.0))
    assert compiled(1.0, 0.0)[0] == ZERO_DIVISION
    check(compiled, quotient, 1.0, 3.0)


def test_the_stated_workspace_is_enough_and_a_smaller_one_is_a_status():
    compiled = library(statistics, N, F)
    for size in (1, 10, 1000):
        assert compiled(np.ones(size), 0.5)[0] == OK
    status, message, results = compiled(np.ones(1000), 0.5, spare=-20000)
    assert status == WORKSPACE and "memory" in message
    assert results[1] == 77


def test_sizes_that_no_array_has():
    compiled = library(heat, N, F)
    shapes = (np.ctypeslib.ctypes.c_int64 * 1)(-1)
    assert compiled.workspace_size(shapes) == 2**63 - 1
    assert compiled.function(shapes, None, np.ctypeslib.ctypes.c_double(1), None, 0, None) == SIZES


# -- files -----------------------------------------------------------------------------------------

MAIN = """
#include <stdio.h>
#include "collatz.h"
int main(void) {
    int64_t steps = 0;
    const char *error = "";
    if (collatz(27, &steps, &error) != AUTOGRAPH_OK || error) return 1;
    printf("%lld\\n", (long long)steps);
    if (collatz(INT64_MAX, &steps, &error) != AUTOGRAPH_RANGE) return 2;
    printf("%s\\n", error);
    return collatz(8, &steps, 0);
}
"""


def test_a_c_program_calls_the_static_library(tmp_path):
    made = rt.compile_library(collatz, tmp_path / "collatz", I)
    assert sum(one.stat().st_size for one in (made.shared, made.header)) < 20_000
    (tmp_path / "main.c").write_text(MAIN)
    strict = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic"]
    command = [COMPILER, *strict, "main.c", "libcollatz.a", "-o", "main"]
    subprocess.run(command, cwd=tmp_path, check=True)
    found = subprocess.run(["./main"], cwd=tmp_path, check=True, capture_output=True, text=True)
    steps, message = found.stdout.splitlines()
    assert int(steps) == collatz(27)
    assert message.startswith("an integer is outside of the range of its machine type")
    assert "test_c_libraries.py, line" in message


def test_arithmetic_needs_no_other_library(tmp_path):
    """The object links without the C library, and names no function that it does not define."""
    made = rt.compile_library(collatz, tmp_path / "collatz", I)
    start = "void _start(void) { long n; collatz(27, &n, 0); for (;;) ; }"
    (tmp_path / "start.c").write_text(f'#include "collatz.h"\n{start}\n')
    options = ["-nostdlib", "-ffreestanding", "-static", "-Wl,--no-undefined"]
    command = [COMPILER, *options, "start.c", "collatz.o", "-o", "start"]
    subprocess.run(command, cwd=tmp_path, check=True)
    if shutil.which("nm"):
        found = subprocess.run(["nm", "-u", made.object], check=True, capture_output=True)
        assert not found.stdout.strip()


@pytest.mark.parametrize(
    "target", ["aarch64-linux-gnu", "riscv64-linux-gnu", "thumbv7em-none-eabi"]
)
def test_objects_for_other_processors(target, tmp_path):
    made = rt.compile_library(statistics, tmp_path / "statistics", N, F, target=target)
    assert made.object.read_bytes()[:4] == b"\x7fELF"
    assert made.shared is None and made.static is None and made.header.exists()


# -- refusals --------------------------------------------------------------------------------------


def without_repetitions(x):
    return np.unique(x)[0]


def prints(x):
    print(x)
    return x + 1


def grows(x):
    return np.zeros(int(x[0]))


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (without_repetitions, "unique has no machine code here"),
        (prints, "print has no machine code here"),
        (grows, "its result is f64[None], and nothing bounds the sizes of full"),
    ],
)
def test_refusals_name_the_operation(function, reason, tmp_path):
    with pytest.raises(ExportError) as found:
        rt.compile_library(function, tmp_path / "f", N)
    assert f"{function.__name__} cannot be compiled: {reason}" in str(found.value)


def test_an_unknown_target(tmp_path):
    with pytest.raises(ExportError, match="Name a target that LLVM knows"):
        rt.compile_library(collatz, tmp_path / "f", I, target="abacus-unknown")
    assert not list(tmp_path.iterdir())


def test_a_size_without_a_name(tmp_path):
    with pytest.raises(ExportError, match=r'Name it: rt.TensorSpec\(\("n",\)\)'):
        rt.compile_library(heat, tmp_path / "f", rt.TensorSpec((None,)), F)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ([], "--args does not fit twice(x): missing a required argument: 'x'."),
        (["--args", "1.0, 2.0"], "--args does not fit twice(x): too many positional arguments."),
    ],
)
def test_the_command_says_how_to_give_arguments(arguments, problem, tmp_path, capsys):
    file = tmp_path / "program.py"
    file.write_text("def twice(x):\n    return x * 2\n")
    assert build([f"{file}:twice", "-o", str(tmp_path / "f"), *arguments]) == 2
    remedy = 'Write the arguments of a call, such as --args "np.ones(3)".'
    assert capsys.readouterr().err == f"autograph build: {problem}\n{remedy}\n"
    assert [path.name for path in tmp_path.iterdir()] == ["program.py"]
