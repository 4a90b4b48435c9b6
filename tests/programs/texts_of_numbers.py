"""Texts of numbers, characters of texts, and numbers of texts; number theory on Python ints."""

import numpy as np
from support.every_mode import Programs

PROGRAMS = Programs()
N = np.int64(3124)


@PROGRAMS.program(N)
def digits(n):
    n = int(n)
    return [int(d) for d in str(n)], sum(int(c) for c in str(n)), max(map(int, str(n)))


@PROGRAMS.program(np.int64(193407))
def until_a_digit(n):
    total, found = 0, []
    for c in str(n):
        if c == "1":
            continue
        if c == "0":
            break
        total += int(c)
        found.append(c)
    else:
        total *= 2
    return total, found, "".join(found)


@PROGRAMS.program(np.int64(223))
def without_a_digit(n):
    for c in str(n):
        if c == "7":
            break
    else:
        return "none"
    return c


@PROGRAMS.program(N)
def by_position(n):
    text = str(n)
    pairs = [i * int(c) for i, c in enumerate(text)]
    return pairs, list(text), sorted(text), list(reversed(text)), dict(zip(text, text, strict=True))


@PROGRAMS.program(N)
def first_and_others(n):
    first, second, *others = str(n)
    return first, second, others


@PROGRAMS.program(np.int64(42))
def two_characters(n):
    a, b = str(n)
    return b + a


@PROGRAMS.program(np.int64(421))
def too_many_characters(n):
    a, b = str(n)
    return b + a


@PROGRAMS.program(np.int64(7))
def too_few_characters(n):
    a, b = str(n)
    return b + a


@PROGRAMS.program(np.int64(31341))
def counted(n):
    counts = {}
    for c in str(n):
        counts[c] = counts.get(c, 0) + 1
    return counts, len(set(str(n)))


@PROGRAMS.program(np.int64(3524))
def kaprekar(n):
    steps = 0
    while n != 6174 and steps < 9:
        high = int("".join(sorted(str(n), reverse=True)))
        n = high - int("".join(sorted(str(n))))
        steps += 1
    return n, steps


@PROGRAMS.program(np.int64(200))
def bases(n):
    n = int(n)
    back = int(bin(n)[2:], 2), int(f"{n:x}", 16), int(oct(n), base=0)
    return bin(n), hex(-n), oct(n), bin(n).count("1"), back, n.bit_length(), n.bit_count()


@PROGRAMS.program(np.int64(5))
def texts_as_numbers(n):
    return int(f" {n}_0 "), int(f"-{n}"), ord(f"{n}"), int(f"z{n}", 36)


@PROGRAMS.program(np.int64(5))
def no_number(n):
    return int(f"x{n}")


@PROGRAMS.program(np.int64(55))
def no_character(n):
    return ord(str(n))


@PROGRAMS.program(np.int64(15))
def fizz_buzz(n):
    lines = []
    for i in range(1, n + 1):
        lines.append("Fizz" * (i % 3 == 0) + "Buzz" * (i % 5 == 0) or str(i))
    return lines


@PROGRAMS.program(np.int64(3))
def bar(n):
    return "#" * n + "." * (10 - n) + n * "-"


@PROGRAMS.program(np.int64(255), np.int64(16))
def in_base(n, base):
    digits = []
    while n:
        digits.append("0123456789abcdef"[n % base])
        n //= base
    return "".join(reversed(digits))


@PROGRAMS.program(np.int64(12))
def outside_of_a_text(n):
    return "0123456789"[n]


@PROGRAMS.program(np.int64(12345), np.int64(-4), np.int64(4))
def parts(n, i, j):
    text = str(n)
    return text[i:j], text[i:], text[:j], text[::-1], "abcdef"[i:j], "abcdef"[-j]


@PROGRAMS.program(np.int64(1112233))
def run_lengths(n):
    text, found, i = str(n), "", 0
    while i < len(text):
        j = i
        while j < len(text) and text[j] == text[i]:
            j += 1
        found += text[i] + str(j - i)
        i = j
    return found


