"""Exceptions of Python as texts tell them: their parts, what they name, what they are worth. Pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.paths import is_own, under, without_places

LONGEST_MESSAGE = 1000
_MOST_FRAMES = 200
_EXCERPT_LINE = 300
EXCERPT_LINES = 20

_RAISED = re.compile(r"([A-Za-z_][\w.]*?)(?:: ?(.*))?$", re.DOTALL)
_NAME_ENDS = (
    "Error",
    "Exception",
    "Warning",
    "Exit",
    "Interrupt",
    "Group",
    "Failed",
    "Failure",
    "Timeout",
    "Refused",
)
_NAMED = (
    re.compile(r"cannot import name '([^']+)'"),
    re.compile(r"No module named '?([\w.]+)'?"),
    re.compile(r"[Nn]ame ['\"]([^'\"]+)['\"] is not defined"),
    re.compile(r"has no attribute ['\"`]([^'\"`]+)['\"`]"),
    re.compile(r"[Uu]nexpected keyword argument ['\"`]([^'\"`]+)['\"`]"),
)
_SYMPTOMS = frozenset({
    "ChildFailedError", "CalledProcessError", "BrokenPipeError", "ConnectionResetError", "DistBackendError",
    "ProcessRaisedException", "BrokenProcessPool", "RayActorError", "RemoteDisconnected",
})  # fmt: skip
_ENDS = frozenset({"KeyboardInterrupt", "SystemExit", "SignalException", "ProcessExitedException"})
_OF_OTHERS = re.compile(
    r"Connection (?:reset|closed) by peer|Broken pipe|NCCL (?:error|communicator was aborted)"
    r"|[Ss]ocket [Tt]ime-?out|collective operation timeout|DataLoader worker \(pid"
    r"|remote process exited|Timed out waiting \d+ms for"
)
"""What a process says that only noticed the end of another one."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One entry of a traceback."""

    path: str
    line: int | None
    function: str = ""


@dataclass(slots=True)
class Raised:
    """One exception of a chain, as it is read: what was raised, and by which calls, the outermost first."""

    at: int
    kind: str = ""
    message: str = ""
    frames: list[Frame] = field(default_factory=list)

    def add(self, frame: Frame) -> None:
        """Keep a frame; of very many the first ones and the newest."""
        self.frames.append(frame)
        if len(self.frames) > _MOST_FRAMES:
            del self.frames[_MOST_FRAMES // 2]


def raised(text: str) -> tuple[str, str] | None:
    """Return kind and message of a line that tells an exception; None for any other line."""
    found = _RAISED.match(text)
    if found is None:
        return None
    kind = found[1].rpartition(".")[2]
    if not (kind.endswith(_NAME_ENDS) or (kind[:1].isupper() and kind[1:2].islower())):
        return None
    if found[2] is None and " " in text:
        return None
    return kind, (found[2] or "").strip()


def weight_of(kind: str, message: str) -> Weight:
    """Return how directly an exception tells what went wrong."""
    if kind in _ENDS:
        return Weight.END
    return Weight.SYMPTOM if kind in _SYMPTOMS or _OF_OTHERS.search(message) else Weight.CAUSE


def subject_of(message: str) -> str:
    """Return what an exception says is missing or wrong: a name, a module, an attribute; empty if nothing."""
    for pattern in _NAMED:
        found = pattern.search(message)
        if found is not None:
            return found[1]
    return ""


def excerpt_of(lines: Iterable[str]) -> tuple[str, ...]:
    """Return lines that show a failure: the first few and the last ones, none of them long."""
    kept = [line.rstrip()[:_EXCERPT_LINE] for line in lines]
    while kept and not kept[-1]:
        kept.pop()
    if len(kept) > EXCERPT_LINES:
        kept = [*kept[:5], "...", *kept[6 - EXCERPT_LINES :]]
    return tuple(kept)


def failure_of(
    tool: str, chain: Sequence[Raised], lines: Iterable[str], *, test: str = "", root: str = "",
) -> LogFailure | None:  # fmt: skip
    """Return what a chain of exceptions tells: the first one, since those after it came from handling it.

    `root` is the directory of the check-out, where that is known. None when nothing was raised.
    """
    first = next((one for one in chain if one.kind), None)
    if first is None:
        return None
    frames = [Frame(under(one.path, root), one.line, one.function) for one in first.frames]
    calls = [Frame(under(one.path, root), one.line, one.function) for one in chain[-1].frames]
    own = [frame for frame in frames if is_own(frame.path)]
    # Where it was raised inside of libraries only, the nearest own call is in what was raised next.
    outside = own or [frame for frame in calls if is_own(frame.path)]
    place = (outside or frames or [Frame("", None)])[-1]
    whole = own if len(own) > 1 or chain[-1] is first else [*(one for one in calls if is_own(one.path)), *own]
    files = [one.path for one in whole]
    led = [path for path, before in zip(files, ["", *files], strict=False) if path != before]
    if root:
        lines = (line.replace(f"{root}/", "") for line in lines)
        message = first.message.replace(f"{root}/", "")
    else:
        message = first.message
    message = without_places(" ".join(message.split()))[:LONGEST_MESSAGE]
    function = place.function if place.function not in {"<module>", "<lambda>"} else ""
    return LogFailure(
        tool, first.kind, message or first.kind, weight_of(first.kind, message), first.at,
        path="" if place.path.startswith("<") else place.path, line=place.line,
        symbol=subject_of(message) or function, test=test,
        chain=tuple(led[:EXCERPT_LINES]), excerpt=excerpt_of(lines),
    )  # fmt: skip
