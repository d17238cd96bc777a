"""What `syncline demo` does: the story's repository, a sync, an engineer's commit, the sync again; or an agent."""

import sys
import tempfile
from pathlib import Path

from syncline.cli.options import Common
from syncline.cli.session import open_lane
from syncline.cli.sync_run import Standing, reconcile
from syncline.cli.text import print_json, say
from syncline.demo import engineer, story
from syncline.git import CommitId
from syncline.lane.context import LaneContext
from syncline.lane.lock import hold_lane
from syncline.lane.observation import Observation
from syncline.lane.observe import observed_state


def run(options: Common, place: Path | None, *, agent: bool) -> int:
    """Build, sync, settle, sync; print what happened. 0 when the proposal is ready."""
    built = story.build((place or Path(tempfile.mkdtemp(prefix="syncline-demo-")) / "tinytron").absolute())
    config = built.repository / "syncline.toml"
    _tell(options, f"built a diverged repository in {built.repository}")
    if agent:
        config.write_text(config.read_text(encoding="utf-8") + story.agent_text(), encoding="utf-8")
        _tell(options, "its policy is the syncline.toml there, to which an agent was added: `git diff`\n")
    else:
        _tell(options, f"its policy is {config}\n")
    with open_lane(Common(built.repository, config, options.as_json), built.lane) as context:
        with hold_lane(context.repository.state_dir, context.lane.name):
            _tell(options, f"$ syncline -C {built.repository} sync\n")
            step = reconcile(context)
            last = first = Standing.of(context, step)
            _show(options, first)
            settled = None
            if not agent:
                settled = _settle(options, context, step.seen)
                _tell(options, f"$ syncline -C {built.repository} sync\n")
                last = Standing.of(context, reconcile(context))
                _show(options, last)
        if options.as_json:
            print_json({"repository": str(built.repository), "config": str(config), "before": first.as_json(),
                        "settled_by_people": settled, "after": last.as_json()})  # fmt: skip
        else:
            _print_more(built.repository, last)
    return last.exit_code


def _settle(options: Common, context: LaneContext, seen: Observation) -> CommitId | None:
    """Play the engineer who settles what syncline left open, on the proposal's branch."""
    state = observed_state(context, seen)
    if state is None:
        return None
    branch = state.shape.branch
    unresolved = tuple(decision.path for decision in state.unresolved)
    commit = engineer.settle(context.repository, branch, unresolved=unresolved)
    _tell(
        options,
        f"Now an engineer looks at the report, settles the {len(unresolved)} open conflicts, mends what\n"
        f"the checks found, and commits on {branch} ({commit.short}). syncline goes on from there:\n",
    )
    return commit


def _tell(options: Common, text: str) -> None:
    if not options.as_json:
        say(text)
        sys.stdout.flush()


def _show(options: Common, standing: Standing) -> None:
    if not options.as_json:
        standing.print()
        _tell(options, "")


def _print_more(place: Path, last: Standing) -> None:
    say("Look around:")
    say(f"  syncline -C {place} show {last.proposal_number}")
    say(f"  syncline -C {place} merge dev main")
    say(f"  git -C {place} log --graph --oneline --all")
    if last.report is not None:
        say(f"  the report, in a browser: file://{last.report}")
