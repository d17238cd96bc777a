"""What git prints when GitHub refuses a push, and what people are told to do."""

import pytest

from syncline.git.push_trouble import push_hint

NO_SCOPE = """
 ! [remote rejected] x -> x (refusing to allow a Personal Access Token to create or update workflow \
`.github/workflows/ci.yml` without `workflow` scope)
"""
NO_PERMISSION = """
 ! [remote rejected] x -> x (refusing to allow a GitHub App to create or update workflow \
`.github/workflows/ci.yml` without `workflows` permission)
"""
UNSIGNED = """
remote: error: GH006: Protected branch update failed for refs/heads/x.
remote: error: Commits must have verified signatures.
"""
UNSIGNED_BY_RULE = """
remote: error: GH013: Repository rule violations found for refs/heads/x.
remote: - Commits must have verified signatures.
"""
NO_CREATION = """
remote: error: GH013: Repository rule violations found for refs/heads/x.
remote: - Cannot create ref due to creations being restricted.
"""
LEAK = """
remote: error: GH013: Repository rule violations found for refs/heads/x.
remote: - GITHUB PUSH PROTECTION
remote:     - Push cannot contain secrets
"""
LARGE = """
remote: error: File a.bin is 123.00 MB; this exceeds GitHub's file size limit of 100.00 MB
remote: error: GH001: Large files detected. You may want to try Git Large File Storage.
 ! [remote rejected] x -> x (pre-receive hook declined)
"""
DENIED = """
remote: Permission to acme/engine.git denied to bot.
fatal: unable to access 'https://github.com/acme/engine/': The requested URL returned error: 403
"""

REFUSED = (
    (NO_SCOPE, "scope `workflow`"),
    (NO_PERMISSION, "workflows: write"),
    ("remote: error: GH006: Protected branch update failed for refs/heads/x.", "is protected"),
    (UNSIGNED, "must be signed"),
    (UNSIGNED_BY_RULE, "must be signed"),
    (NO_CREATION, "is protected"),
    (LEAK, "a secret"),
    (LARGE, "Git LFS"),
    (" ! [remote rejected] x -> x (pre-receive hook declined)", "a hook at the remote"),
    (DENIED, "may not write"),
    ("ERROR: The key you are authenticating with has been marked as read only.", "may not write"),
    ("remote: This repository was archived so it is read-only.", "is archived"),
    (" ! [remote rejected] x -> x (shallow update not allowed)", "unshallow"),
)


@pytest.mark.parametrize(("printed", "told"), REFUSED)
def test_what_to_do(printed: str, told: str) -> None:
    assert told in push_hint(printed.encode())


def test_what_is_not_known_gets_no_advice() -> None:
    assert push_hint(b"fatal: the remote end hung up unexpectedly \xff") == ""
