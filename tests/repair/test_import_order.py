"""Orders of imports that fail: brought back as a side had them, and left out where a formatter made them."""

from pathlib import Path

from syncline.repair.formatters import Formatted
from syncline.repair.formatters_proven import without_what_is_worse
from syncline.repair.import_order import _in_order_of, _statements
from syncline.repair.look import looker
from testing.audited import task_of
from tests.repair.test_mends import Case, mended, text_at

ALPHA = "from pkg import Zeta\n\n\nclass Alpha(Zeta):\n    pass\n"
ZETA = "class Zeta:\n    pass\n"
MANY = "".join(f"line_{number} = {number}\n" for number in range(12))
WORKS = "import os\n\n# The order matters.\nfrom .zeta import Zeta\nfrom .alpha import Alpha\n"
CASE = Case(
    base={"pkg/alpha.py": ALPHA, "pkg/zeta.py": ZETA, "pkg/__init__.py": f"{WORKS}{MANY}"},
    ours={"pkg/__init__.py": f"{WORKS}{MANY}ours = os\n"},
    theirs={"pkg/__init__.py": f"{WORKS}from json import (\n    loads,\n)\n{MANY}theirs = loads\n"},
    merged={
        "pkg/__init__.py": "import os\n\n# The order matters.\nfrom .alpha import Alpha\n"
        f"from json import (\n    loads,\n)\nfrom .zeta import Zeta\n{MANY}ours = os\ntheirs = loads\n"
    },
    wanted={
        "pkg/__init__.py": f"{WORKS}from json import (\n    loads,\n)\n{MANY}ours = os\ntheirs = loads\n"
    },
    says="put the imports back into target's order",
)  # fmt: skip


def test_the_order_that_a_side_had_is_brought_back(tmp_path: Path) -> None:
    done, files = mended(tmp_path, CASE)
    assert files == CASE.wanted, done.refused
    assert CASE.says in done.done[0].words
    assert done.left == 0


def order(merged: str, had: str) -> str:
    there, side = _statements(merged.encode()), _statements(had.encode())
    assert there is not None
    assert side is not None
    return b"".join(line for one in _in_order_of(side, there) for line in one.lines).decode()


def test_what_the_side_has_not_stays_beside_its_neighbour() -> None:
    assert order("import c\nimport new\nimport a\nimport b\n", "import a\nimport b\nimport c\n") == (
        "import a\nimport b\nimport c\nimport new\n"
    )
    assert order("import new\nimport b\nimport a\n", "import a\nimport b\n") == "import new\nimport a\nimport b\n"
    assert order("from x import b, a\nimport y\n", "import y\nfrom x import a\nfrom x import b\n") == (
        "import y\nfrom x import b, a\n"
    )
    assert _statements(b"import a; import b\n") is None
    assert _statements(b"import a (\n") is None


def test_a_file_in_which_a_formatter_makes_loading_fail_is_left_out(tmp_path: Path) -> None:
    merged = {**CASE.wanted, "other.py": "a  = 1\n"}
    with task_of(
        tmp_path, {**CASE.base, "other.py": "x = 1\n"}, {**CASE.ours, "other.py": "y = 1\n"}, CASE.theirs,
        {path: text for path, text in merged.items() if text is not None},
    ) as task:  # fmt: skip
        trees = task.trees
        repository, tree = trees.repository, trees.merged_tree
        texts = {"pkg/__init__.py": str(CASE.merged["pkg/__init__.py"]), "other.py": "a = 1\n"}
        edits = {}
        for path, text in texts.items():
            entry = repository.entry(tree, path.encode())
            assert entry is not None
            edits[path.encode()] = type(entry)(entry.mode, repository.write_blob(text.encode()))
        formatted = Formatted(repository.edit_tree(tree, edits), ("isort on 2 merged files",))
        look = looker(repository, None, ours=trees.ours, theirs=trees.theirs)
        kept = without_what_is_worse(repository, tree, formatted, look)
        assert text_at(repository, kept.tree, "pkg/__init__.py") == CASE.wanted["pkg/__init__.py"]
        assert text_at(repository, kept.tree, "other.py") == "a = 1\n"
        assert kept.repairs == formatted.repairs
        assert kept.left_out[0].startswith("without formatters in pkg/__init__.py: it brings what was not there")
