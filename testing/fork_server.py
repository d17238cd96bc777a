"""The process of which `testing.forked` has its runs forked: it has imported syncline, and has run nothing of it.

    python -P testing/fork_server.py FD

reads requests from the socket FD: one byte with four files (the request as JSON, standard input, output and error
of the run). It answers with the pid of the run, and with its exit code once it has ended, eight bytes each.
"""

import contextlib
import importlib
import json
import os
import pkgutil
import random
import socket
import struct
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any, NoReturn

LAZY = (
    "rich.console", "rich.progress", "rich.table", "rich.markup", "rich.text", "rich.traceback", "tree_sitter",
    "tree_sitter_python", "jinja2", "githubkit", "githubkit.auth", "tomlkit", "yaml", "sqlite3", "zipfile", "html",
    "concurrent.futures", "asyncio", "hmac", "difflib", "xml.etree.ElementTree",
)  # fmt: skip
"""What commands import when they need it; what is not installed is left out."""


def main() -> None:
    """Serve until nobody is there any more."""
    import_all()
    with socket.socket(fileno=int(sys.argv[1])) as sock:
        while True:
            word, files, _flags, _address = socket.recv_fds(sock, 1, 4)
            if not word:
                return
            pid = os.fork()
            if pid == 0:
                sock.close()
                become(files)
            for file in files:
                os.close(file)
            sock.sendall(struct.pack("!q", pid))
            _, status = os.waitpid(pid, 0)
            sock.sendall(struct.pack("!q", os.waitstatus_to_exitcode(status)))


def import_all() -> None:
    """Import every module of syncline, and what its commands import later."""
    import syncline  # noqa: PLC0415 - not where only this module's name is wanted

    for module in pkgutil.walk_packages(syncline.__path__, "syncline."):
        # `__main__` runs when it is imported; others want extras.
        if not module.name.endswith("__main__") and module.name != "syncline.demo.agent":
            with contextlib.suppress(ImportError):
                importlib.import_module(module.name)
    for name in LAZY:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    sys.path.append(str(Path(__file__).parents[1]))  # for testing.kill


def become(files: list[int]) -> NoReturn:
    """Become the process that was asked for, run it, and end."""
    with os.fdopen(files[0], "rb") as file:
        request: dict[str, Any] = json.load(file)
    for number, at in enumerate(files[1:]):
        os.dup2(at, number)
        os.close(at)
    try:
        os.chdir(request["cwd"])
        os.environ.clear()
        os.environ.update(request["env"])
        time.tzset()
        tempfile.tempdir = None
        random.seed()
        # As Python opens them in a UTF-8 locale.
        sys.stdin = open(0, encoding="utf-8", errors="surrogateescape")  # noqa: SIM115
        sys.stdout = open(1, "w", encoding="utf-8", errors="surrogateescape")  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1)  # noqa: SIM115
        sys.argv = ["syncline", *request["args"]]
        if request["kill"] is not None:
            from testing.kill import run_to  # noqa: PLC0415

            run_to(request["kill"], request["args"])
        from syncline.cli.main import main as run  # noqa: PLC0415

        run()
    except SystemExit as ended:
        sys.stdout.flush()
        os._exit(ended.code if isinstance(ended.code, int) else 1)
    except BaseException:  # noqa: BLE001 - as the interpreter does at its end
        traceback.print_exc()
        sys.stderr.flush()
    os._exit(1)


if __name__ == "__main__":
    main()
