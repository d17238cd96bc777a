"""Line endings, byte order mark and last newline that the merge changed and no side did."""

import re
from collections.abc import Iterator

from syncline.audit.files.by_hand import mixed_by_hand
from syncline.audit.finding import Finding, Severity
from syncline.audit.task import Task

_BOM = b"\xef\xbb\xbf"
_CONFIG = re.compile(rb"(^|/)\.(gitattributes|editorconfig)$")


def flipped_endings(task: Task) -> Iterator[Finding]:
    """Yield a finding for each file whose line endings, BOM or last newline both sides have and the merge not."""
    trees = task.trees
    if any(_CONFIG.search(file.path) and file.merged not in {file.ours, file.theirs} for file in task.files):
        return  # endings may have been changed on purpose for all files
    for made in mixed_by_hand(task):
        file = made.file
        contents = trees.contents(file)
        if contents is None or not contents.merged:
            continue
        sides = [text for text, entry in ((contents.ours, file.ours), (contents.theirs, file.theirs)) if entry]
        if not sides or not all(sides):
            continue
        here, there = _style(contents.merged), {_style(side) for side in sides}
        if here not in there | {""} and "mixed" not in there and "" not in there:
            severity = Severity.FIX if len(there) == 1 else Severity.LOOK
            was = " and ".join(sorted(there))
            yield Finding(
                "line-endings", severity, file.path,
                f"its line endings are {here} in the merge, {was} on the sides",
                symbol="", text=(f"{was} -> {here}",),
                suggestion=f"write it with {was} endings again" if len(there) == 1 else "write it with one ending",
            )  # fmt: skip
        elif all(side.endswith(b"\n") for side in sides) and not contents.merged.endswith(b"\n"):
            yield _look(file.path, "both sides end it with a newline, the merge does not", "no newline at the end")
        if all(side.startswith(_BOM) for side in sides) and not contents.merged.startswith(_BOM):
            yield _look(file.path, "both sides begin it with a byte order mark, the merge does not", "no BOM")
        elif contents.merged.startswith(_BOM) and not any(side.startswith(_BOM) for side in sides):
            yield _look(file.path, "it begins with a byte order mark that neither side has", "a BOM")


def _style(content: bytes) -> str:
    """Return which line endings a text has: CRLF, LF, mixed; nothing for one without line breaks."""
    breaks, crlf = content.count(b"\n"), content.count(b"\r\n")
    if not breaks:
        return ""
    return "CRLF" if crlf == breaks else "mixed" if crlf else "LF"


def _look(path: bytes, message: str, text: str) -> Finding:
    return Finding("file-edge", Severity.LOOK, path, message, text=(text,))
