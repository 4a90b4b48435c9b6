"""The grammar that all random generators share: weighted choices, blocks, loops and jumps.

    Grammar            decisions: chances, choices, weights
    ProgramGrammar     Python programs: lines, fresh names, blocks of simple and compound statements
    StagedGrammar      programs with typed variables: branches, counted loops, conditional jumps

A generator takes its decisions from anything with the methods of `random.Random`.  One seed always
makes the same program, so a test can name the seed of a program that fails.
"""


def weighted(**weights: int) -> tuple[str, ...]:
    """Names of productions, each as often as its weight says."""
    return tuple(name for name, weight in weights.items() for _ in range(weight))


def module_source(prelude: str, program: str) -> str:
    """The source of a module: helper functions, then the program."""
    return f"{prelude}\n\n{program}\n"


class Grammar:
    """Takes random decisions; `most` is the greatest depth of nested blocks."""

    def __init__(self, rng, depth: int):
        self.rng = rng
        self.most = depth
        self.unique = 0

    def chance(self, p: float) -> bool:
        """True with probability `p`."""
        return self.rng.random() < p

    def pick(self, *choices):
        """One of the arguments."""
        return self.rng.choice(choices)

    def any_of(self, productions):
        """The method of one of the productions with these names."""
        return getattr(self, self.rng.choice(productions))

    def fresh(self, stem: str) -> str:
        """A name that was not used before."""
        self.unique += 1
        return f"{stem}{self.unique}"


class ProgramGrammar(Grammar):
    """Writes a Python program line by line.

    `SIMPLE` and `COMPOUND` are weighted names of methods that write a statement.  Each of them is
    called with the indentation and the depth of the block.
    """

    PRELUDE = ""
    SIMPLE: tuple[str, ...] = ()
    COMPOUND: tuple[str, ...] = ()
    MOST_IN_ELIF = 3  # statements

    def __init__(self, rng, depth: int):
        super().__init__(rng, depth)
        self.lines: list[str] = []
        self.loops = 0  # around the current statement

    def source(self) -> str:
        """The module that has been written."""
        return module_source(self.PRELUDE, "\n".join(self.lines))

    def emit(self, indent, text):
        """Writes a line."""
        self.lines.append("    " * indent + text)

    def number(self) -> int:
        """A digit."""
        return self.rng.randint(0, 9)

    def block(self, indent, depth, most=3):
        """Writes a block of at most `most` statements."""
        for _ in range(self.rng.randint(1, most)):
            self.statement(indent, depth)

    def statement(self, indent, depth):
        """Writes a statement, which contains no block if the depth is reached."""
        simple = depth >= self.most or self.chance(0.4)
        self.any_of(self.SIMPLE if simple else self.COMPOUND)(indent, depth)

    def test(self, depth=0) -> str:
        """A condition."""
        raise NotImplementedError

    def elifs(self):
        """An iterable with an element for each `elif`."""
        raise NotImplementedError

    def branch(self, indent, depth):
        """Writes an `if` statement."""
        self.emit(indent, f"if {self.test()}:")
        self.block(indent + 1, depth + 1)
        for _ in self.elifs():
            self.emit(indent, f"elif {self.test()}:")
            self.block(indent + 1, depth + 1, self.MOST_IN_ELIF)
        if self.chance(0.5):
            self.emit(indent, "else:")
            self.block(indent + 1, depth + 1)

    def bounded_loop(self, indent, depth, *iterables):
        """Writes a `while` loop of at most three iterations, or a `for` loop."""
        turns = self.fresh("turn")
        if self.chance(0.5):
            self.emit(indent, f"{turns} = 0")
            self.emit(indent, f"while {turns} < {self.pick(2, 3)} and {self.test()}:")
            self.emit(indent + 1, f"{turns} += 1")
        else:
            self.emit(indent, f"for {turns} in {self.pick(*iterables)}:")
        self.loops += 1
        self.block(indent + 1, depth + 1)
        self.loops -= 1

    def try_with_handlers(self, indent, depth, handlers):
        """Writes `try`, a number of handlers, and perhaps `else`; `handler` writes one of them."""
        self.emit(indent, "try:")
        self.block(indent + 1, depth + 1)
        count = self.pick(*handlers)
        for _ in range(count):
            self.handler(indent, depth)
        if count and self.chance(0.3):
            self.emit(indent, "else:")
            self.block(indent + 1, depth + 2, 2)
        return count

    def handler(self, indent, depth):
        """Writes an `except` clause."""
        raise NotImplementedError


class StagedGrammar(ProgramGrammar):
    """Writes functions with staged control flow, whose variables keep their types.

    `names` are the variables that expressions of each type may read.  Loops count their iterations,
    so every program ends.
    """

    COUNTER = "whole"  # the type of a counter that starts as a Python int
    LOOP_ELSE = 0.25  # the probability of an `else` after a loop

    def __init__(self, rng, depth: int, names: dict[str, list[str]]):
        super().__init__(rng, depth)
        self.names = names

    def some(self, kind: str) -> str:
        """A variable of a type."""
        return self.rng.choice(self.names[kind])

    def assign(self, indent, depth):
        """Writes an assignment."""
        raise NotImplementedError

    def early_return(self) -> str | None:
        """A `return` statement, None if the function returns only at its end."""
        raise NotImplementedError

    def leave(self, indent, depth):
        """Writes a jump under a condition, an assignment if there is no place to jump to."""
        jumps = ["break", "continue"] if self.loops else []
        if early := self.early_return():
            jumps.append(early)
        if jumps:
            self.emit(indent, f"if {self.test()}:")
            self.emit(indent + 1, self.pick(*jumps))
        else:
            self.assign(indent, depth)

    def while_(self, indent, depth):
        """Writes a `while` loop of at most five iterations."""
        turns = self.fresh("turns")
        self.emit(indent, f"{turns} = 0")
        self.emit(indent, f"while {turns} < {self.pick(3, 5)} and {self.test()}:")
        self.emit(indent + 1, f"{turns} += 1")
        self.loop(indent, depth, {self.COUNTER: [turns]})

    def endless(self, indent, depth):
        """Writes a `while True` loop that a `break` leaves after at most six iterations."""
        turns = self.fresh("turns")
        self.emit(indent, f"{turns} = n * 0")
        self.emit(indent, "while True:")
        self.emit(indent + 1, f"{turns} += 1")
        self.emit(indent + 1, f"if {turns} > {self.pick(3, 5)} or {self.test()}:")
        self.emit(indent + 2, "break")
        self.loop(indent, depth, {"whole": [turns]})

    def headers(self, i, v, w):
        """Headers of `for` loops that bind some of three names, with the types of these."""
        raise NotImplementedError

    def for_(self, indent, depth):
        """Writes a `for` loop."""
        header, bound = self.pick(*self.headers(self.fresh("i"), self.fresh("v"), self.fresh("w")))
        self.emit(indent, f"for {header}:")
        self.loop(indent, depth, bound)

    def loop(self, indent, depth, bound):
        """Writes the body of a loop, in which some names are bound, and perhaps an `else`."""
        before = self.names
        self.names = {kind: before[kind] + bound.get(kind, []) for kind in before}
        self.loops += 1
        self.block(indent + 1, depth + 1)
        if self.chance(0.4):
            self.leave(indent + 1, depth + 1)
        self.loops -= 1
        self.names = before
        if self.chance(self.LOOP_ELSE):
            self.emit(indent, "else:")
            self.block(indent + 1, depth + 1)
