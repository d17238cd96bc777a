"""Whether a program is there to be started as `sealed` would start it."""

import os
import shutil

from syncline.search_path import clean_path


def find_program(name: str) -> str | None:
    """Return where a program is: at its whole path, or on PATH without its relative entries; None: nowhere."""
    if "/" in name and not name.startswith("/"):
        return None  # it would be looked for in whatever directory it is started in
    return shutil.which(name, path=clean_path(os.environ.get("PATH", os.defpath)))
