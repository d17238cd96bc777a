"""Landing at GitHub, as the lanes ask for it: by syncline, or by GitHub's auto-merge."""

import re

from syncline.checks.gate import Verdict
from syncline.forge.github import land
from syncline.forge.github.client import Client
from syncline.forge.github.trouble import RefusedError
from syncline.forge.landing import By, Landing

_NOTHING_TO_WAIT_FOR = re.compile(r"is in (clean|unstable|has_hooks) status", re.IGNORECASE)
"""GitHub's words when a pull request could be merged at once."""


class GitHubLander:
    """A `Lander` over a client of one repository."""

    def __init__(self, client: Client, by: By) -> None:
        self._client = client
        self._by = by
        self._obstacles: dict[str, str] = {}

    @property
    def by(self) -> By:
        """Who is to land."""
        return self._by

    def obstacle(self, target: str) -> str:
        """Why nothing can land on a branch as a merge commit; asked for once."""
        if target not in self._obstacles:
            self._obstacles[target] = land.obstacle(self._client, target)
        return self._obstacles[target]

    def look(self, number: int) -> Landing:
        """How an open proposal stands."""
        return land.look(self._client, number, armed_by_us=self._by is By.FORGE)

    def land(self, number: int, verdict: Verdict, *, target_sha: str) -> str:
        """Merge the head that was judged."""
        return land.land(self._client, number, verdict, target_sha=target_sha).words

    def arm(self, number: int, verdict: Verdict, *, target_sha: str) -> str:
        """Switch auto-merge on; merge it where GitHub finds nothing left to wait for."""
        try:
            land.land_when_green(self._client, number, head_sha=verdict.sha)
        except RefusedError as error:
            if not _NOTHING_TO_WAIT_FOR.search(error.words):
                raise
            return self.land(number, verdict, target_sha=target_sha)
        return f"GitHub merges proposal {number} at {verdict.sha[:10]} as soon as its rules allow it"

    def disarm(self, number: int) -> str:
        """Switch auto-merge off."""
        land.disarm(self._client, number)
        return f"GitHub does not merge proposal {number} by itself any more"
