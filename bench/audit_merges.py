"""What the audit finds in real merges, and what it costs.

    python bench/audit_merges.py known CLONE --accidents FILE --dataset FILE [--last 4] [--show]
    python bench/audit_merges.py clean CLONE... [--merges 25] [--show]
    python bench/audit_merges.py speed CLONE OURS THEIRS [MERGED] [--rounds 3]

`known`: merges with known accidents (a list of `ours`, `theirs`, `merge`, `path`, `needle`): is each named by a
finding of that path? Then the newest merges of a dataset as they landed.
`clean`: merges that git makes without conflict and whose committed tree is git's own: nobody touched them, so a
finding is most likely a false one.
`speed`: CPU against `git diff` of the four trees (base and merge with either side); with checkers, against one
checker run. MERGED may be a tree, as `git merge-tree --write-tree dev main` prints it; left out, it is what a sync
makes of the sides: open files hold one side's version, and wait for people.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from syncline.audit.audit import Audited, audit, audits
from syncline.audit.finding import Finding
from syncline.audit.fits.python_tools import python_tool
from syncline.audit.fits.tool import BESIDE, TREE
from syncline.audit.four_trees import FourTrees
from syncline.audit.task import Task
from syncline.errors import GitError
from syncline.git import CommitId, Entry, Mode, Repository, TreeId
from syncline.git.commit import read_commit
from syncline.git.merge_tree import merge_tree

CHECKERS = "fits"
"""The audit that runs checkers."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ways = parser.add_subparsers(required=True)
    known = ways.add_parser("known")
    known.add_argument("clone", type=Path)
    known.add_argument("--accidents", type=Path, required=True)
    known.add_argument("--dataset", type=Path, required=True)
    known.add_argument("--last", type=int, default=4)
    known.set_defaults(run=_known)
    clean = ways.add_parser("clean")
    clean.add_argument("clones", type=Path, nargs="+")
    clean.add_argument("--merges", type=int, default=25, help="of each clone")
    clean.set_defaults(run=_clean)
    speed = ways.add_parser("speed")
    speed.add_argument("clone", type=Path)
    for name in ("ours", "theirs"):
        speed.add_argument(name)
    speed.add_argument("merged", nargs="?")
    speed.add_argument("--rounds", type=int, default=3)
    speed.set_defaults(run=_speed)
    for way in (known, clean):
        way.add_argument("--show", action="store_true", help="print every finding")
        way.add_argument("--only", help="names of audits, with commas")
    options = parser.parse_args()
    options.run(options)


def _audited(repository: Repository, ours: str, theirs: str, merged: str, options: argparse.Namespace) -> Audited:
    trees = FourTrees(repository, CommitId(ours), CommitId(theirs), CommitId(merged))
    return audit(Task(trees, None), only=options.only.split(",") if options.only else None)


def _known(options: argparse.Namespace) -> None:
    accidents = json.loads(options.accidents.read_bytes())
    landed = json.loads(options.dataset.read_bytes())["merges"][-options.last :]
    merges = {one["merge"]: (one["ours"], one["theirs"]) for one in (*accidents, *landed)}
    named = 0
    with Repository.open(options.clone, keep_objects=False) as repository:
        for merged, (ours, theirs) in merges.items():
            found = _audited(repository, ours, theirs, merged, options)
            here = [one for one in accidents if one["merge"] == merged]
            print(f"{merged[:10]}  {_counts(found)}{f'  {len(here)} accidents' if here else '  landed'}")
            for one in here:
                hits = [finding for finding in found.findings if _names(finding, one["path"], one["needle"])]
                named += bool(hits)
                severity = hits[0].severity.value if hits else "MISSED"
                print(f"    {severity:7} {one['path']} {one['needle']}")
            if options.show:
                _show(found)
    print(f"\n{named} of {len(accidents)} accidents named")


def _names(finding: Finding, path: str, needle: str) -> bool:
    words = (finding.symbol, finding.message, *finding.text)
    return finding.path == path.encode() and any(needle in word for word in words)


def _counts(found: Audited) -> str:
    counts = Counter(finding.severity.value for finding in found.findings)
    listed = "  ".join(f"{counts[name]:3} {name}" for name in ("stop", "fix", "look"))
    seconds = sum(found.seconds.values())
    return f"{listed}  {seconds:5.1f} s" + "".join(f"  NOT RUN {one.name}: {one.why}" for one in found.not_run)


