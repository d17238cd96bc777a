"""Every audit, by the name people know it under."""

from collections.abc import Mapping

from syncline.audit.task import Audit

AUDITS: Mapping[str, Audit] = {}
