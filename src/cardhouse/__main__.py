"""`python -m cardhouse` is `cardhouse`."""

import sys

from cardhouse.cli import main

if __name__ == "__main__":
    sys.exit(main())
