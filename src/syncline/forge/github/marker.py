"""What syncline writes into bodies for itself, hidden from readers: HTML comments that hold JSON. Pure.

A marker counts only where syncline puts it, on a line of its own, so that quoting one makes none.
"""

import json
import re
from dataclasses import dataclass

from syncline.forge.protocol import ProposalState

_MARKER = re.compile(r"^<!-- syncline:(?P<kind>[a-z-]+) (?P<json>\{.*\}) -->[ \t]*$", re.MULTILINE)
_COMMENT = re.compile(r"<!-- syncline:comment (?P<json>\{.*\}) -->[ \t]*(?:\r?\n|\Z)")


@dataclass(frozen=True, slots=True)
class ProposalMarker:
    """Which run a proposal is of, and what GitHub has no place for.

    `unfinished`: it was made, but its labels may not be there yet. `ended` is set where syncline closed it;
    GitHub itself only knows "closed".
    """

    lane: str
    run: str
    branch: str
    labels: tuple[str, ...] = ()
    unfinished: bool = False
    ended: ProposalState | None = None
    superseded_by: int | None = None


def write(marker: ProposalMarker) -> str:
    """The marker as one line."""
    words: dict[str, object] = {"lane": marker.lane, "run": marker.run, "branch": marker.branch}
    if marker.unfinished:
        words["unfinished"] = list(marker.labels)
    if marker.ended is not None:
        words["ended"] = marker.ended.value
    if marker.superseded_by is not None:
        words["by"] = marker.superseded_by
    return _line("proposal", words)


def read(body: str) -> ProposalMarker | None:
    """The marker in a proposal's body; None where there is none that makes sense."""
    for found in _MARKER.finditer(body):
        words = _words(found["json"]) if found["kind"] == "proposal" else None
        if words is None or not all(isinstance(words.get(key), str) for key in ("lane", "run", "branch")):
            continue
        unfinished, by = words.get("unfinished"), words.get("by")
        labels = tuple(one for one in unfinished if isinstance(one, str)) if isinstance(unfinished, list) else ()
        return ProposalMarker(
            lane=str(words["lane"]), run=str(words["run"]), branch=str(words["branch"]), labels=labels,
            unfinished=isinstance(unfinished, list), ended=_state(words.get("ended")),
            superseded_by=by if isinstance(by, int) and not isinstance(by, bool) else None,
        )  # fmt: skip
    return None


def write_comment(marker: str, body: str) -> str:
    """A comment's text with its marker, which is its first line."""
    return f"{_line('comment', {'marker': marker})}\n{body}"


def read_comment(text: str) -> tuple[str, str] | None:
    """The marker of a comment, and the body without it; None where it has none in its first line."""
    found = _COMMENT.match(text)
    words = _words(found["json"]) if found is not None else None
    name = words.get("marker") if words is not None else None
    if found is None or not isinstance(name, str):
        return None
    return name, text[found.end() :].replace("\r\n", "\n")


def _line(kind: str, words: dict[str, object]) -> str:
    text = json.dumps(words, separators=(",", ":"))
    # Two dashes may end an HTML comment; written so they mean the same to JSON.
    return f"<!-- syncline:{kind} {text.replace('--', '-' + chr(92) + 'u002d')} -->"


def _words(text: str) -> dict[str, object] | None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _state(word: object) -> ProposalState | None:
    try:
        return ProposalState(str(word)) if word is not None else None
    except ValueError:
        return None
