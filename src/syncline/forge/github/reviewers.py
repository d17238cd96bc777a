"""Who is asked to review: names from the configuration, or the code owners of what a proposal changes.

https://docs.github.com/en/repositories/managing-your-repositorys-settings-and-features/customizing-your-repository/about-code-owners
"""

import base64
import re
from collections.abc import Callable, Iterable, Sequence
from urllib.parse import quote

from pathspec import GitIgnoreSpec

from syncline.forge.github.client import Client
from syncline.forge.github.trouble import RefusedError

CODEOWNERS = "CODEOWNERS"
"""The word for "whoever owns what is changed"."""
_PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS")
"""Where GitHub looks, in this order."""
MOST = 15
"""GitHub's limit of reviewers asked at once."""

_WORD = re.compile(r"(?:\\.|[^\\\s])+")


def request(
    client: Client, number: int, *, target: str, wanted: Sequence[str], tell: Callable[[str], None]
) -> None:
    """Ask for reviews of a proposal; whoever was asked, has reviewed or wrote it is not asked again.

    That somebody cannot be asked (left the organisation, may not read) is told and no error: a proposal is
    not worth less for it.
    """
    names = list(dict.fromkeys(name for name in wanted if name != CODEOWNERS))
    if CODEOWNERS in wanted:
        paths = [item["filename"] for item in client.pages(f"pulls/{number}/files")]
        names = list(dict.fromkeys([*names, *owners(_read(client, target), paths)]))
    if not names:
        return
    known = _known(client, number)
    names = [name for name in names if name.casefold() not in known]
    if len(names) > MOST:
        tell(f"{len(names)} reviewers are wanted, GitHub takes {MOST}: the others are not asked")
        names = names[:MOST]
    if names and not _ask(client, number, names):
        for name in names:
            if not _ask(client, number, [name]):
                tell(f"GitHub does not let {name} be asked for a review of proposal {number}")


def owners(text: str, paths: Iterable[str]) -> list[str]:
    """The owners of the paths, as `LOGIN` or `ORG/TEAM`, those of most paths first.

    The last line that matches a path counts; one without owners means nobody.
    """
    rules = [rule for line in text.splitlines() if (rule := _rule(line)) is not None]
    counts: dict[str, int] = {}
    for path in paths:
        for spec, names in reversed(rules):
            if spec.match_file(path):
                for name in names:
                    counts[name] = counts.get(name, 0) + 1
                break
    return sorted(counts, key=lambda name: (-counts[name], name))


def _rule(line: str) -> tuple[GitIgnoreSpec, list[str]] | None:
    words = _WORD.findall(line)
    if not words or words[0].startswith("#"):
        return None
    names = []
    for word in words[1:]:
        if word.startswith("#"):
            break
        if word.startswith("@"):  # addresses name accounts that only GitHub knows
            names.append(word[1:])
    # What gitignore takes for its own signs is no pattern here: GitHub skips such lines.
    if words[0].startswith("!") or "[" in words[0]:
        return None
    return GitIgnoreSpec.from_lines([words[0]]), names


def _read(client: Client, target: str) -> str:
    for place in _PLACES:
        found = client.find(f"contents/{place}", {"ref": target})
        if isinstance(found, dict) and found.get("encoding") == "base64":
            return base64.b64decode(found["content"]).decode("utf-8", "replace")
    return ""


def _known(client: Client, number: int) -> set[str]:
    pull = client.get(f"pulls/{number}")
    organisation = client.settings.owner
    known = {str((pull.get("user") or {}).get("login", ""))}
    known |= {str(user.get("login")) for user in pull.get("requested_reviewers") or ()}
    known |= {f"{organisation}/{team.get('slug')}" for team in pull.get("requested_teams") or ()}
    known |= {
        str((review.get("user") or {}).get("login", "")) for review in client.pages(f"pulls/{number}/reviews")
    }
    return {name.casefold() for name in known}


def _ask(client: Client, number: int, names: Sequence[str]) -> bool:
    people = [name for name in names if "/" not in name]
    teams = [quote(name.partition("/")[2], safe="-_.") for name in names if "/" in name]
    try:
        client.post(f"pulls/{number}/requested_reviewers", {"reviewers": people, "team_reviewers": teams})
    except RefusedError as error:
        if error.status not in {403, 404, 422}:
            raise
        return False
    return True
