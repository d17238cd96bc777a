"""A GitHub for tests on the loopback address: a real HTTP server over a real bare repository, all else in memory.

    with github(tmp_path, repo) as server:
        pull = server.people.open_pull("topic", "main")
        ...                       # a client with server.api, server.graphql and server.token
        server.people.check(pull.head_sha, "unit", "failure")
        assert server.log.count("POST", "*/comments") == 1

Requests and answers are held against GitHub's published descriptions (`schemas/`), so that neither the server nor
its client can drift from the truth: whatever does not fit is noted in `server.faults` and fails the test.
"""

from testing.github.disturbances import Delay, Do, Fail, PrimaryLimit, Reset, SecondaryLimit
from testing.github.server import GitHubServer, github

__all__ = ["Delay", "Do", "Fail", "GitHubServer", "PrimaryLimit", "Reset", "SecondaryLimit", "github"]
