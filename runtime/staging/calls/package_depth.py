"""Whether the code that is recorded is that of a package."""

from dataclasses import dataclass


@dataclass
class PackageDepth:
    """How many calls of converted functions of packages are under way that may be undone."""

    count: int = 0
