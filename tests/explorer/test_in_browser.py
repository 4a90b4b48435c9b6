"""The explorer in a real browser: linked lines, passes, keys, narrow windows, dark colours."""

import numpy as np
import pytest
from headless import headless_browser

import runtime as rt
from runtime.explorer.page import page
from runtime.explorer.story import story_of

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


def test_regions_of_the_picture_fold(opened):
    shown = ".picture:not([hidden]) g.regions"
    assert count(opened, shown) == 2
    opened.execute_script("document.querySelector('[data-fold=\"1\"]').click()")
    assert count(opened, shown) == 2 and count(opened, shown + ".folded") == 1
    opened.execute_script("document.querySelector('[data-fold=\"0\"]').click()")
    assert count(opened, shown) == 1 and count(opened, shown + ".folded") == 1


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
