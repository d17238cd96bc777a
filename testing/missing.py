"""Takes objects out of a repository, as a damaged or partial clone lacks them."""

import subprocess
from pathlib import Path

from testing.sealed import sealed_environment, sealed_home


def lose(git_dir: Path, oid: str) -> None:
    """Take one object away."""
    explode(git_dir)
    (git_dir / "objects" / oid[:2] / oid[2:]).unlink()


def explode(git_dir: Path) -> None:
    """Make loose objects of packed ones."""
    environment = sealed_environment(sealed_home())
    for pack in list((git_dir / "objects" / "pack").glob("*.pack")):
        content = pack.read_bytes()
        for part in pack.parent.glob(pack.stem + ".*"):
            part.unlink()
        unpack = ["git", "-C", str(git_dir), "unpack-objects", "-q"]
        subprocess.run(unpack, input=content, env=environment, check=True)
