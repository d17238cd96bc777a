"""What GitHub refuses of a push, in its own words: for the bare repository that clients push to.

git asks the hook `proc-receive` (https://git-scm.com/docs/githooks#proc-receive), which may give a reason for each
ref; it moves the refs that it does not refuse itself. No hook is there until a rule is.
"""

import json
import sys
from pathlib import Path
from typing import NamedTuple

from testing.sealed import git

_HOOK = """#!{python}
import fnmatch, json, subprocess, sys
rules = json.load(open({rules!r}))
read, write = sys.stdin.buffer, sys.stdout.buffer
def packet():
    size = int(read.read(4), 16)
    return read.read(size - 4) if size else None
def send(text):
    data = text.encode()
    write.write(b"%04x" % (len(data) + 4) + data)
def flush():
    write.write(b"0000")
    write.flush()
while packet() is not None:
    pass
send("version=1\\n")
flush()
commands = []
while (line := packet()) is not None:
    commands.append(line.decode().strip().split(" ", 2))
for old, new, ref in commands:
    rule = next((one for one in rules if fnmatch.fnmatchcase(ref, one["ref"])), None)
    if rule:
        sys.stderr.write(rule["says"].replace("REF", ref))
        sys.stderr.flush()
        send("ng " + ref + " " + rule["reason"])
        continue
    gone = set(new) == {{"0"}}
    moved = subprocess.run(["git", "update-ref", *(["-d", ref, old] if gone else [ref, new, old])])
    send("ok " + ref if moved.returncode == 0 else "ng " + ref + " failed to update ref")
flush()
"""


class Refusal(NamedTuple):
    """What stands beside a refused ref, and what is said above it (`remote: ...`); `REF` stands for its name."""

    reason: str
    says: str


PROTECTED = Refusal(
    "protected branch hook declined",
    "error: GH006: Protected branch update failed for REF.\nerror: Changes must be made through a pull request.\n",
)
RULES = Refusal(
    "push declined due to repository rule violations",
    "error: GH013: Repository rule violations found for REF.\n\n- Commits must have verified signatures.\n",
)
LARGE_FILE = Refusal(
    "pre-receive hook declined",
    "error: Trace: 1\nerror: See https://gh.io/lfs for more information.\n"
    "error: File big.bin is 120.00 MB; this exceeds GitHub's file size limit of 100.00 MB\n"
    "error: GH001: Large files detected. You may want to try Git Large File Storage - https://git-lfs.github.com.\n",
)
WORKFLOW = Refusal(
    "refusing to allow a Personal Access Token to create or update workflow `.github/workflows/ci.yml` without "
    "`workflow` scope",
    "",
)
SECRET = Refusal(
    "push declined due to repository rule violations",
    "error: GH013: Repository rule violations found for REF.\n\n- GITHUB PUSH PROTECTION\n"
    "  - Push cannot contain secrets\n",
)


def refuse_pushes(bare: Path, ref: str, refusal: Refusal) -> None:
    """Refuse pushes to refs that match (`refs/heads/main`, `refs/heads/*`), from now on."""
    rules = bare / "push-rules.json"
    known = json.loads(rules.read_text(encoding="utf-8")) if rules.exists() else []
    known.append({"ref": ref, "reason": refusal.reason, "says": refusal.says})
    rules.write_text(json.dumps(known), encoding="utf-8")
    hook = bare / "hooks" / "proc-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(_HOOK.format(python=sys.executable, rules=str(rules)), encoding="utf-8")
    hook.chmod(0o755)
    git(bare, "config", "--replace-all", "receive.procReceiveRefs", "refs")


def accept_pushes(bare: Path) -> None:
    """Refuse nothing any more."""
    (bare / "push-rules.json").write_text("[]", encoding="utf-8")
