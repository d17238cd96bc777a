"""Which checks a branch requires, by branch protection and by rulesets: an absent one must not look green."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from syncline.forge.github.client import Client


@dataclass(frozen=True, slots=True, order=True)
class Required:
    """A check that must have reported. `app`: the id of the App it must come from; None: any."""

    name: str
    app: int | None = None


def required(client: Client, branch: str) -> tuple[Required, ...]:
    """What `branch` requires, sorted.

    Both places can be read by whoever may read the repository: the protection's own address, which tells
    more, wants an administrator.
    """
    found = {*_by_protection(client, branch), *_by_rulesets(client, branch)}
    return tuple(sorted(found, key=lambda one: (one.name, one.app or 0)))


def _by_protection(client: Client, branch: str) -> Iterator[Required]:
    answer = client.find(f"branches/{quote(branch, safe='')}")
    protection = (answer or {}).get("protection") or {}
    checks = protection.get("required_status_checks") or {}
    if checks.get("enforcement_level") == "off":
        return
    items = checks.get("checks") or ()
    yield from (_of(item.get("context"), item.get("app_id")) for item in items)
    # An older server has `contexts` alone; elsewhere they repeat the names, without the Apps.
    named = {item.get("context") for item in items}
    yield from (_of(context, None) for context in checks.get("contexts") or () if context not in named)


def _by_rulesets(client: Client, branch: str) -> Iterator[Required]:
    for rule in client.pages(f"rules/branches/{quote(branch, safe='')}"):
        if rule.get("type") != "required_status_checks":
            continue
        parameters: Mapping[str, Any] = rule.get("parameters") or {}
        for item in parameters.get("required_status_checks") or ():
            yield _of(item.get("context"), item.get("integration_id"))


def _of(name: Any, app: Any) -> Required:
    # -1 is "any source" in the API of branch protection.
    return Required(str(name), app if isinstance(app, int) and app > 0 else None)
