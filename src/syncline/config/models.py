"""What `syncline.toml` says, as frozen values. docs/config.md is the reference for its writers.

Models can be built directly, in tests for instance. Values that are not the user's to write (a lane's `name`,
a rule's `line`) are plain fields here; `syncline.config.load` fills them in and refuses them in the file.
"""

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, date, datetime, tzinfo
from functools import cached_property
from types import MappingProxyType
from typing import Annotated, Any, Literal, Self
from zoneinfo import ZoneInfo

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    Strict,
    field_serializer,
    model_validator,
)
from pydantic_core import PydanticCustomError

from syncline.config import crosscheck, template
from syncline.config.cron import Cron
from syncline.config.fields import (
    ApiAddress,
    AppId,
    Branch,
    Command,
    Digest,
    Environment,
    FindingId,
    GitHubRepository,
    Label,
    LaneName,
    Learned,
    Name,
    Pattern,
    PersonPart,
    Reason,
    Regex,
    Remote,
    Reviewer,
    Schedule,
    SecretFile,
    SigningKey,
    SyncTemplate,
    TriggerTemplate,
    Variable,
    Workflow,
    Zone,
)
from syncline.config.keypath import shorten, show
from syncline.errors import ConfigError

CROSS_CHECK = "cross_check"
"""The type of pydantic error that stands for a rule of `syncline.config.crosscheck`."""

Seconds = Annotated[float, Strict(), Field(gt=0, le=7 * 24 * 3600, allow_inf_nan=False)]
Count = Annotated[int, Strict()]
Flag = Annotated[bool, Strict()]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Identity(_Model):
    """Who the lane's commits are by; absent, git's own configuration decides."""

    name: PersonPart
    email: PersonPart
    signoff: Flag = False
    """Add a `Signed-off-by` trailer with this identity."""


class Signing(_Model):
    """How the lane's commits are signed; absent, they are not."""

    format: Literal["ssh", "openpgp"]
    key: SigningKey
    """Path of an SSH key or id of an OpenPGP key, as in git's `user.signingKey`."""


class PathRule(_Model):
    """What is done with the paths its patterns match; of a lane's rules the first match wins."""

    match: Annotated[tuple[Pattern, ...], Field(min_length=1)]
    take: Literal["ours", "theirs", "union", "combine", "delete", "protect"]
    when: Literal["conflict", "always"] = "conflict"
    """Only on a conflict, or on cleanly merged paths too; `protect` is always "always"."""
    reason: Reason | None = None
    line: int = 0
    """1-based line of the rule's table in the file; 0 when it is from no file."""
    file: str = "syncline.toml"
    """The name of that file."""

    @model_validator(mode="before")
    @classmethod
    def _protect_is_always(cls, data: Any) -> Any:
        if isinstance(data, Mapping) and data.get("take") == "protect":
            return {"when": "always", **data}
        return data

    @model_validator(mode="after")
    def _protect_never_waits(self) -> Self:
        if self.take == "protect" and self.when != "always":
            raise PydanticCustomError(CROSS_CHECK, '"protect" always applies; it takes no "when"')
        if self.take == "combine" and self.when == "always":
            raise PydanticCustomError(CROSS_CHECK, '"combine" settles conflicts; it cannot be "always"')
        return self


class CoupledSet(_Model):
    """Files that come from one side as a whole.

    "together" leaves open which: the side that alone moved any of them; did both, the set is unresolved.
    """

    name: Name
    paths: Annotated[tuple[Pattern, ...], Field(min_length=1)]
    take: Literal["together", "ours", "theirs"]
    reason: Reason | None = None
    line: int = 0
    """1-based line of the set's table in the file; 0 when it is from no file."""
    file: str = "syncline.toml"
    """The name of that file."""


class Formatter(_Model):
    """A command that rewrites the changed files it matches; their paths are appended to it."""

    name: Name
    command: Command
    match: Annotated[tuple[Pattern, ...], Field(min_length=1)]
    timeout: Seconds = 300.0


class WholeFile(_Model):
    """Files that are taken from one side as a whole where they are wrong and nothing smaller mends them."""

    match: Annotated[tuple[Pattern, ...], Field(min_length=1)]
    take: Literal["ours", "theirs"]
    reason: Reason | None = None
    """The lesson behind it; goes into the repair commit's message."""


