"""Root may write anywhere; here is how a test makes modes of files count for it, too.

Only the capability to override them is given up (capabilities(7)), so all that can be read stays readable.
For any other user there is nothing to give up.
"""

import ctypes
import os
from collections.abc import Generator
from contextlib import contextmanager

_DAC_OVERRIDE, _DAC_READ_SEARCH = 1, 2
_PR_CAPBSET_DROP = 24
_VERSION_3 = 0x20080522


def drop_override() -> None:
    """Give it up for good, in a child before its program starts: a `preexec_fn`."""
    if os.geteuid() == 0:
        libc = ctypes.CDLL(None, use_errno=True)
        for capability in (_DAC_OVERRIDE, _DAC_READ_SEARCH):
            if libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0):
                raise OSError(ctypes.get_errno(), "prctl")


@contextmanager
def without_override() -> Generator[None]:
    """Do without it in this thread while the block runs; programs started here have it again."""
    if os.geteuid() != 0:
        yield
        return
    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(_VERSION_3, 0)
    before = (ctypes.c_uint32 * 6)()
    if libc.capget(header, before):
        raise OSError(ctypes.get_errno(), "capget")
    lowered = (ctypes.c_uint32 * 6)(*before)
    lowered[0] &= ~(1 << _DAC_OVERRIDE | 1 << _DAC_READ_SEARCH)
    if libc.capset(header, lowered):
        raise OSError(ctypes.get_errno(), "capset")
    try:
        yield
    finally:
        if libc.capset(header, before):
            raise OSError(ctypes.get_errno(), "capset")
