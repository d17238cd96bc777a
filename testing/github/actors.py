"""Who can act on the test GitHub: people, organizations, Apps and their bots; and who made a request."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

Role = Literal["none", "read", "triage", "write", "maintain", "admin"]
ROLES: tuple[Role, ...] = ("none", "read", "triage", "write", "maintain", "admin")


@dataclass(slots=True)
class User:
    """An account. `kind` is what GitHub calls its type."""

    id: int
    login: str
    kind: Literal["User", "Bot", "Organization"] = "User"
    role: Role = "read"
    """Its role in the repository."""
    association: str = ""
    """What GitHub calls its part in the repository, where that is not as the role: `MEMBER`, say."""


@dataclass(slots=True)
class App:
    """A GitHub App; `bot` is the account that its comments are made by."""

    id: int
    slug: str
    bot: User
    public_key: str = ""
    """In PEM; with it, the App's own requests (JWT) are verified."""
    permissions: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Installation:
    """An App installed on the repository's owner."""

    id: int
    app: App
    suspended: bool = False


@dataclass(frozen=True, slots=True)
class Token:
    """What a token stands for. Without `permissions` a person's rights hold; `expires` None: never."""

    user: User
    app: App | None = None
    permissions: Mapping[str, str] | None = None
    expires: datetime | None = None


@dataclass(frozen=True, slots=True)
class Actor:
    """Who made a request: nobody (`user` None), a person, an App's installation, or an App itself (`as_app`)."""

    user: User | None = None
    app: App | None = None
    permissions: Mapping[str, str] | None = None
    as_app: bool = False

    def has_role(self, role: str) -> bool:
        """Whether this person has at least that role; an App goes by its permissions instead."""
        return self.user is not None and ROLES.index(self.user.role) >= ROLES.index(role)  # type: ignore[arg-type]

    def permitted(self, needs: str) -> bool:
        """Whether an App has a permission `NAME:LEVEL`."""
        name, _, level = needs.partition(":")
        has = (self.permissions or {}).get(name)
        return has in {"write", level} or (name == "metadata" and level == "read")
