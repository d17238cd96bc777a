import pytest

from syncline.propose.language import OTHER, language_of

CASES = [
    ("a/b.py", "Python"),
    ("a/b.PY", "Python"),
    ("a.pyi", "Python"),
    ("kernel.cuh", "Cuda"),
    ("a.cpp", "C++"),
    ("a.h", "C"),
    ("x.test.tsx", "TypeScript"),
    ("Dockerfile", "Dockerfile"),
    ("docker/Dockerfile.ci.dev", "Dockerfile"),
    ("Makefile.am", "Makefile"),
    ("CMakeLists.txt", "CMake"),
    ("uv.lock", "TOML"),
    (".gitignore", "Git configuration"),
    ("golden.json", "JSON"),
    ("a.yml", "YAML"),
    ("LICENSE", "Text"),
    ("README.md", "Markdown"),
    ("notebook.ipynb", "Jupyter Notebook"),
    (".py", OTHER),
    ("py", OTHER),
    ("model.bin", OTHER),
    ("dir.py/file", OTHER),
    ("", OTHER),
]


@pytest.mark.parametrize(("path", "language"), CASES)
def test_a_name_tells_the_language(path: str, language: str) -> None:
    assert language_of(path) == language
