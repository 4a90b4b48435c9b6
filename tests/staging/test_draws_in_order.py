"""Every draw from a random stream happens in each run, in the order of the program.

Each program takes a stream (shared, of other code, an argument, made by the function), a way to
draw from it, and a place of the draw among other draws, seeds and reads of the state.  Its results
in four calls and the positions of all streams after them are those of Python.
"""

import itertools
import random

import numpy as np
import pytest
from budget import examples
from loading import load

import runtime as rt

PROGRAM = """
import random
import numpy as np

shared_random, shared_numpy = random.Random(7), np.random.default_rng(7)
shared_state = np.random.RandomState(7)
DECK, TABLE = [1, 2, 3, 4], (1.5, 2.5, 3.5)

def f(x, given):
    items, words = [1, 2, 3, 4], ["a", "c", "pqr"]
    pairs, rows = [(1, 2.5), (3, 4.5), (5, 6.5)], [[1, 2], [3, 4], [5, 6]]
    own, order = [x[0], x[1] * 2, x[2] * 3], np.arange(4)
    y = z = 0
"""
# The statement that makes the stream, its name, and the kind of its methods.
STREAMS = {
    "random": ("", "random", "python"),
    "random seeded": ("random.seed(3)", "random", "python"),
    "Random": ("", "shared_random", "python"),
    "Random given": ("", "given", "python"),
    "Random made": ("r = random.Random(3)", "r", "python"),
    "Random made by a staged seed": ("r = random.Random(int(x[0]))", "r", "python"),
    "np.random": ("", "np.random", "numpy"),
    "np.random seeded": ("np.random.seed(3)", "np.random", "numpy"),
    "RandomState": ("", "shared_state", "numpy"),
    "RandomState made": ("r = np.random.RandomState(3)", "r", "numpy"),
    "Generator": ("", "shared_numpy", "generator"),
    "Generator made": ("r = np.random.default_rng(3)", "r", "generator"),
    "Generator made by a staged seed": (
        "r = np.random.default_rng(int(x[0]))",
        "r",
        "generator",
    ),
}
SHUFFLES = [
    "{r}.shuffle(items) or items[0]",
    "{r}.shuffle(own) or own[0]",
    "{r}.shuffle(pairs) or pairs[0][1]",
    "{r}.shuffle(words) or len(words[0])",
    "{r}.shuffle(rows) or rows[0][1]",
]
OF_ARRAYS = [
    "{r}.choice([10, 20, 30])",
    "{r}.choice(x)",
    "{r}.choice(items)",
    "{r}.choice(words) == 'pqr'",
    "{r}.permutation(4)[0]",
    "{r}.permutation(x)[0]",
    "{r}.permutation(items)[0]",
    "{r}.shuffle(order) or order[1]",
    "{r}.normal(x[0], 2)",
    "{r}.uniform(size=3)[1]",
    "{r}.multinomial(5, [0.5, 0.5])[0]",
    "len({r}.bytes(3))",
]
DRAWS = {
    "python": [
        *SHUFFLES,
        "{r}.shuffle(DECK) or DECK[0]",
        "{r}.random()",
        "{r}.choice([10, 20, 30])",
        "{r}.choice(x)",
        "{r}.choice(items)",
        "{r}.choice(words) == 'pqr'",
        "{r}.choice(pairs)[0]",
        "{r}.choice('abc') == 'b'",
        "{r}.choice(TABLE)",
        "{r}.choices(items, k=2)[0]",
        "{r}.choices([1, 2], weights=[1, x[1]])[0]",
        "{r}.sample(items, 2)[1]",
        "{r}.sample(range(9), 3)[0]",
        "{r}.sample(words, 2)[0] == 'c'",
        "{r}.randint(1, 6)",
        "{r}.randrange(9)",
        "{r}.uniform(x[0], 9)",
        "{r}.gauss(0, 1)",
        "{r}.getrandbits(8)",
        "len({r}.randbytes(3))",
        "sorted(items, key=lambda i: {r}.random())[0]",
        "[{r}.random() for i in items][1]",
        "{r}.getstate()[1][1] % 7",
    ],
    "numpy": [*SHUFFLES, *OF_ARRAYS, "{r}.rand()", "{r}.randint(9)"],
    "generator": [*SHUFFLES, *OF_ARRAYS, "{r}.random()", "{r}.integers(9)", "{r}.permuted(x)[0]"],
}
PLACES = {
    "alone": "y = {draw}",
    "after a draw": "z = {next}; y = {draw}; z = z - {next}",
    "unused": "{draw}; y = {next}",
    "twice": "y = {draw}; z = -2 * ({draw})",
    "in a branch": "if x[1] > 2: y = {draw}\nz = {next}",
    "in a loop": "n = 0\nwhile n < x[1]: y = y + ({draw}); n += 1\nz = {next}",
    "in an unrolled loop": "for w in (1, 2): y = y + w * ({draw})",
    "in a function": "def helper(): return {draw}\ny = helper(); z = helper()",
    "after a seed": "{r}.seed(4); y = {draw}; z = {next}",
    "before a seed": "y = {draw}; {r}.seed(4); z = {next}",
    "between reads of the state": "s = {get}; y = {draw}; z = {next}; {put}; y = y * 10 + {next}",
}
NEXT = {"python": "{r}.random()", "numpy": "{r}.rand()", "generator": "{r}.random()"}
STATES = {
    "python": ("{r}.getstate()", "{r}.setstate(s)"),
    "numpy": ("{r}.get_state()", "{r}.set_state(s)"),
    "generator": ("{r}.bit_generator.state", "{r}.bit_generator.state = s"),
}
# Refused: lists of lists that a run shuffles, lists of other code, and states that are attributes.
REFUSED = ("shuffle(rows)", "shuffle(DECK)", "bit_generator")
STEP = 14  # every so many programs are run
CALLS = [(1.0, 3.0, 2.0), (1.0, 3.0, 2.0), (5.0, 1.0, 2.0), (2.0, 4.0, 9.0)]


