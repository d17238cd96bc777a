"""Replays public repositories and prints one table: what syncline settles and how often people did the same.

    python bench/replay.py --clones DIR FILE...

FILE are dataset files (see `syncline replay --dataset`); the bare clone of `OWNER/NAME` is expected at
`DIR/OWNER+NAME` or `DIR/OWNER+NAME/repo`. The weights are those of `bench/weights/OWNER+NAME.json`, which never
saw that repository, where there are such; else the shipped ones. Lock files are counted apart.
"""

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

TARGETS = ("0.80", "0.85", "0.90", "0.95")
STRATEGIES = ("syncline", "syncline+answers", "ours", "theirs", "union")
POLICY_TURN = "2026-06-09"
"""The date of the reference lane's sync in which its policy turned."""
REFERENCE = "NVIDIA+Megatron-LM"
LANE = Path(__file__).parent.parent / "docs" / "examples" / "megatron-lm.toml"
ATTEMPTS = "main2dev/*"
"""On which branches its syncs were attempted without landing."""
WORST = (0.80, 50)
"""No repository with more answers than this may be right in less than this share."""


def main() -> None:
    """Replay all datasets, two at a time, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clones", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--precision", default="0.90", choices=TARGETS)
    parser.add_argument("--keep", type=Path, help="keep the JSON of each replay in this directory")
    parser.add_argument("files", type=Path, nargs="+")
    options = parser.parse_args()
    with ThreadPoolExecutor(options.jobs) as pool:
        found = dict(pool.map(lambda file: (file.stem, _replay(file, options)), options.files))
        lane = attempts = None
        if REFERENCE in found:
            attempts = pool.submit(_replay, _file(options, REFERENCE), options, attempts=ATTEMPTS)
            lane = pool.submit(_replay, _file(options, REFERENCE), options, config=LANE)
    public = {name: document for name, document in found.items() if name != REFERENCE}
    if public:
        _public(public, options.precision)
    if lane is not None and attempts is not None:
        _reference(found[REFERENCE], attempts.result(), lane.result(), options.precision)


def _file(options: argparse.Namespace, name: str) -> Path:
    return next(file for file in options.files if file.stem == name)


def _replay(
    file: Path, options: argparse.Namespace, *, config: Path | None = None, attempts: str | None = None
) -> dict[str, Any]:
    clone = options.clones / file.stem
    clone = clone / "repo" if (clone / "repo").is_dir() else clone
    words = ["replay", "-C", str(clone), "--dataset", str(file), "--precision", options.precision, "--json"]
    weights = Path(__file__).parent / "weights" / f"{file.stem}.json"
    if weights.exists():
        words += ["--weights", str(weights)]
    else:
        print(f"{file.stem}: no weights that never saw it, the shipped ones are used", file=sys.stderr)
    if config is not None:
        words += ["--config", str(config), "--lane", "main-to-dev"]
    if attempts is not None:
        words += ["--attempts", attempts]
    done = subprocess.run([sys.executable, "-m", "syncline", *words], stdout=subprocess.PIPE, check=False)
    if done.returncode not in {0, 1}:
        raise SystemExit(f"the replay of {file} ended with {done.returncode}")
    document = json.loads(done.stdout)
    print(f"{file.stem}: {document['hunks']} hunks in {document['seconds']:.0f} s", file=sys.stderr, flush=True)
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
        way = "+lane" if config else "+attempts" if attempts else ""
        (options.keep / f"{file.stem}{way}.json").write_bytes(done.stdout)
    return document


def _public(found: dict[str, dict[str, Any]], precision: str) -> None:
    hunks = sum(document["hunks"] for document in found.values())
    print(f"\n{len(found)} repositories, {hunks} hunks without lock files\n")
    print(f"{'':28}{'answered':>10}{'right':>10}")
    for target in TARGETS:
        _line(f"syncline at {target}", _sum(document["curve"][target] for document in found.values()), hunks)
    for name in STRATEGIES:
        label = f"{name} at {precision}" if name.startswith("syncline") else name
        _line(label, _sum(document["results"][name]["hunks"] for document in found.values()), hunks)
    merges = _sum(document["results"]["syncline"]["merges"] for document in found.values())
    files = _sum(document["results"]["syncline"]["files"] for document in found.values())
    same = _sum(document["results"]["syncline"]["hunks"] for document in found.values())
    print(f"\nthe same in white space that may mean something: {same['same_layout']} of {same['agree']}")
    print(
        f"\nmerges settled wholly: {merges['resolved']}, all right {_share(merges['exact'], merges['resolved'])}"
    )
    print(f"files settled wholly: {files['resolved']}, all right {_share(files['exact'], files['resolved'])}")
    print(f"\n{f'by repository at {precision}':28}{'hunks':>8}{'answered':>10}{'right':>10}")
    for name, document in sorted(found.items()):
        tally = document["results"]["syncline"]["hunks"]
        right, answered = tally["agree"], tally["resolved"]
        low = "  below" if answered > WORST[1] and right < WORST[0] * answered else ""
        of, share = document["hunks"], _share(answered, document["hunks"])
        print(f"{name:28}{of:>8}{share:>10}{_share(right, answered):>10}{low}")
    for title, key in (("by group", "by_group"), ("by resolver", "by_resolver"), ("by file type", "by_suffix")):
        print(f"\n{title:28}{'answered':>10}{'right':>10}{'of':>8}")
        rows: dict[str, Counter[str]] = {}
        for document in found.values():
            for name, tally in document["results"]["syncline"][key].items():
                rows.setdefault(name, Counter()).update(tally)
        for name, tally in sorted(rows.items(), key=lambda row: -row[1]["resolved"])[:20]:
            of = tally["resolved"] + tally["unresolved"]
            print(f"{name:28}{tally['resolved']:>10}{_share(tally['agree'], tally['resolved']):>10}{of:>8}")


def _reference(alone: dict[str, Any], attempts: dict[str, Any], lane: dict[str, Any], precision: str) -> None:
    print(f"\nthe reference lane at {precision}\n\n{'':44}{'hunks':>8}{'answered':>10}{'right':>10}")
    for words, document in (("", alone), (", attempts", attempts)):
        _syncs(f"the three newest syncs{words}", document, lambda date: date > POLICY_TURN, "syncline")
        _syncs("the same, with answers", document, lambda date: date > POLICY_TURN, "syncline+answers")
        _syncs(f"the sync where the policy turned{words}", document, lambda date: date == POLICY_TURN, "syncline")
        _syncs("the same, with answers", document, lambda date: date == POLICY_TURN, "syncline+answers")
        _syncs(f"Python of the four{words}", document, lambda date: date >= POLICY_TURN, "syncline", ".py")
    _syncs("the four, with the lane's own policy", lane, lambda date: date >= POLICY_TURN, "syncline")
    _syncs("the same, lock files counted in", lane, lambda date: date >= POLICY_TURN, "syncline", locks=True)
    for name in STRATEGIES[1:]:
        _syncs(f"the four: {name}", alone, lambda date: date >= POLICY_TURN, name)


def _syncs(
    label: str,
    document: dict[str, Any],
    chosen: Any,
    strategy: str,
    suffix: str | None = None,
    *,
    locks: bool = False,
) -> None:
    results = [merge["results"][strategy] for merge in document["per_merge"] if chosen(merge["date"][:10])]
    tally = _sum(
        result["by_suffix"].get(suffix, {}) if suffix is not None else result["hunks"] for result in results
    )
    if locks:
        tally += _sum(result["locks"] for result in results)
    hunks = tally["resolved"] + tally["unresolved"]
    answered = tally["resolved"]
    print(f"{label:44}{hunks:>8}{_share(answered, hunks):>10}{_share(tally['agree'], answered):>10}")


def _sum(tallies: Iterable[dict[str, int]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for tally in tallies:
        total.update(tally)
    return total


def _line(label: str, tally: Counter[str], hunks: int) -> None:
    print(f"{label:28}{_share(tally['resolved'], hunks):>10}{_share(tally['agree'], tally['resolved']):>10}")


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


if __name__ == "__main__":
    main()
