"""Programs whose handlers swallow what OPERATION(x) raises; each is the body of a function of x."""

PRELUDE = """
import asyncio
import concurrent.futures
import contextlib
import copy
import functools
import json
import operator
import threading

import numpy as np

import autograph
import runtime as rt


def sign(x):
    locals()  # so it is not converted
    return 1.0 if x.sum() > 0 else -1.0


def attempt(function, default):
    try:
        return function()
    except Exception:
        return default


class Swallows:
    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return True


class Lazy:
    def __init__(self, x):
        self.x = x

    @property
    def value(self):
        try:
            return OPERATION(self.x)
        except Exception:
            raise AttributeError("value")

    def __getattr__(self, name):
        return self.x * 0

    def __eq__(self, other):
        try:
            return bool(OPERATION(self.x).sum() > 100)
        except BaseException:
            return False

    __hash__ = None

    def __str__(self):
        return str(OPERATION(self.x))

    def __deepcopy__(self, memo):
        try:
            return Lazy(OPERATION(self.x))
        except:
            return self


class Last:
    def __new__(cls, x):
        return object.__new__(cls)

    def __init__(self, x):
        self.x = x

    def __del__(self):
        OPERATION(self.x)


@contextlib.contextmanager
def ignoring(kind):
    try:
        yield
    except kind:
        pass


def items(x):
    for factor in (1.0, 2.0):
        try:
            yield OPERATION(x * factor)
        except BaseException:
            yield x * 0.0

"""

# Operations that are refused for a staged x of rank 2.
OPERATIONS = {
    "truth": "sign",
    "array": "(lambda v: np.nditer([v, v]))",
    "number": "(lambda v: operator.index(v[0, 0].astype(int)))",
}

# The statements of a function of x that swallow the refusal of OPERATION(x).
BODIES = {
    "except_exception": """
        try:
            y = OPERATION(x)
        except Exception:
            y = x * 0
        return y
    """,
    "except_type_error": """
        try:
            y = OPERATION(x)
        except (TypeError, ValueError) as error:
            y = x * len(error.args)
        return y
    """,
    "except_all": """
        try:
            y = OPERATION(x)
        except:
            y = x * 0
        return y
    """,
    "except_staging_error": """
        try:
            y = OPERATION(x)
        except rt.StagingError:
            y = x * 0
        return y
    """,
    "except_base_exception": """
        try:
            y = OPERATION(x)
        except BaseException as error:
            y = x * 0
        else:
            y = y * 2
        return y
    """,
    "except_group": """
        y = x * 0
        try:
            y = OPERATION(x)
        except* Exception:
            y = x
        return y
    """,
    "finally_return": """
        try:
            OPERATION(x)
        finally:
            return x * 0
    """,
    "another_exception": """
        try:
            y = OPERATION(x)
        except:
            raise KeyError("other")
        return y
    """,
    "exit": """
        try:
            y = OPERATION(x)
        except:
            raise SystemExit(3)
        return y
    """,
    "retries": """
        y = x * 0
        for attempt in range(3):
            try:
                y = OPERATION(x)
                break
            except:
                continue
        return y
    """,
    "suppress": """
        y = x * 0
        with contextlib.suppress(Exception):
            y = OPERATION(x)
        return y
    """,
    "suppress_all": """
        y = x * 0
        with contextlib.suppress(BaseException):
            y = OPERATION(x)
        return y
    """,
    "exit_stack": """
        y = x * 0
        with contextlib.ExitStack() as stack:
            stack.push(lambda *exception: True)
            y = OPERATION(x)
        return y
    """,
    "own_context_manager": """
        y = x * 0
        with Swallows():
            y = OPERATION(x)
        return y
    """,
    "generator_context_manager": """
        y = x * 0
        with ignoring(BaseException):
            y = OPERATION(x)
        return y
    """,
    "generator": """
        return sum(items(x), x * 0)
    """,
    "generator_by_hand": """
        found = items(x)
        return next(found) + next(found)
    """,
    "helper": """
        return attempt(lambda: OPERATION(x), x * 0)
    """,
    "sorted_key": """
        def key(v):
            try:
                return float(OPERATION(x))
            except:
                return v
        return x * sorted([3, 1, 2], key=key)[0]
    """,
    "map": """
        return sum(map(lambda v: attempt(lambda: OPERATION(v), v * 0), [x, x]), x)
    """,
    "reduce": """
        return functools.reduce(lambda a, b: attempt(lambda: OPERATION(a), b), [x, x, x])
    """,
    "comprehension": """
        return sum([attempt(lambda: OPERATION(v), v) for v in (x, x)])
    """,
    "hasattr": """
        return x if hasattr(Lazy(x), "value") else x * 0
    """,
    "getattr_default": """
        return getattr(Lazy(x), "value", x * 0)
    """,
    "own_getattr": """
        return Lazy(x).value
    """,
    "membership": """
        return x if 3 in [Lazy(x)] else x * 0
    """,
    "equality": """
        return x if Lazy(x) == 3 else x * 0
    """,
    "deepcopy": """
        return copy.deepcopy(Lazy(x)).x
    """,
    "finalizer": """
        last = Last(x)
        del last
        return x
    """,
    "vectorize": """
        def one(v):
            try:
                return float(OPERATION(x))
            except:
                return v
        return x * np.vectorize(one, otypes=[float])(np.ones(2))
    """,
    "apply_along_axis": """
        def row(v):
            try:
                return v * OPERATION(x)[0, 0]
            except BaseException:
                return v * 0
        return np.apply_along_axis(row, 1, np.ones((2, 2))) + x
    """,
    "json_default": """
        def default(value):
            try:
                return OPERATION(x)
            except BaseException:
                return 0
        return x * len(json.dumps({"a": Lazy}, default=default))
    """,
    "thread": """
        def work():
            try:
                OPERATION(x)
            except Exception:
                pass
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        return x
    """,
    "future": """
        with concurrent.futures.ThreadPoolExecutor() as pool:
            error = pool.submit(OPERATION, x).exception()
        return x if error is None else x * 0
    """,
    "asyncio": """
        async def work():
            try:
                return OPERATION(x)
            except:
                return x * 0
        return asyncio.run(work())
    """,
    "gather": """
        async def work():
            return OPERATION(x)
        async def both():
            return await asyncio.gather(work(), work(), return_exceptions=True)
        found = asyncio.run(both())
        return x * len(found)
    """,
    "callback_of_iter": """
        def turn():
            try:
                return OPERATION(x)
            except:
                return None
        return x * len(list(iter(turn, None)))
    """,
    "nested_try": """
        try:
            try:
                y = OPERATION(x)
            except TypeError:
                raise ValueError("bad")
            finally:
                z = 1
        except:
            y = x * 0
        return y
    """,
    "staged_branch": """
        y = x
        if x.sum() > 0:
            try:
                y = OPERATION(x)
            except:
                y = x * 0
        return y
    """,
    "staged_loop": """
        y = x
        while y.sum() < 10:
            try:
                y = y + OPERATION(y)
            except:
                y = y + 1
        return y
    """,
    "inner_function": """
        @rt.function
        def inner(v):
            return OPERATION(v)
        try:
            return inner(x)
        except:
            return x * 0
    """,
    "inner_gradient": """
        try:
            return rt.grad(lambda v: np.sum(OPERATION(v) * v))(x)
        except:
            return x * 0
    """,
    "inner_vmap": """
        try:
            return rt.vmap(lambda v: OPERATION(v[:, None]) + v)(x)
        except:
            return x * 0
    """,
}
