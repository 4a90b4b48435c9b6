"""Options and fixtures of the test suite."""

import collections
import os
import random
import tempfile
import time

import budget
import pytest

START = time.monotonic()
MOST_PARAMETERS = 60  # of one test, with `--fast`


def pytest_addoption(parser):
    parser.addoption(
        "--bless",
        action="store_true",
        help="rewrite the expected output of golden cases and samples instead of comparing it",
    )
    parser.addoption(
        "--fast",
        action="store_true",
        help="leave out slow tests, and try a part of the random examples and of sampled tests",
    )

    parser.addoption(
        "--engine",
        default="auto",
        metavar="NAME",
        help="the engine that runs graphs, where a test does not choose one",
    )
    parser.addoption(
        "--two-versions",
        action="store_true",
        help="let converted functions run the user's own code while nothing can be staged, as they "
        "do for users; without it they always run converted code",
    )
    parser.addoption(
        "--shuffle",
        type=int,
        metavar="SEED",
        help="run the tests in a random order, which the seed chooses",
    )
    parser.addoption(
        "--seconds",
        type=float,
        metavar="N",
        help="start no test after so many seconds: the rest are skipped",
    )


def pytest_configure(config):
    os.environ["AUTOGRAPH_STRICT"] = "1"  # no fault of the library is hidden
    os.environ["AUTOGRAPH_ENGINE"] = config.getoption("--engine")
    if "AUTOGRAPH_OBJECT_CACHE" not in os.environ:  # one directory for all workers
        directory = tempfile.TemporaryDirectory(prefix="autograph-objects-")
        os.environ["AUTOGRAPH_OBJECT_CACHE"] = os.path.join(directory.name, "objects")
        config.add_cleanup(directory.cleanup)
    budget.is_fast = config.getoption("--fast")
    if not config.getoption("--two-versions"):
        os.environ["AUTOGRAPH_CONVERTED"] = "1"  # for programs that tests start, too
    import runtime.public  # noqa: F401  (modules of tests import parts that need all ops)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    for item in items:
        if " at 0x" in item.nodeid:
            raise pytest.UsageError(f"{item.nodeid} contains an address: give the test `ids`")
    if config.getoption("--shuffle") is not None:
        random.Random(config.getoption("--shuffle")).shuffle(items)
    if not config.getoption("--fast"):
        return
    seen = collections.Counter()
    kept, left_out = [], []
    for item in items:
        test = function_of(item)
        sampled = item.get_closest_marker("sampled")
        is_kept = item.get_closest_marker("slow") is None
        is_kept &= sampled is None or seen[test] % sampled.args[0] == 0
        seen[test] += 1
        (kept if is_kept else left_out).append(item)
    items[:] = []
    numbers = collections.Counter(function_of(item) for item in kept)
    seen.clear()
    for item in kept:
        test = function_of(item)
        stride = -(-numbers[test] // MOST_PARAMETERS)
        (items if seen[test] % stride == 0 else left_out).append(item)
        seen[test] += 1
    config.hook.pytest_deselected(items=left_out)


def pytest_runtest_setup(item):
    limit = item.config.getoption("--seconds")
    if limit is not None and time.monotonic() - START > limit:
        pytest.skip(f"{limit:.0f} seconds have passed")


def function_of(item):
    """The test of an item, without its parameters."""
    return item.nodeid.partition("[")[0]


@pytest.fixture(autouse=True)
def named_packages(monkeypatch):
    """Packages that a test names in `convert_packages` are named for this test only."""
    from autograph.functions import policy  # here: the options decide what it reads at import

    monkeypatch.setattr(policy, "_asked_for", set(policy._asked_for))


@pytest.fixture
def numpy_programs():
    """The NumPy engine runs graphs, whatever engine is chosen: the test looks at its programs."""
    import runtime as rt  # here: the options decide what it reads at import

    with rt.config.temporarily(engine="numpy"):
        yield


@pytest.fixture
def bless(request):
    """Whether expected outputs are to be rewritten."""
    return request.config.getoption("--bless")
