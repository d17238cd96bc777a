"""Ctrl-C and SIGTERM: one way out for both.

Imports only what the interpreter has loaded already, since it must stand before all else: while `signal` itself
is imported, a SIGTERM would still end the process without a word.
"""

import _signal as signal  # pyrefly: ignore[missing-import]  the type checker knows no built-in of this name
import sys
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_AGAIN = 0.05


class _State:
    asked = False


def listen() -> None:
    """Turn both signals into KeyboardInterrupt from now on, and remember that they came."""
    for number in _SIGNALS:
        # What the caller has switched off (nohup, a background job of a shell) stays off.
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupt)
    sys.unraisablehook = _unraisable


def ignore() -> None:
    """Let nothing interrupt what is left to do."""
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)


def asked() -> bool:
    """Whether one has come. Libraries may have made another error of it: `__set_name__` a RuntimeError."""
    return _State.asked


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    _State.asked = True
    raise KeyboardInterrupt


def _unraisable(lost: "UnraisableHookArgs") -> None:
    """Python drops what is raised in a destructor. An interrupt dropped there comes again a moment later."""
    if not issubclass(lost.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(lost)
        return
    import threading  # noqa: PLC0415 - rarely needed

    # Sent to the main thread itself, so that it also ends what that one waits for.
    main = threading.main_thread().ident
    threading.Timer(_AGAIN, signal.pthread_kill, (main, signal.SIGINT)).start()
