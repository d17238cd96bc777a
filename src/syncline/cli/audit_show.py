"""How `syncline audit` shows what it found."""

import sys

from syncline.audit.explain.told import Told
from syncline.cli.audit import Format
from syncline.cli.text import harmless, print_json, say


def show(told: Told, output: Format, *, verbose: bool) -> None:
    """Write the result to standard output, and to standard error what did not run: nobody may miss that."""
    # Each format is imported for those who ask for it.
    if output is Format.JSON:
        print_json(told.as_json())
    elif output is Format.SARIF:
        from syncline.audit.explain.sarif import sarif  # noqa: PLC0415

        print_json(sarif(told))
    elif output is Format.MARKDOWN:
        from syncline.audit.explain.markdown import render_markdown  # noqa: PLC0415

        _write(render_markdown(told))
    elif output is Format.HTML:
        from syncline.audit.explain.html import render_html  # noqa: PLC0415

        _write(render_html(told))
    else:
        from syncline.audit.explain.text import lines  # noqa: PLC0415

        for line in lines(told, verbose=verbose):
            say(line)
    sys.stdout.flush()
    for part in told.not_run:
        words = harmless(f"not run: {part.name}: {' '.join(part.why.split())}")
        sys.stderr.write(words + "\n")


def _write(text: str) -> None:
    """Write a document in UTF-8, which it says it is in, whatever the locale."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.rstrip("\n").encode("utf-8", "backslashreplace") + b"\n")
    sys.stdout.buffer.flush()