class Regenerate(_Model):
    """A command that makes files from others: lock files, generated code."""

    name: Name
    match: Annotated[tuple[Pattern, ...], Field(min_length=1)]
    """What it may write; whatever else it changes is left out."""
    inputs: Annotated[tuple[Pattern, ...], Field(min_length=1)]
    """What it is made from: where the merge mixed these, it is due."""
    command: Command
    timeout: Seconds = 600.0
    pass_env: tuple[Variable, ...] = ()
    """Variables of syncline's own environment that it gets; it has a home of its own otherwise."""
    network: Flag = False
    """Whether it may reach the network."""


class GoldenFiles(_Model):
    """Files of expected values that are taken from what a red check left, where the sync itself changed them."""

    match: Annotated[tuple[Pattern, ...], Field(min_length=1)]
    check: Regex
    """Anchored at the start of the check's name, without case."""
    artifact: Name
    """The artifact's name; `*` and `?` stand for what they do in a shell."""


class RepairSettings(_Model):
    """How far syncline mends a sync by itself; everything goes into the one repair commit."""

    mechanical: Flag = True
    """Whether findings with a mechanical mend that is proven are mended."""
    rounds: Annotated[Count, Field(ge=0, le=20)] = 3
    """How often the repair commit of one run is written."""
    seconds: Seconds = 900.0
    """What proving the mends of one round may take."""
    whole: tuple[WholeFile, ...] = ()
    """The first that matches a file wins."""
    regenerate: tuple[Regenerate, ...] = ()
    """In the order in which they run."""
    golden: tuple[GoldenFiles, ...] = ()


class Driver(_Model):
    """A merge driver as git's: its command, with git's placeholders, leaves the merged file in `%A`."""

    name: Name
    command: Command
    match: Annotated[tuple[Pattern, ...], Field(min_length=1)]
    timeout: Seconds = 30.0
    line: int = 0
    """1-based line of the driver's table in the file; 0 when it is from no file."""
    file: str = "syncline.toml"
    """The name of that file."""


class LocalCheck(_Model):
    """A command run on the proposal's head in a clean temporary work tree; exit code 0 is success."""

    name: Name
    command: Command
    timeout: Seconds = 1800.0
    needs: tuple[Name, ...] = ()
    """Names of checks that must have succeeded before this one starts."""
    env: Environment = ()
    """(name, value) pairs added to its environment."""
    select: Command | None = None
    """The command that runs some tests only, which stand for the word `{tests}`; None: there is none."""


class Transient(_Model):
    """What a passing fault of this lane looks like, beside those that syncline knows."""

    match: Regex
    """Searched for in a failure's message, without case."""
    cause: Literal["infrastructure", "dependency", "flaky"]
    says: Reason
    """What it is, for people."""


class TriageSettings(_Model):
    """How the causes of red checks are found."""

    run_parents: Flag = False
    """Whether red checks that this machine runs are run on both parents too."""
    run_parents_for: Seconds = 1800.0
    """Seconds that may take in all."""
    retries: Annotated[int, Strict(), Field(ge=0, le=10)] = 2
    """How often a check that failed by what tends to pass is run again on the same commit."""
    retry_after: Seconds = 60.0
    """Seconds before the first of these; before each further one twice as long."""
    dispatch: Workflow = ""
    """The file of a workflow on GitHub that runs a check on a parent when it is asked to; empty: there is none."""
    artifacts: tuple[Regex, ...] = (
        r"(?<![a-z])logs?(?![a-z])",
        r"stdout|stderr",
        r"junit|test.?results?|reports?",
    )
    """An artifact whose name holds one of these, without case, may hold logs: it is read where a check's own log
    tells no cause. None: no artifact is."""
    transient: tuple[Transient, ...] = ()


