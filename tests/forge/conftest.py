from collections.abc import Generator
from pathlib import Path

import pytest

from syncline.forge.local.forge import LocalForge


@pytest.fixture
def state_dir(tmp_path: Path) -> Path:
    return tmp_path / "state"


@pytest.fixture
def forge(state_dir: Path) -> Generator[LocalForge]:
    with LocalForge(state_dir, "demo", grace=1.0) as forge:
        yield forge
