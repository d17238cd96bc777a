"""Kinds of text a configuration holds, each with its rule. A rule's ValueError says what is wanted.

The order of the annotations matters: pydantic applies them from left to right.
"""

import re
import warnings
from collections.abc import Callable, Mapping
from ipaddress import ip_address
from typing import Annotated
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BeforeValidator, Strict

from syncline.config import template
from syncline.config.cron import Cron
from syncline.config.crosscheck import GIT_DIRECTORY
from syncline.config.keypath import shorten
from syncline.config.refname import branch_fault

_LONGEST_NAME = 100
# GitHub refuses longer labels; other forges allow more.
_LONGEST_LABEL = 50
_LANE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*")
_REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*/[A-Za-z0-9._-]+")
_REVIEWER = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*(?:\[bot\])?(?:/[A-Za-z0-9._-]+)?")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# How GitHub's tokens begin.
_TOKEN = re.compile(r"gh[a-z]_|github_pat_")


def _name(text: str) -> str:
    if not text or text != text.strip() or not text.isprintable() or len(text) > _LONGEST_NAME:
        raise ValueError(f"wanted 1 to {_LONGEST_NAME} printable characters without outer spaces")
    return text


def _workflow(text: str) -> str:
    if text and not re.fullmatch(r"[\w][\w .-]*\.ya?ml", text):
        raise ValueError('wanted the name of a file in .github/workflows, like "parents.yml"')
    return text


def _lane_name(text: str) -> str:
    """A lane's name is a part of ref names and file names."""
    if (
        not _LANE_NAME.fullmatch(text)
        or ".." in text
        or text.endswith((".", ".lock"))
        or len(text) > _LONGEST_NAME
    ):
        raise ValueError(
            "a lane's name is made of A-Z a-z 0-9 . _ - (it becomes part of branch and file names): not first"
            f' a dot or dash, no "..", not last "." or ".lock", at most {_LONGEST_NAME} characters'
        )
    return text


def _label(text: str) -> str:
    if not text.strip() or not text.isprintable() or len(text) > _LONGEST_LABEL:
        raise ValueError(f"wanted 1 to {_LONGEST_LABEL} printable characters")
    return text


def _line_of_text(text: str) -> str:
    if not text.strip() or not text.isprintable():
        raise ValueError("wanted one line of printable text")
    return text


def _branch(text: str) -> str:
    if fault := branch_fault(text):
        raise ValueError(f"wanted a branch name git accepts; {fault}")
    return text


def _remote(text: str) -> str:
    """A configured remote's name, or "." for this repository's own branches, as git itself writes it."""
    if "://" in text or "@" in text:
        raise ValueError(
            "wanted the name of a remote, not its address: give it a name with `git remote add NAME URL`"
        )
    if text != "." and (fault := branch_fault(text)):
        raise ValueError(f'wanted the name of a remote, or "." for local branches; {fault}')
    return text


def _pattern(text: str) -> str:
    """A gitignore-style pattern that can match something; https://git-scm.com/docs/gitignore."""
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern  # noqa: PLC0415 - slow to import

    if text.startswith("!"):
        raise ValueError(
            "negated patterns are not allowed: the first match wins, so put an earlier rule for these paths"
            ' ("\\!" is a literal !)'
        )
    if text.startswith("#"):
        raise ValueError('a pattern that starts with "#" is a comment and matches nothing; write "\\#"')
    if "\0" in text or "\n" in text:
        raise ValueError("wanted a pattern without NUL and line breaks")
    if text.startswith(("./", "../")):
        raise ValueError('patterns start at the root of the repository: leave out "./" and "../"')
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # "[[a]" is odd, not wrong
            matches = GitIgnoreSpecPattern(text).include
    except (ValueError, re.error, OverflowError, RecursionError):
        matches = None
    if not matches:
        raise ValueError("wanted a gitignore-style pattern that can match a path")
    return text


def _regex(text: str) -> str:
    if not text:
        raise ValueError("wanted a regular expression; an empty one matches every name (write .* for that)")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(text, re.IGNORECASE)
    except (ValueError, re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"wanted a regular expression; {error}") from None
    return text


def _no_nul(text: str) -> str:
    if "\0" in text:
        raise ValueError("wanted a text without NUL")
    return text


def _command(words: tuple[str, ...]) -> tuple[str, ...]:
    if not words or not words[0].strip():
        raise ValueError('wanted a command as a list of its words, as in ["python", "-m", "pytest"]')
    return words


def _environment_name(text: str) -> str:
    if not text or "=" in text or "\0" in text:
        raise ValueError("wanted a variable's name: not empty, without = and NUL")
    return text


def _pairs(value: object) -> object:
    if isinstance(value, Mapping):
        return tuple(value.items())
    if not isinstance(value, tuple):
        raise ValueError('wanted a table of texts, as in { NAME = "value" }')  # noqa: TRY004 - told by pydantic
    return value


def _person_part(text: str) -> str:
    """A name or address git can write into a commit; https://git-scm.com/docs/git-commit-tree#_commit_information."""
    if not _line_of_text(text) or text != text.strip() or "<" in text or ">" in text:
        raise ValueError("wanted one line without <, > and outer spaces")
    if not text.strip(".,:;\"\\'"):
        raise ValueError("wanted more than punctuation (git strips it)")
    return text


def _signing_key(text: str) -> str:
    if text.startswith("-"):
        raise ValueError("wanted a key's path or id; it may not start with a dash")
    return _line_of_text(text)


def _schedule(text: str) -> str:
    try:
        Cron.parse(text)
    except ValueError as error:
        raise ValueError(f'wanted a cron schedule such as "0 3 * * *"; {error}') from None
    return text


