"""The workflow file that steps lanes on GitHub's machines, with every line explained. Pure."""

import shlex
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

PLACE = ".github/workflows/syncline.yml"
"""Where it lies in the work tree."""

_NIGHTLY = "17 3 * * *"
"""Off the full hour, when GitHub has so much to start that it starts some late or not at all."""

PERMISSIONS = (
    ("actions", "write", "running failed jobs again"),
    ("checks", "read", "what CI says"),
    ("contents", "write", "the branch of a sync"),
    ("issues", "write", "comments and labels, which pull requests share with issues"),
    ("pull-requests", "write", "opening, updating, closing; drafts; reviewers"),
    ("statuses", "read", "what CI says"),
)
"""(name, access, what for), as in docs/github.md. What is not named is not granted, but for `metadata`."""

_WHAT_IT_CANNOT = (
    "This run's own token. What it pushes, opens and comments starts no other workflow: GitHub prevents loops that"
    " way. So act as a GitHub App (`app_id` and `app_key_env`, the key in a secret), or have CI outside of Actions"
    " that starts by a comment (`ci_trigger`). Nor can it push commits that change workflow files. To let it open"
    " pull requests, switch on, in the repository's settings under Actions, General: \"Allow GitHub Actions to"
    ' create and approve pull requests".'
)
_WIDTH = 100


@dataclass(frozen=True, slots=True)
class Stepped:
    """A lane as the workflow needs it."""

    name: str
    schedule: str | None = None
    time_zone: str = "UTC"
    identity: bool = False
    """Whether the lane says who its commits are by."""
    gate_check: bool = False
    """Whether the gate's verdict is shown as a check."""
    token_env: str = "GITHUB_TOKEN"  # noqa: S105 - the name of a variable
    app_key_env: str | None = None
    """The variable with the key of an App, where the lane acts as one."""


def permissions_for(lanes: Sequence[Stepped]) -> list[tuple[str, str, str]]:
    """Return what the token of the workflow may do, as in `PERMISSIONS`; showing the gate needs more."""
    if not any(lane.gate_check for lane in lanes):
        return list(PERMISSIONS)
    shown = ("checks", "write", "what CI says, and the check syncline/gate")
    return [shown if one[0] == "checks" else one for one in PERMISSIONS]


def workflow_text(lanes: Sequence[Stepped], *, version: str, config: str | None = None) -> str:
    """Return the text of the file.

    Args:
        lanes: the lanes to step, in order.
        version: of syncline, which is installed.
        config: where the policy lies, from the top of the work tree; None: where it is looked for.
    """
    lines = [
        "# Steps syncline's lanes on GitHub's machines. A first version by `syncline init --forge github`, yours",
        "# from now on. GitHub starts it only once this file, and syncline.toml, are on the default branch.",
        "name: syncline",
        "",
        "on:",
        *_schedules(lanes),
        '  # The button "Run workflow", and `gh workflow run syncline.yml`.',
        "  workflow_dispatch:",
        "  # What a sync waits for is mostly CI. To have a proposal become ready when CI ends and not in the next",
        "  # night, name the workflows it waits for and take the # away.",
        "  #workflow_run:",
        '  #  workflows: ["CI"]',
        "  #  types: [completed]",
        "",
        "# One run at a time: the next one waits until this one is done. Nothing is lost where one is left out.",
        "concurrency:",
        "  group: syncline",
        "  cancel-in-progress: false",
        "",
        "# Nothing, but for the job below.",
        "permissions: {}",
        "",
        "jobs:",
        "  sync:",
        "    runs-on: ubuntu-latest",
        "    timeout-minutes: 60",
        "    permissions:",
        *(f"      {name}: {access}  # {why}" for name, access, why in permissions_for(lanes)),
        "    steps:",
        "      - uses: actions/checkout@v4",
        "        with:",
        "          # The whole history: a merge needs the commits in which both branches last agreed.",
        "          fetch-depth: 0",
        "      - uses: actions/setup-python@v5",
        "        with:",
        '          python-version: "3.12"',
        f'      - run: python -m pip install "syncline=={version}"',
    ]
    if not all(lane.identity for lane in lanes):
        lines += [
            "      # Who the commits are by, where a lane has no identity of its own.",
            "      - run: |",
            '          git config user.name "github-actions[bot]"',
            '          git config user.email "41898282+github-actions[bot]@users.noreply.github.com"',
        ]
    for number, lane in enumerate(lanes):
        lines += _step(lane, config, first=number == 0)
    return "\n".join(lines) + "\n"


def _note(indent: int, text: str) -> list[str]:
    margin = " " * indent + "# "
    return textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=margin,
        subsequent_indent=margin,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _schedules(lanes: Sequence[Stepped]) -> list[str]:
    lines = ["  # Minute, hour, day, month, day of the week; GitHub counts in UTC, and may be late."]
    zones = sorted({lane.time_zone for lane in lanes if lane.schedule is not None} - {"UTC"})
    if zones:
        lines.append(f"  # syncline.toml has {', '.join(zones)}: put the hour in UTC here.")
    lines.append("  schedule:")
    schedules = [" ".join(lane.schedule.split()) for lane in lanes if lane.schedule is not None] or [_NIGHTLY]
    return [*lines, *(f'    - cron: "{schedule}"' for schedule in dict.fromkeys(schedules))]


def _step(lane: Stepped, config: str | None, *, first: bool) -> list[str]:
    policy = ["--config", config] if config is not None else []
    command = shlex.join(["syncline", "sync", *policy, lane.name])
    secret = lane.app_key_env or lane.token_env
    lines = [
        "      # Exit code 1 says that there is something to act on: for people, and no failure of the job.",
        "      - run: |",
        f"          {command} || [ $? -eq 1 ]",
    ]
    if not first:
        lines.append("        if: ${{ !cancelled() }}")
    lines.append("        env:")
    if secret == "GITHUB_TOKEN":  # noqa: S105 - the name of a variable
        lines += [
            *_note(10, _WHAT_IT_CANNOT),
            "          GITHUB_TOKEN: ${{ github.token }}",
        ]
    else:
        lines += [
            "          # The repository's secret of that name (settings, Secrets and variables, Actions).",
            f"          {secret}: ${{{{ secrets.{secret} }}}}",
        ]
    return lines
