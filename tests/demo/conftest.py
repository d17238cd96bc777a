from collections.abc import Iterator

import pytest

from syncline.demo.story import Story, build
from syncline.git import Repository


@pytest.fixture(scope="session")
def story(tmp_path_factory: pytest.TempPathFactory) -> Story:
    return build(tmp_path_factory.mktemp("demo") / "tinytron")


@pytest.fixture
def repository(story: Story) -> Iterator[Repository]:
    with Repository.open(story.repository) as opened:
        yield opened
