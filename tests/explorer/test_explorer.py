"""The explorer: the page of a function, the command that writes it, and the server."""

import http.client
import re
import threading
from html.parser import HTMLParser
from http.server import ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest

import autograph
import runtime as rt
from autograph.__main__ import main
from runtime.explorer.page import page
from runtime.explorer.server import LOOPBACK, handler
from runtime.explorer.story import story_of

ROOT = Path(autograph.__file__).parents[1]
PROGRAM = """
import numpy as np
import runtime as rt

MARKUP = "</script><img src=x onerror=alert(1)>"


def halved(x):
    return x / 2


@rt.function
def collatz(a):
    counter = 0
    while a != 1:
        if a % 2 == 0:
            a = a // 2
        else:
            a = 3 * a + 1
        counter = counter + 1
    print("</script><img src=x onerror=alert(1)>", MARKUP, counter)
    return halved(counter)


class Model:
    scale = 2.0

    def step(self, x, rate=1.0):
        return self.scale * x * rate


model = Model()
number = 3
"""
VOID = {"meta", "input", "img", "link", "br"}


class Elements(HTMLParser):
    """The elements of a page, as (name, attributes, text); fails if they are not nested."""

    def __init__(self, text):
        super().__init__()
        self.found, self.open = [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.found.append([tag, dict(attributes), ""])
        if tag not in VOID:
            self.open.append(self.found[-1])

    def handle_startendtag(self, tag, attributes):
        self.found.append([tag, dict(attributes), ""])

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag

    def handle_data(self, text):
        for element in self.open:
            element[2] += text

    def of(self, tag, **attributes):
        return [
            element
            for element in self.found
            if element[0] == tag
            and all(
                element[1].get(k.rstrip("_").replace("_", "-")) == v for k, v in attributes.items()
            )
        ]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("numbers_of_collatz.py").write_text(PROGRAM)
    return tmp_path


def explored(*arguments):
    """The status of the command."""
    return main(["explore", *arguments])


def test_the_page_links_a_line_in_every_panel(folder, capsys):
    assert explored("numbers_of_collatz.py", "--args", "np.int64(27)", "-o", "out.html") == 0
    assert capsys.readouterr().out == "out.html\n"
    text = Path("out.html").read_text()
    assert len(text) < 1_000_000
    elements = Elements(text)
    line = str(1 + PROGRAM.split("\n").index("            a = a // 2"))
    panels = re.split(r'<section class="panel[^"]*" id="', text)[1:]
    for panel in panels[:4]:
        name, rows = (
            panel.partition('"')[0],
            re.findall(rf'<li [^>]*data-line="{line}".*?</li>', panel),
        )
        assert any("//" in row or "floor_divide" in row for row in rows), name
    assert len(elements.of("g", class_="operation", data_line=line)) >= 1
    assert [e[2] for e in elements.of("span", class_="badge staged")] == ["staged", "staged"]
    assert "<li" in text and "halved" in elements.of("section", id="source")[0][2]


def test_strings_of_the_program_never_become_markup(folder):
    assert explored("numbers_of_collatz.py:collatz", "--args", "np.int64(27)") == 0
    text = Path("collatz.html").read_text()
    elements = Elements(text)
    assert elements.of("img") == []
    assert len(elements.of("script")) == 1
    assert [name for _, a, _ in elements.found for name in a if name.startswith("on")] == []
    assert "onerror" in elements.of("section", id="source")[0][2]


def test_the_page_requests_nothing_and_permits_its_own_script_alone(folder):
    assert explored("numbers_of_collatz.py", "--args", "np.int64(27)") == 0
    text = Path("collatz.html").read_text()
    elements = Elements(text)
    sources = [a[n] for _, a, _ in elements.found for n in ("src", "href", "action") if n in a]
    assert sources == []
    (policy,) = elements.of("meta", http_equiv="Content-Security-Policy")
    assert policy[1]["content"].startswith("default-src 'none';")
    assert "url(" not in text and "@import" not in text
    assert set(re.findall(r"https?://[^\s\"'<]*", text)) == {"http://www.w3.org/2000/svg"}


def test_each_pass_has_a_button_and_its_lines(folder):
    assert explored("numbers_of_collatz.py", "--args", "np.int64(27)") == 0
    elements = Elements(Path("collatz.html").read_text())
    buttons = [e for e in elements.of("button") if "data-pass" in e[1]]
    lists = [e for e in elements.of("ol") if "data-pass" in e[1]]
    own = [b[1]["data-pass"] for b in buttons if b[1]["class"] == "did"]
    assert own == [e[1]["data-pass"] for e in lists]
    assert {b[1]["data-rows"] for b in buttons} == set(own)
    assert buttons[0][2].strip() == "recorded" and len(buttons) > len(own)
    folds = [e[2] for e in elements.of("button") if "data-fold" in e[1]]
    assert folds == ["0", "1", "all"]
    assert len([e for e in elements.of("div", class_="picture")]) == 1
    assert len([e for e in elements.of("text", class_="fold")]) == 2


def test_lines_of_other_files_are_not_taken_for_lines_of_this_one(folder):
    lines = ["import numpy as np"] * 8 + ["def doubled(x):", "    return x * 2"]
    Path("doubled_elsewhere.py").write_text("\n".join(lines) + "\n")
    text = "from doubled_elsewhere import doubled\n" + PROGRAM.replace(
        "return x / 2", "return doubled(x)"
    )
    Path("uses_elsewhere.py").write_text(text)
    assert explored("uses_elsewhere.py:halved", "--args", "np.ones(3)") == 0
    elements = Elements(Path("halved.html").read_text())
    assert len(elements.of("g", class_="operation")) == 1
    linked = {a["data-line"] for _, a, _ in elements.found if "data-line" in a}
    first = 1 + text.split("\n").index("def halved(x):")
    assert linked == {str(first), str(first + 1)}
    assert elements.of("g", class_="operation", data_line="10") == []


def test_a_method_of_an_object_is_explored_and_timed(folder):
    call = ("--args", "np.ones(3), rate=0.5", "--time")
    assert explored("numbers_of_collatz.py:model.step", *call) == 0
    text = Path("step.html").read_text()
    assert "of the time of a run" in text and "multiply" in text
    timed = re.findall(r"<code>([^<]*)</code><span class=\"share\"[^>]*>(\d+)%</span>", text)
    operations = [code for code, _ in timed if " = " in code and ": f64" in code]
    assert operations and all("(" in code for code in operations)


def test_arguments_that_are_wrong_are_refused(folder, capsys):
    def refused(*arguments):
        status = explored(*arguments)
        return status, capsys.readouterr().err.removeprefix("autograph explore: ").strip()

    file = "numbers_of_collatz.py"
    assert refused("absent.py") == (2, "absent.py is not a file")
    assert refused(f"{file}:absent") == (
        2,
        f"there is no absent in {file}; did you mean collatz?",
    )
    assert refused(f"{file}:number") == (2, "number is not a function: its type is int")
    assert refused(f"{file}:Model")[0] == 2
    status, text = refused(file)
    assert status == 2 and text.startswith("collatz has no graph yet; add --args")
    status, text = refused(file, "--args", "absent")
    assert status == 2 and text == (
        "--args cannot be evaluated: NameError: name 'absent' is not defined; the names are the "
        "builtins, np and, in the file, rt, MARKUP, halved, collatz, Model, model, number"
    )
    missing = "--args does not fit halved(x): missing a required argument: 'x'.\n"
    assert refused(f"{file}:halved", "--args", "") == (
        2,
        missing + 'Write the arguments of a call, such as --args "np.ones(3)".',
    )
    assert refused(f"{file}:model.step", "--args", "1, 2, 3")[0] == 2
    status, text = refused(file, "--args", "'text'")
    assert status == 1 and text != ""
    assert refused(file, "--args", "np.int64(1)", "-o", "absent/out.html")[0] == 1
    assert sorted(path.name for path in folder.glob("*.html")) == []


def test_a_file_that_fails_is_reported_with_its_traceback(folder, capsys):
    Path("broken_file.py").write_text("1 / 0\n")
    assert explored("broken_file.py") == 1
    printed = capsys.readouterr().err
    assert "ZeroDivisionError" in printed and 'broken_file.py", line 1' in printed


def test_an_exception_of_the_function_is_shown_from_its_line_on(folder, capsys):
    Path("wrong_shapes.py").write_text("def product(x, y):\n    return x @ y\n")
    given = "np.ones((2, 3)), np.ones((2, 3))"
    assert explored("wrong_shapes.py:product", "--args", given) == 1
    printed = capsys.readouterr().err.splitlines()
    assert printed[0] == "Traceback (most recent call last):"
    assert printed[1].endswith('wrong_shapes.py", line 2, in product')
    assert printed[-1] == "autograph explore: wrong_shapes.py:product has raised ValueError"


def test_a_port_that_cannot_be_used_is_named(folder, capsys):
    call = ("numbers_of_collatz.py", "--args", "np.int64(1)", "--serve", "--port", "99999")
    assert explored(*call) == 1
    assert capsys.readouterr().err.startswith("autograph explore: port 99999 cannot be used: ")


def test_what_the_file_prints_is_no_part_of_the_output(folder, capsys):
    Path("talking_file.py").write_text(PROGRAM + "\nprint('hello')\n")
    assert explored("talking_file.py", "--args", "np.int64(2)") == 0
    captured = capsys.readouterr()
    assert captured.out == "collatz.html\n" and "hello" in captured.err


def test_why_there_are_several_graphs_is_explained():
    @rt.function
    def scaled(x, k):
        return x * k

    scaled(np.ones(2), 2)
    scaled(np.ones(3), 2)
    text = page(story_of(scaled.graphs[0], retraces=scaled.explain_retraces()))
    assert "Why each graph was traced" in text


def test_the_server_answers_this_machine_alone():
    with ThreadingHTTPServer((LOOPBACK, 0), handler("<p>äöü</p>")) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        port = server.server_address[1]

        def answer(path="/", host=f"{LOOPBACK}:{port}"):
            connection = http.client.HTTPConnection(LOOPBACK, port, timeout=10)
            connection.request("GET", path, headers={"Host": host})
            reply = connection.getresponse()
            return reply.status, reply.read().decode()

        assert answer() == (200, "<p>äöü</p>")
        assert answer(host=f"localhost:{port}")[0] == 200
        assert answer("/other")[0] == 404
        assert answer(host="attacker.example")[0] == 403
        server.shutdown()


def test_the_assets_are_in_the_package():
    names = {path.name for path in (ROOT / "runtime/explorer/assets").iterdir()}
    assert {"page.html", "page.css", "page.js"} <= names
    assert "</script" not in (ROOT / "runtime/explorer/assets/page.js").read_text()
