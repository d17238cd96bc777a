"""What `syncline show` does."""

import sys
from pathlib import Path

from syncline.checks.model import Check
from syncline.cli.options import Common
from syncline.cli.output import proposal_as_json
from syncline.cli.progress import check_line
from syncline.cli.session import open_forge_for
from syncline.cli.text import harmless, print_json, say
from syncline.errors import ForgeError
from syncline.forge.protocol import Comment, Proposal
from syncline.git import Repository


def run(options: Common, number: int, log: str | None, lane_name: str | None) -> int:
    """Print a proposal, or the log of one of its checks."""
    with Repository.open(options.directory) as repository, open_forge_for(options, repository, lane_name) as forge:
        proposal = forge.proposal(number)
        checks = forge.rollup(proposal.head_sha).checks
        comments = forge.comments(number)
    if log is not None:
        return _print_log(proposal, checks, log, as_json=options.as_json)
    if options.as_json:
        print_json(_document(proposal, checks, comments))
    elif sys.stdout.isatty():
        _print_rich(proposal, checks, comments)
    else:
        _print_plain(proposal, checks, comments)
    return 0


def _print_log(proposal: Proposal, checks: tuple[Check, ...], name: str, *, as_json: bool) -> int:
    """Print a log: byte by byte, unless it goes into a document, or to a terminal, which it must not steer."""
    found = [check for check in checks if check.name == name and check.log]
    if not found:
        known = ", ".join(sorted({check.name for check in checks if check.log})) or "none"
        raise ForgeError(
            f"proposal {proposal.number} has no log of a check {name!r} at {proposal.head_sha[:10]}",
            hint=f"checks with a log: {known}",
        )
    newest = max(found, key=lambda check: check.order)
    if newest.log.startswith(("https://", "http://")):
        raise ForgeError(
            f"the log of {newest.name!r} is not on this machine: the forge ran the check", hint=f"see {newest.log}"
        )
    place = Path(newest.log)
    if as_json:
        text = place.read_bytes().decode("utf-8", "backslashreplace")
        print_json({"check": newest.name, "sha": newest.sha, "log": text})
    elif sys.stdout.isatty():
        # Each state of a progress bar, which ends in \r, gets a line.
        with place.open(encoding="utf-8", errors="backslashreplace", newline=None) as lines:
            for line in lines:
                sys.stdout.write("\t".join(map(harmless, line.split("\t"))))
    else:
        with place.open("rb") as file:
            while block := file.read(1 << 16):
                sys.stdout.buffer.write(block)
    return 0


def _document(proposal: Proposal, checks: tuple[Check, ...], comments: tuple[Comment, ...]) -> dict[str, object]:
    return proposal_as_json(proposal) | {
        "body": proposal.body,
        "checks": [
            {
                "name": check.name,
                "state": check.state.value,
                "conclusion": check.conclusion.value if check.conclusion else None,
                "summary": check.summary,
                "log": check.log or None,
                "seconds": check.seconds,
            }
            for check in checks
        ],
        "comments": [
            {"marker": comment.marker, "body": comment.body, "created": comment.created.isoformat()}
            for comment in comments
        ],
    }


def _head(proposal: Proposal) -> list[str]:
    state = "draft" if proposal.draft else proposal.state.value
    labels = f"  [{', '.join(proposal.labels)}]" if proposal.labels else ""
    return [
        f"proposal {proposal.number} ({state}): {proposal.title}{labels}",
        f"{proposal.branch} -> {proposal.target}, head {proposal.head_sha[:10]}",
        f"opened {proposal.created:%Y-%m-%d %H:%M} UTC",
    ]


def _print_plain(proposal: Proposal, checks: tuple[Check, ...], comments: tuple[Comment, ...]) -> None:
    for line in _head(proposal):
        say(line)
    for check in checks:
        say(f"  check {check_line(check)}")
    say()
    say(proposal.body)
    for comment in comments:
        say(f"\n--- {comment.created:%Y-%m-%d %H:%M} ---\n{comment.body}")


def _print_rich(proposal: Proposal, checks: tuple[Check, ...], comments: tuple[Comment, ...]) -> None:
    from rich.console import Console  # noqa: PLC0415 - only in a terminal
    from rich.markdown import Markdown  # noqa: PLC0415

    for line in _head(proposal):
        say(line)
    for check in checks:
        say(f"  check {check_line(check)}")
    console = Console()
    visible = "\n".join(line for line in proposal.body.splitlines() if not line.startswith("<!--"))
    console.print(Markdown(visible))
    for comment in comments:
        console.rule(f"{comment.created:%Y-%m-%d %H:%M}")
        console.print(Markdown(comment.body))
