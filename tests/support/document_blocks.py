"""The programs in pages of the documentation, and the texts that they print."""

import re

BLOCK = re.compile(
    r"^```(?P<kind>python|console)\n(?P<code>.*?)^```$(?:\n\n```text\n(?P<printed>.*?)^```$)?",
    re.MULTILINE | re.DOTALL,
)
