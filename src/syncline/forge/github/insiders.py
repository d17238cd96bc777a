"""Who may write to the repository: only what they, or programs, wrote in syncline's name is believed.

How GitHub says that an author belongs to the repository (`author_association`) does not tell: members of an
organisation and collaborators may have the right to read alone, and who may write is no member to a workflow's
token where the membership is private.
"""

from typing import Any
from urllib.parse import quote

from syncline.forge.github.client import Client
from syncline.forge.github.trouble import RefusedError

_MAY = frozenset({"admin", "maintain", "write"})
_ASSOCIATED = frozenset({"OWNER", "MEMBER", "COLLABORATOR"})


def may_write(client: Client, login: str) -> bool:
    """Whether an account may write to the repository, now.

    Raises:
        ForgeError: GitHub refuses; also where the token may not ask.
    """
    answer = client.find(f"collaborators/{quote(login, safe='')}/permission")
    return (answer or {}).get("permission") in _MAY


def believed(client: Client, user: Any, association: str) -> bool:
    """Whether what looks like syncline's is believed of its author; asked of GitHub once in a process.

    Args:
        client: of the repository.
        user: the author as REST or GraphQL tells it; None where the account is gone.
        association: GitHub's word for it, which must do where the token may not ask: it may only read.
    """
    kind = (user or {}).get("type") or (user or {}).get("__typename")
    login = str((user or {}).get("login") or "")
    if kind == "Bot" or not login:
        return kind == "Bot"
    if login not in client.writers:
        try:
            client.writers[login] = may_write(client, login)
        except RefusedError as error:
            if error.status != 403:
                raise
            return association in _ASSOCIATED
    return client.writers[login]
