import base64
import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.errors import ConfigError
from syncline.git import CommitId
from syncline.merge.ladder.feature_words import feature_words
from syncline.merge.ladder.gate import LEVELS
from syncline.merge.ladder.lane_record import LaneRecord
from syncline.merge.ladder.local import FEATURES
from syncline.merge.ladder.weights import Linear, Weights, shipped
from syncline.replay.gather import gather_all
from syncline.replay.html import charts, excerpts, pages
from syncline.replay.html.directory import MARK
from syncline.replay.html.fates import Fate
from syncline.replay.html.figures import CurvePoint, Figures, MergeRow, wilson
from syncline.replay.html.index_view import MAX_CLASSES, classes, index_values
from syncline.replay.html.pages import Pages
from syncline.replay.past import last_merges
from syncline.replay.run import play
from syncline.replay.score import Tally
from syncline.replay.summary import STRATEGIES, Summary
from testing.builder import RepositoryBuilder
from testing.cli import run_syncline
from testing.repository import BuiltRepository

EVIL = "a<script>alert(1)<\u202e.py"
"""A path that would run a script and turn the text around."""

WEIGHTS = Weights(
    priors={},
    # Ours is always the likeliest.
    kinds={
        f"{kind}{told}": Linear(intercept, {"lane_path_p": 0.01, "speakers": 0.01})
        for kind, intercept in (("ours", 3.0), ("theirs", 1.0), ("merged", 0.0))
        for told in ("", "+answers")
    },
    levels={group: {str(level): 0.97 for level in LEVELS} for group in ("code", "data", "generated")},
    repositories=(),
)


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> BuiltRepository:
    """Four merges of main into dev; people mostly take dev's side, and otherwise not in the second merge."""
    build = RepositoryBuilder(tmp_path_factory.mktemp("replay") / "r")
    names = ("one.py", "two.md", EVIL, "uv.lock", "gone.py", "latin.txt")
    text = "".join(f"line {number}\n" for number in range(12))
    main = build.branch("main")
    main.commit("Start", dict.fromkeys(names, text))
    dev = main.branch("dev")
    for turn in range(4):
        ours, theirs = text.replace("line 5\n", f"ours {turn}\n"), text.replace("line 5\n", f"</pre> {turn}\n")
        files = [name for name in names if name != "gone.py"]
        main.commit(f"Main {turn}", {name: _bytes(name, theirs, turn) for name in files} | {f"new{turn}": "x"})
        dev.commit(f"Dev {turn}", {name: _bytes(name, ours, turn) for name in files})
        settled = {name: _bytes(name, ours, turn) for name in files}
        if turn != 1:
            settled["one.py"] = theirs
            settled[EVIL] = text.replace("line 5\n", f"\u202eboth </code> {turn}\n")
        if turn == 3:
            main.commit("Change what dev drops", {"gone.py": text + "more\n"})
            dev.commit("Drop it", delete=["gone.py"])
            dev.merge(main, f"Merge {turn}", settled, delete=["gone.py"])
        else:
            dev.merge(main, f"Merge {turn}", settled)
    return build.finish(head="dev")


def _bytes(name: str, text: str, turn: int) -> str | bytes:
    return text.encode().replace(b"line 7", b"caf\xe9 \x00"[: 4 + turn]) if name == "latin.txt" else text


@dataclass(frozen=True)
class Written:
    """A replay with its pages."""

    place: Path
    pages: Pages
    summary: Summary

    @property
    def index(self) -> str:
        return (self.place / "index.html").read_text("utf-8")

    def all(self) -> Iterator[tuple[Path, "Page"]]:
        for file in sorted(self.place.rglob("*.html")):
            yield file, Page(file.read_text("utf-8"))


def write(repo: BuiltRepository, place: Path) -> Written:
    record, summary = LaneRecord(), Summary(0.6)
    written = Pages.begin(place, WEIGHTS, record, 0.6, "lane <dev>")
    tip = CommitId(repo.text("rev-parse", "dev").strip())
    from syncline.git import Repository  # noqa: PLC0415

    with Repository.open(repo.path) as repository:
        merges = last_merges(repository, tip, 10)
    for played in play(gather_all(repo.path, merges, jobs=1, history=False), WEIGHTS, 0.6, record):
        summary.add(played)
        written.add(played)
    written.finish(summary, 1.25)
    return Written(place, written, summary)


