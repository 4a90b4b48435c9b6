"""Graphs before and after each pass, as text.

The file is long because it is a collection of independent tests.
"""

import numpy as np
import pytest

import runtime as rt
from runtime.ir.graph import verify
from runtime.passes import PIPELINE

PASSES = {step.name: step.rewrite for step in PIPELINE}


def after(name, text):
    """The text of a graph after one pass."""
    graph = PASSES[name](rt.parse(text), None)
    verify(graph)
    return rt.show(graph)


def lines(text):
    """The lines of an indented text, dedented."""
    return "\n".join(line.removeprefix("    ") for line in text.strip("\n").splitlines()).rstrip()


def check(name, before, expected):
    """Fails if the output of a pass differs, or if a second run of the pass changes it."""
    before, expected = lines(before), lines(expected)
    assert after(name, before) == expected
    assert after(name, expected) == expected


def unchanged(name, text):
    assert after(name, lines(text)) == lines(text)


def test_every_pass_documents_its_effect_and_its_position():
    for step in PIPELINE:
        assert "\n\n    " in step.rewrite.__globals__["__doc__"], f"{step.name} has no picture"
        assert step.rewrite.__doc__


# -- constants -------------------------------------------------------------------------------------


def test_operations_on_constants_are_folded():
    check(
        "constant_folding",
        """
    def f():
        a: int = add(2, 3)
        b: f64[2] = constant(value=array([1.0, 2.0], f64, (2,)))
        c: f64[2] = multiply(b, a)
        return c
        """,
        """
    def f():
        b: f64[2] = constant(value=array([1.0, 2.0], f64, (2,)))
        c: f64[2] = constant(value=array([5.0, 10.0], f64, (2,)))
        return c
        """,
    )


def test_operations_that_raise_or_have_large_results_are_not_folded():
    unchanged(
        "constant_folding",
        """
    def f():
        a: int = floor_divide(1, 0)
        b: f64 = constant(value=array([2.0], f64, ()))
        c: f64[1000000] = full(b, shape=(1000000,), dtype=f64)
        d: f64[1000000] = broadcast_to(b, shape=(1000000,))
        return a, c, d
        """,
    )


def test_integers_and_strings_that_may_become_long_are_not_computed_beforehand():
    unchanged(
        "constant_folding",
        """
    def f():
        a: int = left_shift(1, 99999999999)
        b: int = multiply(a, a)
        d: int = math_factorial(1000000000, given=(_0,), named=())
        e: str = text(7, parts=((_0, '', '>9999'),))
        s: str = text(parts=('%', '9999d'))
        t: str = text_call(s, 7, method='__mod__', given=(_1,))
        return b, d, e, t
        """,
    )


# -- shapes ----------------------------------------------------------------------------------------


def test_known_sizes_become_ints():
    check(
        "shapes",
        """
    def f(x: f64[None, 3], v: f64):
        y: f64[None, 3] = sin(x)
        z: f64[None, 3] = setitem(y, v, at=(0, 0))
        n: int = size(z, axis=0)
        m: int = size(z, axis=1)
        return n, m
        """,
        """
    def f(x: f64[None, 3], v: f64):
        y: f64[None, 3] = sin(x)
        z: f64[None, 3] = setitem(y, v, at=(0, 0))
        n: int = size(x, axis=0)
        return n, 3
        """,
    )


def test_the_size_of_a_broadcast_result_is_computed_at_run_time():
    unchanged(
        "shapes",
        """
    def f(x: f64[None], y: f64[None]):
        z: f64[None] = add(x, y)
        n: int = size(z, axis=0)
        return n
        """,
    )


def test_two_transpositions_become_one_or_none():
    check(
        "shapes",
        """
    def f(x: f64[2, 3, 4]):
        a: f64[3, 4, 2] = transpose(x, axes=(1, 2, 0))
        b: f64[4, 2, 3] = transpose(a, axes=(1, 2, 0))
        c: f64[2, 3, 4] = transpose(b, axes=(1, 2, 0))
        d: f64 = sum(c)
        return b, d
        """,
        """
    def f(x: f64[2, 3, 4]):
        a: f64[3, 4, 2] = transpose(x, axes=(1, 2, 0))
        b: f64[4, 2, 3] = transpose(x, axes=(2, 0, 1))
        d: f64 = sum(x)
        return b, d
        """,
    )


