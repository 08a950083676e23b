"""Where the bundled sample runs are."""

from pathlib import Path


def samples_folder() -> Path:
    """The folder of the sample runs: inside an installed package, beside it in a checkout.

    Raises:
        FileNotFoundError: if neither place has it, which means the installation is incomplete.
    """
    package = Path(__file__).resolve().parent
    for folder in (package / "sample_runs", package.parent / "sample_runs"):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"No sample_runs in {package} or beside it: install loopviz again.")