@pytest.fixture(scope="module")
def written(repo: BuiltRepository, tmp_path_factory: pytest.TempPathFactory) -> Written:
    return write(repo, tmp_path_factory.mktemp("pages") / "deep" / "er")


VOID = {"meta", "input"}
SELF_CLOSED = {"path", "circle", "rect"}


class Page(HTMLParser):
    """What a browser would make of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.inside: dict[str, list[str]] = {"style": [], "script": []}
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in SELF_CLOSED
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        here = self.open[-1] if self.open else ""
        self.inside.get(here, self.words).append(data)

    def all(self, name: str) -> list[str]:
        return [value for _, attrs in self.elements if (value := attrs.get(name)) is not None]

    def text(self) -> str:
        return " ".join("".join(self.words).split())


def test_every_page_is_sound_and_loads_nothing(written: Written) -> None:
    for file, page in written.all():
        tags = [tag for tag, _ in page.elements]
        assert (tags.count("style"), tags.count("h1"), tags.count("main")) == (1, 1, 1)
        assert tags.count("script") == (1 if file.name == "index.html" else 0)
        assert not set(tags) & {"img", "iframe", "link", "object", "embed", "base", "form", "image", "use"}
        assert page.all("src") + page.all("style") == []
        assert not any(name.startswith("on") for _, attrs in page.elements for name in attrs)
        assert len(page.all("id")) == len(set(page.all("id")))
        for kind in ("style", "script"):
            digest = base64.b64encode(hashlib.sha256("".join(page.inside[kind]).encode()).digest()).decode()
            assert not page.inside[kind] or f"{kind}-src 'sha256-{digest}'" in str(page.all("content"))
        assert "url(" not in page.inside["style"][0]


def test_every_link_leads_somewhere(written: Written) -> None:
    reached = {written.place / "index.html"}
    for file, page in written.all():
        for href in page.all("href"):
            path, _, anchor = href.partition("#")
            target = (file.parent / path).resolve() if path else file
            assert target.is_file(), (file, href)
            reached.add(target)
            assert not anchor or anchor in page.all("id")
    assert reached == {file for file, _ in written.all()}


def test_texts_of_strangers_do_no_harm(written: Written) -> None:
    shown = ""
    for file, page in written.all():
        raw = file.read_text("utf-8")
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", raw)
        assert "alert(1)<" not in raw
        shown += page.text()
    assert "a<script>alert(1)<\\u202e.py" in shown
    assert "</pre> 2" in shown
    assert "caf\\xe9" in shown
    assert "lane <dev>" in shown


def test_every_disagreement_and_every_open_hunk_has_its_page(written: Written) -> None:
    tally = written.summary.results["syncline"].hunks
    assert tally.resolved > tally.agree > 0
    assert tally.unresolved > 0
    names = [file.name for file in (written.place / "hunks").iterdir()]
    assert sum(name.startswith("disagreement-") for name in names) == tally.resolved - tally.agree
    assert sum(name.startswith("open-") for name in names) == tally.unresolved
    assert len(list((written.place / "merges").iterdir())) == written.summary.merges == 4


def test_the_index_shows_the_figures_of_the_summary(written: Written) -> None:
    page = Page(written.index)
    sections = [str(attrs["id"]) for tag, attrs in page.elements if tag == "section"]
    assert sections == ["strategies", "sure", "time", "classes", "resolvers", "merges", "disagreements"]
    mine = written.summary.results["syncline"]
    text = page.text()
    assert f"{mine.hunks.resolved} of {written.summary.hunks} hunks" in text
    assert f"{100 * mine.hunks.agree / mine.hunks.resolved:.1f}%" in text
    for name in (
        "syncline+answers",
        "ours",
        "theirs",
        "union",
        "0.80",
        "0.85",
        "0.90",
        "0.95",
        ".py",
        "code",
        "data",
    ):
        assert name in text


def test_the_strategies_stand_side_by_side_for_each_class_and_merge(written: Written) -> None:
    values = index_values(written.pages.figures, written.summary)
    groups, types, merges = (rows for _, rows in values["by_class"])
    names = [name for name, _ in values["strategies"]]
    assert names == list(STRATEGIES)
    for rows, key in ((groups, "by_group"), (types, "by_suffix")):
        for place, name in enumerate(names):
            found = {row.name: row.cells[place] for row in rows}
            assert found == getattr(written.summary.results[name], key)
    assert [(row.name, row.cells[0].as_json()) for row in merges] == [
        (one["merge"], {key: one["results"]["syncline"]["hunks"][key] for key in Tally().as_json()})
        for one in reversed(written.summary.per_merge)
    ]
    page = Page(written.index)
    titles = [title for title, _ in values["by_class"]]
    assert [label for label in page.all("aria-label") if label in titles] == titles


def test_confidence_that_promised_too_much_is_named(written: Written) -> None:
    # 16 of 20 are clearly fewer than 0.99; 5 of 10 may be 0.55; better than said is no fault.
    figures = figures_of(
        [(0.99, number > 3) for number in range(20)]
        + [(0.55, number > 4) for number in range(10)]
        + [(0.15, True)] * 9
    )
    assert [one.low for one in index_values(figures, Summary(0.9))["too_sure"]] == [0.95]
    named = index_values(written.pages.figures, written.summary)["too_sure"]
    assert named
    text = Page(written.index).text()
    assert text.count("Clearly less often right than said") == len(named)
    for one in named:
        said = f"{one.count} hunks at {one.low:.0%} to {one.high:.0%} confidence, {one.mean:.0%} in the mean"
        assert f"of {said}, {one.actual:.0%} were right" in text


def test_every_table_can_be_scrolled_by_itself(written: Written) -> None:
    pages = [written.index, *(file.read_text("utf-8") for file in (written.place / "merges").iterdir())]
    for page in pages:
        assert page.count("<table") == len(re.findall(r'<div class="scroll[^>]*><table', page)) > 0


def test_a_file_that_both_added_has_no_base_to_show(builder: RepositoryBuilder, tmp_path: Path) -> None:
    text = "".join(f"line {number}\n" for number in range(6))
    main = builder.branch("main")
    main.commit("Start", {"a": ""})
    dev = main.branch("dev")
    for branch in (main, dev):
        branch.commit(f"Add on {branch.name}", {"new.md": text.replace("line 3", branch.name)})
    dev.merge(main, "Sync", {"new.md": text.replace("line 3", "both")})
    written = write(builder.finish(head="dev"), tmp_path / "pages")
    (page,) = (written.place / "hunks").iterdir()
    base = (
        page.read_text("utf-8").partition('<div class="side base">')[2].partition('<div class="side theirs">')[0]
    )
    assert "Base: there is none, both sides added the file" in base
    assert "nothing here" in base
    assert "line 2" not in base
    # One of a kind is no plural, and a share of nothing is left out.
    index = Page(written.index).text()
    assert "People settled 1 conflicting hunk in 1 merge." in index
    assert "0 of 1 Merges settled whole" in index


def test_the_figures_agree_with_the_summary(written: Written) -> None:
    figures, mine = written.pages.figures, written.summary.results["syncline"]
    assert figures.hunks == written.summary.hunks == sum(figures.fates.values())
    assert figures.fates[Fate.AGREED] == mine.hunks.agree
    assert figures.fates[Fate.DISAGREED] == mine.hunks.resolved - mine.hunks.agree
    for ours, theirs in ((figures.by_group, mine.by_group), (figures.by_suffix, mine.by_suffix)):
        assert {
            name: fates.total() - fates[Fate.AGREED] - fates[Fate.DISAGREED] for name, fates in ours.items()
        } == {name: tally.unresolved for name, tally in theirs.items()}
    # Lock files are counted apart.
    assert [row.locks for row in figures.merges] == [1, 1, 1, 1]
    assert figures.fates[Fate.CLOSED] > 0
    assert figures.fates[Fate.NOT_FIRST] > 0
    assert figures.fates[Fate.NOT_OFFERED] > 0


def test_a_disagreement_tells_what_and_why(written: Written) -> None:
    found = [page.text() for file, page in written.all() if file.name.startswith("disagreement-")]
    one = next(text for text in found if "one.py" in text)
    for words in (
        "syncline would have taken target's side",
        "people wrote source's side",
        "line 6 of target's file",
        "ours 2",
        "</pre> 2",
        "stands at",
        "Confidence",
        "0.80 answered",
        "With people's answers",
        "Git says",
        "Candidates",
        "what people wrote",
    ):
        assert words in one, words
    evil = next(text for text in found if "alert(1)" in text)
    assert "people wrote a text of their own" in evil


def test_an_open_hunk_tells_what_stood_in_the_way(written: Written) -> None:
    found = [page.text() for file, page in written.all() if file.name.startswith("open-")]
    first = next(text for text in found if "one.py" in text)
    assert "closed: the lane's record supports no answer in code files" in first
    assert "offered, another one seemed likelier" in first
    kept = next(text for text in found if "two.md" in text)
    assert "People wrote the likeliest answer." in kept
    assert "no answer of this lane in data files was so sure before" in kept


def test_a_conflict_without_text_tells_what_is_there(written: Written) -> None:
    rows = [page.text() for file, page in written.all() if file.parent.name == "merges"]
    assert any("gone.py modify/delete" in text and "the whole path" in text for text in rows)


def test_pages_are_written_while_the_replay_goes_on(repo: BuiltRepository, tmp_path: Path) -> None:
    place = tmp_path / "out"
    record = LaneRecord()
    written = Pages.begin(place, WEIGHTS, record, 0.9, "x")
    from syncline.git import Repository  # noqa: PLC0415

    with Repository.open(repo.path) as repository:
        merges = last_merges(repository, CommitId(repo.text("rev-parse", "dev").strip()), 10)
    counts = []
    for played in play(gather_all(repo.path, merges, jobs=1, history=False), WEIGHTS, 0.9, record):
        written.add(played)
        counts.append(len(list(place.rglob("*.html"))))
    assert all(one < other for one, other in pairwise(counts))
    assert not (place / "index.html").exists()


def test_no_more_pages_than_the_bound(
    repo: BuiltRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "MAX_PAGES", 2)
    monkeypatch.setattr(pages, "MAX_ROWS", 3)
    written = write(repo, tmp_path / "out")
    assert len(list((written.place / "hunks").iterdir())) == 4
    assert "The first 2 have a page" in Page(written.index).text()
    merge = [page.text() for file, page in written.all() if file.parent.name == "merges"]
    assert all("more hunks are not listed" in text for text in merge)
    test_every_link_leads_somewhere(written)


def test_no_merge_at_all(tmp_path: Path) -> None:
    written = Pages.begin(tmp_path, WEIGHTS, LaneRecord(), 0.9, "x")
    index = written.finish(Summary(0.9), 0.0)
    assert "No conflicting hunk was replayed." in Page(index.read_text("utf-8")).text()


# --- the directory ---------------------------------------------------------------------------------------------


def test_an_earlier_output_is_written_over(repo: BuiltRepository, tmp_path: Path) -> None:
    first = write(repo, tmp_path)
    before = {file.relative_to(tmp_path) for file, _ in first.all()}
    (tmp_path / "hunks" / "disagreement-99999.html").write_text("old")
    (tmp_path / "notes.txt").write_text("mine")
    second = write(repo, tmp_path)
    assert {file.relative_to(tmp_path) for file, _ in second.all()} == before
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_what_is_not_ours_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("mine")
    with pytest.raises(ConfigError, match="is not empty, and no earlier replay wrote it"):
        Pages.begin(tmp_path, WEIGHTS, LaneRecord(), 0.9, "x")
    assert (tmp_path / "index.html").read_text() == "mine"
    assert list(tmp_path.iterdir()) == [tmp_path / "index.html"]


@pytest.mark.parametrize("kind", ["file", "link", "mark is a link", "part is a link"])
def test_no_link_leads_out(tmp_path: Path, kind: str) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "page.html").write_text("mine")
    place = tmp_path / "out"
    if kind == "file":
        place.write_text("mine")
    elif kind == "link":
        place.symlink_to(precious)
    else:
        place.mkdir()
        (place / MARK).symlink_to(precious / "page.html") if "mark" in kind else (place / MARK).write_text("x")
        (place / "hunks").symlink_to(precious)
    with pytest.raises(ConfigError):
        Pages.begin(place, WEIGHTS, LaneRecord(), 0.9, "x")
    assert (precious / "page.html").read_text() == "mine"
    assert [file.name for file in precious.iterdir()] == ["page.html"]


# --- the command line ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def weights_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("weights") / "weights.json"
    kinds = {
        name: {"intercept": one.intercept, "weights": dict(one.weights)} for name, one in WEIGHTS.kinds.items()
    }
    document = {"format": 1, "priors": {}, "kinds": kinds, "levels": WEIGHTS.levels, "repositories": []}
    file.write_text(json.dumps(document))
    return file


def test_the_command_writes_the_pages(repo: BuiltRepository, weights_file: Path, tmp_path: Path) -> None:
    args = ("replay", "--last", "9", "--no-history", "--weights", weights_file, "--precision", "0.9")
    done = run_syncline(*args, "--html", tmp_path / "out", repo=repo)
    assert done.code == 0, done.err
    assert f"file://{tmp_path}/out/index.html" in done.out
    assert "in 4 merges" in Page((tmp_path / "out" / "index.html").read_text("utf-8")).text()
    as_json = run_syncline(*args, "--html", tmp_path / "out", "--json", repo=repo)
    assert as_json.json()["merges"] == 4


def test_the_command_refuses_a_directory_of_others(
    repo: BuiltRepository, weights_file: Path, tmp_path: Path
) -> None:
    (tmp_path / "x").write_text("mine")
    done = run_syncline("replay", "--last", "9", "--weights", weights_file, "--html", tmp_path, repo=repo)
    assert done.code == 2
    assert "is not empty" in done.err
    assert "hint: name a new directory" in done.err


def test_jinja2_is_loaded_for_pages_alone() -> None:
    code = "import sys, syncline.replay.html.pages, syncline.cli.replay_run; print('jinja2' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


# --- figures, drawings, texts ----------------------------------------------------------------------------------

JUDGED = st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=60)


def figures_of(judged: list[tuple[float, bool]]) -> Figures:
    figures = Figures()
    for confidence, right in judged:
        figures.confidences.append(confidence)
        figures.rights.append(right)
    return figures


@given(JUDGED)
def test_the_curve_ends_at_all_hunks(judged: list[tuple[float, bool]]) -> None:
    points = figures_of(judged).curve()
    assert len(points) == len({confidence for confidence, _ in judged})
    for one, other in pairwise(points):
        assert one.confidence > other.confidence
        assert one.coverage < other.coverage
    if judged:
        assert points[-1].coverage == 1
        assert points[-1].precision == sum(right for _, right in judged) / len(judged)


@given(JUDGED)
def test_the_bins_hold_every_hunk_once(judged: list[tuple[float, bool]]) -> None:
    bins = figures_of(judged).bins()
    assert sum(one.count for one in bins) == len(judged)
    assert sum(one.right for one in bins) == sum(right for _, right in judged)
    for one in bins:
        assert one.low <= one.mean + 1e-9
        assert one.mean <= one.high + 1e-9
        assert one.interval[0] <= one.actual + 1e-9


@pytest.mark.parametrize(
    ("right", "count", "interval"),
    [(0, 0, (0, 1)), (5, 10, (0.237, 0.763)), (10, 10, (0.722, 1)), (0, 10, (0, 0.278))],
)
def test_intervals(right: int, count: int, interval: tuple[float, float]) -> None:
    # Worked examples of Wilson's interval.
    assert wilson(right, count) == pytest.approx(interval, abs=0.001)


@given(JUDGED, st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=4))
def test_drawings_stay_within_their_frames(
    judged: list[tuple[float, bool]], reached: list[tuple[float, float]]
) -> None:
    figures = figures_of(judged)
    targets = [(f"at {number}", *one) for number, one in enumerate(reached)]
    for chart in (charts.risk_coverage(figures.curve(), targets, []), charts.calibration(figures.bins())):
        for dot in chart.dots:
            assert 0 <= dot.x <= chart.width
            assert 0 <= dot.y <= chart.height
        for stroke in chart.strokes:
            for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)", stroke.path):
                assert 0 <= float(x) <= chart.width
                assert 0 <= float(y) <= chart.height


def test_labels_do_not_lie_on_each_other() -> None:
    points = [CurvePoint(1 - n / 10, n / 10, 1 - n / 50) for n in range(1, 11)]
    targets = [("at 0.80", 0.3, 0.91), ("at 0.85", 0.3, 0.91), ("at 0.90", 0.29, 0.915), ("at 0.95", 0.28, 0.92)]
    chart = charts.risk_coverage(points, targets, [])
    spots = [(label.x, label.y, label.anchor) for label in chart.labels if label.kind == "target"]
    assert len(set(spots)) == 4


@pytest.mark.parametrize("count", [0, 1, 7, 160, 161, 2000])
def test_many_merges_share_bars(count: int) -> None:
    merges = [
        MergeRow(f"{n:040x}", f"2026-01-{n % 28 + 1:02}", f"merges/{n}.html", 1, 3, 1, n % 5, 0)
        for n in range(count)
    ]
    chart = charts.over_time(merges)
    bars = {box.x for box in chart.boxes}
    assert len(bars) <= charts.MAX_BARS
    assert chart.linked or not count or count > charts.MAX_BARS
    for box in chart.boxes:
        assert box.height >= 0
        assert 0 <= box.x <= box.x + box.width <= chart.width
        assert 0 <= box.y <= box.y + box.height <= chart.height


def test_small_classes_are_summed_up() -> None:
    from collections import Counter  # noqa: PLC0415

    rows = classes({f".{n}": Counter({Fate.AGREED: n}) for n in range(1, MAX_CLASSES + 11)})
    assert len(rows) == MAX_CLASSES + 1
    assert rows[-1].name == "10 more"
    assert rows[-1].hunks == sum(range(1, 11))


LINES = st.lists(
    st.sampled_from([b"a\n", b"b = 1\n", b"b = 2\n", b"\n", b"\xff\r\n", b"\x1b[2J\n", b"end"]), max_size=14
).map(
    lambda lines: tuple(line if line.endswith(b"\n") else line + b"\n" for line in lines[:-1]) + tuple(lines[-1:])
)


@given(LINES, LINES)
def test_a_difference_shows_both_texts(old: tuple[bytes, ...], new: tuple[bytes, ...]) -> None:
    rows = [row for row in excerpts.difference(old, new).rows if row.kind != "skip"]
    skipped = len(rows) < len(excerpts.difference(old, new).rows)
    if not skipped:
        for kind, lines in (("add", old), ("del", new)):
            shown = [
                "".join(text for text, _ in row.pieces).removesuffix(" ⟨no newline at the end⟩")
                for row in rows
                if row.kind != kind
            ]
            assert shown == [excerpts.text_of(line) for line in lines]
    assert (old == new) == all(row.kind in {"", "skip"} for row in rows)


def test_a_difference_marks_words_and_skips_what_is_common() -> None:
    same = tuple(b"%d\n" % number for number in range(50))
    rows = excerpts.difference((*same, b"limit = 10\n"), (*same, b"limit = 20\n")).rows
    assert [(row.kind, row.pieces) for row in rows] == [
        ("skip", (("47 lines in common", False),)),
        *(("", ((str(number), False),)) for number in (47, 48, 49)),
        ("del", (("limit = ", False), ("10", True))),
        ("add", (("limit = ", False), ("20", True))),
    ]


def test_long_texts_are_cut() -> None:
    lines = tuple(b"%d " % number + b"x" * 5000 + b"\n" for number in range(3000))
    for one in (
        excerpts.plain(lines),
        excerpts.against((), lines),
        excerpts.base_of(lines, (), lines),
        excerpts.difference((), lines),
        excerpts.difference(lines, tuple(reversed(lines))),
    ):
        assert len(one.rows) <= excerpts.MAX_LINES + 1
        assert one.cut
        assert all(len(text) <= excerpts.MAX_WIDTH + 1 for row in one.rows for text, _ in row.pieces)


@given(st.lists(st.binary(max_size=40), max_size=8).map(tuple))
def test_any_bytes_can_be_shown(lines: tuple[bytes, ...]) -> None:
    for one in (excerpts.plain(lines), excerpts.against(lines, lines[1:]), excerpts.base_of(lines, lines[1:], ())):
        for row in one.rows:
            text = "".join(piece for piece, _ in row.pieces)
            assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff]", text)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("lane_path_p", "what this lane did in this file, all in all"),
        ("now_suffix_n", "what people answered in this merge in files of this type, how often"),
        ("says_token-merge:gap-3", "token-merge offers it (gap-3)"),
        ("against_merged", "another combination is offered"),
        ("only_adds_theirs", "only additions by source"),
        ("lane_voice_best", "record of its best offer (this lane)"),
        ("something_new", "something_new"),
    ],
)
def test_features_in_words(name: str, words: str) -> None:
    assert feature_words(name) == words


def test_every_feature_that_weighs_has_words() -> None:
    names = {name for model in shipped().kinds.values() for name in model.weights} | {*FEATURES[1:]}
    assert not [name for name in names if feature_words(name) == name]
