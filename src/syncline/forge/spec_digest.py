"""Which command a result is a result of: a name in the configuration may stand for another one tomorrow."""

import hashlib
import json

from syncline.forge.protocol import CheckSpec


def spec_digest(spec: CheckSpec) -> str:
    """16 hex digits that change when, and only when, the command, env, needs or timeout of a check change.

    The name is not part of it: results are compared under one name. Neither is the order of `env` and
    `needs`, which changes nothing of what is run.
    """
    words = {
        "command": list(spec.command),
        "env": dict(spec.env),
        "needs": sorted(set(spec.needs)),
        "timeout": float(spec.timeout),
    }
    canonical = json.dumps(words, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()[:16]
