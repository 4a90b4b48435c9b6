"""Draws the pictures of the samples, and puts them side by side: docs/gallery.png.

python tools/gallery.py      needs matplotlib: pip install autograph-numpy[pictures]
"""

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "gallery.png"
COLUMNS = 3


def drawn(folder: Path) -> list[Path]:
    """The pictures of all samples that draw one, in a folder."""
    found = []
    for sample in sorted(ROOT.glob("samples/*.py")):
        if "--picture" in sample.read_text():
            print(sample.stem, file=sys.stderr)
            picture = folder / f"{sample.stem}.png"
            command = [sys.executable, str(sample), "--picture", str(picture)]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=ROOT)
            found.append(picture)
    return found


def main() -> None:
    """Writes the picture."""
    from matplotlib import pyplot

    with tempfile.TemporaryDirectory() as name:
        pictures = drawn(Path(name))
        rows = -(-len(pictures) // COLUMNS)
        figure, places = pyplot.subplots(rows, COLUMNS, figsize=(3 * COLUMNS, 2.7 * rows))
        for place in places.flat:
            place.axis("off")
        for place, picture in zip(places.flat, pictures, strict=False):
            place.imshow(pyplot.imread(picture))
            place.set_title(picture.stem, fontsize=9)
        figure.tight_layout()
        figure.savefig(PAGE, dpi=90)


if __name__ == "__main__":
    main()
