"""One small program for each construct of docs/constructs.md, with the arguments of a call."""

import numpy as np

Construct = tuple[str, str, tuple[object, ...]]
CONSTRUCTS: dict[object, Construct] = {}


def construct(title, text, *given):
    """Adds a program to the page."""

    def add(function):
        CONSTRUCTS[function] = title, text, given
        return function

    return add


@construct(
    "`if`",
    "Both branches become functions. `get_state` and `set_state` name the variables that they"
    " assign, so that the graph can join them.",
    np.float64(3.0),
    np.float64(1.0),
)
def clipped(x, limit):
    if x > limit:
        x = limit
    return x


@construct(
    "`elif` and several results",
    "A chain of conditions is an `if` in an `else`. Each node of the graph returns all variables"
    " that are used later.",
    np.float64(2.0),
)
def piece(x):
    if x < 0:
        y, side = -x, -1
    elif x < 1:
        y, side = x * x, 0
    else:
        y, side = 2 * x - 1, 1
    return y, side


@construct(
    "Conditional expressions, `and`, `or`, `not`",
    "Operands become lambdas: the second one is evaluated only if Python would evaluate it.",
    np.float64(2.0),
    np.float64(0.5),
)
def ratio(x, y):
    return x / y if y != 0 and x > y else 0.0


@construct(
    "Chained comparisons",
    "The middle operand is evaluated once, the last one only if the first comparison holds.",
    np.float64(0.5),
)
def inside(x):
    return 0 < x * x <= 1


@construct(
    "`while`",
    "Test and body become functions. The graph's loop tests at the end of its body, so there"
    " is a test before it, too.",
    np.int64(6),
)
def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


@construct(
    "`for` over an array",
    "The loop is over the rows of the array, whatever their number.",
    np.ones(4),
)
def running(x):
    total = 0.0
    for value in x:
        total = total * 0.5 + value
    return total


@construct(
    "`for` over a `range`, with a write",
    "The number of iterations is known only to the run. A write to an element makes a new version"
    " of the array in the graph; the run writes in place.",
    np.ones(4),
    np.int64(3),
)
def filled(x, n):
    y = np.zeros(4)
    for i in range(n):
        y[i] = x[i] * i
    return y


@construct(
    "`break`",
    "A variable of the conversion takes its place, and the loop tests it. What follows a `break` in"
    " the body moves into the other branch.",
    np.ones(4),
)
def first_above(x):
    found = -1.0
    for value in x:
        if value > 2:
            found = value
            break
    return found


@construct(
    "`continue`",
    "The rest of the body moves into the other branch.",
    np.ones(4),
)
def positive_sum(x):
    total = 0.0
    for value in x:
        if value < 0:
            continue
        total += value
    return total


@construct(
    "`else` of a loop",
    "It runs if no `break` has ended the loop.",
    np.ones(4),
)
def checked_sum(x):
    total = 0.0
    for value in x:
        if value < 0:
            break
        total += value
    else:
        total *= 2
    return total


@construct(
    "`return` in the middle",
    "The rest of the function moves into the other branch, and the result becomes a variable.",
    np.float64(3.0),
)
def square_root(x):
    if x < 0:
        return 0.0
    y = x
    while abs(y * y - x) > 1e-6:
        y = (y + x / y) / 2
    return y


@construct(
    "`assert` and `raise`",
    "Both happen in the run, with the type, the message and the line of the program.",
    np.float64(2.0),
)
def logarithm(x):
    if x == 0:
        raise ZeroDivisionError("no logarithm of 0")
    assert x > 0, "x is negative"
    return np.log(x)


@construct(
    "`print`",
    "Each run that reaches it prints, in order with other effects.",
    np.float64(2.0),
)
def told(x):
    if x > 1:
        print("large:", x)
    return x


@construct(
    "Comprehensions",
    "The first iterable is an argument of the operator. Over the rows of an array the comprehension"
    " is a loop that appends.",
    np.ones(4),
)
def squares(x):
    return np.array([value * value for value in x if value > 0])


@construct(
    "Lists that grow",
    "A list that a loop appends to is a value of the graph; its elements have one type.",
    np.float64(1.0),
    np.int64(3),
)
def powers(x, n):
    found = []
    for _ in range(n):
        found.append(x)
        x = x * x
    return found


@construct(
    "Assignment expressions",
    "The name is a variable of the function, as in Python.",
    np.float64(5.0),
)
def halved(x):
    steps = 0
    while (x := x / 2) > 1:
        steps += 1
    return steps


def relu(x):
    return x if x > 0 else 0.0


@construct(
    "Calls of your functions",
    "The function that is called is converted, too, and its graph becomes a part of the caller's.",
    np.float64(2.0),
)
def twice(x):
    return relu(x) + relu(-x)


@construct(
    "Recursion",
    "A function that calls itself under a condition of the run is a function of the graph.",
    np.int64(5),
)
def factorial(n):
    if n < 2:
        return 1
    return n * factorial(n - 1)


@construct(
    "Functions in functions",
    "A nested function is converted together with the outer one, and sees its variables.",
    np.float64(2.0),
)
def applied(x):
    def step(y):
        nonlocal x
        x = x + y
        return x * 2

    return step(1.0) + step(2.0)


@construct(
    "`with`",
    "The statement stays, and its body is converted.",
    np.float64(2.0),
)
def quiet_root(x):
    with np.errstate(invalid="ignore"):
        if x > 4:
            x = np.sqrt(x)
    return x


@construct(
    "`try`",
    "The graph goes on as if nothing was raised. A run that raises an exception of the handler is"
    " undone, and Python runs that call.",
    np.float64(2.0),
    np.int64(3),
)
def safe_ratio(x, n):
    try:
        return x, 6 // int(n)
    except ZeroDivisionError:
        return -x, 0


@construct(
    "`match`",
    "Python's own `match` chooses the case; the bodies become branches. Here `kind` is known while"
    " the graph is recorded, so that one case is left.",
    "fast",
    np.float64(2.0),
)
def speed(kind, x):
    match kind:
        case "fast":
            return x * 10
        case _:
            return x


class Account:
    def __init__(self):
        self.balance = np.float64(0)


@construct(
    "State in objects",
    "An attribute that a function writes becomes a result of the graph; the call writes it back.",
    Account(),
    np.float64(2.0),
)
def deposit(account, x):
    if x > 0:
        account.balance += x
    return account.balance
