"""What a replay found, for people."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from syncline.cli.text import say
from syncline.counted import counted
from syncline.replay.asked import AGENT
from syncline.replay.run import TARGETS
from syncline.replay.truth import LeftOut

_WIDTH = 13
_MOST_ROWS = 15
_MOST_REASONS = 3


def show(document: Mapping[str, Any]) -> None:
    """Print the document of `replay --json` as tables."""
    say(_head(document))
    if not document["hunks"]:
        say()
        say("nothing to score: there is no hunk outside of lock files")
    else:
        _tables(document)
    if (cost := document["results"].get(AGENT, {}).get("cost")) is not None:
        say()
        _bill(cost)


def _head(document: Mapping[str, Any]) -> str:
    merges, files, hunks = (counted(document[f"{one}s"], one) for one in ("merge", "file", "hunk"))
    words = f"{merges}, {files}, {hunks} (and {document['locks']:,} in lock files)"
    for why, count in sorted(document["left_out"].items()):
        words += f"; {counted(count, 'merge')} left out: {LeftOut(why).said_of(count)}"
    return words


def _tables(document: Mapping[str, Any]) -> None:
    hunks, results = document["hunks"], document["results"]
    say()
    say(_row("strategy", "answered", "right", "files whole", "right", "merges whole", "right"))
    for name, result in results.items():
        answered, files, merges = result["hunks"]["resolved"], result["files"], result["merges"]
        say(
            _row(
                name,
                _share(answered, hunks),
                _share(result["hunks"]["agree"], answered),
                files["resolved"],
                _share(files["exact"], files["resolved"]),
                merges["resolved"],
                _share(merges["exact"], merges["resolved"]),
            )
        )
    found = results["syncline"]["hunks"]
    if found["agree"]:
        say()
        right, same = counted(found["agree"], "right answer"), found["same_layout"]
        say(f"of syncline's {right} {same} {_are(same)} the same in white space that may mean something, too")
    say()
    say(_row("precision asked", "answered", "right"))
    for target in TARGETS:
        tally = document["curve"][f"{target:.2f}"]
        answered = tally["resolved"]
        say(_row(f"{target:.2f}", _share(answered, hunks), _share(tally["agree"], answered)))
    say()
    say(_row("by resolver", "answered", "right"))
    resolvers = results["syncline"]["by_resolver"]
    for name in _largest(resolvers, lambda tally: tally["resolved"]):
        say(_row(name, resolvers[name]["resolved"], _share(resolvers[name]["agree"], resolvers[name]["resolved"])))
    for title, key in (("by group of files", "by_group"), ("by file type", "by_suffix")):
        _by_class(title, key, results)


def _by_class(title: str, key: str, results: Mapping[str, Any]) -> None:
    """Print the strategies side by side, class by class: the share answered, and of these the share right."""
    say()
    # The longest strategy's name would stand against its neighbour.
    heads = (name.replace("syncline+", "+") for name in results)
    say(_row(f"{title}, % answered/right", "hunks", *heads))
    classes = results["syncline"][key]
    for name in _largest(classes, _hunks):
        cells = (result[key].get(name) for result in results.values())
        say(_row(name, _hunks(classes[name]), *(_both(tally) if tally else "-" for tally in cells)))


def _hunks(tally: Mapping[str, int]) -> int:
    return tally["resolved"] + tally["unresolved"]


def _largest(rows: Mapping[str, Mapping[str, int]], size: Callable[[Mapping[str, int]], int]) -> Iterable[str]:
    """Return the names of the largest rows that hold anything."""
    names = sorted(rows, key=lambda name: (-size(rows[name]), name))
    return [name for name in names if size(rows[name])][:_MOST_ROWS]


def _both(tally: Mapping[str, int]) -> str:
    """Return `45.2/98.1`; what answered nothing was right of nothing."""
    answered, right = tally["resolved"], tally["agree"]
    return f"{100 * answered / _hunks(tally):.1f}/" + (f"{100 * right / answered:.1f}" if answered else "-")


def _bill(cost: Mapping[str, Any]) -> None:
    # Many agents tell neither tokens nor money: nothing is no price.
    spent = [f"{cost['seconds']:.1f} s"]
    spent += [f"{cost['tokens']:,} tokens"] if cost["tokens"] else []
    spent += [f"{cost['money']:.2f} in money"] if cost["money"] else []
    asked = counted(cost["asked"], "time")
    say(f"the agent was asked {asked}, {cost['refused']} without an answer; {', '.join(spent)}")
    for why in cost["why"][:_MOST_REASONS]:
        say(f"  {why}")


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _row(name: str, *cells: object) -> str:
    return f"{name:36}" + "".join(f"{cell:>{_WIDTH}}" for cell in cells)


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"
