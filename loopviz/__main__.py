"""`python -m loopviz`, the same as the `loopviz` command."""

import os
import sys

# `-m` puts the current folder first on the path, where a run's own random.py or json.py would replace Python's.
if not sys.flags.safe_path and sys.path[:1] == [os.getcwd()]:
    del sys.path[0]

from loopviz.cli import main

if __name__ == "__main__":
    sys.exit(main())
