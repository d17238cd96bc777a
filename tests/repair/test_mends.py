"""Faults planted in real merges, mended and proven: what is mended reads as somebody would have it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from syncline.audit.finding import Edit, EvidenceCommit, Finding, Severity
from syncline.config.models import Lane, PathRule
from syncline.git import CommitId, Entry, Repository, TreeId
from syncline.git.tree import Mode
from syncline.repair import known
from syncline.repair.look import looker
from syncline.repair.mend import Mend, clash, compatible, edited
from syncline.repair.prove import Mended, mend_tree
from testing.audited import task_of
from testing.content import Content, File


@dataclass(frozen=True)
class Case:
    """Four trees, and what the mended one has."""

    base: Mapping[str, Content]
    ours: Mapping[str, Content]
    theirs: Mapping[str, Content]
    merged: Mapping[str, Content]
    wanted: Mapping[str, str | None]
    """Text by path; None where nothing is."""
    says: str
    """A part of what is told."""
    delete: tuple[Sequence[str], Sequence[str], Sequence[str]] = ((), (), ())
    left: int = 0


FILLER = "".join(f"LINE_{number} = {number}\n" for number in range(8))
CLIP = "def clip(grads, limit):\n    total = sum(grads)\n    return [grad * limit / total for grad in grads]\n"
HELPER = "def helper(x):\n    y = x + 1\n    z = y * 2\n    return z\n"

CASES = {
    "an import that was dropped": Case(
        base={"a.py": f"import os\n{FILLER}\n\ndef f():\n    return 1\n"},
        ours={"a.py": f"import os\nimport sys\n{FILLER}\n\ndef f():\n    return sys.argv\n"},
        theirs={"a.py": f"import os\n{FILLER}LINE_8 = 8\n\n\ndef f():\n    return 1\n"},
        merged={"a.py": f"import os\n{FILLER}LINE_8 = 8\n\n\ndef f():\n    return sys.argv\n"},
        wanted={"a.py": f"import os\nimport sys\n{FILLER}LINE_8 = 8\n\n\ndef f():\n    return sys.argv\n"},
        says="put in 1 line: `import sys`",
    ),
    "a parameter that stands twice": Case(
        base={"a.py": f"def f(a):\n    return a\n\n\n{FILLER}"},
        ours={"a.py": f"def f(a, eos=None):\n    return a or eos\n\n\n{FILLER}"},
        theirs={"a.py": f"def f(a, eos=None):\n    return a or eos\n\n\n{FILLER}LINE_8 = 8\n"},
        merged={
            "a.py": f"def f(a, eos=None, eos=None):\n    return a or eos\n\n\n{FILLER}LINE_8 = 8\nLINE_9 = 9\n"
        },
        wanted={"a.py": f"def f(a, eos=None):\n    return a or eos\n\n\n{FILLER}LINE_8 = 8\nLINE_9 = 9\n"},
        says="does-not-compile",
    ),
    "a function that stands twice": Case(
        base={"a.py": f"{FILLER}"},
        ours={"a.py": f"{FILLER}\n\n{HELPER}"},
        theirs={"a.py": f"START = 0\n{FILLER}\n\n{HELPER}"},
        merged={"a.py": f"START = 0\nSTOP = 1\n{FILLER}\n\n{HELPER}\n\n{HELPER}"},
        wanted={"a.py": f"START = 0\nSTOP = 1\n{FILLER}\n\n{HELPER}\n\n"},
        says="doubled `helper`",
    ),
    "a file that something imports": Case(
        base={"pkg/__init__.py": "", "pkg/a.py": FILLER},
        ours={"pkg/new.py": HELPER, "pkg/a.py": f"from pkg.new import helper\n\n{FILLER}X = helper(1)\n"},
        theirs={"other.txt": "x\n"},
        merged={},
        delete=((), (), ("pkg/new.py",)),
        wanted={"pkg/new.py": HELPER},
        says="restore the file as target has it",
    ),
    "an executable bit": Case(
        base={"run.sh": "#!/bin/sh\n"},
        ours={"run.sh": File("#!/bin/sh\n", executable=True)},
        theirs={"x.txt": "x\n"},
        merged={"run.sh": File("#!/bin/sh\n")},
        wanted={"run.sh": "#!/bin/sh\n"},
        says="make it executable",
    ),
    "line endings": Case(
        base={"a.txt": "1\r\n2\r\n3\r\n4\r\n"},
        ours={"a.txt": "0\r\n1\r\n2\r\n3\r\n4\r\n"},
        theirs={"a.txt": "1\r\n2\r\n3\r\n4\r\n5\r\n"},
        merged={"a.txt": "0\n1\n2\n3\n4\n5\n"},
        wanted={"a.txt": "0\r\n1\r\n2\r\n3\r\n4\r\n5\r\n"},
        says="CRLF line endings",
    ),
    "a name that source renamed": Case(
        base={"lib.py": f"{CLIP}\n\n{FILLER}"},
        ours={"use.py": "from lib import clip\n\n\ndef go(grads):\n    return clip(grads, limit=2)\n"},
        theirs={"lib.py": f"{CLIP.replace('clip', 'clip_norm')}\n\n{FILLER}"},
        merged={},
        wanted={
            "use.py": "from lib import clip_norm\n\n\ndef go(grads):\n    return clip_norm(grads, limit=2)\n"
        },
        says="as source renamed it in lib.py",
    ),
    "a definition that got lost with the file taken whole": Case(
        base={"lib.py": f"import os\n\n\ndef old(x):\n    return x\n\n\n{FILLER}"},
        ours={"lib.py": f"import os\n\n\ndef old(x):\n    return x\n\n\n{FILLER}LINE_8 = 8\n"},
        theirs={
            "lib.py": "import os\n\n\ndef old(x):\n    return x\n\n\n"
            "def fresh(x):\n    return _inner(x) + 1\n\n\n"
            f"def _inner(x):\n    return x * 2\n\n\ndef beside(x):\n    return x\n\n\n{FILLER}",
            "use.py": "from lib import fresh\n\n\ndef go(x):\n    return fresh(x)\n",
        },
        merged={"lib.py": f"import os\n\n\ndef old(x):\n    return x\n\n\n{FILLER}LINE_8 = 8\n"},
        wanted={
            "lib.py": "import os\n\n\ndef old(x):\n    return x\n\n\n"
            "def fresh(x):\n    return _inner(x) + 1\n\n\n"
            f"def _inner(x):\n    return x * 2\n\n\n{FILLER}LINE_8 = 8\n"
        },
        says="bring back `fresh` as source has it",
    ),
    "a parameter that got lost with the file taken whole": Case(
        base={"lib.py": f"def scale(x):\n    return x\n\n\n{FILLER}"},
        ours={"lib.py": f"def scale(x):\n    return x\n\n\n{FILLER}LINE_8 = 8\n"},
        theirs={
            "lib.py": f"def scale(x, by=1):\n    return x * by\n\n\n{FILLER}",
            "use.py": "from lib import scale\n\n\ndef go(x):\n    return scale(x, by=3)\n",
        },
        merged={"lib.py": f"def scale(x):\n    return x\n\n\n{FILLER}LINE_8 = 8\n"},
        wanted={"lib.py": f"def scale(x, by=1):\n    return x * by\n\n\n{FILLER}LINE_8 = 8\n"},
        says="take `scale` as source changed it; target left it alone",
    ),
    "a key of a configuration": Case(
        base={"c.toml": "[a]\nx = 1\ny = 2\n\n[b]\nz = 3\n"},
        ours={"c.toml": "[a]\nx = 1\nnew = 5\ny = 2\n\n[b]\nz = 3\n"},
        theirs={"c.toml": "[a]\nx = 1\ny = 2\n\n[b]\nz = 4\n"},
        merged={"c.toml": "[a]\nx = 1\ny = 2\n\n[b]\nz = 4\n"},
        wanted={"c.toml": "[a]\nx = 1\nnew = 5\ny = 2\n\n[b]\nz = 4\n"},
        says="put in",
    ),
    "nothing that a machine could know": Case(
        base={"lib.py": f"def save(x):\n    return x\n\n\n{FILLER}"},
        ours={"lib.py": f"def save(x, state):\n    return x, state\n\n\n{FILLER}"},
        theirs={"use.py": "from lib import save\n\n\ndef go(x):\n    return save(x)\n"},
        merged={},
        wanted={"use.py": "from lib import save\n\n\ndef go(x):\n    return save(x)\n"},
        says="",
        left=1,
    ),
}  # fmt: skip


def mended(place: Path, case: Case, lane: Lane | None = None) -> tuple[Mended, dict[str, str | None]]:
    with task_of(
        place, case.base, case.ours, case.theirs, case.merged, delete=case.delete, lane=lane
    ) as task:  # fmt: skip
        trees = task.trees
        look = looker(trees.repository, lane, ours=trees.ours, theirs=trees.theirs)
        done = mend_tree(trees.repository, trees.merged_tree, look, seconds=600)
        return done, {path: text_at(trees.repository, done.tree, path) for path in case.wanted}


def text_at(repository: Repository, tree: TreeId, path: str) -> str | None:
    entry = repository.entry(tree, path.encode())
    return repository.blob(entry.oid).decode() if entry is not None else None


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_planted_fault_is_mended(tmp_path: Path, case: Case) -> None:
    done, files = mended(tmp_path, case)
    told = [mend.words for mend in done.done]
    assert files == case.wanted, (told, done.refused)
    assert (case.says in " ".join(told)) if case.says else not told
    assert done.left == case.left
    assert all("\n" not in words for words in told)


def test_what_would_make_it_worse_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = CASES["an import that was dropped"]

    def bad(_task: object, finding: Finding) -> list[Mend]:
        broken = Mend(
            finding, "break it", edits=(Edit(b"a.py", 0, 1, (b"import os\n", b"import sys\n", b"def (\n")),)
        )
        nothing = Mend(finding, "do nothing", edits=(Edit(b"a.py", 1, 1, (b"# sys\n",)),))
        beyond = Mend(finding, "edit what is not there", edits=(Edit(b"a.py", 900, 901, ()),))
        return [broken, nothing, beyond]

    monkeypatch.setattr(known, "_KINDS", (bad,))
    done, files = mended(tmp_path, case)
    assert files["a.py"] == case.merged["a.py"]
    assert (done.done, done.left) == ((), 1)
    why = [one.why for one in done.refused]
    assert len(why) == 3
    assert "brings what was not there before" in why[0]
    assert "still there" in why[1]
    assert "does not fit" in why[2]


def test_a_bad_mend_costs_the_others_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["an import that was dropped", "a key of a configuration", "line endings"]
    cases = [CASES[name] for name in names]
    whole = Case(
        *({path: text for case in cases for path, text in getattr(case, tree).items()}
          for tree in ("base", "ours", "theirs", "merged", "wanted")),
        says="",
    )  # fmt: skip
    kinds = known._KINDS

    def one_is_bad(task: object, finding: Finding) -> list[Mend]:
        if finding.path == b"a.txt":
            return [
                Mend(
                    finding,
                    "break it",
                    edits=(Edit(b"a.txt", 0, 1, (b"<<<<<<< a\n", b"=======\n", b">>>>>>> b\n")),),
                )
            ]
        return [mend for kind in kinds for mend in kind(task, finding)]  # type: ignore[arg-type]

    monkeypatch.setattr(known, "_KINDS", (one_is_bad,))
    done, files = mended(tmp_path, whole)
    assert files == {**whole.wanted, "a.txt": cases[2].merged["a.txt"]}
    assert [one.mend.finding.path for one in done.refused] == [b"a.txt"]


def test_out_of_time_it_leaves_the_tree_as_it_is(tmp_path: Path) -> None:
    case = CASES["line endings"]
    with task_of(tmp_path, case.base, case.ours, case.theirs, case.merged) as task:
        trees = task.trees
        look = looker(trees.repository, None, ours=trees.ours, theirs=trees.theirs)
        done = mend_tree(trees.repository, trees.merged_tree, look, seconds=0)
        assert done.tree == trees.merged_tree
        assert ["no time left" in one.why for one in done.refused] == [True]


def test_what_a_rule_settles_in_any_case_is_left_alone(tmp_path: Path) -> None:
    lane = Lane(
        name="l", source="main", target="dev", paths=(PathRule(match=("lib.py",), take="ours", when="always"),)
    )
    case = CASES["a parameter that got lost with the file taken whole"]
    done, files = mended(tmp_path, case, lane)
    assert files["lib.py"] == case.merged["lib.py"]
    assert done.left == 1


def finding(path: bytes = b"a", line: int = 1, severity: Severity = Severity.FIX) -> Finding:
    return Finding("k", severity, path, "m", line=line)


def test_mends_that_contradict_each_other_are_settled_in_their_order() -> None:
    first = Mend(finding(), "first", edits=(Edit(b"a", 1, 3, (b"x\n",)),))
    second = Mend(finding(), "second", edits=(Edit(b"a", 2, 4, ()),))
    put, beside = (Mend(finding(), "put", edits=(Edit(b"a", 3, 3, (text,)),)) for text in (b"1\n", b"2\n"))
    inside = Mend(finding(), "inside", edits=(Edit(b"a", 2, 2, (b"3\n",)),))
    whole = Mend(finding(), "whole", entries=((b"a", None),))
    elsewhere = Mend(finding(b"b"), "elsewhere", entries=((b"b", None),))
    kept, out = compatible([first, second, put, beside, inside, whole, elsewhere])
    assert kept == [first, put, beside, elsewhere]
    assert [one.what for one, _ in out] == ["second", "inside", "whole"]
    assert all(clash(one, against) and clash(against, one) for one, against in out)
    assert edited(b"0\n1\n2\n3\n", [edit for mend in kept for edit in mend.edits]) == b"0\nx\n1\n2\n3\n"


def test_the_words_of_commits_do_not_reach_the_message() -> None:
    told = Finding(
        "k",
        Severity.FIX,
        b"a\nb",
        "m",
        evidence=(EvidenceCommit(CommitId("a" * 40), "added it: fixes #12\n@all"),),
    )
    words = Mend(told, "do", entries=((b"a\nb", Entry(Mode.FILE, CommitId("b" * 40))),)).words
    assert "aaaaaaaaaa added it" in words
    assert "#12" not in words
    assert "\n" not in words
