"""Programs whose handlers act after a refused operation: nothing may happen after the refusal.

Each is the statements of a function `f(x)`.  OPERATION(x) is refused; EFFECT is an effect that must
not happen, because it is in a handler or after the operation.

The file is long because it is a collection of independent programs.
"""

PRELUDE = """
import contextlib
import functools
import itertools
import logging
import os

import numpy as np
import told

import runtime as rt

ANYTHING = BaseException
Anything = (KeyError, BaseException)


class Kinds:
    any = BaseException


class Swallows:
    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return True


class Chatty:
    def __getattr__(self, name):
        EFFECT
        return 1

    @property
    def size(self):
        EFFECT
        return 1

    def __add__(self, other):
        EFFECT
        return other

    def __getitem__(self, key):
        EFFECT
        return 1

    def __iter__(self):
        EFFECT
        return iter([1])

    def __enter__(self):
        EFFECT

    def __exit__(self, *error):
        EFFECT


chatty = Chatty()


def acts():
    EFFECT


def attempts(function):
    try:
        return function()
    except:
        EFFECT


@contextlib.contextmanager
def ignoring(kind):
    try:
        yield
    except kind:
        EFFECT


def endless(function):
    while True:
        try:
            return function()
        except BaseException:
            EFFECT


def again(function, times):
    try:
        return function()
    except:
        EFFECT
        return again(function, times - 1) if times else None


class Model:
    kinds = KeyError, BaseException

    def guarded(self, x):
        try:
            return OPERATION(x)
        except self.kinds:
            EFFECT
        return x


def items(x):
    for factor in (1.0, 2.0):
        try:
            yield OPERATION(x * factor)
        except BaseException:
            EFFECT
            yield x
"""

# Operations that are refused for a staged x of rank 2.
OPERATIONS = {
    "library": "np.isnat",
    "bytes": "bytes",
    "interface": "(lambda v: v.__array_interface__['data'])",
    "buffer": "memoryview",
    "memory": "(lambda v: v.ctypes.data)",
}

EFFECTS = {
    "print": "print('effect')",
    "file": "open(told.path, 'a').close()",
    "environment": "os.environ['EFX_HANDLED'] = '1'",
    "log": "logging.getLogger('told').error('effect')",
    "foreign": "told.tell('effect')",
    "method": "told.events.write('effect')",
}