class Checker(_Model):
    """A program that looks at a whole tree and prints what is wrong in it; it runs on the sides and the merge.

    Only what the merge has and neither side has counts. `{tree}` in the command stands for the directory.
    """

    name: Name
    command: Command
    match: Annotated[tuple[Pattern, ...], Field(min_length=1)]
    """The files it reads; without a change in one of them it does not run."""
    format: Literal["sarif", "json", "lines"]
    """SARIF; JSON objects with `path`, `rule` and `message`; or lines like `path:line:column: message`."""
    rules: tuple[Regex, ...] = ()
    """Only these of its rules count (whole names, without case); none: all."""
    timeout: Seconds = 600.0


class AuditSettings(_Model):
    """How merges of a lane are audited."""

    skip: tuple[Name, ...] = ()
    """Names of audits or checkers that do not run."""
    ignore: tuple[Pattern, ...] = ()
    """Vendored or generated files: nothing in them is reported."""
    largest_file: Annotated[Count, Field(ge=1)] = 5_000_000
    """Bytes; a file that a merge makes larger is reported."""
    checkers: tuple[Checker, ...] = ()


class Waiver(_Model):
    """A finding that somebody looked at and let pass, for as long as the code it is about stays the same."""

    finding: FindingId
    because: Reason
    path: Annotated[str, Strict()] = ""
    """The file, for people; what counts is the finding's id."""
    code: Digest
    """A digest of the code it was said of; when that changes, the waiver has expired."""
    by: PersonPart | None = None
    on: Annotated[date, Strict()] | None = None


class AskedAgent(_Model):
    """One agent that may be asked: a command, or a model by the name that pydantic-ai gives it."""

    name: Name
    command: Command | None = None
    model: Name | None = None
    answer: Literal["json", "files"] = "json"
    """Where a command's answer is: on its standard output, or in the files it was given."""
    pass_env: tuple[Variable, ...] = ()
    """Variables of syncline's own environment that a command gets; it has none of them otherwise."""
    network: Flag = False
    """Whether a command may reach the network."""


class MustPass(_Model):
    """A command that must succeed on a tree before an agent's answer is taken."""

    name: Name
    command: Command
    timeout: Seconds = 900.0


class Lesson(_Model):
    """What people learned about some files; told to whoever is asked about them."""

    match: Annotated[tuple[Pattern, ...], Field(min_length=1)]
    text: Reason


class AgentSettings(_Model):
    """Which agents are asked, in this order, about what nothing else settles; and how far they may go."""

    ask: tuple[AskedAgent, ...] = ()
    agree: Flag = False
    """Whether two of them must come to the same text."""
    must_pass: tuple[MustPass, ...] = ()
    lessons: tuple[Lesson, ...] = ()
    playbook: Learned | None = None
    """A file of target that says how to merge here."""
    seconds: Seconds = 900.0
    turns: Annotated[Count, Field(ge=1, le=1000)] = 40
    tokens: Annotated[Count, Field(ge=1)] = 500_000
    money: Annotated[float, Strict(), Field(gt=0, allow_inf_nan=False)] | None = None
    """What one answer may cost, in whatever the agent counts; None: not bounded here."""
    sync_seconds: Seconds = 7200.0
    """What all answers of one `syncline sync` may take together."""
    sync_money: Annotated[float, Strict(), Field(gt=0, allow_inf_nan=False)] | None = None
    """What they may cost together; None: not bounded here."""
    rounds: Annotated[Count, Field(ge=0, le=20)] = 3
    """How often failures of one run are put to agents and their answers taken."""
    files: Annotated[Count, Field(ge=1, le=1000)] = 20
    bytes: Annotated[Count, Field(ge=1, le=50_000_000)] = 1_000_000


class GateRule(_Model):
    """Which checks make a proposal ready. Regular expressions are anchored at the start, without case."""

    sentinel: tuple[Name, ...] = ()
    """Names (whole, without case) that must have finished with success."""
    required: tuple[Regex, ...] = ()
    """Each must match at least one check, and every check it matches must be a success."""
    exempt: tuple[Regex, ...] = ()
    """Checks that are never counted."""
    may_skip: tuple[Regex, ...] = ()
    """Required checks that may also be skipped or neutral."""
    allow_no_checks: Flag = False


