"""`raise` and `assert` under staged conditions inside a `try`: exact, also after effects."""

import logging

import numpy as np
import pytest
from support.outcomes import check_same, outcome, quiet, same_exactly

import runtime as rt

PROGRAMS = []
NUMBERS = [(np.float64(value),) for value in (2.0, -2.0, 0.0, -2.0)]
WHOLE = [(np.int64(value),) for value in (0, 3, 5, 7)]


def program(*cases):
    """Adds a function to the programs, with the arguments of its calls."""

    def add(function):
        PROGRAMS.append(pytest.param(function, cases, id=function.__name__))
        return function

    return add


@program(*NUMBERS)
def simple(x):
    try:
        if x < 0:
            raise ValueError("neg")
        y = np.sqrt(x)
    except ValueError:
        y = x * 0
    return y


@program(*NUMBERS)
def printed(x):
    try:
        print("start", x)
        if x < 0:
            raise ValueError("neg")
        print("ok", x)
        y = np.sqrt(x)
    except ValueError as e:
        print("caught", e)
        y = x * 0
    else:
        print("else", x)
    finally:
        print("finally", x)
    return y


@program(*NUMBERS)
def staged_arg(x):
    try:
        if x < 0:
            raise ValueError(f"neg {x}")
        y = x
    except ValueError as e:
        print(e)
        y = -x
    return y


class E1(Exception):
    pass


class E2(E1):
    def __init__(self, amount):
        super().__init__(f"amount {amount}")
        self.amount = amount


@program(*NUMBERS)
def custom(x):
    try:
        if x < 0:
            raise E2(x)
        if x == 0:
            raise KeyError("zero")
        y = x
    except E1 as e:
        y = e.amount * 10
    except KeyError:
        y = x + 5
    return y


@program(*NUMBERS)
def nested(x):
    try:
        try:
            if x < 0:
                raise ValueError("a")
            if x == 0:
                raise KeyError("b")
            y = x
        except ValueError:
            print("inner")
            y = x - 1
        finally:
            print("fin", x)
    except KeyError:
        y = x - 2
    return y


@program(*NUMBERS)
def reraise(x):
    try:
        try:
            if x < 0:
                raise ValueError("a")
            y = x
        except ValueError:
            print("inner")
            raise
    except ValueError:
        y = x - 2
    return y


@program(*WHOLE)
def loop_continue(n):
    t = 0
    i = 0
    while i < n:
        i += 1
        try:
            if i % 2 == 0:
                raise ValueError
            t += i
        except ValueError:
            continue
        t += 100
    return t


@program(*WHOLE)
def loop_break(n):
    t = 0
    for i in range(n):
        try:
            if i > 3:
                raise ValueError("big")
            t += i
        except ValueError:
            print("break")
            break
    return t


@program(*NUMBERS)
def fin_only(x):
    try:
        if x < 0:
            raise ValueError("neg")
        y = x
    finally:
        print("done", x)
    return y


def checked(x):
    if x < 0:
        raise ValueError("negative input")
    return x * 2


@program(*NUMBERS)
def called(x):
    try:
        y = checked(x)
    except ValueError as e:
        print("caught:", e)
        y = x
    return y


class Insufficient(Exception):
    def __init__(self, balance, amount):
        super().__init__("Insufficient funds")
        self.balance, self.amount = balance, amount


class Account:
    def __init__(self, b):
        self.balance = b

    def withdraw(self, amount):
        if amount > self.balance:
            raise Insufficient(self.balance, amount)
        self.balance -= amount
        return self.balance


@program(*NUMBERS)
def bank(x):
    a = Account(x + 1.0)
    log = []
    for amount in [1.0, 2.0, 0.5]:
        try:
            a.withdraw(amount)
            log.append(a.balance)
        except Insufficient as e:
            print("refused", e.amount, e)
            log.append(-e.amount)
    return a.balance, log


@program(*NUMBERS)
def bare(x):
    try:
        if x < 0:
            raise ValueError("neg")
        y = x
    except:  # noqa: E722
        y = x * 2
    return y


@program(*NUMBERS)
def raise_in_handler(x):
    try:
        if x < 0:
            raise ValueError("neg")
        y = x
    except ValueError:
        if x < -1:
            raise KeyError("handler")
        y = 1.0
    return y


@program(*NUMBERS)
def asserts(x):
    try:
        assert x >= 0, "negative"
        y = x
    except AssertionError as e:
        y = -x
        print("assert", e)
    return y


@program(*NUMBERS)
def retry(x):
    k = 0
    while True:
        try:
            if x < 0:
                raise ValueError("neg")
            break
        except ValueError:
            x = x + 1
            k += 1
    return x, k


V = rt.Variable(np.float64(0.0))


@program(*[(np.arange(3.0), np.float64(v)) for v in (1.0, -1.0, 2.0)])
def writes(a, x):
    a[0] = x
    try:
        if x < 0:
            raise ValueError("neg")
        a[1] = 5.0
    except ValueError:
        a[2] = -7.0
    print(a)
    return a.sum()


@program(*NUMBERS)
def variable(x):
    V.assign_add(x)
    try:
        if x < 0:
            raise ValueError("neg")
        y = x
    except ValueError:
        V.assign_add(100.0)
        y = -x
    return y, float(V.read_value() if hasattr(V, "read_value") else V)


@program(*NUMBERS)
def loop_prints(x):
    k = 0
    while k < 3:
        print("turn", k, x)
        try:
            if x + k < 0:
                raise ValueError(k)
            x = x - 1
        except ValueError as e:
            print("caught", e)
            x = x + 5
        k = k + 1
    return x


@program(*NUMBERS)
def logged(x):
    logging.getLogger("q").info("x %s", x)
    try:
        if x < 0:
            raise ValueError("neg")
        y = x
    except ValueError:
        y = -x
    return y


@program(*NUMBERS)
def uncaught_after_print(x):
    print("in", x)
    if x == 0:
        raise KeyError("zero")
    try:
        if x < 0:
            raise ValueError("neg")
        y = x
    except ValueError:
        y = -x
    return y


@pytest.mark.parametrize(("function", "cases"), PROGRAMS)
def test_an_exception_is_handled_as_in_python(function, cases):
    staged = rt.function(function)
    for given in cases:
        with quiet():
            V.assign(0.0)
            seen = outcome(staged, given)
            V.assign(0.0)
            check_same(seen, outcome(function, given), same_exactly)
    assert len(staged.graphs) == 1


def test_warnings_are_issued_once():
    @rt.function
    def f(x):
        print("number", x)
        try:
            y = np.log(x)
            if x > 5:
                raise ValueError
        except ValueError:
            y = x
        return y

    with pytest.warns(RuntimeWarning, match="divide by zero") as caught:
        assert f(np.float64(0.0)) == -np.inf
    assert len(caught) == 1


def test_an_effect_whose_result_is_used_is_refused():
    @rt.function
    def f(x):
        y = np.random.rand()
        try:
            if x > y:
                raise ValueError
        except ValueError:
            y = x
        return y

    with pytest.raises(rt.StagingError, match="which only a run can raise, is inside a `try`"):
        f(np.float64(0.0))
