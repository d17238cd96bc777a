"""git, as a tool that checks call."""

import re
from typing import ClassVar

from syncline.checks.logs.failure import Weight
from syncline.checks.logs.parsers.rules import Rule, RuleParser


class Git(RuleParser):
    """`fatal: ...`, refused pushes, conflicts, LFS."""

    tool: ClassVar[str] = "git"
    rules: ClassVar[tuple[Rule, ...]] = (
        Rule("LFS budget", re.compile(r"(?P<message>This repository exceeded its LFS budget.*)"), "lfs budget"),
        Rule(
            "over its data quota",
            re.compile(r"(?P<message>This repository is over its data quota.*)"),
            "lfs budget",
        ),
        Rule(
            "smudge filter lfs failed",
            re.compile(r"^(?:fatal|error): (?P<path>.+): smudge filter lfs failed"),
            "lfs",
            Weight.SYMPTOM,
        ),
        Rule(
            "error: external filter",
            re.compile(r"^error: external filter '?git-lfs.+ failed"),
            "lfs",
            Weight.SYMPTOM,
        ),
        Rule(
            "Could not resolve host",
            re.compile(r"^(?:fatal|ssh): .*(?P<message>Could not resolve host(?:name)?:? ?.*)"),
            "network",
        ),
        Rule(
            "ERROR: Repository not found",
            re.compile(r"^(?:remote: )?ERROR: (?P<message>Repository not found).*"),
            "repository",
        ),
        Rule(
            "fatal: ",
            re.compile(
                r"^fatal: (?P<message>(?:could|Could) not read (?:from remote|Username|Password).*|Authentication failed.*)"
            ),
            "access",
        ),
        Rule(
            "fatal: ",
            re.compile(r"^fatal: (?P<message>couldn't find remote ref (?P<symbol>\S+).*)"),
            "missing ref",
        ),
        Rule("fatal: ", re.compile(r"^fatal: (?P<message>(?:[Rr]epository '.*' not found).*)"), "repository"),
        Rule(
            "fatal: ",
            re.compile(
                r"^fatal: (?P<message>unable to access .*|the remote end hung up.*|early EOF.*|fetch-pack: .*|protocol error.*)"
            ),
            "network",
        ),
        Rule(
            "fatal: ",
            re.compile(
                r"^fatal: (?P<message>(?:not a git repository|refusing to|detected dubious|bad (?:object|revision)|ambiguous argument|pathspec|No (?:url|submodule)|unable to |reference is not a tree|invalid |remote error|clone of |Unable to |cannot |shallow |destination path|Needed a single|your current branch|index file|loose object|unknown ).*)"
            ),
            "fatal",
        ),
        Rule("error: RPC failed", re.compile(r"^error: (?P<message>RPC failed.*)"), "network"),
        Rule(
            "error: pathspec",
            re.compile(r"^error: (?P<message>pathspec '(?P<symbol>[^']+)' did not match.*)"),
            "missing ref",
        ),
        Rule(
            "failed to push some refs",
            re.compile(r"^error: (?P<message>failed to push some refs.*)"),
            "push",
            Weight.SYMPTOM,
        ),
        Rule(" ! [", re.compile(r"^ ! \[(?P<message>(?:remote )?rejected\] .+)"), "push"),
        Rule(
            "CONFLICT (",
            re.compile(r"^CONFLICT \((?P<kind>[\w/ -]+)\): (?P<message>(?:Merge conflict in (?P<path>.+)|.+))"),
        ),
    )