def programs(stream):
    """The places, the draws and the sources of the programs of a stream."""
    made, name, kind = STREAMS[stream]
    get, put = STATES[kind]
    for (place, text), draw in itertools.product(PLACES.items(), DRAWS[kind]):
        if "seed(" in text and kind == "generator":
            continue
        for field, code in [("draw", draw), ("next", NEXT[kind]), ("get", get), ("put", put)]:
            text = text.replace(f"{{{field}}}", code)
        lines = [made, *text.replace("{r}", name).splitlines()]
        yield place, draw, PROGRAM + "".join(f"    {line}\n" for line in [*lines, "return y, z"])


def seen(program, transform):
    """The results of the calls of a program, and the next numbers of all streams after them."""
    function, given = transform(program.f), random.Random(5)
    random.seed(11)
    np.random.seed(11)
    results = [function(np.array(x), given) for x in CALLS]
    streams = (random, given, program.shared_random)
    after = [one.random() for one in streams]
    after += [np.random.rand(), program.shared_numpy.random(), program.shared_state.rand()]
    return repr((results, after, program.DECK))


def is_refused(source, name, engine):
    """Whether a program is refused; fails if it differs from Python."""
    expected = seen(load(source, name), lambda function: function)
    try:
        found = seen(load(source, name), rt.function(engine=engine))
    except rt.StagingError:
        return True
    assert found == expected, source
    return False


def check(stream, engine, first, step):
    known = itertools.islice(programs(stream), first, None, step)
    for number, (place, draw, source) in enumerate(known):
        if is_refused(source, f"<{stream} {first} {number}>", engine):
            assert any(one in source for one in REFUSED), (place, draw)


@pytest.mark.parametrize("stream", STREAMS)
def test_programs_draw_as_python_does(stream):
    first = list(STREAMS).index(stream)
    check(stream, ["numpy", "auto"][first % 2], first % STEP, STEP * 10 // examples(10))


@pytest.mark.thorough
@pytest.mark.parametrize("first", range(STEP))
@pytest.mark.parametrize("stream", STREAMS)
def test_all_programs_draw_as_python_does(stream, first):
    check(stream, ["native", "numpy"][first % 2], first, STEP)


@pytest.mark.parametrize("items", [[3, 1, 2], ["a", "b", "c"], [(1, 2.5), (3, 4.5)], []])
@pytest.mark.parametrize("shuffle", [random.shuffle, np.random.shuffle])
def test_a_list_is_shuffled_by_each_run_without_another_recording(shuffle, items):
    recordings = []

    def shuffled(x):
        recordings.append(1)
        x = x + random.random()
        deck = [*items]
        shuffle(deck)
        return x, deck

    def results(function):
        random.seed(1)
        np.random.seed(1)
        return [repr(function(np.float64(2))) for _ in range(5)]

    expected = results(shuffled)
    recordings.clear()
    assert results(rt.function(shuffled)) == expected
    assert len(recordings) < 4


def test_an_operation_with_an_effect_is_not_evaluated_to_explain_an_error():
    rng = np.random.default_rng(3)
    before = rng.bit_generator.state

    @rt.function
    def drawn(x):
        return x + (rng.choice(["a", "b"]) == "a")

    drawn.get_concrete_function(np.float64(1))
    assert rng.bit_generator.state == before


def walk(steps):
    """A random walk, and how far it comes from its start."""
    place = far = 0
    for _ in range(steps):
        place += random.choice([-1, 1])
        if abs(place) > far:
            far = abs(place)
    return place, far


def walk_of_objects(steps):
    """The same with draws that are objects of the run."""
    place = far = 0
    for _ in range(steps):
        place += random.choices([-1, 1], k=1)[0]
        if abs(place) > far:
            far = abs(place)
    return place, far


# The second one took twice the memory of recording for each step: 24 steps were too many.
@pytest.mark.parametrize("program", [walk, walk_of_objects])
@pytest.mark.parametrize("engine", ["numpy", "native"])
def test_a_random_walk(program, engine):
    random.seed(5)
    expected = [program(60) for _ in range(3)]
    random.seed(5)
    function = rt.function(program, engine=engine)
    assert [function(60) for _ in range(3)] == expected


def test_a_chosen_number_has_the_type_of_the_elements():
    @rt.function
    def drawn(x):
        return x * random.choice([x, 2 * x]) + random.choice((1.5, 2.5))

    graph = str(drawn.get_concrete_function(np.float64(3)).graph)
    assert "object" not in graph
    random.seed(2)
    slope = rt.grad(drawn)(np.float64(3))
    assert slope in (6, 12)