@PROGRAMS.program(np.int64(12))
def words(n):
    line = f"{n} {n + 1}  x"
    return line.split(), line.split(" ", 1), f"{n}\n2".splitlines(), f"a.{n}".rsplit(".", 1)[-1]


@PROGRAMS.program(np.int64(12))
def numbers_of_words(n):
    return [int(word) for word in f"{n} {n + 1}".split()], len(f"{n} 3".split(maxsplit=1))


@PROGRAMS.program(np.int64(97), np.int64(6))
def powers(n, exponent):
    n, exponent = int(n), int(exponent)
    return pow(3, exponent, n), pow(n, exponent, 1), pow(-5, n, exponent), pow(n, 2)


@PROGRAMS.program(np.int64(3), np.int64(11))
def inverse(a, m):
    return pow(int(a), -1, int(m))


@PROGRAMS.program(np.int64(2), np.int64(4))
def no_inverse(a, m):
    return pow(int(a), -1, int(m))


@PROGRAMS.program(np.int64(561))
def is_probably_prime(n):
    n = int(n)
    d, r = n - 1, 0
    while d % 2 == 0:
        d //= 2
        r += 1
    for a in (2, 3, 5, 7):
        x = pow(a, d, n)
        if x in (1, n - 1):
            continue
        for _ in range(r - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True


@PROGRAMS.program(N)
def tuple_of_characters(n):
    return tuple(str(n))


@PROGRAMS.program(N)
def floats_of_texts(n):
    return float(str(n)), float(f"{n}.5"), sum(map(float, str(n)))


@PROGRAMS.program(N)
def no_float(n):
    return float(f"x{n}")


@PROGRAMS.program(N)
def a_float_or_its_error(n):
    try:
        return float(f"x{n}")
    except ValueError as error:
        return str(error)


@PROGRAMS.program(N)
def fields_of_a_dict(n):
    return "%(a)06d-%(b)s%%" % {
        "a": n,
        "b": "q",
    }, "%(a)s" % {"a": [n]}


@PROGRAMS.program(N)
def no_field_of_a_dict(n):
    values = {"a": n}
    return "%(z)d" % values


@PROGRAMS.program(N)
def three_parts(n):
    text = str(n)
    found = "a,3,b".partition(text[:1]), text.partition("9"), "a3b3".split(text[:1])
    before, _, after = text.rpartition("2")
    return found, before, after


@PROGRAMS.program(np.int64(2))
@PROGRAMS.program(np.int64(-7), name="bytes_outside")
def bytes_at(n):
    return b"abc"[n], bytearray(b"xyz")[n], b"abc"[n - 1]


@PROGRAMS.program(np.int64(5))
def a_byte_or_its_error(n):
    try:
        return bytearray(b"xyz")[n]
    except IndexError as error:
        return str(error)


@PROGRAMS.program(N)
def pairs_of_characters(n):
    return [a + b for a, b in zip("abcdef", str(n))], list(zip(str(n), "xy"))  # noqa: B905


@PROGRAMS.program(N)
def code_or_its_error(n):
    try:
        return ord(str(n))
    except TypeError as error:
        return str(error)


@PROGRAMS.program(np.int64(3), ["a", "3", "b", "3"])
@PROGRAMS.program(np.int64(4), ["a"], name="not_in_a_list_of_texts")
def in_a_list_of_texts(n, words):
    return words.count(str(n)), words.index(str(n)), words.index(str(n), 2)


@PROGRAMS.program(np.int64(3), ["b", "a"])
def copies_of_a_list_of_texts(n, words):
    copied, sorted_ones = words.copy(), words[:]
    if n > 1:
        copied.append(str(n))
    sorted_ones.append(str(n))
    sorted_ones.sort(reverse=True)
    return copied, sorted_ones, words
