import pytest

from syncline.propose.category import Category, category_of

CASES = [
    ("megatron/core/optimizer.py", Category.SOURCE),
    ("src/main.rs", Category.SOURCE),
    ("csrc/kernel.cu", Category.SOURCE),
    ("examples/run.sh", Category.SOURCE),
    ("Makefile", Category.SOURCE),
    ("CMakeLists.txt", Category.SOURCE),
    ("tests/unit/test_a.py", Category.TESTS),
    ("tests/cases/model_config.yaml", Category.TESTS),
    ("pkg/thing_test.go", Category.TESTS),
    ("web/button.spec.ts", Category.TESTS),
    ("conftest.py", Category.TESTS),
    ("latest/attestation.py", Category.SOURCE),
    ("tests/cases/golden_values_dev_h100.json", Category.GENERATED),
    ("tests/__snapshots__/page.snap", Category.GENERATED),
    ("uv.lock", Category.GENERATED),
    ("sub/package-lock.json", Category.GENERATED),
    ("api/service_pb2.py", Category.GENERATED),
    ("vendor/lib/a.go", Category.GENERATED),
    ("pyproject.toml", Category.DEPENDENCIES),
    ("requirements/dev.txt", Category.DEPENDENCIES),
    ("docker/requirements_ci.txt", Category.DEPENDENCIES),
    ("go.mod", Category.DEPENDENCIES),
    (".gitmodules", Category.DEPENDENCIES),
    (".github/workflows/ci.yml", Category.CI),
    (".gitlab/stages/01.build.yml", Category.CI),
    (".pre-commit-config.yaml", Category.CI),
    (".github/CODEOWNERS", Category.CONFIGURATION),
    ("configs/a.yaml", Category.CONFIGURATION),
    ("docker/Dockerfile.ci.dev", Category.CONFIGURATION),
    ("Dockerfile", Category.CONFIGURATION),
    (".gitignore", Category.CONFIGURATION),
    ("README.md", Category.DOCUMENTATION),
    ("LICENSE", Category.DOCUMENTATION),
    ("docs/images/a.bin", Category.DOCUMENTATION),
    ("CHANGELOG", Category.DOCUMENTATION),
    ("data/weights.bin", Category.OTHER),
    ("noname", Category.OTHER),
    ("", Category.OTHER),
    ("caf\\xe9.txt", Category.DOCUMENTATION),
]


@pytest.mark.parametrize(("path", "category"), CASES)
def test_a_path_belongs_to_one_category(path: str, category: Category) -> None:
    assert category_of(path) is category
