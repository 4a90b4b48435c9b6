"""A headless Chromium for tests; they are skipped where it or selenium is missing."""

import contextlib
import shutil

import pytest

# Containers have little shared memory and no user namespaces; there is no screen.
OPTIONS = ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu")


@contextlib.contextmanager
def headless_browser(width=1600, height=1000):
    """A browser that logs what its pages print; skips the test if it cannot be started."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    from selenium.common.exceptions import WebDriverException

    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or driver is None:
        pytest.skip("chromium and chromedriver are not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    for option in (*OPTIONS, f"--window-size={width},{height}"):
        options.add_argument(option)
    try:
        opened = webdriver.Chrome(options, webdriver.ChromeService(driver))
    except WebDriverException as error:
        pytest.skip(f"chromium cannot be started: {error.msg}")
    try:
        yield opened
    finally:
        opened.quit()
