"""Which group a file is in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.merge.file_group import FileGroup, file_group, is_lock

PATHS = {
    FileGroup.LOCK: (
        "uv.lock", "poetry.lock", "a/b/yarn.lock", "package-lock.json", "web/package-lock.json", "go.sum",
        "go.work.sum", "pnpm-lock.yaml", "npm-shrinkwrap.json", "flake.lock",
        "requirements-dev.lock", "gradle.lockfile", "gems.locked",
    ),
    FileGroup.GENERATED: (
        "tests/__snapshots__/a.js", "a.snap", "locale/de/a.po", "i18n/de.json", "vendor/lib/a.go", "dist/app.js",
        "tests/golden_values.json", "golden/a.py", "a_pb2.py", "a_pb2_grpc.pyi", "x.pb.go", "a.min.js", "icon.svg",
        "data.csv", "book.ipynb", "app.desktop",
    ),
    FileGroup.CODE: ("a.py", "src/A.java", "run.sh", "x.tsx", "a.rs", "kernel.cu", "q.sql", "a.vue", "style.scss"),
    FileGroup.DATA: (
        "README.md", "pyproject.toml", "a.json", "conf.yaml", "Makefile", "CODEOWNERS", ".gitignore", "lock",
        "go.summary", "package-lock.json.bak", "a.py.txt", "golden", "locale", "py", "a.PY",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("path", "group"), [(path, group) for group, paths in PATHS.items() for path in paths])
def test_group(path: str, group: FileGroup) -> None:
    assert file_group(path.encode()) is group
    assert is_lock(path.encode()) == (group is FileGroup.LOCK)


@given(st.binary(max_size=30))
def test_every_path_has_one(path: bytes) -> None:
    assert file_group(path) in FileGroup
    assert file_group(b"deep/er/" + path.rpartition(b"/")[2] + b"x.lock") is FileGroup.LOCK