def _show(found: Audited) -> None:
    for finding in found.findings:
        place = finding.path.decode("utf-8", "replace") + (f":{finding.line}" if finding.line else "")
        print(f"    {finding.severity.value:5} {finding.kind:24} {place}  {finding.message}")
        for line in finding.text[:4]:
            print(f"              | {line[:140]}")
        for item in finding.evidence[:3]:
            print(f"              {item.sha[:10]} {item.why[:120]}")


def _clean(options: argparse.Namespace) -> None:
    looked = with_findings = 0
    kinds: Counter[str] = Counter()
    for clone in options.clones:
        with Repository.open(clone, keep_objects=False) as repository:
            for ours, theirs, merged in untouched(repository, clone, options.merges):
                found = _audited(repository, ours, theirs, merged, options)
                looked += 1
                with_findings += bool(found.findings)
                kinds.update(f"{one.severity.value} {one.kind}" for one in found.findings)
                if found.findings or found.not_run:
                    print(f"{clone.parent.name} {merged[:10]}  {_counts(found)}", flush=True)
                    if options.show:
                        _show(found)
    print(f"\n{with_findings} of {looked} clean merges have a finding ({with_findings / max(looked, 1):.1%})")
    for kind, count in kinds.most_common():
        print(f"{count:5} {kind}")


