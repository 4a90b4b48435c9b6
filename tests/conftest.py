"""Options and fixtures of the test suite."""

import pytest


def pytest_addoption(parser):
    parser.addoption(
        "--bless",
        action="store_true",
        help="rewrite the expected output of golden cases and samples instead of comparing it",
    )


@pytest.fixture
def bless(request):
    """Whether expected outputs are to be rewritten."""
    return request.config.getoption("--bless")
