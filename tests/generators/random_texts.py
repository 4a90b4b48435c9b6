"""Random functions on texts and bytes, mixed with numbers and conditions that only a run knows.

Writer(random.Random(seed)).module()       the source of a module with f(x, n, s, words, counts, b)
"""

import numpy as np
from grammar import StagedGrammar, weighted

PRELUDE = """
import numpy as np
"""

NUMBER_FORMATS = ("", ":d", ":>5", ":03d", ":+d", ":x", "!r", "!s:>6", ":,", ":<4d", ":n")
REAL_FORMATS = ("", ":.2f", ":>8.3f", ":e", ":+.1f", "!r", ":g", ":08.2f", ":.0%", "!s:<9")
TEXT_FORMATS = ("", ":>6", "!r", ":*^7", "!a", ":.2", "!s:<4")
TEXTS = ("'abc'", "'a,b'", "''", "' x '", "'12'", "'b'", "','", "'Ab'", "'-3'", "'1.5'")
RESULT = "return s, t, u, k, y, p, found, seen, bytes(o)"
CHARACTERS = ("'a'", "'b'", "','", "'1'", "'aeiou'", "''")
METHODS = (
    *("upper()", "lower()", "title()", "strip()", "strip('a')", "rstrip()", "lstrip('ab')"),
    *("swapcase()", "capitalize()", "replace('a', 'bb')", "replace('b', '')"),
    *("replace('a', 'x', 1)", "zfill(5)", "ljust(6, '.')", "rjust(5)", "center(7, '*')"),
    *("removeprefix('a')", "removesuffix('b')", "partition('b')[0]", "partition(',')[2]"),
    *("rpartition(',')[0]", "expandtabs()", "casefold()", "encode().decode()"),
    *("translate({97: 'A'})", "split(',')[0]", "split(',')[-1]", "rsplit('b', 1)[0]"),
    "join(['x', 'y'])",
)
QUESTIONS = (
    *("isdigit()", "isalpha()", "isupper()", "isspace()", "isalnum()"),
    *("startswith('a')", "endswith('b')", "startswith(('a', '1'))"),
)


def arguments():
    """The inputs of every program."""
    for x, n, s, words, counts, b in (
        (2.5, 3, "ab,c", ["b", "abc"], {"a": 1, "abc": 5}, b"ab1"),
        (-1.0, 0, "12", ["x y"], {"b": 2}, b"\x00"),
        (0.125, 1, "", ["", "a", "12"], {"": 0}, b"zyx"),
        (np.inf, 5, "Banana b", ["b"], {"a": 1, "b": 1}, b"  12 "),
        (2.5, 2, "ab,c", ["b", "abc"], {"a": 1, "abc": 5}, b"ab1"),
    ):
        yield np.float64(x), np.int64(n), s, words, counts, b


