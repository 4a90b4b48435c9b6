"""The settings of Sphinx, which `make docs` runs: these pages, and a reference from docstrings."""

import autograph

project = "AutoGraph for NumPy"
version = release = autograph.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]

html_theme = "furo"
html_title = f"{project} {version}"
html_copy_source = False

myst_heading_anchors = 4  # headings have anchors, as where a repository is browsed

default_role = "code"  # `name` in a docstring
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "show-inheritance": True}
# Annotations name classes by their last word, which several classes may have.
suppress_warnings = ["ref.python"]

# Public by their names, but only for other modules of the library.
INTERNAL = {
    *("as_operand", "check_bound", "described", "eager_value", "entry", "is_eager", "known_entry"),
    *("matched_type", "needs_python", "origin", "overlaps", "plain_call", "plain_value", "rule"),
    *("snapshot", "staged_value", "start_of_bias", "title", "users_words"),
    *("Process", "Settings", "current", "local_settings", "plain_engine"),  # of `config`
}


def mark_programs(app, kind, name, documented, options, lines):
    """Indented paragraphs of a docstring are programs or tables: `::` before them says so."""
    marked, last = [], ""
    for line in lines:
        starts = line.startswith("    ") and not line.strip().startswith(("-", "*", ".."))
        if starts and marked and not marked[-1] and last and not last.startswith(" "):
            marked += ["::", ""]
        marked.append(line)
        last = line or last
    lines[:] = marked


def skip_internal(app, kind, name, documented, is_skipped, options):
    """Leaves names out that only the library uses; None leaves the decision to Sphinx."""
    return True if name in INTERNAL else None


def setup(app):
    app.connect("autodoc-skip-member", skip_internal)
    app.connect("autodoc-process-docstring", mark_programs)