def test_a_returned_view_stays_a_separate_view():
    unchanged(
        "shapes",
        """
    def f(x: f64[2, 3]):
        a: f64[3, 2] = transpose(x)
        b: f64[2, 3] = reshape(x, shape=(2, 3))
        return a, b
        """,
    )


def test_a_reshape_to_the_same_shape_is_removed():
    check(
        "shapes",
        """
    def f(x: f64[2, 3], y: f64[None, 3]):
        a: f64[2, 3] = reshape(x, shape=(2, 3))
        b: f64[None, 3] = reshape(y, shape=(-1, 3))
        c: f64 = sum(a)
        d: f64 = sum(b)
        return c, d
        """,
        """
    def f(x: f64[2, 3], y: f64[None, 3]):
        c: f64 = sum(x)
        d: f64 = sum(y)
        return c, d
        """,
    )


@pytest.mark.parametrize(
    ("first", "second", "third", "is_one"),
    [
        ("i8", "i32", "i64", True),
        ("i32", "f64", "i32", True),
        ("i32", "f64", "f32", True),
        ("f32", "f64", "f16", True),
        ("b1", "i8", "f32", True),
        ("u8", "i16", "i8", True),
        ("i64", "f64", "i64", False),  # 2**53 + 1
        ("i64", "i32", "i64", False),
        ("f64", "f32", "f64", False),
        ("f32", "f64", "i32", False),  # casts out of range depend on the processor
        ("i8", "u8", "i32", False),
        ("f64", "c128", "f64", False),
    ],
)
def test_two_casts_become_one_if_the_first_loses_nothing(first, second, third, is_one):
    text = f"""
    def f(x: {first}[3]):
        a: {second}[3] = cast(x, dtype={second})
        b: {third}[3] = cast(a, dtype={third})
        return b
    """
    assert (f"= cast(x, dtype={third})" in after("shapes", lines(text))) == is_one


# -- branches --------------------------------------------------------------------------------------


def test_a_branch_with_a_known_condition_is_inlined():
    check(
        "branch_simplification",
        """
    def f(x: f64):

        def then():
            print(x, parts=(_0,), sep=' ', end='')
            y: f64 = sin(x)
            return y, 1

        def orelse():
            return x, 2
        z, n = cond(True, then=then, orelse=orelse)
        m: int = add(n, 1)
        return z, m
        """,
        """
    def f(x: f64):
        print(x, parts=(_0,), sep=' ', end='')
        y: f64 = sin(x)
        return y, 2
        """,
    )


def test_a_loop_that_never_runs_becomes_its_initial_values():
    check(
        "branch_simplification",
        """
    def f(x: f64):

        def body(y: f64):
            y_1: f64 = sin(y)
            return True, y_1
        z: f64 = loop(False, x, body=body)
        return z
        """,
        """
    def f(x: f64):
        return x
        """,
    )


def test_a_loop_of_one_iteration_becomes_a_branch():
    check(
        "branch_simplification",
        """
    def f(p: b1, x: f64):

        def body(y: f64):
            y_1: f64 = sin(y)
            return False, y_1
        z: f64 = loop(p, x, body=body)
        return z
        """,
        """
    def f(p: b1, x: f64):

        def then():
            y_1: f64 = sin(x)
            return y_1

        def orelse():
            return x
        z: f64 = cond(p, then=then, orelse=orelse)
        return z
        """,
    )


def test_a_condition_is_known_inside_its_branches():
    check(
        "branch_simplification",
        """
    def f(p: b1, x: f64):

        def then():
            q: bool = truth(p)

            def then_1():
                y: f64 = sin(x)
                return y

            def orelse():
                return x
            z: f64 = cond(p, then=then_1, orelse=orelse)
            return z, q

        def orelse_1():
            return x, True
        a, b = cond(p, then=then, orelse=orelse_1)
        return a
        """,
        """
    def f(p: b1, x: f64):

        def then():
            y: f64 = sin(x)
            return y

        def orelse():
            return x
        a: f64 = cond(p, then=then, orelse=orelse)
        return a
        """,
    )