def _zone(text: str) -> str:
    if text == "UTC":  # needs no time zone data on this machine
        return text
    try:
        ZoneInfo(text)
    except (KeyError, ValueError, OSError):
        import difflib  # noqa: PLC0415 - only for a mistake
        from zoneinfo import available_timezones  # noqa: PLC0415

        near = difflib.get_close_matches(text[:_LONGEST_NAME], sorted(available_timezones()), n=1)
        meant = f"; did you mean {shorten(near[0])}?" if near else ""
        raise ValueError(f'wanted a time zone such as "UTC" or "Europe/Berlin"{meant}') from None
    return text


def _template(*, texts: tuple[str, ...], dates: tuple[str, ...], lines: bool) -> Callable[[str], str]:
    def check(text: str) -> str:
        if not text.strip() or "\0" in text or not (lines or text.isprintable()):
            raise ValueError("wanted a template of printable text" + ("" if lines else " on one line"))
        template.check(text, texts=texts, dates=dates)
        return text

    return check


def _repository(text: str) -> str:
    if not _REPOSITORY.fullmatch(text) or text.endswith(("/.", "/..")):
        raise ValueError('wanted "OWNER/NAME", as in the address of the repository on GitHub')
    return text


def _api(text: str) -> str:
    """An address that a token may be sent to, without a slash at its end."""
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host, parts = None, urlsplit("")
    if not host or "@" in parts.netloc or parts.query or parts.fragment:
        raise ValueError('wanted the address of a REST API, as in "https://github.example.com/api/v3"')
    # Else the token would go over the wire for all to read.
    if parts.scheme != "https" and not (parts.scheme == "http" and _is_loopback(host)):
        raise ValueError("wanted an address that begins with https://")
    return text.rstrip("/")


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _variable(text: str) -> str:
    """The name of a variable, and not by mistake what it should hold."""
    if not _VARIABLE.fullmatch(text) or _TOKEN.match(text):
        raise ValueError("wanted the name of an environment variable; the secret itself never stands in this file")
    return text


def _file(text: str) -> str:
    if not text.strip() or not text.isprintable() or "PRIVATE KEY" in text:
        raise ValueError("wanted the path of a file; the secret itself never stands in this file")
    return text


def _app_id(value: object) -> object:
    """Apps are known by a number or by their client id; TOML writes the first without quotes."""
    return str(value) if type(value) is int and value > 0 else value


def _app_name(text: str) -> str:
    if not re.fullmatch("[A-Za-z0-9._-]+", text):
        raise ValueError("wanted the App's id or its client id, as its settings on GitHub show it")
    return text


def _reviewer(text: str) -> str:
    if not _REVIEWER.fullmatch(text):
        raise ValueError('wanted a login, "ORGANISATION/TEAM" or "CODEOWNERS", without "@"')
    return text


def _learned(text: str) -> str:
    if text == GIT_DIRECTORY:
        return text
    parts = text.split("/")
    if not text.isprintable() or not all(parts) or {".", ".."} & set(parts) or parts[0].casefold() == ".git":
        raise ValueError(
            f'wanted "{GIT_DIRECTORY}" or the path of a file inside the repository, from its top on and without'
            ' "." and "..", as in ".syncline/nightly.json"'
        )
    return text


def _digits(*lengths: int) -> Callable[[str], str]:
    def check(text: str) -> str:
        if len(text) not in lengths or not re.fullmatch("[0-9a-f]+", text):
            raise ValueError(f"wanted {' or '.join(map(str, lengths))} hexadecimal digits")
        return text

    return check


Text = Annotated[str, Strict()]
Name = Annotated[Text, AfterValidator(_name)]
Workflow = Annotated[Text, AfterValidator(_workflow)]
LaneName = Annotated[Text, AfterValidator(_lane_name)]
Label = Annotated[Text, AfterValidator(_label)]
Reason = Annotated[Text, AfterValidator(_line_of_text)]
Branch = Annotated[Text, AfterValidator(_branch)]
Remote = Annotated[Text, AfterValidator(_remote)]
Pattern = Annotated[Text, AfterValidator(_pattern)]
Regex = Annotated[Text, AfterValidator(_regex)]
Command = Annotated[tuple[Annotated[Text, AfterValidator(_no_nul)], ...], AfterValidator(_command)]
Environment = Annotated[
    tuple[
        tuple[Annotated[Text, AfterValidator(_environment_name)], Annotated[Text, AfterValidator(_no_nul)]],
        ...,
    ],
    BeforeValidator(_pairs),
]
PersonPart = Annotated[Text, AfterValidator(_person_part)]
SigningKey = Annotated[Text, AfterValidator(_signing_key)]
Schedule = Annotated[Text, AfterValidator(_schedule)]
Zone = Annotated[Text, AfterValidator(_zone)]
Learned = Annotated[Text, AfterValidator(_learned)]
FindingId = Annotated[Text, AfterValidator(_digits(12))]
"""The name of an audit's finding."""
Digest = Annotated[Text, AfterValidator(_digits(16))]

TEXT_FIELDS = ("lane", "source", "target", "slice")
SyncTemplate = Annotated[Text, AfterValidator(_template(texts=TEXT_FIELDS, dates=("date",), lines=False))]
TriggerTemplate = Annotated[Text, AfterValidator(_template(texts=("sha", "lane"), dates=(), lines=True))]
GitHubRepository = Annotated[Text, AfterValidator(_repository)]
ApiAddress = Annotated[Text, AfterValidator(_api)]
Variable = Annotated[Text, AfterValidator(_variable)]
SecretFile = Annotated[Text, AfterValidator(_file)]
AppId = Annotated[Text, BeforeValidator(_app_id), AfterValidator(_app_name)]
Reviewer = Annotated[Text, AfterValidator(_reviewer)]
