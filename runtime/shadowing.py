"""Reports a file of the user that hides the package `autograph`, on which `runtime` is built.

    ./autograph.py, ./autograph/     found before the package, in the directory of a script

Imported first of all: nothing else of `runtime` can be imported without the package.
"""

import autograph

if not hasattr(autograph, "to_graph"):
    place = getattr(autograph, "__file__", None) or next(iter(autograph.__path__))
    raise ImportError(
        f"{place} hides the package `autograph` of autograph-numpy: `import autograph` imports "
        "that file.  Rename it, or move it to another directory.",
        name="autograph",
        path=place,
    )
