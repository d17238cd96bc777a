"""Rules between keys of one lane and between lanes.

They read plain tables, not models, and pass over whatever has the wrong shape: so the mistakes they find are
told together with those of single values, in one message.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from syncline.config import template
from syncline.config.keypath import KeyPath, shorten, show
from syncline.config.refname import branch_fault, nested

Table = Mapping[str, object]

DEFAULT_BRANCH = "syncline/{lane}/{date:%Y-%m-%d}"
DEFAULT_TITLE = "Sync {source} into {target} ({date:%Y-%m-%d})"
GIT_DIRECTORY = "git-directory"
"""The word for a lane's record in the git directory; anything else is a path that target holds."""
TESTS = "{tests}"
"""The word of a check's selector that stands for the tests."""
SAMPLE_DATE = datetime(2026, 11, 29, 3, 0, tzinfo=UTC)
_SAMPLE_SLICE = "0a1b2c3"
# GitHub refuses longer titles.
_LONGEST_TITLE = 256
_MOST_NAMES = 12


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake: where, and what is wrong with it."""

    path: KeyPath
    text: str


def lane_problems(name: str, lane: Table) -> Iterator[Problem]:
    """Mistakes inside one lane; paths start at the lane."""
    yield from _ends(lane)
    yield from _forge(lane)
    yield from _templates(name, lane)
    yield from _labels(lane)
    for kind in ("checks", "coupled", "drivers", "formatters"):
        yield from _same_names(kind, lane)
    audit = lane.get("audit")
    if isinstance(audit, Mapping):
        yield from _same_names("checkers", audit, ("audit",))
    repair = lane.get("repair")
    if isinstance(repair, Mapping):
        yield from _same_names("regenerate", repair, ("repair",))
    agents = lane.get("agents")
    if isinstance(agents, Mapping):
        yield from _agents(agents)
    yield from _results(lane)
    yield from _selectors(lane)
    yield from _transient(lane)
    yield from _needs(lane)


def _text(table: Table, key: str, default: str) -> str:
    value = table.get(key)
    return value if isinstance(value, str) else default


def _tables(table: Table, key: str) -> list[tuple[int, Table]]:
    value = table.get(key)
    items = value if isinstance(value, list | tuple) else ()
    return [(place, item) for place, item in enumerate(items) if isinstance(item, Mapping)]


def _at(lane: Table, end: str) -> str:
    """The remote of one end of the lane; "." for local branches."""
    return _text(lane, f"{end}_remote", _text(lane, "remote", "."))


def _ends(lane: Table) -> Iterator[Problem]:
    source, target = lane.get("source"), lane.get("target")
    if isinstance(source, str) and source == target and _at(lane, "source") == _at(lane, "target"):
        yield Problem(("target",), f"found {shorten(source)}, which is source too; wanted two different branches")


def _forge(lane: Table) -> Iterator[Problem]:
    """What only goes with GitHub, and what does not."""
    table = lane.get("github")
    triage = lane.get("triage")
    if lane.get("forge") != "github":
        if isinstance(triage, Mapping) and triage.get("dispatch"):
            yield Problem(("triage", "dispatch"), 'is only for lanes with forge = "github", which has workflows')
        if isinstance(table, Mapping):
            yield Problem(
                ("github",), 'is only for lanes with forge = "github"; write that, or take the table out'
            )
        return
    if _at(lane, "target") == ".":
        yield Problem(
            ("forge",),
            'proposals on GitHub need a target that lives there; name its remote by "remote" or "target_remote"',
        )
    if _tables(lane, "checks"):
        yield Problem(
            ("checks",),
            'are run by the forge "local"; GitHub runs its own: put those the gate waits for into gate.required',
        )
    if isinstance(table, Mapping):
        yield from _app(table)


def _app(table: Table) -> Iterator[Problem]:
    """A GitHub App needs one place of its key, and the key needs an App."""
    keys = [key for key in ("app_key_file", "app_key_env") if table.get(key) is not None]
    if table.get("app_id") is None:
        for key in (*keys, *(["installation"] if table.get("installation") is not None else [])):
            yield Problem(("github", key), "is of a GitHub App, but there is no app_id")
    elif len(keys) != 1:
        text = "needs its private key: set one of app_key_file and app_key_env"
        yield Problem(("github", "app_id"), text)


def _rendered(name: str, lane: Table, key: str, default: str) -> str:
    """The text of a template with sample values; empty when the template is wrong (told elsewhere)."""
    fields = {
        "lane": "lane" if branch_fault(name) else name,  # a wrong name is told once, not for each template
        "source": _text(lane, "source", "main"),
        "target": _text(lane, "target", "dev"),
        "slice": _SAMPLE_SLICE,
        "date": SAMPLE_DATE,
    }
    text = _text(lane, key, default)
    try:
        template.check(text, texts=fields.keys() - {"date"}, dates=("date",))
    except ValueError:
        return ""
    return template.render(text, fields)


def _templates(name: str, lane: Table) -> Iterator[Problem]:
    title = _rendered(name, lane, "title", DEFAULT_TITLE)
    if len(title) > _LONGEST_TITLE:
        yield Problem(("title",), f"renders {len(title)} characters; at most {_LONGEST_TITLE} are allowed")
    branch = _rendered(name, lane, "branch", DEFAULT_BRANCH)
    if not branch:
        return
    if fault := branch_fault(branch):
        yield Problem(("branch",), f"renders {shorten(branch)}, which is no branch name: {fault}")
    for end in ("source", "target"):
        other = _text(lane, end, "")
        if not other or _at(lane, end) != _at(lane, "target"):
            continue
        if branch == other:
            yield Problem(("branch",), f"renders {shorten(branch)}, which is the lane's {end}")
        elif nested(branch, other):
            yield Problem(
                ("branch",),
                f"renders {shorten(branch)}, which git cannot keep beside the {end} {shorten(other)}: one is"
                " a directory in the name of the other",
            )


def _labels(lane: Table) -> Iterator[Problem]:
    labels = lane.get("labels")
    seen: set[str] = set()
    for place, label in enumerate(labels if isinstance(labels, list | tuple) else ()):
        if isinstance(label, str):
            if label.casefold() in seen:
                yield Problem(("labels", place), f"{shorten(label)} is there twice")
            seen.add(label.casefold())


def _same_names(kind: str, holder: Table, at: KeyPath = ()) -> Iterator[Problem]:
    """Names are compared as the gate compares them, without case."""
    first: dict[str, int] = {}
    for place, table in _tables(holder, kind):
        name = table.get("name")
        if not isinstance(name, str):
            continue
        if (earlier := first.setdefault(name.casefold(), place)) != place:
            text = f"{shorten(name)} is already the name of {show((*at, kind, earlier))}"
            yield Problem((*at, kind, place, "name"), text)


def _agents(agents: Table) -> Iterator[Problem]:
    """An agent is a command or a model, and two can only agree where two are asked."""
    for kind in ("ask", "must_pass"):
        yield from _same_names(kind, agents, ("agents",))
    asked = _tables(agents, "ask")
    for place, table in asked:
        given = [key for key in ("command", "model") if table.get(key) is not None]
        if len(given) != 1:
            found = "found both" if given else "found neither"
            yield Problem(("agents", "ask", place), f"{found} of command and model; wanted one of them")
        elif given == ["model"]:
            for key in ("pass_env", "network", "answer"):
                if table.get(key) not in (None, (), [], False, "json"):
                    yield Problem(("agents", "ask", place, key), "is for commands only")
    if agents.get("agree") is True and len(asked) < 2:
        yield Problem(("agents", "agree"), f"needs two agents to ask; there is {len(asked) or 'none'}")


def _results(lane: Table) -> Iterator[Problem]:
    """A merge driver must be told where its result goes."""
    for place, table in _tables(lane, "drivers"):
        command = table.get("command")
        words = command if isinstance(command, list | tuple) else ()
        if words and not any(isinstance(word, str) and "%A" in word.replace("%%", "") for word in words):
            yield Problem(("drivers", place, "command"), "has no %A, the file that it must leave merged")


def _selectors(lane: Table) -> Iterator[Problem]:
    """A selector must be told where the tests go."""
    for place, table in _tables(lane, "checks"):
        command = table.get("select")
        words = command if isinstance(command, list | tuple) else ()
        if words and (list(words).count(TESTS) != 1 or words[0] == TESTS):
            text = f'wanted the word "{TESTS}" once, as an argument of its own: the tests are put in its place'
            yield Problem(("checks", place, "select"), text)


def _transient(lane: Table) -> Iterator[Problem]:
    """What fits nothing at all fits everything."""
    triage = lane.get("triage")
    for place, table in _tables(triage, "transient") if isinstance(triage, Mapping) else ():
        match = table.get("match")
        try:
            fits = isinstance(match, str) and re.search(match, "", re.IGNORECASE) is not None
        except (ValueError, re.error, OverflowError, RecursionError):
            continue  # told where the pattern is read
        if fits:
            yield Problem(("triage", "transient", place, "match"), f"{shorten(match)} fits every message")


def _needs(lane: Table) -> Iterator[Problem]:
    needs: dict[str, tuple[str, ...]] = {}
    places: dict[str, int] = {}
    for place, table in _tables(lane, "checks"):
        name, wanted = table.get("name"), table.get("needs")
        if isinstance(name, str) and name not in needs:
            items = wanted if isinstance(wanted, list | tuple) else ()
            needs[name] = tuple(item for item in items if isinstance(item, str))
            places[name] = place
    for name, wanted in needs.items():
        for unknown in dict.fromkeys(item for item in wanted if item not in needs):
            others = [shorten(other) for other in needs if other != name]
            known = (
                ", ".join([*others[:_MOST_NAMES], *(["..."] if len(others) > _MOST_NAMES else [])])
                or "no other check"
            )
            yield Problem(
                ("checks", places[name], "needs"), f"no check is named {shorten(unknown)}; there is {known}"
            )
    for cycle in _cycles(needs):
        way = " -> ".join(shorten(name) for name in (*cycle, cycle[0]))
        yield Problem(("checks", places[cycle[0]], "needs"), f"checks need each other in a circle: {way}")


def _cycles(needs: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """A circle of every set of checks that wait for each other, each from its first check in the file on."""
    done: set[str] = set()
    for start in needs:
        way: list[str] = []
        todo = [iter((start,))]
        while todo:
            name = next(todo[-1], None)
            if name is None:
                todo.pop()
                if way:
                    done.add(way.pop())
            elif name in way:
                yield _from_first(tuple(way[way.index(name) :]), needs)
            elif name in needs and name not in done:
                way.append(name)
                todo.append(iter(dict.fromkeys(needs[name])))


def _from_first(cycle: tuple[str, ...], order: Mapping[str, object]) -> tuple[str, ...]:
    members = set(cycle)
    turn = cycle.index(next(name for name in order if name in members))
    return cycle[turn:] + cycle[:turn]


def between_problems(lanes: Mapping[str, object]) -> Iterator[Problem]:
    """Mistakes between lanes; paths start at `lanes`."""
    names: dict[str, str] = {}
    branches: dict[tuple[str, str], str] = {}
    records: dict[str, str] = {}
    for name, lane in lanes.items():
        if (other := names.setdefault(name.casefold(), name)) != name:
            yield Problem((name,), f"differs only by case from the lane {shorten(other)}")
        if not isinstance(lane, Mapping):
            continue
        branch = _rendered(name, lane, "branch", DEFAULT_BRANCH)
        if branch and (other := branches.setdefault((_at(lane, "target"), branch), name)) != name:
            yield Problem(
                (name, "branch"),
                f"renders {shorten(branch)}, as lane {shorten(other)} does; put {{lane}} in one of them",
            )
        record = _text(lane, "learned", GIT_DIRECTORY)
        if record != GIT_DIRECTORY and (other := records.setdefault(record.casefold(), name)) != name:
            text = f"found {shorten(record)}, which is lane {shorten(other)}'s; each lane has a record of its own"
            yield Problem((name, "learned"), text)
