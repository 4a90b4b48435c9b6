"""Random functions that mix dtypes: narrow integers, bools, half and single precision, complex.

    Writer(random.Random(seed)).module()       the source of a module with the function
                                               f(n, b, i, h, s, z, pi, pu, ph, pb)

`n` is an int64, `b` a bool, `i` an int8, `h` a float16, `s` a float32 and `z` a complex64; `pi`, `pu`,
`ph`, `pb` are arrays of four of int8, uint8, float32 and bool.  Operators mix them with each other and
with Python's scalars; statements write into views of the arrays in branches and loops.
"""

import numpy as np
from grammar import StagedGrammar, weighted

PRELUDE = "import numpy as np\n"

ARRAYS = {"pi": "int8", "pu": "uint8", "ph": "float32", "pb": "bool"}
SCALARS = ("n", "i", "h", "s", "b")
OPERATORS = ("+", "-", "*", "+", "*", "/", "//", "%")
BITWISE = ("&", "|", "^", "<<", ">>")
COMPARISONS = ("<", ">", "<=", "==", "!=")
VIEWS = ("{}", "{}", "{}[::-1]", "{}[:]", "{}.reshape(2, 2).T.reshape(-1)", "{}[[3, 0, 0, 1]]")
CASTS = ("int8", "uint8", "int16", "float32", "float16", "int64", "bool_", "float64")


def arguments():
    """The inputs of every program: other branches, loops of 0 to 4 iterations, overflows."""
    for n, b, i, s in ((3, True, 100, 1.5), (0, False, -7, -2.25), (4, True, 3, 300.0)):
        yield (
            *(np.int64(n), np.bool_(b), np.int8(i), np.float16(s * 0.5)),
            *(np.float32(s), np.complex64(s + 1j)),
            np.array([i, 2, -128, 0], np.int8),
            np.array([200, n, 0, 255], np.uint8),
            np.array([s, -0.0, 2.5, -3.0], np.float32),
            np.array([b, False, True, n > 2]),
        )