def test_a_flag_is_replaced_by_the_condition_that_sets_it():
    check(
        "branch_simplification",
        """
    def f(p: b1, x: f64):

        def then():
            return True, 1

        def orelse():
            return False, 2
        stop, n = cond(p, then=then, orelse=orelse)
        q: bool = not_(stop)

        def then_1():
            m: int = add(n, 1)
            y: f64 = sin(x)
            return y, m

        def orelse_1():
            return x, n
        z, k = cond(q, then=then_1, orelse=orelse_1)
        return z, k
        """,
        """
    def f(p: b1, x: f64):
        stop: bool = truth(p)
        q: bool = not_(p)

        def then():
            return 1, x, 1

        def orelse():
            y: f64 = sin(x)
            return 2, y, 3
        n, z, k = cond(p, then=then, orelse=orelse)
        return z, k
        """,
    )


def test_branches_with_an_effect_or_a_failure_between_them_are_not_merged():
    for between in ("print(x, parts=(_0,), sep=' ', end='')", "v: f64[2] = linalg_solve(m, w)"):
        name = "np.linalg.solve"
        between = between.replace(
            "linalg_solve(m, w)", "linalg_solve(m, w, given=(_0, _1), named=())"
        )
        unchanged(
            "branch_simplification",
            f"""
    def f(p: b1, x: f64, m: f64[2, 2], w: f64[2]):

        def then():
            print(parts=('a',), sep=' ', end='')
            return

        def orelse():
            return
        cond(p, then=then, orelse=orelse)
        {between}

        def then_1():
            print(parts=('b',), sep=' ', end='')
            return

        def orelse_1():
            return
        cond(p, then=then_1, orelse=orelse_1)
        return
            """,
        )


def test_an_assertion_known_to_hold_is_removed():
    check(
        "branch_simplification",
        """
    def f(x: f64):
        assert_(True, error=AssertionError, arguments=())
        assert_(False, error=AssertionError, arguments=())
        return x
        """,
        """
    def f(x: f64):
        assert_(False, error=AssertionError, arguments=())
        return x
        """,
    )


def test_known_branches_in_recursive_functions_are_inlined():
    check(
        "branch_simplification",
        """
    def f(x: f64, p: bool):
        q: bool = not_(p)
        r: bool = not_(q)

        def body(n: f64):
            p_1: b1 = less(n, 1)

            def then():
                return r

            def orelse():
                s: f64 = subtract(n, 1)
                t: bool = again(s, name='inner', types=(bool,))
                return t
            result: bool = cond(p_1, then=then, orelse=orelse)
            return result
        v: bool = recursive(x, name='inner', body=body)
        return v
        """,
        """
    def f(x: f64, p: bool):
        q: bool = not_(p)

        def body(n: f64):
            p_1: b1 = less(n, 1)

            def then():
                return p

            def orelse():
                s: f64 = subtract(n, 1)
                t: bool = again(s, name='inner', types=(bool,))
                return t
            result: bool = cond(p_1, then=then, orelse=orelse)
            return result
        v: bool = recursive(x, name='inner', body=body)
        return v
        """,
    )


# -- repetition ------------------------------------------------------------------------------------


def test_common_subexpressions_are_computed_once():
    check(
        "common_subexpressions",
        """
    def f(x: f64[3]):
        a: f64[3] = sin(x)
        b: f64[3] = sin(x)
        c: f64[3] = add(a, b)
        return c
        """,
        """
    def f(x: f64[3]):
        a: f64[3] = sin(x)
        c: f64[3] = add(a, a)
        return c
        """,
    )


def test_operations_under_different_errstates_are_not_merged():
    unchanged(
        "common_subexpressions",
        """
    def f(x: f64[3]):
        enter_errors(options=(('all', 'ignore'),))
        a: f64[3] = sqrt(x)
        leave_errors()
        b: f64[3] = sqrt(x)
        c: f64[3] = add(a, b)
        d: f64 = sum(c)
        return d
        """,
    )


