"""The few kinds of error a caller tells apart.

Every message says what was wanted, what was found and what to do. Whatever is none of these is a bug in
syncline. This room knows nothing of git, forges or terminals.
"""


class SynclineError(Exception):
    """The request could not be carried out: bad input, bad configuration, git or forge trouble.

    `message` says what was wanted and what was found; `hint`, where there is one, says what to do.
    """

    exit_code = 2

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\n  hint: {self.hint}" if self.hint else self.message


class ConfigError(SynclineError):
    """`syncline.toml` does not say what it must; the message names file, line and key."""


class GitError(SynclineError):
    """A git command failed; the message names the command, the repository and git's own words."""


class FenceError(SynclineError):
    """A ref is no longer where an action was decided for; nothing was changed, decide again."""


class LaneBusyError(SynclineError):
    """Another syncline holds the lane; the message says who, where and since when."""


class ForgeError(SynclineError):
    """The forge refused or could not answer."""


class EndedError(ForgeError, FenceError):
    """The proposal has ended, which what was asked for rules out; nothing was changed, decide again."""
