"""Notebooks: cells that decorate functions, change them, and make mistakes, run by nbclient and by
papermill.  Front ends that are not installed are skipped."""

import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

SAMPLES = sorted((Path(__file__).parents[2] / "samples" / "notebooks").glob("*.ipynb"))
CELLS = [
    "import numpy as np\nimport autograph\nimport runtime as rt",
    "@rt.function\n"
    "def f(x):\n"
    "    if x > 0:\n"
    "        return x * 2\n"
    "    return -x\n"
    "print(f(np.float64(3.0)), f(np.float64(-3.0)))",
    "@rt.function\n"
    "def f(x):\n"
    "    if x > 0:\n"
    "        return x * 10\n"
    "    return -x\n"
    "print(f(np.float64(3.0)))",
    "print(autograph.explain(f))\nprint(f.get_concrete_function(np.float64(1.0)).graph)",
    "@rt.function\n"
    "def wrong(x):\n"
    "    if x > 0:\n"
    "        y = 1\n"
    "    else:\n"
    "        y = b'none'\n"
    "    return y\n"
    "try:\n"
    "    wrong(np.float64(1.0))\n"
    "except TypeError as error:\n"
    "    print(error)",
    "print(rt.function(lambda x: np.log(x))(np.float64(0.0)))",
]


def notebook():
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    made = nbformat.v4.new_notebook()
    made.cells = [nbformat.v4.new_code_cell(text) for text in CELLS]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    made.metadata["kernelspec"] = kernel
    return made


@pytest.fixture
def kernel(tmp_path, monkeypatch):
    """A kernel of this interpreter, which imports the modules that the tests import."""
    folder = tmp_path / "kernels" / "python3"
    folder.mkdir(parents=True)
    folder.joinpath("kernel.json").write_text(
        '{"argv": ["%s", "-m", "ipykernel_launcher", "-f", "{connection_file}"],'
        ' "display_name": "Python 3", "language": "python"}' % sys.executable
    )
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", ":".join(filter(None, sys.path)))
    monkeypatch.setenv("PYDEVD_DISABLE_FILE_VALIDATION", "1")


def run_by_nbclient(made, folder):
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    return nbclient.NotebookClient(made, timeout=120, kernel_name="python3").execute()


def run_by_papermill(made, folder):
    papermill = pytest.importorskip("papermill", reason="papermill is not installed")
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    nbformat.write(made, folder / "given.ipynb")
    given, done = str(folder / "given.ipynb"), str(folder / "done.ipynb")
    return papermill.execute_notebook(given, done, kernel_name="python3", progress_bar=False)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("run", [run_by_nbclient, run_by_papermill])
def test_a_notebook_runs_and_its_messages_name_cells(run, kernel, tmp_path):
    cells = [cell for cell in run(notebook(), tmp_path).cells if cell.cell_type == "code"]
    texts = ["".join(one.get("text", "") for one in cell.outputs) for cell in cells]
    assert texts[1] == "6.0 3.0\n"
    assert texts[2] == "30.0\n"  # the redefined function
    assert texts[3].startswith("f (Cell In[3], line 1)\n")
    assert "# In[3]:3" in texts[3]
    assert "\n  Cell In[5], line 3, in wrong\n      if x > 0:\n" in texts[4]
    assert "-inf" in texts[5]
    assert "ipykernel_" not in "".join(texts[:5])


# -- the notebooks of samples ----------------------------------------------------------------------


def printed(cell):
    """The outputs of a cell that are texts, joined; pictures are left out."""
    return "".join(
        output["text"] if "text" in output else output["data"].get("text/plain", "")
        for output in cell.get("outputs", [])
    )


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_notebook_of_the_samples_prints_the_stored_outputs(path, kernel, bless):
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    stored = nbformat.read(path, as_version=4)
    done = run_by_nbclient(nbformat.read(path, as_version=4), None)
    if bless:
        for cell in done.cells:
            cell.metadata.pop("execution", None)  # the times
        nbformat.write(done, path)
        stored = done
    assert len(stored.cells) > 5
    assert list(map(printed, done.cells)) == list(map(printed, stored.cells))


# -- the extension ---------------------------------------------------------------------------------

EXTENSION = [
    "%load_ext autograph\nimport numpy as np\nimport runtime as rt",
    "%%autograph\n"
    "def plain(x):\n"
    "    return x + 1 if x > 0 else x\n"
    "@rt.function\n"
    "def f(x):\n"
    "    while x > 1:\n"
    "        x = x / 2\n"
    "    return x\n"
    "constant = 3\n"
    "f(np.float64(8.0))",
    "%%autograph plain\ng = rt.function(plain)",
    "%autograph_code plain",
    "%%autograph\n\n1 / 0",
    "2",
    "%unload_ext autograph",
    "%autograph_code plain",
]


def extended(folder):
    made = notebook()
    made.cells = [type(made.cells[0])(made.cells[0], source=text) for text in EXTENSION]
    for number, cell in enumerate(made.cells):
        cell["id"] = f"cell{number}"
    made.metadata["kernelspec"]["name"] = "python3"
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    client = nbclient.NotebookClient(made, timeout=120, kernel_name="python3", allow_errors=True)
    return [cell.outputs for cell in client.execute().cells]


def data(outputs, kind):
    return [one["data"][kind] for one in outputs if kind in one.get("data", {})]


@pytest.mark.filterwarnings("ignore")
def test_the_extension_shows_the_functions_of_a_cell(kernel, tmp_path):
    outputs = extended(tmp_path)
    assert outputs[0] == []
    results, *views = [one for one in outputs[1] if one.output_type != "stream"]
    assert results["data"]["text/plain"] == "np.float64(1.0)"  # of the cell itself
    plain, staged = (view["data"]["text/plain"] for view in views)
    assert plain.startswith("# plain: generated code\ndef plain(x):\n    return ag__.if_expr(")
    assert "graph" not in plain
    assert "ag__.while_stmt(" in staged and "# f: graph\ndef f(x: f64):" in staged
    assert "# In[2]:6" in staged  # the line of `while` in the cell, whose first line is the magic
    page = views[1]["data"]["text/html"]
    assert "<svg" in page and "f: generated code" in page and "ag__.while_stmt(" in page
    (only,) = data(outputs[2], "text/plain")
    assert only == plain
    (printed,) = outputs[3]
    assert printed["text"] == plain.partition("\n")[2] + "\n"


@pytest.mark.filterwarnings("ignore")
def test_the_extension_leaves_errors_and_later_cells_alone(kernel, tmp_path):
    *_, failed, later, _, unloaded = extended(tmp_path)
    (error,) = failed
    assert error["ename"] == "ZeroDivisionError"
    assert any("line 3" in line and "In[5]" in line for line in error["traceback"])
    assert data(later, "text/plain") == ["2"]
    assert "not found" in "".join(one.get("text", "") for one in unloaded)
