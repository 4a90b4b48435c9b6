"""The explorer in a real browser: linked lines, passes, keys, narrow windows, dark colours."""

import re

import numpy as np
import pytest
from headless import headless_browser

pytest.importorskip("selenium", reason="selenium is not installed: the `test` extra has it")
from selenium.webdriver.common.action_chains import ActionChains  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402

import runtime as rt  # noqa: E402
from runtime.explorer.page import page  # noqa: E402
from runtime.explorer.story import story_of  # noqa: E402

pytestmark = pytest.mark.slow


@rt.function
def settled(x):
    scale = 1.0
    halvings = 0
    x = np.sin(x) + np.sin(x)
    while np.sum(x) > 1.0:
        if x[0] > 2.0:
            x = np.tanh(x) * scale
        else:
            x = x / 2.0
            halvings += 1
    print("</script><b id=injected>", x)
    return x, halvings


@pytest.fixture(scope="module")
def browser():
    """A headless Chromium."""
    with headless_browser() as opened:
        yield opened


@pytest.fixture
def opened(browser, tmp_path):
    """The page in the browser; at the end nothing may have been logged."""
    path = tmp_path / "page.html"
    path.write_text(page(story_of(settled.get_concrete_function(np.ones(3)))), "utf-8")
    browser.set_window_size(1600, 1000)
    browser.get("about:blank")
    browser.get(path.as_uri())
    assert browser.execute_script("return 'ready' in document.documentElement.dataset")
    yield browser
    assert [entry["message"] for entry in browser.get_log("browser")] == []


def count(browser, selector):
    return browser.execute_script("return document.querySelectorAll(arguments[0]).length", selector)


def line_of(text):
    with open(__file__, encoding="utf-8") as file:
        return next(i for i, line in enumerate(file, 1) if text in line)


def press(browser, key):
    browser.execute_script(
        "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: arguments[0], bubbles: true}))",
        key,
    )


def test_a_line_that_is_clicked_is_marked_in_all_panels_and_in_the_address(opened):
    line = line_of("x = np.tanh(x) * scale")
    opened.execute_script(f"document.querySelector('#source [data-line=\"{line}\"]').click()")
    for panel in ("source", "generated", "graph", "program"):
        assert count(opened, f'#{panel} .hot[data-line="{line}"]') > 0, panel
    assert f"line={line}" in opened.current_url
    said = opened.execute_script("return document.querySelector('output').textContent")
    assert said.startswith(f"line {line}: x = np.tanh(x) * scale")
    press(opened, "Escape")
    assert count(opened, ".kept") == 0


def test_the_line_of_a_constant_is_linked_with_the_loop_that_starts_with_it(opened):
    line = line_of("halvings = 0")
    opened.execute_script(f"document.querySelector('#source [data-line=\"{line}\"]').click()")
    assert count(opened, ".picture:not([hidden]) .constant.hot") == 1
    assert count(opened, f'.graphs ol:not([hidden]) .hot[data-also="{line}"]') == 1
    assert count(opened, f'#program .hot[data-line="{line}"]') == 1
    said = opened.execute_script("return document.querySelector('output').textContent")
    assert "constant: halvings starts with it in the loop" in said
    assert said.endswith(" · 1 line of the graph")


def test_keys_choose_lines_passes_and_views(opened):
    press(opened, "ArrowDown")
    press(opened, "ArrowDown")
    assert count(opened, "#source .row.kept") == 1
    press(opened, "ArrowLeft")
    assert "view=text" in opened.current_url
    assert count(opened, ".graphs ol:not([hidden])") == 1
    press(opened, "g")
    assert "view=picture" in opened.current_url
    press(opened, "2")
    assert count(opened, "#generated.folded") == 1


def test_a_pass_that_did_nothing_shows_the_graph_without_signs(opened):
    idle = opened.find_elements("css selector", ".passes .idle")
    did = opened.find_elements("css selector", ".passes .did")
    assert idle and len(did) > 1
    opened.execute_script("arguments[0].click()", did[-1])
    signs = count_displayed(opened, ".graphs .sign")
    opened.execute_script("arguments[0].click()", idle[-1])
    assert count_displayed(opened, ".graphs .row") > 5
    assert signs > 0 and count_displayed(opened, ".graphs .sign") == 0


def count_displayed(browser, selector):
    return sum(one.is_displayed() for one in browser.find_elements("css selector", selector))


def test_regions_of_the_picture_fold_at_a_depth(opened):
    shown = ".picture g.regions"
    assert count_displayed(opened, shown) == 2
    opened.execute_script("document.querySelector('[data-fold=\"1\"]').click()")
    assert count_displayed(opened, shown) == 2 and count(opened, shown + ".folded") == 1
    opened.execute_script("document.querySelector('[data-fold=\"0\"]').click()")
    assert count_displayed(opened, shown) == 1


