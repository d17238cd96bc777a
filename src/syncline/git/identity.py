"""Who the user is, as their own git configuration says."""

import os

from syncline.git.commit import Person
from syncline.git.repository import Repository


def configured_person(repository: Repository) -> Person | None:
    """Return `user.name` and `user.email` (or GIT_COMMITTER_*); None where one of them is not set."""
    found = []
    for variable, key in (("GIT_COMMITTER_NAME", "user.name"), ("GIT_COMMITTER_EMAIL", "user.email")):
        value = os.environ.get(variable) or _config(repository, key)
        if not value:
            return None
        found.append(value)
    return Person(*found)


def _config(repository: Repository, key: str) -> str:
    done = repository.on_network("config", "--get", key, accept=(0, 1))
    return done.stdout.decode("utf-8", "replace").strip()
