"""What a Python checker's message is about: the name, its owner, the function. Pure."""

import builtins
import re
from dataclasses import dataclass

from syncline.audit.fits.python_tools import FAULTS, Fault

_QUOTED = re.compile(r"`([^`]+)`")
_MEMBER = re.compile(r"(?:attribute|member) `(\w+)`")
_FUNCTION = re.compile(r"(?:in|of|to) (?:bound method|function|method|class|constructor)?\s*`([\w.]+)`")
_ARGUMENT = re.compile(r"(?:argument|parameter|Argument) `(\w+)`")
_REQUIRED = re.compile(r"required parameters? ((?:`\w+`(?:, )?)+)")
_LOST = re.compile(r"(?:Missing argument|required parameters?)")
_MODULE = re.compile(r"(?:in module|Module|module|from) `([\w.]+)`")
_IMPORTED = re.compile(r"Could not import `([\w.]+)`")
_NO_CLASSES = frozenset(
    {*dir(builtins), "builtins", "NoneType", "FunctionType", "MethodType", "ModuleType", "Never", "Unknown"}
)
"""Classes whose members no merge changes: what is said of them comes from what the checker did not understand."""
SELF = "Self"
"""The owner of an attribute of which only the place tells the class."""
_SELF = "Self@"
_SURELY_UNBOUND = "is uninitialized"


@dataclass(frozen=True, slots=True)
class About:
    """What a diagnostic is about."""

    fault: Fault
    symbol: str
    """The plain name that is missing, or that is called in the wrong way."""
    owner: str = ""
    """The class or module that lacks an attribute; the function that is called, with its module where told."""
    arguments: tuple[str, ...] = ()
    """The arguments that are missing or not wanted."""
    lacks: bool = False
    """Whether the call lacks arguments."""


def about(tool: str, rule: str, message: str) -> About | None:
    """Return what a message of `ruff`, `pyrefly` or `ty` is about; None where it tells nothing of a merge."""
    fault = FAULTS[tool][rule]
    quoted = _QUOTED.findall(message)
    if not quoted:
        return None
    if rule == "unbound-name" and _SURELY_UNBOUND not in message:
        return None
    if fault is Fault.ATTRIBUTE:
        return _attribute(message, quoted)
    if fault is Fault.CALL:
        return _call(message)
    if fault is Fault.IMPORT:
        module = _MODULE.search(message)
        imported = _IMPORTED.search(message)
        member = imported or _MEMBER.search(message)
        name = member[1] if member else quoted[0]
        return About(fault, name.rpartition(".")[2] or name, module[1] if module else quoted[0])
    return About(fault, quoted[0])


def _attribute(message: str, quoted: list[str]) -> About | None:
    member = _MEMBER.search(message)
    owners = [word for word in quoted if member is None or word != member[1]]
    if member is None or not owners:
        return None
    owner = owners[0]
    if owner.startswith(_SELF):  # ty: the class around the method
        return About(Fault.ATTRIBUTE, member[1], SELF)
    if not re.fullmatch(r"[\w.]+", owner) or owner in _NO_CLASSES:
        return None
    return About(Fault.ATTRIBUTE, member[1], owner)


def _call(message: str) -> About | None:
    found = _FUNCTION.search(message)
    if found is None:  # called by a name that says nothing of what it is
        return None
    owner = found[1]
    lacks = _LOST.search(message) is not None
    required = _REQUIRED.search(message)
    argument = _ARGUMENT.search(message)
    arguments = tuple(_QUOTED.findall(required[1])) if required else ((argument[1],) if argument else ())
    symbol = called(owner)
    if owner.split(".")[0] in _NO_CLASSES:
        return None
    if arguments and not lacks:
        return About(Fault.CALL, arguments[0], owner, arguments)
    return About(Fault.CALL, symbol, owner, arguments, lacks)


def called(function: str) -> str:
    """Return the name by which people call a function: a class for its `__init__`."""
    parts = function.split(".")
    if parts[-1] in {"__init__", "__new__", "__call__"} and len(parts) > 1:
        return parts[-2]
    return parts[-1]
