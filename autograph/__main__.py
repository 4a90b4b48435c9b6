"""`python -m autograph` and the script `autograph`: the command line (`autograph/command/`)."""

import sys

from autograph.command import main as main

if __name__ == "__main__":
    sys.exit(main())
