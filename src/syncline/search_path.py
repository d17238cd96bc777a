"""Where programs are looked for. Pure."""

import os
from pathlib import Path


def clean_path(path: str) -> str:
    """Drop relative entries of PATH: they could find a program inside a work tree."""
    return os.pathsep.join(entry for entry in path.split(os.pathsep) if Path(entry).is_absolute())
