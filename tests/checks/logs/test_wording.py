"""Words of a message that change from run to run are no part of it."""

import pytest

from syncline.checks.logs.wording import normalised


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("no such file /tmp/pytest-of-me/pytest-12/a0/x.py: gone", "no such file <temporary>: gone"),
        ("at /tmp/tmpab12cd", "at <temporary>"),
        ("in /var/tmp/build.7 and /home/me/temp/x", "in <temporary> and <temporary>"),
        ("/template/tmpl.html of /srv/tmpfs", "/template/tmpl.html of /srv/tmpfs"),
        ("got 3 of 10 at 0x7f00", "got <number> of <number> at <address>"),
        ("fp16 on H100", "fp16 on H100"),
    ],
)
def test_words(message: str, words: str) -> None:
    assert normalised(message) == words