# The places of the visible parts of a picture: numbers of each rectangle, text and line.
PLACES = """
const svg = document.querySelector('.picture svg');
if (arguments[0]) layOut(svg);
return [...svg.querySelectorAll('rect, text:not(.fold), path')]
  .filter(part => part.getClientRects().length)
  .map(part => ['x', 'y', 'width', 'height', 'd'].map(name => part.getAttribute(name)).join(' '))
"""


def numbers(places):
    return [float(one) for place in places for one in re.findall(r"-?[0-9.]+", place)]


def check_same_places(found, wanted):
    assert len(found) == len(wanted)
    np.testing.assert_allclose(numbers(found), numbers(wanted), atol=0.11)


def test_the_script_lays_a_picture_out_as_the_library_does(opened):
    wanted = opened.execute_script(PLACES, False)
    check_same_places(opened.execute_script(PLACES, True), wanted)
    assert len(wanted) > 50


def test_folding_all_boxes_gives_the_picture_of_that_depth(opened, browser, tmp_path):
    opened.execute_script("document.querySelector('[data-fold=\"0\"]').click()")
    found = opened.execute_script(PLACES, False)
    graph = settled.get_concrete_function(np.ones(3)).optimized
    path = tmp_path / "folded.html"
    path.write_text(f"<div class=picture>{graph.to_svg(0)}</div>", "utf-8")
    browser.get(path.as_uri())
    check_same_places(found, browser.execute_script(PLACES, False))


def test_boxes_fold_one_by_one_by_clicks_and_keys(opened):
    loop, branch = opened.find_elements("css selector", ".picture .fold")
    height = "return Number(document.querySelector('.picture svg').getAttribute('height'))"
    whole = opened.execute_script(height)
    branch.click()
    assert branch.get_attribute("aria-expanded") == "false"
    assert count_displayed(opened, ".picture g.regions") == 2
    assert count(opened, ".picture .folded") == 1
    part = opened.execute_script(height)
    assert part < whole
    loop.send_keys(Keys.ENTER)
    assert count_displayed(opened, ".picture g.regions") == 1
    assert opened.execute_script(height) < part
    loop.send_keys(Keys.SPACE)  # the branch in it is still folded
    assert opened.execute_script(height) == part
    branch.click()
    assert opened.execute_script(height) == whole
    pressed = "return document.querySelector('[data-fold=\"2\"]').getAttribute('aria-pressed')"
    assert opened.execute_script(pressed) == "true"


def test_a_value_tells_which_pass_has_put_another_in_its_place(opened):
    press(opened, "ArrowLeft")
    merged = next(
        one
        for one in opened.find_elements("css selector", ".passes button")
        if one.text.startswith("common subexpressions")
    )
    merged.click()
    gone = next(
        one
        for one in opened.find_elements("css selector", ".graphs .row.gone")
        if one.is_displayed()
    )
    badge = gone.find_element("css selector", ".badge").text
    assert badge == "\N{RIGHTWARDS ARROW} v"
    ActionChains(opened).move_to_element(gone).perform()
    said = opened.execute_script("return document.querySelector('output').textContent")
    assert said.startswith("recorded: v_") and "common subexpressions: replaced by v" in said


def test_strings_of_the_program_are_texts(opened):
    assert count(opened, "#injected") == 0


def test_found_names_are_marked(opened):
    opened.execute_script(
        "const input = document.querySelector('.find input'); input.value = 'tanh';"
        "input.dispatchEvent(new Event('input', {bubbles: true}))"
    )
    assert count(opened, "#source .found") == 1 and count(opened, "#program .found") >= 1


@pytest.mark.parametrize("width", [390, 800, 1280, 1920])
def test_no_width_scrolls_sideways(opened, width):
    opened.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 700},
    )
    wide = opened.execute_script("return document.documentElement.scrollWidth")
    shown = [
        panel for panel in opened.find_elements("css selector", ".panel") if panel.is_displayed()
    ]
    assert wide <= width and len(shown) == (1 if width < 700 else 5)
    opened.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_dark_colours_follow_the_system(opened):
    def background(scheme):
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        opened.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        return opened.execute_script("return getComputedStyle(document.body).backgroundColor")

    assert background("light") == "rgb(251, 251, 250)"
    assert background("dark") == "rgb(17, 18, 20)"


def test_the_times_of_operations_are_seen_beside_rows_that_are_wider_than_the_panel(
    browser, tmp_path
):
    x = np.ones(3)
    with rt.profile() as taken:
        settled(x)
    path = tmp_path / "timed.html"
    path.write_text(page(story_of(settled.get_concrete_function(x), taken)), "utf-8")
    browser.set_window_size(900, 700)
    browser.get(path.as_uri() + "#view=text")
    outside = browser.execute_script(
        """
        const body = document.querySelector('#graph .body'), frame = body.getBoundingClientRect();
        const seen = [...body.querySelectorAll('ol:not([hidden]) .share')];
        const right = seen.map(share => share.getBoundingClientRect().right);
        return [seen.length, right.filter(place => place > frame.right + 1).length,
                body.scrollWidth > body.clientWidth];
        """
    )
    assert outside[0] > 5 and outside[1:] == [0, True]
