"""The real TensorBoard, in a real browser: charts, pictures, and graphs whose boxes open."""

import contextlib
import re
import subprocess
import sys
import threading
import time
import urllib.request

import numpy as np
import pytest
from headless import headless_browser

import runtime as rt

pytest.importorskip("tensorboard", reason="tensorboard is not installed")

pytestmark = pytest.mark.thorough

# All elements that match, also inside of shadow roots.
FIND = """
const found = [];
const visit = root => {
  for (const one of root.querySelectorAll('*')) {
    if (one.matches(arguments[0])) found.push(one);
    if (one.shadowRoot) visit(one.shadowRoot);
  }
};
visit(document);
return found;
"""
EVENT = """
arguments[0].querySelector('.nodeshape').dispatchEvent(
    new MouseEvent(arguments[1], {bubbles: true, composed: true}));
"""


@rt.function
def settled(x):
    steps = 0
    while np.sum(x) > 1.0:
        if x[0] > 2.0:
            x = np.tanh(x)
        else:
            x = x / 2.0
        rt.summary.scalar("progress/sum", np.sum(x), steps)
        steps += 1
    rt.summary.histogram("settled", x)
    return x


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """The address of a TensorBoard that shows one run."""
    folder = tmp_path_factory.mktemp("logs")
    x = np.array([9.0, 9.0, 9.0])
    with rt.summary.Writer(folder / "first") as writer:
        with rt.profile() as profile:
            settled(x)
        writer.graph(settled, x, profile=profile)
        writer.image("ramp", np.linspace(0, 1, 64).reshape(8, 8))
        writer.text("note", "a **bold** word")
    with served(folder) as found:
        until(lambda: '"first"' in fetched(found, "plugin/graphs/info"))
        yield found


def fetched(address, path):
    with urllib.request.urlopen(f"{address}/data/{path}", timeout=20) as response:
        return response.read().decode()


@contextlib.contextmanager
def served(folder):
    command = [sys.executable, "-m", "tensorboard.main", "--logdir", str(folder), "--port", "0"]
    command += ["--host", "127.0.0.1", "--load_fast", "false", "--reload_interval", "1"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    stop = threading.Timer(60, server.kill)  # so that the next line ends
    stop.start()
    try:
        found = (re.search(r"http://127\.0\.0\.1:\d+", line) for line in server.stderr)
        address = next(match.group() for match in found if match)
        stop.cancel()
        reader = threading.Thread(target=server.stderr.read)
        reader.start()
        yield address
    finally:
        stop.cancel()
        server.kill()
        server.wait()
        reader.join()
        server.stderr.close()


@pytest.fixture(scope="module")
def browser():
    with headless_browser() as opened:
        yield opened


def until(question, seconds=30):
    """The first answer that is true."""
    end = time.monotonic() + seconds
    while True:
        answer = question()
        if answer:
            return answer
        assert time.monotonic() < end, "the page does not show it"
        time.sleep(0.2)


def shown(browser, selector):
    return browser.execute_script(FIND, selector)


def nodes(browser):
    return {one.get_attribute("data-name"): one for one in shown(browser, "g.node")}


def opened_graph(browser, address):
    browser.get("about:blank")
    browser.get(f"{address}/#graphs&run=first")
    until(lambda: "loop.1" in nodes(browser))


def expand(browser, name):
    browser.execute_script(EVENT, nodes(browser)[name], "dblclick")
    until(lambda: any(other.startswith(f"{name}/") for other in nodes(browser)))


def choose(browser, label):
    buttons = {one.text.strip(): one for one in shown(browser, "paper-radio-button")}
    browser.execute_script("arguments[0].click()", buttons[label])


def card(browser, name):
    """What the page says about a node that is clicked."""
    browser.execute_script(EVENT, nodes(browser)[name], "click")
    return until(lambda: "".join(one.text for one in shown(browser, "tf-node-info")))


def test_branches_and_bodies_of_loops_open(browser, address):
    opened_graph(browser, address)
    assert not any("/" in name for name in nodes(browser))
    expand(browser, "loop.1")
    expand(browser, "loop.1/body")
    expand(browser, "loop.1/body/cond.1")
    expand(browser, "loop.1/body/cond.1/then")
    assert {"loop.1/body/cond.1/then/x_2.tanh", "loop.1/body/cond.1/orelse"} <= nodes(
        browser
    ).keys()


def test_a_node_shows_its_text_and_the_users_line(browser, address):
    opened_graph(browser, address)
    expand(browser, "loop.1")
    expand(browser, "loop.1/body")
    expand(browser, "loop.1/body/cond.1")
    expand(browser, "loop.1/body/cond.1/then")
    said = card(browser, "loop.1/body/cond.1/then/x_2.tanh")
    for part in (
        "Operation: tanh",
        "x_2: f64[3] = tanh(x_1)",
        "test_tensorboard.py:",
        "x = np.tanh(x)",
    ):
        assert part in said, said


def test_the_times_of_a_profile_are_colours(browser, address):
    opened_graph(browser, address)
    choose(browser, "Profile")
    until(lambda: shown(browser, "#compute-time-radio-button[aria-disabled='false']"))
    until(lambda: "loop.1" in nodes(browser))
    choose(browser, "Compute time")
    assert until(lambda: colour_of(browser, "loop.1").startswith("rgb"))
    assert colour_of(browser, "x") != colour_of(browser, "loop.1")
    assert re.search(r"Compute Time\s*[\d.,]+ [µm]s", card(browser, "loop.1"))


def colour_of(browser, name):
    script = """
    const shape = arguments[0].querySelector('.nodeshape rect, .nodeshape use, .nodeshape ellipse');
    return shape && getComputedStyle(shape).fill;
    """
    return browser.execute_script(script, nodes(browser)[name])


@pytest.mark.parametrize(
    "path, names",
    [
        ("plugin/scalars/tags", ["progress/sum"]),
        ("plugin/histograms/tags", ["settled"]),
        ("plugin/images/tags", ["ramp"]),
        ("plugin/text/tags", ["note"]),
    ],
)
def test_each_page_lists_its_summaries(address, path, names):
    for name in names:
        until(lambda: f'"{name}"' in fetched(address, path))


def test_charts_and_pictures_are_on_the_page_of_time_series(browser, address):
    browser.get("about:blank")
    browser.get(f"{address}/#timeseries&tagFilter=sum|ramp")
    chart = until(lambda: shown(browser, "scalar-card"))[0]
    until(lambda: "sum" in chart.text)
    picture = until(lambda: shown(browser, "image-card img"))[0]
    until(lambda: browser.execute_script("return arguments[0].naturalWidth", picture) == 8)
