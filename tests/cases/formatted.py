"""f-strings, and a formatted message."""

import numpy as np


def f(x, n=2):
    label = f"x is {x:.{n}f}" if x > 0 else "x is %s" % x
    assert x != 0, f"{x!r} is nothing"
    return label + "!"


INPUTS = [(1.5,), (-1.5,), (0.0,)]
STAGED = [(np.float64(1.5),), (np.float64(-1.5),), (np.float64(0.0),)]


# == generated ==

def f(x, n=2):
    label = ag__.if_expr(x > 0, lambda: ag__.text('x is ', ag__.shown(x, ag__.text('.', ag__.shown(n), 'f'))), lambda: ag__.percent('x is %s', x))
    assert ag__.holds(x != 0, lambda: ag__.text(ag__.shown(x, '', 'r'), ' is nothing')), ag__.text(ag__.shown(x, '', 'r'), ' is nothing')
    return label + '!'


# == graph ==

def f(x: f64):
    p: b1 = greater(x, 0)  # formatted.py:7

    def then():
        v: str = text(x, parts=((_0, '', '.2f'),))  # formatted.py:7
        v_1: str = text(v, parts=('x is ', (_0, '', '')))  # formatted.py:7
        return v_1

    def orelse():
        v_2: str = text(parts=('x is %s',))  # formatted.py:7
        v_3: str = text_call(v_2, x, method='__mod__', given=(_1,))  # formatted.py:7
        return v_3
    label: str = cond(p, then=then, orelse=orelse)  # formatted.py:7
    p_1: b1 = not_equal(x, 0)  # formatted.py:8

    def then_1():
        return

    def orelse_1():
        v_4: str = text(x, parts=((_0, 'r', ''),))  # formatted.py:8
        v_5: str = text(v_4, parts=((_0, '', ''), ' is nothing'))  # formatted.py:8
        raise_(v_5, error=AssertionError, arguments=(_0,))  # formatted.py:8
        return
    cond(p_1, then=then_1, orelse=orelse_1)  # formatted.py:8
    v_6: str = text_call(label, method='__add__', given=('!',))  # formatted.py:9
    return v_6


# == program ==

def f(x):
    if x > 0:
        label = _text(np, (_text(np, (x,), _attributes),), _attributes_1)
    else:
        label = _text_call(np, (_text(np, (), _attributes_2), x), _attributes_3)
    if not (x != 0):
        _raise(np, (_text(np, (_text(np, (x,), _attributes_4),), _attributes_5),), _attributes_6)
    v = _text_call(np, (label,), _attributes_7)
    return (v,)


# == output ==

# f(1.5,)
# -> 'x is 1.50!'
# f(-1.5,)
# -> 'x is -1.5!'
# f(0.0,)
# -> AssertionError: 0.0 is nothing
# f(np.float64(1.5),)
# -> 'x is 1.50!'
# f(np.float64(-1.5),)
# -> 'x is -1.5!'
# f(np.float64(0.0),)
# -> AssertionError: np.float64(0.0) is nothing