class Writer(StagedGrammar):
    """Writes a function; every call of it ends."""

    PRELUDE = PRELUDE
    SIMPLE = weighted(scalar=5, write=6, bind=3, show=1, call=3, leave=1)
    COMPOUND = weighted(branch=4, while_=1, for_=4)

    def __init__(self, rng):
        super().__init__(rng, 2, {"whole": ["n"]})
        self.cast = "int8"  # the dtype of q

    def module(self) -> str:
        """The source of the module."""
        self.emit(0, "def f(n, b, i, h, s, z, pi, pu, ph, pb):")
        self.emit(1, f"y, k = {self.pick('s', 'h', 'i', '1.5', 'n')}, {self.pick('i', '2', 'n')}")
        self.cast = self.pick(*CASTS)
        self.bind(1, 0)
        for _ in range(self.rng.randint(2, 4)):
            self.statement(1, 0)
        self.emit(1, "return y, k, q, n, b, i, h, s, z")
        return self.source()

    # -- expressions -------------------------------------------------------------------------------

    def view(self):
        """An expression for four elements."""
        return self.pick(*VIEWS).format(self.pick(*ARRAYS))

    def array(self, depth=0):
        """An expression for a new array of four."""
        a, c = self.view(), self.pick(self.view, self.number_of)()
        match self.rng.randint(0, 11):
            case 0 | 1 | 2:
                return f"{a} {self.pick(*OPERATORS)} {c}"
            case 3:
                return f"{self.pick('pi', 'pu', 'pb')} {self.pick(*BITWISE)} {self.weak_whole()}"
            case 4:
                return f"{a} {self.pick(*COMPARISONS)} {c}"
            case 5:
                return f"{a}.astype(np.{self.pick(*CASTS)})"
            case 6:
                return f"np.where({self.pick('pb', 'ph > 0', 'pi < 3')}, {a}, {c})"
            case 7:
                return f"np.{self.pick('minimum', 'maximum', 'fmod')}({a}, {c})"
            case 8:
                return f"{self.pick('pi', 'pu', 'ph')} ** {self.pick('2', '2.0', '3', '0.5')}"
            case 9:
                return f"np.{self.pick('cumsum', 'abs', 'sign', 'square')}({self.numeric()})"
            case 10:
                return f"{a} * {self.pick('z', '1j', 'z.real', 'h')}"
            case _:
                return f"{self.pick('+', '-', '~')}{self.pick('pi', 'pu')}"

    def numeric(self):
        return self.pick("pi", "pu", "ph", "pu[::-1]", "-pi[::-1]")

    def weak_whole(self):
        return self.pick("1", "2", "3", "k", "pu", "i", "(n % 3)", "True")

    def index(self):
        return self.pick("0", "-1", "2", "n % 4", "(n - 1) % 4")

    def number_of(self):
        """An expression for a scalar."""
        match self.rng.randint(0, 9):
            case 0 | 1:
                return self.pick("1", "2", "0.5", "True", "-1", "100")
            case 2 | 3:
                return f"{self.pick(*ARRAYS)}[{self.index()}]"
            case 4:
                return (
                    f"{self.pick('pi', 'pu', 'ph', 'pb')}.{self.pick('sum()', 'max()', 'mean()')}"
                )
            case _:
                return self.pick(*SCALARS, "y", "k")

    def scalar_of(self):
        """An expression of operators on scalars."""
        a, c = self.number_of(), self.number_of()
        match self.rng.randint(0, 9):
            case 0 | 1 | 2 | 3 | 4:
                return f"{a} {self.pick(*OPERATORS)} {c}"
            case 5:
                return f"np.{self.pick(*CASTS)}({a})"
            case 6:
                return (
                    f"{self.pick('i', 'n', 'pu[0]', 'b')} {self.pick(*BITWISE)} {self.weak_one()}"
                )
            case 7:
                return f"{self.pick('i', 's', 'h', 'n', 'pu[1]')} ** {self.pick('2', '0.5', '2.0')}"
            case 8:
                return f"{self.pick('int', 'float', 'bool', 'abs', 'round')}({a})"
            case _:
                return f"({a} if {self.test()} else {c})"

    def weak_one(self):
        return self.pick("1", "2", "i", "n", "True", "pu[1]")

    def test(self, depth=0):
        a = self.number_of()
        return self.pick(
            f"{a} {self.pick(*COMPARISONS)} {self.number_of()}",
            "b",
            "n > 1",
            f"{self.pick('pi', 'pu', 'ph')}[{self.index()}] > 2",
            f"pb.{self.pick('any', 'all')}()",
            f"not {a}",
        )

    def elifs(self):
        return range(self.pick(0, 0, 1))

    def headers(self, i, v, w):
        whole = {"whole": [i]}
        return (
            (f"{i} in range(n)", whole),
            (f"{i} in range(3)", whole),
            (f"y in {self.numeric()}", {}),
            ("k in pi", {}),
            (f"{v}, {w} in zip(pi, pu)", {}),
            (f"{i}, y in enumerate(ph)", whole),
        )

    # -- statements --------------------------------------------------------------------------------

    def assign(self, indent, depth):
        self.scalar(indent, depth)

    def early_return(self):
        return None

    def scalar(self, indent, depth):
        """Writes an assignment of a scalar, which may change the type of the variable."""
        target = self.pick("y", "y", "k", "i", "h", "s", "b", "z")
        match target, self.rng.randint(0, 2):
            case "b", _:
                self.emit(indent, f"b = {self.test()}")
            case "z", _:
                self.emit(indent, f"z {self.pick('+=', '*=', '-=')} {self.number_of()}")
            case (("y" | "k"), 0):
                self.emit(indent, f"{target} = {self.scalar_of()}")
            case _:
                operator = self.pick("+=", "-=", "*=", "//=", "%=")
                self.emit(indent, f"{target} {operator} {self.number_of()}")

    def bind(self, indent, depth):
        """Writes an assignment of an array, which has one dtype: branches may widen arrays."""
        self.emit(indent, f"q = ({self.array()}).astype(np.{self.cast})")

    def write(self, indent, depth):
        """Writes into an array."""
        a, e = self.pick(*ARRAYS), self.pick(self.number_of, self.scalar_of)()
        mask = self.pick("pb", "~pb", "ph > 0", "pi != 2", "pu < 9")
        self.emit(
            indent,
            self.pick(
                f"{a}[{self.index()}] = {e}",
                f"{a}[{self.index()}] {self.pick('+=', '-=', '*=', '//=', '%=')} {e}",
                f"{a}[::-2] = {e}",
                f"{a}[::-1][1:3] {self.pick('+=', '*=')} {self.number_of()}",
                f"{a}[{mask}] = {e}",
                f"{a}[{mask}] += {self.pick('1', 'i', 's', 'True')}",
                f"{a}[[0, 2]] = {self.view()}[:2]",
                f"{a} {self.pick('+=', '-=', '*=', '//=', '%=', '/=', '**=')} {self.view()}",
                f"{self.pick('pi', 'pu')} {self.pick('<<=', '>>=', '&=', '|=')} {self.weak_whole()}",
                f"{a}[1:] = {self.view()}[:-1]",
                f"{a}[:] = {self.array()}",
                f"{a}.fill({e})",
            ),
        )

    def call(self, indent, depth):
        """Writes a call of a ufunc with options."""
        function = self.pick("add", "subtract", "multiply", "maximum", "floor_divide", "remainder")
        a, c, out = self.view(), self.pick(self.view, self.number_of)(), self.pick(*ARRAYS)
        options = self.pick(
            "",
            ", where=pb",
            ", casting='unsafe'",
            ", where=ph > 0, casting='unsafe'",
            f", dtype=np.{ARRAYS[out].replace('bool', 'bool_')}, casting='unsafe'",
        )
        self.emit(
            indent,
            self.pick(
                f"np.{function}({a}, {c}, out={out}{options})",
                f"np.copyto({out}, {c}{self.pick('', ', where=pb')}, casting='unsafe')",
                f"np.add.at({out}, [0, 2, 0], {c if '[' not in c else 1})",
                f"y = np.{self.pick('sum', 'prod', 'max', 'mean')}({self.view()})",
                f"np.clip({a}, 0, {self.pick('3', '100')}, out={out}, casting='unsafe')",
            ),
        )

    def show(self, indent, depth):
        """Writes an effect of the run: one of plain values happens once."""
        self.emit(indent, f"print(n, {self.number_of()}, {self.pick(*ARRAYS, 'y', 'k')})")
