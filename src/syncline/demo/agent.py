"""The story's scripted agent: reads a task on standard input and answers what the story's engineer would.

It shows the way an agent takes through a lane, and is no intelligence: what it does not know by heart, it leaves.
"""

import json
import sys
from typing import Any

from syncline.demo import shelf
from syncline.demo.engineer import DELETED, REPAIRED

_LEFT = {
    "scripts/launch.sh": "dev replaced it by tinytron/launch.py; main's time limit is still to be added there"
}
"""What is to be said of it by one who may touch no file but the task's."""


def answer(document: dict[str, Any]) -> dict[str, Any]:
    """Return the answer to a task (see `docs/agents.md` for both documents)."""
    right = shelf.texts("settled") | shelf.texts("repaired")
    reasons: list[str] = []
    edits: list[dict[str, Any]] = []
    for path in document["task"]["paths"]:
        if path in DELETED:
            edits.append({"path": path, "delete": True})
            reasons.append(_LEFT.get(path, DELETED[path]))
        elif path in right:
            edits.append({"path": path, "content": right[path]})
            reasons.append(REPAIRED.get(path, "both changes are kept"))
    reason = "; ".join(dict.fromkeys(reasons)) or "the story does not tell"
    return {"version": 1, "reason": reason, "edits": edits}


if __name__ == "__main__":
    json.dump(answer(json.load(sys.stdin)), sys.stdout)
