"""Settings and fixtures for the whole suite."""

import os

import pytest
from hypothesis import settings

from tests.installed import Installed, install

# A machine that others share makes any deadline a matter of luck; what CI reports must come again when it is run again.
settings.register_profile("loopviz", deadline=None, derandomize=bool(os.environ.get("CI")), print_blob=True)
settings.load_profile("loopviz")


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """loopviz from its wheel, in an environment of its own."""
    return install(tmp_path_factory.mktemp("installed"))