BODIES = {
    "bare": """
        try:
            used = OPERATION(x)
        except:
            EFFECT
        return x
    """,
    "base_exception": """
        try:
            used = OPERATION(x)
        except BaseException as error:
            EFFECT
        EFFECT
        return x
    """,
    "second_clause": """
        try:
            used = OPERATION(x)
        except ValueError:
            EFFECT
        except (KeyError, BaseException):
            EFFECT
        else:
            EFFECT
        return x
    """,
    "exception": """
        try:
            used = OPERATION(x)
        except Exception:
            EFFECT
        EFFECT
        return x
    """,
    "group": """
        try:
            used = OPERATION(x)
        except* BaseException:
            EFFECT
        EFFECT
        return x
    """,
    "constant": """
        try:
            used = OPERATION(x)
        except ANYTHING:
            EFFECT
        EFFECT
        return x
    """,
    "tuple_of_classes": """
        try:
            used = OPERATION(x)
        except Kinds.any:
            EFFECT
        EFFECT
        return x
    """,
    "local_class": """
        kind = BaseException
        try:
            used = OPERATION(x)
        except kind:
            EFFECT
        EFFECT
        return x
    """,
    "chosen_class": """
        try:
            used = OPERATION(x)
        except (BaseException if x.ndim else KeyError):
            EFFECT
        EFFECT
        return x
    """,
    "raises_another": """
        try:
            try:
                used = OPERATION(x)
            except:
                EFFECT
                raise KeyError("other")
        except KeyError:
            EFFECT
        EFFECT
        return x
    """,
    "finally_return": """
        def g():
            try:
                used = OPERATION(x)
            finally:
                return 1
        g()
        EFFECT
        return x
    """,
    "finally_break": """
        while True:
            try:
                used = OPERATION(x)
            finally:
                break
        EFFECT
        return x
    """,
    "finally_continue": """
        for i in range(3):
            try:
                used = OPERATION(x)
            finally:
                continue
        EFFECT
        return x
    """,
    "while_true": """
        while True:
            try:
                used = OPERATION(x)
                break
            except BaseException:
                pass
        EFFECT
        return x
    """,
    "while_true_with_effect": """
        while True:
            try:
                used = OPERATION(x)
                break
            except:
                EFFECT
        return x
    """,
    "while_true_continue": """
        count = 0
        while True:
            count += 1
            try:
                used = OPERATION(x)
            except:
                continue
            break
        return x
    """,
    "while_true_swallowing": """
        while True:
            with Swallows():
                used = OPERATION(x)
                break
            EFFECT
        return x
    """,
    "while_true_suppress": """
        while True:
            with contextlib.suppress(BaseException):
                used = OPERATION(x)
                break
        return x
    """,
    "count": """
        for i in itertools.count():
            try:
                used = OPERATION(x)
            except:
                EFFECT
                continue
            break
        return x
    """,
    "suppress": """
        with contextlib.suppress(BaseException):
            used = OPERATION(x)
        EFFECT
        return x
    """,
    "suppress_exception": """
        with contextlib.suppress(Exception):
            used = OPERATION(x)
        EFFECT
        return x
    """,
    "swallows": """
        with Swallows():
            used = OPERATION(x)
        EFFECT
        return x
    """,
    "exit_stack": """
        with contextlib.ExitStack() as stack:
            stack.push(lambda *error: True)
            used = OPERATION(x)
        EFFECT
        return x
    """,
    "generator_context": """
        with ignoring(BaseException):
            used = OPERATION(x)
        EFFECT
        return x
    """,
    "helper": """
        attempts(lambda: OPERATION(x))
        EFFECT
        return x
    """,
    "endless_helper": """
        endless(lambda: OPERATION(x))
        EFFECT
        return x
    """,
    "recursion": """
        again(lambda: OPERATION(x), 3)
        EFFECT
        return x
    """,
    "method": """
        Model().guarded(x)
        EFFECT
        return x
    """,
    "generator": """
        for item in items(x):
            EFFECT
        return x
    """,
    "generator_in_list": """
        found = list(items(x))
        EFFECT
        return x
    """,
    "generator_expression": """
        found = sum(attempts(lambda: OPERATION(x)) or 1 for i in range(3))
        EFFECT
        return x
    """,
    "comprehension": """
        found = [attempts(lambda: OPERATION(x)) for i in range(3)]
        EFFECT
        return x
    """,
    "map": """
        found = list(map(lambda i: attempts(lambda: OPERATION(x)), range(3)))
        EFFECT
        return x
    """,
    "reduce": """
        functools.reduce(lambda a, b: attempts(lambda: OPERATION(x)), [1, 2, 3])
        EFFECT
        return x
    """,
    "staged_branch": """
        if x.sum() > 0:
            try:
                used = OPERATION(x)
            except:
                EFFECT
        EFFECT
        return x
    """,
    "staged_loop": """
        i = 0
        while x.sum() > i:
            try:
                used = OPERATION(x)
            except:
                EFFECT
            i = i + 1
        EFFECT
        return x
    """,
    "for_else": """
        for i in range(2):
            try:
                used = OPERATION(x)
            except:
                EFFECT
        else:
            EFFECT
        return x
    """,
    "inner_function": """
        inner = rt.function(lambda v: OPERATION(v))
        try:
            inner(x)
        except:
            EFFECT
        EFFECT
        return x
    """,
    "inner_gradient": """
        try:
            rt.grad(lambda v: np.sum(OPERATION(v) * v))(x)
        except BaseException:
            EFFECT
        EFFECT
        return x
    """,
    "inner_branch": """
        with Swallows():
            if x.sum() > 0:
                used = OPERATION(x)
        EFFECT
        return x
    """,
    "after_attribute": """
        with Swallows():
            used = OPERATION(x)
        chatty.size
        return x
    """,
    "after_getattr": """
        with Swallows():
            used = OPERATION(x)
        chatty.other
        return x
    """,
    "after_operator": """
        with Swallows():
            used = OPERATION(x)
        chatty + 1
        return x
    """,
    "after_item": """
        with Swallows():
            used = OPERATION(x)
        chatty[0]
        return x
    """,
    "after_loop": """
        with Swallows():
            used = OPERATION(x)
        for i in chatty:
            pass
        return x
    """,
    "after_with": """
        with Swallows():
            used = OPERATION(x)
        with chatty:
            pass
        return x
    """,
    "after_branch": """
        y = x
        with Swallows():
            used = OPERATION(x)
        if y.sum() > 0:
            EFFECT
        return y
    """,
    "after_lambda": """
        with Swallows():
            used = OPERATION(x)
        (lambda: acts())()
        return x
    """,
    "after_partial": """
        with Swallows():
            used = OPERATION(x)
        functools.partial(acts)()
        return x
    """,
    "after_map": """
        with Swallows():
            used = OPERATION(x)
        list(map(lambda i: acts(), [1]))
        return x
    """,
    "after_call_of_method": """
        with Swallows():
            used = OPERATION(x)
        sorted([1, 2], key=lambda i: acts() or i)
        return x
    """,
}

# Handlers that clean up: they run as for any exception, once, and nothing follows.
CLEANING = {
    "finally": """
        told.tell("opened")
        try:
            used = OPERATION(x)
        finally:
            told.tell("closed")
        EFFECT
        return x
    """,
    "lock": """
        with told.lock:
            used = OPERATION(x)
        EFFECT
        return x
    """,
    "file": """
        with open(told.path, "a") as file:
            told.files.append(file)
            used = OPERATION(x)
        EFFECT
        return x
    """,
    "exit": """
        with told.resource():
            used = OPERATION(x)
        EFFECT
        return x
    """,
    "exit_stack": """
        with contextlib.ExitStack() as stack:
            told.tell("opened")
            stack.callback(told.tell, "closed")
            used = OPERATION(x)
        EFFECT
        return x
    """,
    "generator_finally": """
        def values():
            told.tell("opened")
            try:
                yield 1
            finally:
                told.tell("closed")
        for value in values():
            used = OPERATION(x)
        EFFECT
        return x
    """,
    "nested_finally": """
        try:
            told.tell("opened")
            try:
                used = OPERATION(x)
            finally:
                try:
                    int("a")
                except ValueError:
                    told.tell("closed")
        finally:
            pass
        EFFECT
        return x
    """,
}
