"""The interface of backends: which hooks are called, when, and of which backend."""

import gc
import subprocess
import sys
import weakref

import pytest

import autograph
from autograph import backend as backends
from autograph.backend import Backend, State, unregister_ambient


class Letter:
    """A value that the backend below stages."""


class Noted(Backend):
    """Records the calls of its hooks."""

    def __init__(self):
        self.asked = []

    def is_none(self, value):
        self.asked.append("is_none")
        return "perhaps"

    def new_list(self, items):
        self.asked.append("new_list")
        return items

    def for_known(self, numbers, body, test, state):
        self.asked.append((numbers, state.names))
        return len(numbers) > 5


@pytest.fixture
def noted():
    backend = Noted()
    autograph.register_backend(type("Letter", (Letter,), {}), backend)
    return backend


@pytest.fixture
def ambient(noted):
    """The backend, and a list whose first element says whether it is tracing."""
    tracing = [True, 0]

    def is_tracing():
        tracing[1] += 1
        return tracing[0]

    autograph.register_ambient(is_tracing, noted)
    yield noted, tracing
    unregister_ambient(noted)


def test_none_is_decided_by_the_type_of_the_operand(noted):
    def absent(x):
        return x is None, x is not None

    letter = type("Letter", (Letter,), {"__autograph__": noted})()
    assert autograph.to_graph(absent)(letter) == ("perhaps", False)
    assert autograph.to_graph(absent)(1) == (False, True)


def make(x):
    z = [x]
    return z


def plain(x):
    return x


def calls_plain(x):
    for _ in [1, 2, 3]:
        plain(x)
    return plain(x)


def test_an_ambient_backend_is_active_where_it_is_tracing(ambient):
    backend, tracing = ambient
    converted = autograph.to_graph(make)
    assert converted(1) == [1] and backend.asked == ["new_list"]
    tracing[0] = False
    assert converted(1) == [1] and backend.asked == ["new_list"]


def test_an_ambient_backend_is_not_consulted_for_function_calls(ambient):
    backend, tracing = ambient
    converted = autograph.to_graph(calls_plain)
    tracing[1] = 0
    assert converted(1) == 1
    assert tracing[1] == 0


def test_an_int_subscript_is_read_without_consulting_a_backend(ambient):
    _, tracing = ambient

    def subscripts(xs, i, j):
        return xs[i], xs[j]

    converted = autograph.to_graph(subscripts)
    assert converted([1, 2], 0, 1) == (1, 2) and tracing[1] == 0
    assert converted([1, 2], 0, slice(1)) == (1, [1]) and tracing[1] == 1


def test_a_staged_block_is_consulted_before_an_ambient_backend(ambient):
    noted, tracing = ambient
    others = backends.may_be_staging - 1  # of libraries that are imported
    other = Noted()
    with backends.staging(other):
        assert backends.active() is other
    assert backends.active() is noted
    unregister_ambient(noted)
    assert backends.active() is backends.PYTHON and backends.may_be_staging == others


def test_each_backend_has_its_own_replacements():
    one, other = Noted(), Noted()

    def original():
        return "original"

    one.register_call(original, str)
    autograph.register_call(original, int, other)
    assert one.call(original) is str
    assert other.call(original) is int
    assert Noted().call(original) is original
    assert backends.is_replaced(original) and not backends.is_replaced(str.join)


def test_a_replacement_for_all_backends_is_one_for_each():
    one = Noted()

    def original():
        return "original"

    autograph.register_call(original, str)
    assert one.call(original) is Noted().call(original) is str


def test_two_replacements_of_one_function_are_refused():
    one = Noted()

    def original():
        return "original"

    one.register_call(original, str)
    one.register_call(original, str)
    for register in (one.register_call, autograph.register_call):
        with pytest.raises(ValueError, match="already replaced by <class 'str'>"):
            register(original, int)


def test_a_replacement_is_called_while_its_backend_is_active(ambient):
    backend, tracing = ambient
    backend.register_call(divmod, lambda x, y: "replaced")

    def divided(x):
        return divmod(x, 2)

    converted = autograph.to_graph(divided)
    assert converted(5) == "replaced"
    tracing[0] = False
    assert converted(5) == (2, 1)


def test_a_range_is_offered_to_the_active_backend_which_may_decline(noted):
    def summed(n):
        total = 0
        for i in range(n):
            total += i
        return total

    converted = autograph.to_graph(summed)
    with backends.staging(noted):
        assert converted(4) == 6  # declined
        assert converted(6) == 0  # accepted, and not run
    assert noted.asked == [(range(4), ("total",)), (range(6), ("total",))]
    assert converted(4) == 6


def test_plain_python_declines_ranges_and_exceptions():
    python, state = Backend(), State((), None, None)
    assert python.for_known(range(3), print, None, state) is False
    assert python.raised(ValueError()) is False


def test_a_module_is_left_alone_by_name(tmp_path):
    (tmp_path / "made.py").write_text("def f(x):\n    return 1 if x else 2\n")
    (tmp_path / "beside.py").write_text("def g(x):\n    return 1 if x else 2\n")
    code = (
        "import autograph, made, beside\n"
        "from autograph.functions.policy import is_left_alone, is_skipped\n"
        "autograph.leave_alone(made)\n"
        "assert is_left_alone(made.__file__) and is_skipped(made.__file__)\n"
        "assert not is_left_alone(beside.__file__)\n"
        "from autograph.functions.calls import converted_call\n"
        "assert converted_call(made.f) is made.f\n"
        "assert converted_call(beside.g) is not beside.g\n"
    )
    path = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
    done = subprocess.run([sys.executable, "-c", path + code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_type_may_become_staged_after_its_values_were_plain():
    class Later:
        pass

    assert backends.backend_of(Later()) is backends.PYTHON
    backend = Noted()
    Later.__autograph__ = backend
    assert backends.backend_of(Later()) is backend
    other = type("Other", (), {})
    assert backends.backend_of(other()) is backends.PYTHON
    autograph.register_backend(other, backend)
    assert backends.backend_of(other()) is backend


def test_the_types_of_plain_values_are_not_kept_alive():
    kind = type("Gone", (), {})
    assert backends.backend_of(kind()) is backends.PYTHON
    gone = weakref.ref(kind)
    del kind
    gc.collect()
    assert gone() is None
