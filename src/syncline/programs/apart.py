"""Running a program apart from this machine's processes, and from the network, where the kernel lets us.

By the namespaces of Linux, through util-linux's `unshare`: a user namespace (what runs there may not look into
processes outside, whatever its user), a process namespace (all that was started there ends with its first
process), and a network namespace without any device. See unshare(1), user_namespaces(7), pid_namespaces(7).
"""

import sys
import tempfile
from functools import cache
from pathlib import Path

from syncline.checks.model import Conclusion
from syncline.programs.logfile import BoundedLog
from syncline.programs.sealed import run_sealed

_OWN_USER = ("unshare", "--user", "--map-current-user")
_OWN_PROCESSES = ("--pid", "--fork", "--kill-child", "--mount-proc")
_NO_NETWORK = "--net"
_PROBE_SECONDS = 20.0
_CONFINE = str(Path(__file__).with_name("confine.py"))


def confined(*directories: Path) -> tuple[str, ...]:
    """Return what to put before a program's arguments, so that it writes only below these directories.

    Where the kernel has no Landlock it can write wherever its user can (see `confine`).
    """
    return (sys.executable, "-I", "-S", _CONFINE, *map(str, directories), "--")


@cache
def apart(*, network: bool) -> tuple[str, ...] | None:
    """Return what to put before a program's arguments, so that it runs apart; asked of the kernel once.

    Args:
        network: whether it may reach the network. If so and no namespace can be had, nothing is put before.

    Returns:
        The words; None where the network was to be shut off and cannot be.
    """
    end = () if network else (_NO_NETWORK,)
    for words in ((*_OWN_USER, *_OWN_PROCESSES, *end, "--"), (*_OWN_USER, *end, "--")):
        if _works(words):
            return words
    return () if network else None


def _works(words: tuple[str, ...]) -> bool:
    with tempfile.TemporaryDirectory(prefix="syncline-probe-") as place:
        where = Path(place)
        with BoundedLog(where / "log") as log:
            ended = run_sealed([*words, "true"], where, _PROBE_SECONDS, log)
    return ended.conclusion is Conclusion.SUCCESS
