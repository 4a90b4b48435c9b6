"""Random functions with comprehensions, whose variables share few names.

source = function(random.Random(1))      # defines f(x, y, say); say notes a value and returns it
"""

NAMES = ("x", "y", "z")
RESULTS = ("list", "set", "dict", "sum", "max", "min", "any", "all", "sorted", "tuple", "list()")


class Writer:
    """Writes expressions over integers and lists of them."""

    def __init__(self, random):
        self.random = random

    def choose(self, *options):
        """One of the options."""
        return self.random.choice(options)

    def number(self, depth):
        """An expression that is an integer, unless a name is unbound."""
        kinds = ["name", "name", "constant"]
        kinds += ["sum", "say", "ternary"] if depth >= 0 else []
        kinds += ["length", "consumed", "walrus", "called", "bool"] if depth > 0 else []
        match self.choose(*kinds):
            case "name":
                return self.choose(*NAMES)
            case "constant":
                return str(self.random.randrange(-2, 4))
            case "sum":
                return f"({self.number(depth - 1)} {self.choose(*'+-*')} {self.number(depth - 1)})"
            case "say":
                return f"say({self.number(depth - 1)})"
            case "ternary":
                parts = (self.number(-1), self.test(-1), self.number(-1))
                return "({} if {} else {})".format(*parts)
            case "length":
                return f"len({self.comprehension(depth - 1, 'list')})"
            case "consumed":
                return self.comprehension(depth - 1, self.choose("sum", "max", "min"))
            case "walrus":
                return f"(w := {self.number(0)})"
            case "called":
                return f"(lambda {self.choose(*NAMES)}: {self.number(0)})({self.number(0)})"
        return f"int({self.comprehension(depth - 1, self.choose('any', 'all'))})"

    def test(self, depth):
        """A condition."""
        number = self.number(depth)
        if depth < 0:
            return number
        match self.choose("less", "odd", "number", "both", "in"):
            case "less":
                return f"{number} < {self.number(-1)}"
            case "odd":
                return f"{number} % 2"
            case "both":
                return f"({number} > 0 {self.choose('and', 'or')} {self.number(-1)} < 2)"
            case "in" if depth > 0:
                return f"{number} in [{self.number(-1)}, 1]"
        return number

    def iterable(self, depth):
        """An expression that is iterable, unless a name is unbound."""
        kinds = ["range", "list", "range"] + (["nested"] if depth > 0 else [])
        match self.choose(*kinds):
            case "range":
                return f"range({self.number(-1)})"
            case "list":
                return f"[{self.number(-1)}, {self.number(-1)}]"
        return self.comprehension(depth - 1, self.choose("list", "sorted", "tuple"))

    def comprehension(self, depth, kind=None):
        """A comprehension, or the call of a function that consumes a generator expression."""
        kind = kind or self.choose(*RESULTS)
        clauses = ""
        for number in range(self.choose(1, 1, 2)):
            iterable = self.iterable(depth)
            clauses += f" for {self.choose(*NAMES)} in {iterable.replace(':=', '+')}"
            for _ in range(self.choose(0, 1, 1 + number)):
                clauses += f" if {self.test(depth)}"
        element = self.number(depth)
        match kind:
            case "list":
                return f"[{element}{clauses}]"
            case "set":
                return f"{{{element}{clauses}}}"
            case "dict":
                return f"{{{element}: {self.number(0)}{clauses}}}"
            case "max" | "min" if self.choose(True, False):
                return f"{kind}(({element}{clauses}), default={self.number(0)})"
        return f"{kind.removesuffix('()')}({element}{clauses})"


def function(random) -> str:
    """The source of a function `f(x, y, say)` of integers; it may raise errors of names."""
    writer = Writer(random)
    lines = ["def f(x, y, say):"]
    if random.random() < 0.75:
        lines.append("    z, w = 1, 2")
    for _ in range(random.randrange(1, 4)):
        value = writer.comprehension(2)
        match writer.choose("assign", "say", "branch", "closures", "loop"):
            case "assign":
                lines.append(f"    z = len(say({writer.comprehension(1, 'list')}))")
            case "say":
                lines.append(f"    say({value})")
            case "branch":
                lines += [f"    if {writer.test(1)}:", f"        say({value})"]
            case "closures":
                inner = f"[lambda: {writer.number(0)}{value_clauses(writer)}]"
                lines.append(f"    say([f() for f in {inner} if f])")
            case "loop":
                lines += [f"    for z in {writer.iterable(1)}:", f"        say({value})"]
    lines.append(f"    return {writer.comprehension(2)}, {writer.choose('x', 'y', 'z', 'w')}")
    return "\n".join(lines) + "\n"


def value_clauses(writer):
    """The clauses of a comprehension whose element is a function."""
    return f" for {writer.choose(*NAMES)} in {writer.iterable(0)} if {writer.test(0)}"
