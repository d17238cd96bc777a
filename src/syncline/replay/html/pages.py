"""Writes a replay as pages, merge by merge while it goes on, so that no texts are kept."""

from dataclasses import dataclass, field, replace
from pathlib import Path

from syncline.git.paths import json_path
from syncline.merge.file_group import is_lock
from syncline.merge.ladder.ladder import Ladder
from syncline.merge.ladder.lane_record import LaneRecord
from syncline.merge.ladder.settler import RECORD
from syncline.merge.ladder.weights import Weights
from syncline.replay.html.directory import claim
from syncline.replay.html.fates import Fate, fate_of, people_wrote
from syncline.replay.html.figures import Figures
from syncline.replay.html.hunk_view import HunkView, view_of
from syncline.replay.html.index_view import index_values
from syncline.replay.html.render import render
from syncline.replay.run import Played, PlayedFile
from syncline.replay.summary import Summary

MAX_PAGES = 2000
"""So many disagreements get a page each, and so many hunks that were left open; the first ones met."""
MAX_ROWS = 2000
"""Hunks that the page of one merge lists."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A disagreement in a line of the index."""

    page: str
    date: str
    sha: str
    merge_page: str
    path: str
    place: str
    group: str
    resolver: str
    confidence: float
    best: str
    people: str


@dataclass(frozen=True, slots=True)
class HunkRow:
    """A hunk in a line of its merge's page."""

    place: str
    fate: str
    """`lock` for those of lock files."""
    resolver: str
    confidence: float
    people: str
    page: str
    """Empty where it has none."""


@dataclass(frozen=True, slots=True)
class FileRows:
    """A conflicted file on its merge's page."""

    path: str
    kind: str
    whole: bool
    rows: tuple[HunkRow, ...]


@dataclass
class _Row:
    """Pages that lead from one to the next; each is written when it is known what follows it."""

    name: str
    directory: Path
    count: int = 0
    waiting: HunkView | None = None

    def add(self, view: HunkView) -> str | None:
        """Return the file name of a new page; None when there are too many already."""
        self.count += 1
        if self.count > MAX_PAGES:
            return None
        page = f"{self.name}-{self.count:05}.html"
        previous = self.waiting.page if self.waiting else ""
        if self.waiting:
            self._write(replace(self.waiting, following=page))
        self.waiting = view.placed(page, self.count, previous)
        return page

    @property
    def is_full(self) -> bool:
        return self.count >= MAX_PAGES

    def finish(self) -> None:
        if self.waiting:
            self._write(self.waiting)
            self.waiting = None

    def _write(self, view: HunkView) -> None:
        (self.directory / view.page).write_bytes(render("hunk", view=view, kind=self.name))


@dataclass
class Pages:
    """The pages of one replay. `add` each merge as it is played, then `finish`."""

    directory: Path
    weights: Weights
    record: LaneRecord
    """The lane's record, which learns from a merge only after `add`: what judged it is still there to be asked."""
    precision: float
    title: str
    figures: Figures = field(default_factory=Figures)
    listed: list[Listed] = field(default_factory=list)
    number: int = 0

    @classmethod
    def begin(cls, directory: Path, weights: Weights, record: LaneRecord, precision: float, title: str) -> "Pages":
        """Make the directory ready.

        Args:
            directory: where the pages go.
            weights: those of the replay.
            record: the lane's record that the replay learns into.
            precision: how often answers are to be right.
            title: what was replayed.

        Raises:
            ConfigError: the directory holds something else.
        """
        claim(directory)
        return cls(directory, weights, record, precision, title)

    def __post_init__(self) -> None:
        hunks = self.directory / "hunks"
        self._disagreements = _Row("disagreement", hunks)
        self._left = _Row("open", hunks)

    def add(self, played: Played) -> None:
        """Write the pages of a merge; it must be the newest one that `play` yielded."""
        if played.gathered.left_out is not None:
            return
        self.number += 1
        page = f"{self.number:05}-{str(played.gathered.past.merge)[:10]}.html"
        self.figures.add(played, f"merges/{page}")
        files = []
        room = MAX_ROWS
        for file in played.files:
            rows = self._file(played, file, page)
            if room > 0:
                files.append(_file_rows(file, rows[:room]))
            room -= len(rows)
        values = {"files": files, "left_out": max(0, -room), "row": self.figures.merges[-1]}
        path = self.directory / "merges" / page
        path.write_bytes(render("merge", past=played.gathered.past, seconds=played.seconds, **values))

    def finish(self, summary: Summary, seconds: float) -> Path:
        """Write the index, and return where it is.

        Args:
            summary: the figures of the same replay.
            seconds: how long it took.
        """
        self._disagreements.finish()
        self._left.finish()
        values = index_values(self.figures, summary)
        index = self.directory / "index.html"
        index.write_bytes(
            render(
                "index", title=self.title, seconds=seconds, listed=list(reversed(self.listed)),
                disagreements=self._disagreements.count, most=MAX_PAGES, left=self._left.count, **values,
            )
        )  # fmt: skip
        return index

    @property
    def _ladder(self) -> Ladder:
        record = self.record
        return Ladder(self.weights, record.memory, record.gate, record.local, self.precision)

    def _file(self, played: Played, file: PlayedFile, merge_page: str) -> list[HunkRow]:
        lock = is_lock(file.gathered.past.conflict.path)
        return [self._hunk(played, file, i, merge_page, lock=lock) for i in range(len(file.right))]

    def _hunk(self, played: Played, file: PlayedFile, index: int, merge_page: str, *, lock: bool) -> HunkRow:
        judged = file.alone.judged[index]
        said = judged.best.candidate.proposals
        resolver = said[0].resolver if said else RECORD
        case = file.gathered.past.case
        place = f"line {case.hunks[index].at.ours.start + 1:,}" if case else "the whole path"
        fate = fate_of(file, index)
        page = None
        if not lock and fate is not Fate.AGREED:
            row = self._disagreements if fate is Fate.DISAGREED else self._left
            if row.is_full:
                row.count += 1
            else:
                view = view_of(played, file, index, self._ladder, merge_page)
                page = row.add(view)
                if page and fate is Fate.DISAGREED:
                    past = played.gathered.past
                    self.listed.append(
                        Listed(
                            page, past.date, str(past.merge), merge_page, view.path, place, view.group, resolver,
                            view.confidence, view.best, view.people,
                        )
                    )  # fmt: skip
        return HunkRow(
            place,
            "lock" if lock else fate.value,
            resolver,
            judged.best.confidence,
            people_wrote(file, index),
            page or "",
        )


def _file_rows(file: PlayedFile, rows: list[HunkRow]) -> FileRows:
    conflict = file.gathered.past.conflict
    return FileRows(json_path(conflict.path), conflict.kind.value, file.alone.whole, tuple(rows))
