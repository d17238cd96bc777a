"""The address of a remote, as git itself would use it."""

from syncline.git.repository import Repository


def remote_url(repository: Repository, remote: str) -> str | None:
    """Return the URL that pushes to `remote` go to, with the user's `url.*.insteadOf`; None when it has none.

    It may hold a password: never show it (see `git.command.mask`).
    """
    done = repository.on_network("remote", "get-url", "--push", "--", remote, accept=(0, 2, 128))
    # One line each where several are configured: all get the same branches, the first is the one that counts.
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    return lines[0] if done.returncode == 0 and lines else None