def untouched(repository: Repository, clone: Path, most: int) -> Iterator[tuple[str, str, str]]:
    """Yield merges in which both sides changed something, and whose tree is what git makes of them."""
    words = ["rev-list", "--min-parents=2", "--max-parents=2", "--max-count=4000", "HEAD"]
    done = subprocess.run(["git", "-C", str(clone), *words], capture_output=True, text=True, check=True)
    merges = done.stdout.split()
    step = max(1, len(merges) // (4 * most))
    found = 0
    for merged in merges[::step]:
        if found == most:
            return
        commit = read_commit(repository, CommitId(merged))
        ours, theirs = commit.parents
        trees = {read_commit(repository, parent).tree for parent in commit.parents}
        if commit.tree in trees:
            continue  # a fast-forward in all but name: nothing was put together
        try:
            made = merge_tree(repository, ours, theirs)
        except GitError:
            continue  # the clone lacks objects
        if made.clean and made.tree == commit.tree:
            found += 1
            yield ours, theirs, merged


def _speed(options: argparse.Namespace) -> None:
    ours, theirs = (
        _git(options.clone, "rev-parse", f"{revision}^{{commit}}") for revision in (options.ours, options.theirs)
    )
    merged, waiting = _merged(options, ours, theirs)
    base = _git(options.clone, "merge-base", ours, theirs)
    without = audits().keys() - {CHECKERS}
    diff, four, plain, one, alike, cold, warm = [], [], [], [], [], [], []
    with TemporaryDirectory() as aside, Repository.open(options.clone, keep_objects=False) as repository:
        place = Path(aside) / "tree"
        place.mkdir()
        command = _unpack(options.clone, merged, place)
        tree = TreeId(merged)
        sides = CommitId(ours), CommitId(theirs)
        for number in range(options.rounds):
            diff.append(_cpu(lambda: _git_diff(options.clone, (ours, theirs), merged)))
            four.append(diff[-1] + _cpu(lambda: _git_diff(options.clone, (ours, theirs), base)))
            plain.append(_cpu(lambda: _audit_once(options.clone, sides, tree, waiting, without)))
            one.append(_cpu(lambda: _check(place, _plain_check(place))))
            alike.append(_cpu(lambda: _check(place, command)))
            shutil.rmtree(repository.state_dir / "cache", ignore_errors=True)
            cold.append(_cpu(lambda: _audit_once(options.clone, sides, tree, waiting, {CHECKERS})))
            blob = repository.write_blob(f"x = {number}\n".encode())
            # Another tree than the one whose answers are kept: what the sides say is, what the merge says is not.
            other = repository.edit_tree(tree, {b"another.py": Entry(Mode.FILE, blob)})
            warm.append(_cpu(lambda tree=other: _audit(repository, sides, tree, waiting, {CHECKERS})))
    print(f"git diff of the four trees {median(four):.2f} s CPU, of the merge and its sides {median(diff):.2f}")
    print(
        f"audit without checkers {median(plain):.2f} s: {_times(plain, four)} and {_times(plain, diff)} times that"
    )
    for words, base in (("checker as anyone runs it", one), ("as the audit does", alike)):
        print(f"{words} {median(base):.2f} s; cold {_times(cold, base)}, warm {_times(warm, base)} times that")


def _times(some: Sequence[float], others: Sequence[float]) -> str:
    """Return how many times the others some are: the median of the rounds, and all of them."""
    ratios = sorted(one / other for one, other in zip(some, others, strict=True))
    return f"{median(ratios):.2f} ({', '.join(f'{ratio:.2f}' for ratio in ratios)})"


def _merged(options: argparse.Namespace, ours: str, theirs: str) -> tuple[str, frozenset[bytes]]:
    """Return the merged tree, and the paths in it that wait for people."""
    if options.merged is not None:
        return _git(options.clone, "rev-parse", f"{options.merged}^{{tree}}"), frozenset()
    words = [sys.executable, "-m", "syncline", "merge", "-C", str(options.clone), ours, theirs, "--json"]
    answer = json.loads(subprocess.run(words, capture_output=True, check=False).stdout)
    left = [one["path"] for one in answer["paths"] if one["status"] == "unresolved"]
    return answer["tree"], frozenset(map(os.fsencode, left))


def _git(clone: Path, *words: str) -> str:
    done = subprocess.run(["git", "-C", str(clone), *words], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def _unpack(clone: Path, commit: str, place: Path) -> list[str]:
    """Write a tree with what the checker needs beside it; return the command by which the audit asks it."""
    archive = subprocess.run(["git", "-C", str(clone), "archive", commit], capture_output=True, check=True)
    subprocess.run(["tar", "x", "-C", str(place)], input=archive.stdout, check=True)
    (place / "plain.toml").write_text(
        'project-includes = ["**/*.py"]\nsearch-path = ["."]\nskip-interpreter-query = true\n'
        'ignore-missing-imports = ["*"]\n'
    )
    tool = python_tool("pyrefly", str(Path(sys.executable).with_name("pyrefly")))
    files = (os.fsencode(file.relative_to(place)) for file in sorted(place.rglob("*")) if file.is_file())
    paths = [path for path in files if tool.reads(path)]
    if tool.config is None or tool.prepare is None:
        raise TypeError("a type checker that needs neither configuration nor stubs")
    name, text = tool.config(paths)
    (place / name).write_text(text)
    tool.prepare(place, paths, place.with_name(BESIDE))
    return [word.replace(TREE, str(place)) for word in tool.command]


def _plain_check(place: Path) -> list[str]:
    pyrefly = Path(sys.executable).with_name("pyrefly")
    return [str(pyrefly), "check", "--config", str(place / "plain.toml"), "--output-format", "json"]


def _check(place: Path, words: list[str]) -> None:
    subprocess.run(words, cwd=place, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


def _git_diff(clone: Path, sides: tuple[str, ...], merged: str) -> None:
    for side in sides:
        subprocess.run(["git", "-C", str(clone), "diff", side, merged], stdout=subprocess.DEVNULL, check=True)


def _audit_once(
    clone: Path, sides: tuple[CommitId, CommitId], tree: TreeId, waiting: frozenset[bytes], only: Collection[str]
) -> None:
    with Repository.open(clone, keep_objects=False) as repository:
        _audit(repository, sides, tree, waiting, only)


def _audit(
    repository: Repository,
    sides: tuple[CommitId, CommitId],
    tree: TreeId,
    waiting: frozenset[bytes],
    only: Collection[str],
) -> None:
    audited = audit(Task(FourTrees(repository, *sides, tree), None, waiting), only=only)
    for left in audited.not_run:
        print(f"NOT RUN {left.name}: {left.why}")


def _cpu(work: Callable[[], None]) -> float:
    before = os.times()
    work()
    after = os.times()
    return sum(after[:4]) - sum(before[:4])


if __name__ == "__main__":
    main()