class Writer(StagedGrammar):
    """Writes a function; every call of it ends, and its texts stay short."""

    PRELUDE = PRELUDE
    SIMPLE = weighted(assign=6, add=3, store=4, show=1, leave=2, pair=2, octets=1)
    COMPOUND = weighted(branch=5, while_=2, for_=5, shrink=1, grow=1, attempt=3)

    def __init__(self, rng):
        names = {"text": ["s", "t", "u"], "whole": ["n", "k"], "real": ["x", "y"]}
        super().__init__(rng, 2, names)

    def module(self) -> str:
        """The source of the module."""
        self.emit(0, "def f(x, n, s, words, counts, b):")
        self.emit(1, f"t, k, y = {self.pick(*TEXTS, 's', 'str(n)')}, 0, x * 0.5")
        self.emit(1, f"u = {self.text()}")
        self.emit(1, f"p, found = (t, k), {self.pick('[]', '[s]', '[str(n)]', 'words[:]')}")
        self.emit(1, f"seen = {self.pick('{}', 'dict(counts)', '{s: n}')}")
        self.emit(1, "o = bytearray(b)")
        for _ in range(self.rng.randint(2, 5)):
            self.statement(1, 0)
        self.emit(1, RESULT)
        return self.source()

    # -- expressions -------------------------------------------------------------------------------

    def field(self):
        """A replacement field of an f-string."""
        match self.rng.randint(0, 6):
            case 0 | 1:
                return f"{{{self.pick(self.some('whole'), 'n + 1', 'k * 2')}{self.rng.choice(NUMBER_FORMATS)}}}"
            case 2 | 3:
                return f"{{{self.some('real')}{self.rng.choice(REAL_FORMATS)}}}"
            case 4:
                return f"{{{self.some('text')}:>{{{self.pick('n', '4', 'n + 2')}}}}}"
            case 5:
                return f"{{{self.pick('p', 'found', 'seen', 'words', 'b', 'o')}}}"
            case _:
                return f"{{{self.some('text')}{self.rng.choice(TEXT_FORMATS)}}}"

    def formatted(self):
        """A text built from a template."""
        whole, real, text = self.some("whole"), self.some("real"), self.some("text")
        return self.pick(
            f'f"{self.field()}"',
            f'f"<{self.field()}|{self.field()}>"',
            f'f"{self.field()}"',
            f"'%d of %.1f' % ({whole}, {real})",
            f"'%s' % {self.pick(whole, real, text)}",
            f"'%(a)03d%(b)s' % {{'a': {whole}, 'b': {text}}}",
            f"'%5.2f' % {real}",
            f"'%r-%s' % ({text}, {whole})",
            f"'{{}} {{:.1f}}'.format({whole}, {real})",
            f"'{{0}}{{0!r}}'.format({text})",
            f"'{{a:>4}}{{b}}'.format(a={whole}, b={text})",
            f"format({real}, '.2f')",
            f"format({whole}, '{self.pick('x', '04d', '')}')",
        )

    def part(self):
        """A part of a text."""
        text, at = self.some("text"), self.pick("n", "1", "k", "-n", "n - 1")
        return self.pick(
            f"{text}[{at}:]",
            f"{text}[:{at}]",
            f"{text}[::-1]",
            f"{text}[::2]",
            f"{text}[1:{at}]",
            f"{text}[{at}:{at}]",
            f"{text}[n % len({text})] if {text} else ''",
            f"'abcdefgh'[{self.pick('n', 'n % 8', '-1', 'k % 4')}]",
            f"({text} + '.')[{self.pick('0', '-1')}]",
        )

    def text(self):
        """An expression for a text."""
        one, other, whole = self.some("text"), self.some("text"), self.some("whole")
        match self.rng.randint(0, 9):
            case 0 | 1:
                return self.formatted()
            case 2 | 3:
                return self.part()
            case 4 | 5:
                return f"{one}.{self.rng.choice(METHODS)}"
            case 6:
                return self.pick(
                    f"({one} + {other})[-9:]",
                    f"({one} * 2)[:9]",
                    f"{self.rng.choice(CHARACTERS)} * (n % 4)",
                    f"({one} if {self.test(1)} else {other})",
                    f"({one} or {other})",
                    f"max({one}, {other})",
                    f"min({one}, 'b')",
                )
            case 7:
                return self.pick(
                    f"','.join([{one}, {other}])[:9]",
                    "'-'.join(words)",
                    "' '.join(str(i) for i in range(n))",
                    "''.join(found)[:9]",
                    f"''.join(sorted({one}))",
                    f"''.join(reversed({one}))",
                    f"''.join(c for c in {one} if c {self.pick('!=', '>')} {other}[:1])",
                    f"''.join(map(str, [{whole}, 1]))",
                    f"''.join(c.upper() if {self.test(1)} else c for c in {one})",
                )
            case 8:
                return self.pick(
                    f"str({whole})",
                    f"repr({self.pick(whole, one, self.some('real'))})",
                    f"chr(97 + {whole} % 5)",
                    f"{self.pick('bin', 'hex', 'oct')}({whole})",
                    f"ascii({one})",
                    f"str({self.some('real')})",
                    "b.decode('latin1')",
                    "words[n % len(words)]",
                    "words[-1]",
                    "p[0]",
                )
            case _:
                return self.pick(*TEXTS)

    def whole(self):
        """An expression for an int."""
        text = self.some("text")
        return self.pick(
            f"len({text})",
            f"{text}.{self.pick('find', 'count', 'rfind')}({self.rng.choice(CHARACTERS)})",
            f"{text}.find({self.some('text')})",
            f"ord(({text} + 'a')[0])",
            f"sum(map(ord, {text}))",
            f"sum(1 for c in {text} if c in {self.rng.choice(CHARACTERS)})",
            f"counts.get({text}, {self.pick('0', 'n', 'k')})",
            f"seen.get({text}, 0)",
            f"int('1' + str({self.some('whole')} % 7))",
            f"len({self.pick('found', 'words', 'seen', 'b', 'o')})",
            "b[0]",
            "o[n % len(o)]",
            f"words.count({text})",
            f"{self.some('whole')} + 1",
            f"{self.some('whole')} * 2 % 7",
            f"(1 if {self.test(1)} else n)",
            f"len({text}.split({self.pick('', repr(','), repr('b'))}))",
            "p[1] + 1",
            "int(x > 0)",
            "b.find(b'1')",
            f"len(set({text}))",
        )

    def real(self):
        """An expression for a float."""
        return self.pick(
            "x",
            "y + 1.0",
            "y * 0.5",
            f"float({self.some('whole')})",
            "float('1.5')",
            "float('1' + str(k % 5))",
            "float(f'{x:.1f}')",
            "len(t) * 0.5",
        )

    def test(self, depth=0):
        one, other = self.some("text"), self.some("text")
        match self.rng.randint(0, 5):
            case 0:
                return f"{self.some('real')} {self.pick('>', '<=')} {self.pick('1.0', 'y', 'x')}"
            case 1:
                return f"{self.some('whole')} {self.pick('>', '==', '<', '!=')} {self.pick('1', '2', 'n', 'len(s)')}"
            case 2:
                return f"{one} {self.pick('==', '!=', '<', '>=')} {self.pick(other, *TEXTS)}"
            case 3:
                return self.pick(
                    f"{self.rng.choice(CHARACTERS)} in {one}",
                    f"{one} {self.pick('in', 'not in')} {other}",
                    f"{one} in {self.pick('words', 'found', 'counts', 'seen')}",
                    f"{one}[:1] in 'aeiou'",
                    "97 in b",
                )
            case 4:
                return f"{one}.{self.rng.choice(QUESTIONS)}"
            case _:
                return self.pick(one, f"not {one}", f"len({one}) > n", "n > 1 and t", "b == b'ab1'")

    def elifs(self):
        return range(self.pick(0, 0, 1))

    def headers(self, i, v, w):
        text = self.some("text")
        return (
            (f"{i} in range(n)", {"whole": [i]}),
            (f"{i} in range(len({text}))", {"whole": [i]}),
            (f"{v} in {text}", {"text": [v]}),
            (f"{v} in {self.part()}" if self.chance(0.3) else f"{v} in str(n)", {"text": [v]}),
            (f"{i}, {v} in enumerate({text})", {"whole": [i], "text": [v]}),
            (f"{v}, {w} in zip({text}, {self.some('text')})", {"text": [v, w]}),
            (f"{v} in words", {"text": [v]}),
            (f"{v} in {text}.split({self.pick('', repr(','))})", {"text": [v]}),
            (f"{v}, {i} in counts.items()", {"whole": [i], "text": [v]}),
            (f"{v} in found[:3]", {"text": [v]}),
            (f"{v} in list(seen)", {"text": [v]}),
            (f"{i} in b", {"whole": [i]}),
            (f"{i} in bytes(o)", {"whole": [i]}),
            (f"{v} in sorted({text})", {"text": [v]}),
        )

    def early_return(self):
        return self.pick(None, RESULT, RESULT)

    # -- statements --------------------------------------------------------------------------------

    def assign(self, indent, depth):
        name = self.pick("t", "t", "t", "u", "k", "y")
        kind = {"k": self.whole, "y": self.real}.get(name, self.text)
        self.emit(indent, f"{name} = {kind()}")

    def add(self, indent, depth):
        """Adds to a text or a number."""
        self.emit(
            indent,
            self.pick(
                f"t += {self.pick(*CHARACTERS)}",
                f"t += {self.some('text')}[:1]",
                "t += str(n)",
                "u += chr(97 + n % 3)",
                f"u = {self.some('text')}[:2] + u[:5]",
                f"k += {self.whole()}",
                "y += 0.5",
            ),
        )

    def store(self, indent, depth):
        """Changes a container."""
        text = self.pick(self.some("text"), self.text())
        self.emit(
            indent,
            self.pick(
                f"found.append({text})",
                f"found.append({text})",
                f"found += [{text}]",
                f"words[0] = {text}",
                f"seen[{text}] = {self.whole()}",
                f"seen[{self.some('text')}] = seen.get({self.some('text')}, 0) + 1",
                f"counts['a'] = {self.whole()}",
                "found.sort()",
                f"found.extend({self.some('text')}[:3])",
                f"found.insert(0, {text})",
                f"seen.pop({self.some('text')}, None)",
            ),
        )

    def octets(self, indent, depth):
        """Changes or reads bytes."""
        self.emit(
            indent,
            self.pick(
                f"o.append({self.pick('65', 'len(s)')})",
                f"o += {self.pick('b', repr(b'x'), 's[:2].encode()')}",
                "k = b[-1] if b else n",
                "t = b[:2].decode('latin1')",
                "k = b[n % len(b)]",
                "k = sum(b)",
                "t = b.hex()",
                "u = repr(b[:2])",
                "k = int.from_bytes(b[:2], 'big')",
                "o = o[:6]",
            ),
        )

    def show(self, indent, depth):
        """Prints a number that a run has: a print of constants happens while a graph is recorded."""
        self.emit(
            indent,
            self.pick(
                f"print({self.some('text')}, {self.pick('n', 'x')})",
                f'print(f"{self.field()} {{n}}", end=";")',
                f"print({self.some('text')}, found, x, sep='|')",
                f"print({self.pick('x', 'y')})",
            ),
        )

    def pair(self, indent, depth):
        """Binds or unpacks a tuple."""
        self.emit(
            indent,
            self.pick(
                f"p = ({self.text()}, {self.whole()})",
                "t, k = p",
                f"t, u = u, {self.some('text')}",
                "(t, k), y = p, y + 1.0",
                f"t, _, u = {self.some('text')}.partition({self.pick(repr('b'), repr(','))})",
                f"u, *_ = {self.some('text')} + 'z'",
                "p = (p[0][:3], k)",
            ),
        )

    def attempt(self, indent, depth):
        """Writes statements that may fail, with a handler."""
        text = self.some("text")
        failing, kinds = self.pick(
            (f"k = int({text})", "ValueError"),
            (f"y = float({text})", "ValueError"),
            (f"t = {text}[{self.some('whole')}]", "IndexError"),
            (f"k = counts[{text}]", "KeyError"),
            (f"k = {text}.index({self.rng.choice(CHARACTERS)})", "ValueError"),
            (f"k = words.index({text})", "ValueError"),
            (f"t, u = {text}.split(',')", "ValueError"),
            (f"k = ord({text})", "TypeError"),
            (f"k = int({text}, 16)", "(ValueError, KeyError)"),
            ("t = found.pop()", "IndexError"),
        )
        self.emit(indent, "try:")
        self.emit(indent + 1, failing)
        self.emit(indent, f"except {kinds}{self.pick('', ' as error')}:")
        if self.chance(0.3) and " as " in self.lines[-1]:
            self.emit(indent + 1, "t = str(error)[:9]")
        else:
            self.block(indent + 1, depth + 1, 2)
        if self.chance(0.2):
            self.emit(indent, "else:")
            self.block(indent + 1, depth + 1, 1)
        if self.chance(0.2):
            self.emit(indent, "finally:")
            self.emit(indent + 1, "k += 1")

    def shrink(self, indent, depth):
        """Writes a loop that takes a text apart."""
        text = self.pick("t", "u")
        self.emit(indent, f"while {text}:")
        self.emit(indent + 1, f"k += {self.pick('1', f'ord({text}[0])', f'len({text})')}")
        self.emit(indent + 1, f"{text} = {text}[{self.pick('1:', ':-1', '2:')}]")

    def grow(self, indent, depth):
        """Writes a loop that builds a text."""
        self.emit(indent, f"while len(t) < {self.pick('n', '4', 'n + 2')}:")
        self.emit(indent + 1, f"t += {self.pick(repr('ab'), 'str(n)', 'chr(97 + len(t))')}")
        if self.chance(0.5):
            self.emit(indent + 1, f"if {self.test()}:")
            self.emit(indent + 2, "break")