class GitHubTable(_Model):
    """Which repository on which GitHub, how to sign in there, and who is asked to review.

    It names where a secret is, and never holds one.
    """

    repository: GitHubRepository | None = None
    """`OWNER/NAME`; None: what the URL of the target's remote says."""
    api: ApiAddress | None = None
    """The address of the REST API; None: that of the remote's host."""
    token_env: Variable = "GITHUB_TOKEN"  # noqa: S105 - the name of a variable
    """The environment variable with the token; not read where `app_id` is set."""
    app_id: AppId | None = None
    app_key_file: SecretFile | None = None
    app_key_env: Variable | None = None
    installation: Annotated[Count, Field(ge=1)] | None = None
    """The App's installation; None: GitHub is asked for it."""
    reviewers: tuple[Reviewer, ...] = ()
    trigger_again_after: Annotated[float, Strict(), Field(ge=0, le=7 * 24 * 3600, allow_inf_nan=False)] = 1800.0
    """Seconds after which a trigger that nothing answered is posted once more; 0: never."""
    gate_check: bool = False
    """Whether the gate's verdict is posted as the check `syncline/gate` on the head of the open proposal."""
    land: Literal["off", "merge", "auto-merge"] = "off"
    """Who lands a proposal that is ready: people, syncline, or GitHub as soon as its rules allow it."""