def test_equal_arrays_returned_to_the_caller_stay_separate():
    unchanged(
        "common_subexpressions",
        """
    def f(x: f64[3]):
        a: f64[3] = sin(x)
        b: f64[3] = sin(x)
        c: f64[2] = getitem(a, at=(slice(1, None, None),))
        d: f64[2] = getitem(b, at=(slice(1, None, None),))
        return c, d
        """,
    )


def test_equal_arrays_in_a_list_stay_separate():
    def f(x, n):
        z = []
        for _ in range(n):
            z.append(np.sin(x))
            z.append(np.sin(x))
        return z

    first, second, third, fourth = rt.function(f)(np.ones(2), np.int64(2))
    first[0] = 7.0
    for other in (second, third, fourth):
        assert other[0] == np.sin(1.0)


# -- motion ----------------------------------------------------------------------------------------


def test_loop_invariant_values_move_before_the_loop():
    check(
        "loop_invariant_motion",
        """
    def f(p: b1, x: f64[3], w: f64[3, 3], n: int):

        def body(y: f64[3]):
            t: f64[3, 3] = transpose(w)
            k: int = add(n, 1)
            v: f64[3] = matmul(t, y)
            s: f64[3] = multiply(v, k)
            return False, s
        z: f64[3] = loop(p, x, body=body)
        return z
        """,
        """
    def f(p: b1, x: f64[3], w: f64[3, 3], n: int):
        t: f64[3, 3] = transpose(w)
        k: int = add(n, 1)

        def body(y: f64[3]):
            v: f64[3] = matmul(t, y)
            s: f64[3] = multiply(v, k)
            return False, s
        z: f64[3] = loop(p, x, body=body)
        return z
        """,
    )


GUARDED = """
    def f(p: b1, a: f64[2, 2], b: f64[2, 2], x: f64):

        def body(y: f64):
            c: f64[2, 2] = matmul(a, b)
            s: f64 = sum(c)
            v: f64 = add(y, s)
            print(v, parts=(_0,), sep=' ', end='')
            d: f64 = sin(x)
            e: f64 = add(v, d)
            return False, e
        z: f64 = loop(p, x, body=body)
        return z
"""


def test_operations_that_may_fail_are_hoisted_under_a_guard_and_not_past_effects():
    check(
        "loop_invariant_motion",
        GUARDED,
        """
    def f(p: b1, a: f64[2, 2], b: f64[2, 2], x: f64):

        def then():
            c: f64[2, 2] = matmul(a, b)
            s: f64 = sum(c)
            return s

        def orelse():
            s_1: f64 = unreachable(type=f64)
            return s_1
        s_2: f64 = cond(p, then=then, orelse=orelse)

        def body(y: f64):
            v: f64 = add(y, s_2)
            print(v, parts=(_0,), sep=' ', end='')
            d: f64 = sin(x)
            e: f64 = add(v, d)
            return False, e
        z: f64 = loop(p, x, body=body)
        return z
        """,
    )


def test_a_loop_that_does_not_run_raises_nothing():
    def f(a, b, n):
        total = np.zeros(2)
        for _ in range(n):
            total = total + np.linalg.inv(a) @ b
        return total

    singular, b = np.zeros((2, 2)), np.ones(2)
    staged = rt.function(f)
    assert "np.linalg.inv" in staged.get_concrete_function(singular, b, np.int64(0)).source
    staged(np.eye(2), b, np.int64(2))
    assert np.array_equal(staged(np.eye(2), b, np.int64(2)), [2.0, 2.0])
    with pytest.raises(np.linalg.LinAlgError):
        staged(singular, b, np.int64(1))


def test_the_first_error_of_an_iteration_stays_the_first(capsys):
    def f(x, a, n):
        for i in range(n):
            print(i)
            y = x[n]
            x = x + np.linalg.inv(a)[0] * y
        return x

    with pytest.raises(IndexError):
        rt.function(f)(np.ones(2), np.zeros((2, 2)), np.int64(5))
    assert capsys.readouterr().out == "0\n"


