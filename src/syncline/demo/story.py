"""The repository of the demo: a small training library whose `main` and `dev` grew apart.

Everything a sync meets is planted in it, and both tips compile and pass their tests:

* a feature that `dev` built in steps and `main` has squashed, and one the other way round;
* a function that `main` renamed and `dev` calls in a new file; a required parameter that `dev` added and a new
  call on `main` lacks; a parameter that both added: all merge cleanly and are broken;
* both sides adding at one place, both changing imports, one side formatting what the other edits;
* a renamed file edited on the other side, files deleted on one side, with and without an edit on the other;
* protected code owners, coupled dependency files and golden values changed on both.
"""

import json
import sys
from dataclasses import dataclass
from pathlib import Path

from syncline.demo import shelf
from syncline.demo.history import publish
from syncline.demo.landings import write_dev, write_opening, write_rest, write_slice
from syncline.git import Repository
from syncline.git.create import check_out, create_repository


@dataclass(frozen=True, slots=True)
class Story:
    """Where the demo's repository is and what its lane is called."""

    repository: Path
    source: str = "main"
    target: str = "dev"
    lane: str = "main-to-dev"


def config_text() -> str:
    """Return the text of the repository's `syncline.toml`; it is committed in both branches."""
    return shelf.texts("main/96")["syncline.toml"]


def agent_text() -> str:
    """Return what is added to the policy so that the story's scripted agent is asked before people."""
    command = json.dumps([sys.executable, "-I", "-m", "syncline.demo.agent"])
    return f"""
# What nothing else settles, and what fails, is put to an agent before people: here to one that is scripted.
[lanes.main-to-dev.agents]
seconds = 120.0

[[lanes.main-to-dev.agents.ask]]
name = "scripted"
command = {command}
# It needs none; so it runs where the kernel cannot shut the network off, too.
network = true
"""


def build(place: Path) -> Story:
    """Make the repository at `place` and check `main` out. The same commit ids every time.

    Args:
        place: a directory that does not exist yet or is empty.

    Raises:
        GitError: the place is taken or cannot be written.
    """
    story = Story(place)
    create_repository(place, default_branch=story.source)
    with Repository.open(place) as repository:
        main, dev = write_opening(repository)
        write_slice(main)
        write_rest(main)
        write_dev(dev)
        publish([main, dev], why="syncline demo")
        check_out(repository, story.source)
    return story