class Lane(_Model):
    """A source branch, a target branch and the policy between them."""

    name: LaneName
    source: Branch
    target: Branch
    remote: Remote | None = None
    source_remote: Remote | None = None
    target_remote: Remote | None = None
    forge: Literal["local", "github"] = "local"
    github: GitHubTable | None = None
    """How to reach the repository on GitHub; only beside `forge = "github"`, and all of it may be left out."""
    branch: SyncTemplate = crosscheck.DEFAULT_BRANCH
    title: SyncTemplate = crosscheck.DEFAULT_TITLE
    slice: Annotated[Count, Field(ge=0)] = 0
    """Number of commits one sync imports; 0 is everything."""
    schedule: Schedule | None = None
    time_zone: Zone = "UTC"
    unresolved: Literal["ours", "theirs", "markers"] = "ours"
    precision: Annotated[float, Strict(), Field(gt=0.5, le=1, allow_inf_nan=False)] = 0.95
    learned: Learned = crosscheck.GIT_DIRECTORY
    """Where the record of past syncs is: in the git directory, or the path of a file that target holds."""
    attempts: tuple[Pattern, ...] = ()
    """Branches on which others attempt the same sync; what is answered there and did not land is evidence."""
    labels: tuple[Label, ...] = ()
    ci_trigger: TriggerTemplate | None = None
    identity: Identity | None = None
    signing: Signing | None = None
    paths: tuple[PathRule, ...] = ()
    coupled: tuple[CoupledSet, ...] = ()
    drivers: tuple[Driver, ...] = ()
    formatters: tuple[Formatter, ...] = ()
    repair: RepairSettings = RepairSettings()
    checks: tuple[LocalCheck, ...] = ()
    checks_parallel: Annotated[Count, Field(ge=1, le=64)] = 2
    gate: GateRule = GateRule()
    audit: AuditSettings = AuditSettings()
    triage: TriageSettings = TriageSettings()
    waivers: tuple[Waiver, ...] = ()
    agents: AgentSettings = AgentSettings()

    @model_validator(mode="after")
    def _rules_between_keys(self) -> Self:
        for problem in crosscheck.lane_problems(self.name, self.model_dump()):
            _refuse(problem)
        return self

    @property
    def source_at(self) -> str | None:
        """The remote where the source branch lives; None for a branch of this repository."""
        return _remote_or_none(self.source_remote or self.remote)

    @property
    def target_at(self) -> str | None:
        """The remote where the target and the proposals' branches live; None for this repository."""
        return _remote_or_none(self.target_remote or self.remote)

    @property
    def learned_path(self) -> str | None:
        """The path at which target holds the lane's record; None where the git directory has it."""
        return None if self.learned == crosscheck.GIT_DIRECTORY else self.learned

    @property
    def zone(self) -> tzinfo:
        """The time zone of the schedule and of dates in templates."""
        return UTC if self.time_zone == "UTC" else ZoneInfo(self.time_zone)

    def next_start(self, after: datetime) -> datetime | None:
        """The first start strictly after an aware moment, in the lane's zone; None without a schedule."""
        if self.schedule is None:
            return None
        return Cron.parse(self.schedule).next_after(after.astimezone(self.zone))

    def branch_name(self, *, now: datetime, slice_tip: str) -> str:
        """The name of the branch a sync starts; `now` is aware, `slice_tip` a commit id."""
        return template.render(self.branch, self._fields(now, slice_tip))

    def title_text(self, *, now: datetime, slice_tip: str) -> str:
        """The title of the proposal; arguments as for `branch_name`."""
        return template.render(self.title, self._fields(now, slice_tip))

    def ci_trigger_text(self, sha: str) -> str | None:
        """The comment that starts CI on a head commit; None when the lane needs none."""
        if self.ci_trigger is None:
            return None
        return template.render(self.ci_trigger, {"lane": self.name, "sha": sha})

    def _fields(self, now: datetime, slice_tip: str) -> template.Fields:
        return {
            "lane": self.name,
            "source": self.source,
            "target": self.target,
            "date": now.astimezone(self.zone),
            "slice": slice_tip[:7],
        }

    @cached_property
    def digest(self) -> str:
        """16 hex digits that change when, and only when, a word of the policy changes that decides the merge.

        What the lane learned is none: a run names the record it was made with beside it (`Syncline-Learned`).
        """
        words: dict[str, Any] = {
            "source": [self.source_at, self.source],
            "target": [self.target_at, self.target],
            "paths": [[rule.match, rule.take, rule.when] for rule in self.paths if rule.file],
            "coupled": [[couple.paths, couple.take] for couple in self.coupled],
            "unresolved": self.unresolved,
            "precision": self.precision,
        }
        if self.drivers:
            words["drivers"] = [[driver.name, driver.command, driver.match] for driver in self.drivers]
        canonical = json.dumps(words, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()[:16]


def _remote_or_none(name: str | None) -> str | None:
    return None if name == "." else name


def _refuse(problem: crosscheck.Problem) -> None:
    raise PydanticCustomError(CROSS_CHECK, "{where}: {text}", {"where": show(problem.path), "text": problem.text})


def _read_only(lanes: Mapping[str, Lane]) -> Mapping[str, Lane]:
    return MappingProxyType(dict(lanes))


class Config(_Model):
    """A whole `syncline.toml`; lanes in the file's order."""

    version: Literal[1] = 1
    lanes: Annotated[Mapping[str, Lane], Field(min_length=1), AfterValidator(_read_only)]

    @model_validator(mode="before")
    @classmethod
    def _lanes_know_their_names(cls, data: Any) -> Any:
        if isinstance(data, Mapping) and isinstance(lanes := data.get("lanes"), Mapping):
            named = {
                name: {**lane, "name": name} if isinstance(lane, Mapping) else lane for name, lane in lanes.items()
            }
            return {**data, "lanes": named}
        return data

    @model_validator(mode="after")
    def _rules_between_lanes(self) -> Self:
        for problem in crosscheck.between_problems({name: lane.model_dump() for name, lane in self.lanes.items()}):
            _refuse(problem)
        return self

    @field_serializer("lanes")
    def _plain_lanes(self, lanes: Mapping[str, Lane]) -> dict[str, Lane]:
        return dict(lanes)

    def lane(self, name: str | None = None) -> Lane:
        """The lane of that name; without a name the only lane.

        Raises:
            ConfigError: there is no such lane, or several to choose from.
        """
        known = ", ".join(self.lanes)
        if name is None:
            if len(self.lanes) == 1:
                return next(iter(self.lanes.values()))
            raise ConfigError(
                f"wanted the name of a lane, the configuration has {len(self.lanes)}: {known}",
                hint="name one of them",
            )
        if name in self.lanes:
            return self.lanes[name]
        import difflib  # noqa: PLC0415 - only for a mistake

        near = difflib.get_close_matches(name, self.lanes, n=1)
        meant = f"did you mean {shorten(near[0])}?" if near else "name one of them"
        raise ConfigError(f"there is no lane {shorten(name)}; the configuration has: {known}", hint=meant)