def test_an_array_that_an_iteration_writes_into_is_created_in_the_iteration():
    unchanged(
        "loop_invariant_motion",
        """
    def f(p: b1, x: f64):

        def body(y: f64):
            a: f64[3] = full(0.0, shape=(3,))
            b: f64[3] = setitem(a, y, at=(0,))
            s: f64 = sum(b)
            return False, s
        z: f64 = loop(p, x, body=body)
        return z
        """,
    )


# -- loop state ------------------------------------------------------------------------------------


def test_unchanged_variables_are_not_carried():
    check(
        "loop_state",
        """
    def f(p: b1, x: f64, n: int):

        def body(y: f64, m: int, k: int, q: bool):
            y_1: f64 = multiply(y, m)
            return p, y_1, m, 3, True
        z, a, b, c = loop(p, x, n, 3, False, body=body)
        return z, a, b, c
        """,
        """
    def f(p: b1, x: f64, n: int):

        def body(y: f64):
            y_1: f64 = multiply(y, n)
            return p, y_1
        z: f64 = loop(p, x, body=body)

        def then():
            return True

        def orelse():
            return False
        c: bool = cond(p, then=then, orelse=orelse)
        return z, n, 3, c
        """,
    )


def test_two_equal_counters_are_merged():
    check(
        "loop_state",
        """
    def f(p: b1, x: f64):

        def body(y: f64, i: int, n: int):
            y_1: f64 = multiply(y, n)
            i_1: int = add(i, 1)
            n_1: int = add(n, 1)
            q: bool = less(i_1, 10)
            return q, y_1, i_1, n_1
        z, a, b = loop(True, x, 0, 0, body=body)
        return z, b
        """,
        """
    def f(p: b1, x: f64):

        def body(y: f64, i: int):
            y_1: f64 = multiply(y, i)
            i_1: int = add(i, 1)
            n_1: int = add(i, 1)
            q: bool = less(i_1, 10)
            return q, y_1, i_1
        z, a = loop(True, x, 0, body=body)
        return z, a
        """,
    )


def test_a_variable_used_only_by_itself_is_dead():
    check(
        "dead_code",
        """
    def f(x: f64):

        def body(i: int, y: f64, z: f64, w: f64):
            i_1: int = add(i, 1)
            y_1: f64 = sin(y)
            z_1: f64 = cos(w)
            w_1: f64 = sin(z)
            print(i, parts=(_0,), sep=' ', end='')
            q: bool = less(i_1, 10)
            return q, i_1, y_1, z_1, w_1
        a, b, c, d = loop(True, 0, x, x, x, body=body)
        return d
        """,
        """
    def f(x: f64):

        def body(i: int, z: f64, w: f64):
            i_1: int = add(i, 1)
            z_1: f64 = cos(w)
            w_1: f64 = sin(z)
            print(i, parts=(_0,), sep=' ', end='')
            q: bool = less(i_1, 10)
            return q, i_1, z_1, w_1
        a, c, d = loop(True, 0, x, x, body=body)
        return d
        """,
    )


# -- unused results --------------------------------------------------------------------------


def test_unused_values_are_computed_only_if_they_may_raise():
    def f(x, i):
        unused = np.take(x, i)
        wasted = np.exp(x) @ x[:2]
        return x + 1

    staged = rt.function(f)
    assert np.array_equal(staged(np.ones(2), np.int64(1)), [2.0, 2.0])
    assert "take" in staged.source(np.ones(2), np.int64(1))
    assert "exp" not in staged.source(np.ones(2), np.int64(1))
    with pytest.raises(IndexError):
        staged(np.ones(2), np.int64(9))


def test_effects_happen_in_order_even_if_their_results_are_unused(capsys):
    def f(x, i):
        print("first")
        unused = np.take(x, i - 1)
        for k in range(i):
            print(k, x)
            wasted = x[i:] / x[i - 1]
        assert i < 2, "too many"
        print("last", x)
        return 0

    staged = rt.function(f)
    staged(np.ones(2), np.int64(1))
    assert capsys.readouterr().out == "first\n0 [1. 1.]\nlast [1. 1.]\n"
    with pytest.raises(AssertionError, match="too many"):
        staged(np.ones(2), np.int64(2))
    assert capsys.readouterr().out == "0 [1. 1.]\n1 [1. 1.]\n"
