"""Whose doing a fault is: the whole matrix of what parents say, and what never may be said."""

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.triage import transient
from syncline.checks.triage.cause import Cause, Saw, Witness
from syncline.checks.triage.cluster import cluster
from syncline.checks.triage.stand import Presence
from syncline.checks.triage.suspect import Sort, Suspect
from syncline.checks.triage.verdict import Attempt, Facts, judge

FAULT = LogFailure("pytest", "NameError", "name 'rope' is not defined", Weight.CAUSE, 7, path="pkg/a.py")
PASSING = LogFailure("curl", "error", "curl: (56) connection was reset", Weight.CAUSE, 3)
SHAS = {"target": "a" * 40, "source": "b" * 40, "landed": "c" * 40}
PARENTS = ("target", "source")
OTHER = frozenset({"0123456789abcdef"})


def seen(parent: str, saw: Saw, *, by: str = "ci", same: bool = False, of: LogFailure = FAULT) -> Witness:
    signatures = frozenset({of.signature}) | OTHER if same else OTHER if saw is Saw.FAILED else frozenset()
    return Witness(parent, SHAS[parent], saw, signatures, by, "unit")


def state(parent: str, name: str, of: LogFailure = FAULT) -> list[Witness]:
    """The witnesses of a parent in one of the states of the matrix."""
    never = seen(parent, Saw.NOT_RUN)
    alike = seen(parent, Saw.FAILED, same=True, of=of)
    here = replace(alike, by="syncline")
    return {
        "passed": [seen(parent, Saw.PASSED)],
        "passed-here": [never, seen(parent, Saw.PASSED, by="syncline")],
        "alike": [alike],
        "alike-here": [here],  # run by syncline, and nobody knows of the parent's own CI
        "exposed": [never, here],
        "landed": [never, replace(alike, by="proposal 7", sha=SHAS["landed"], exact=False)],
        "differently": [seen(parent, Saw.FAILED)],
        "cut-off": [seen(parent, Saw.UNFINISHED)],
        "not-run": [never],
        "nobody": [],
        "both-ways": [alike, seen(parent, Saw.PASSED, by="syncline")],
    }[name]


# Rows: target; columns: source. s sync, t target, o source, b both, e exposed, f flaky, . unknown.
MATRIX = """
              passed passed-here alike alike-here exposed landed differently cut-off not-run nobody both-ways
passed        s      s           o     o          e       e      .           .       .       .      f
passed-here   s      s           o     o          e       e      .           .       .       .      f
alike         t      t           b     b          b       b      t           t       t       t      f
alike-here    t      t           b     b          b       b      t           t       t       t      f
exposed       e      e           b     b          e       e      e           e       e       e      f
landed        e      e           b     b          e       e      e           e       e       e      f
differently   .      .           o     o          e       e      .           .       .       .      f
cut-off       .      .           o     o          e       e      .           .       .       .      f
not-run       .      .           o     o          e       e      .           .       .       .      f
nobody        .      .           o     o          e       e      .           .       .       .      f
both-ways     f      f           f     f          f       f      f           f       f       f      f
"""
LETTERS = {
    "s": Cause.SYNC, "t": Cause.TARGET, "o": Cause.SOURCE, "b": Cause.BOTH, "e": Cause.EXPOSED, "f": Cause.FLAKY,
    ".": Cause.UNKNOWN,
}  # fmt: skip
RETRIES = {
    "no retry": (),
    "failed again": (Attempt("unit", passed=False),),
    "passed on retry": (Attempt("unit", passed=True),),
    "passed once, failed once": (Attempt("unit", passed=True), Attempt("unit", passed=False)),
}


def table() -> list[tuple[str, str, Cause]]:
    header, *lines = [line.split() for line in MATRIX.strip().splitlines()]
    return [
        (target, source, LETTERS[letter])
        for target, *letters in lines
        for source, letter in zip(header, letters, strict=True)
    ]


@pytest.mark.parametrize(("target", "source", "cause"), table())
def test_the_matrix(target: str, source: str, cause: Cause) -> None:
    (one,) = cluster([("unit", FAULT)])
    witnesses = (*state("target", target), *state("source", source))
    for name, attempts in RETRIES.items():
        verdict = judge(one, Facts(witnesses, attempts))
        assert verdict.cause is (Cause.FLAKY if "passed" in name else cause), name
        assert (verdict.confidence == 0) == (verdict.cause is Cause.UNKNOWN), name
        assert verdict.evidence, name
        backwards = judge(one, Facts(tuple(reversed(witnesses)), tuple(reversed(attempts))))
        assert backwards == verdict


def test_the_matrix_has_every_state() -> None:
    names = {target for target, _, _ in table()}
    assert len(table()) == len(names) ** 2 == 121


TRANSIENT = [
    # target, source, retry, cause, confidence
    ("nobody", "nobody", "no retry", Cause.INFRASTRUCTURE, 0.85),
    ("nobody", "nobody", "failed again", Cause.INFRASTRUCTURE, 0.6),
    ("nobody", "nobody", "passed on retry", Cause.FLAKY, 0.9),
    ("passed", "passed", "no retry", Cause.INFRASTRUCTURE, 0.6),
    ("passed", "passed", "failed again", Cause.SYNC, 0.6),
    ("passed", "not-run", "failed again", Cause.INFRASTRUCTURE, 0.6),
    ("alike", "passed", "no retry", Cause.INFRASTRUCTURE, 0.9),
    ("alike", "alike", "failed again", Cause.INFRASTRUCTURE, 0.9),
    ("both-ways", "passed", "no retry", Cause.FLAKY, 0.8),
]


@pytest.mark.parametrize(("target", "source", "retry", "cause", "confidence"), TRANSIENT)
def test_what_looks_like_a_passing_fault(
    target: str, source: str, retry: str, cause: Cause, confidence: float
) -> None:
    (one,) = cluster([("unit", PASSING)])
    witnesses = (*state("target", target, PASSING), *state("source", source, PASSING))
    verdict = judge(one, Facts(witnesses, RETRIES[retry], signatures=transient.known()))
    assert (verdict.cause, verdict.confidence) == (cause, confidence)


FINDING = Suspect("pkg/a.py", "rope", "dropped: the import of rope was lost", "d" * 40, Sort.FINDING)
DECISION = Suspect("pkg/a.py", "", "the conflict was settled as target has it", "", Sort.DECISION)
COMMIT = Suspect("pkg/a.py", "", "changed last by source", "e" * 40, Sort.COMMIT)
ELSEWHERE = Suspect("pkg/other.py", "rope", "dropped", "", Sort.FINDING)

NAMED = [
    ("passed", "passed", (FINDING,), Cause.SYNC, 0.95),
    ("passed", "passed", (DECISION,), Cause.SYNC, 0.95),
    ("passed", "passed", (COMMIT,), Cause.SYNC, 0.9),
    ("passed", "passed", (ELSEWHERE,), Cause.SYNC, 0.9),
    ("passed", "not-run", (FINDING,), Cause.SYNC, 0.6),
    ("differently", "passed", (DECISION,), Cause.SYNC, 0.6),
    ("passed", "not-run", (COMMIT,), Cause.UNKNOWN, 0),
    ("passed", "cut-off", (ELSEWHERE,), Cause.UNKNOWN, 0),
    ("nobody", "nobody", (FINDING,), Cause.SYNC, 0.6),
    ("nobody", "nobody", (DECISION, ELSEWHERE, COMMIT), Cause.UNKNOWN, 0),
    ("alike", "passed", (FINDING,), Cause.TARGET, 0.95),
    ("exposed", "cut-off", (FINDING,), Cause.EXPOSED, 0.85),
]


@pytest.mark.parametrize(("target", "source", "suspects", "cause", "confidence"), NAMED)
def test_what_the_sync_did_to_the_file(
    target: str, source: str, suspects: tuple[Suspect, ...], cause: Cause, confidence: float
) -> None:
    (one,) = cluster([("unit", FAULT)])
    witnesses = (*state("target", target), *state("source", source))
    verdict = judge(one, Facts(witnesses, suspects=suspects))
    assert (verdict.cause, verdict.confidence) == (cause, confidence)
    if cause is Cause.SYNC and FINDING in suspects:
        assert any(item.sha == FINDING.sha for item in verdict.evidence)


PRESENT = [
    # The failing file is on one parent alone.
    ("passed", "not-run", Presence(target=True, source=False), Cause.SYNC, 0.8),
    ("passed", "passed", Presence(target=True, source=False), Cause.SYNC, 0.8),
    ("passed", "differently", Presence(target=True, source=False), Cause.SYNC, 0.8),
    ("passed", "not-run", Presence(target=False, source=True), Cause.UNKNOWN, 0),
    ("passed", "alike", Presence(target=False, source=True), Cause.SOURCE, 0.9),
    ("not-run", "alike", Presence(target=False, source=True), Cause.SOURCE, 0.9),
    # On both, or on neither: its presence tells nothing.
    ("passed", "not-run", Presence(target=True, source=True), Cause.UNKNOWN, 0),
    ("passed", "not-run", Presence(target=False, source=False), Cause.UNKNOWN, 0),
    ("passed", "passed", Presence(target=False, source=False), Cause.SYNC, 0.9),
    ("not-run", "not-run", Presence(target=True, source=False), Cause.UNKNOWN, 0),
    # Whatever the trees say, it was seen there.
    ("passed", "alike", Presence(target=True, source=False), Cause.SOURCE, 0.95),
]


@pytest.mark.parametrize(("target", "source", "presence", "cause", "confidence"), PRESENT)
def test_where_the_failing_file_is(
    target: str, source: str, presence: Presence, cause: Cause, confidence: float
) -> None:
    (one,) = cluster([("unit", FAULT)])
    witnesses = (*state("target", target), *state("source", source))
    verdict = judge(one, Facts(witnesses, presence=presence))
    assert (verdict.cause, verdict.confidence) == (cause, confidence)


def test_what_rests_on_a_landed_proposal_or_an_exit_code_alone_is_less_sure() -> None:
    (one,) = cluster([("unit", FAULT)])
    facts = Facts((*state("target", "landed"), *state("source", "passed")))
    assert judge(one, facts).confidence == 0.7
    ended = LogFailure("check", "exit", "exit code 1", Weight.END, 1)
    (bare,) = cluster([("unit", ended)])
    facts = Facts((*state("target", "alike", ended), *state("source", "passed")))
    assert (judge(bare, facts).cause, judge(bare, facts).confidence) == (Cause.TARGET, 0.6)


def test_a_fault_that_is_more_than_what_the_parent_has_is_neither_inherited_nor_the_syncs() -> None:
    (one,) = cluster([("unit", FAULT), ("gpu", FAULT)])
    alike = state("target", "alike")
    passed = [replace(item, check="gpu") for item in state("target", "passed")]
    source = [
        *state("source", "passed"), *(replace(item, check="gpu") for item in state("source", "passed"))
    ]  # fmt: skip
    facts = Facts((*alike, *passed, *source), suspects=(FINDING,))
    assert judge(one, facts).cause is Cause.UNKNOWN


def test_part_of_what_fails_is_not_all_of_it() -> None:
    # The parent misses the name in one file, the merge in two.
    (one,) = cluster([("unit", FAULT), ("unit", replace(FAULT, path="pkg/b.py"))])
    facts = Facts((*state("target", "alike"), *state("source", "passed")))
    assert judge(one, facts).cause is Cause.UNKNOWN


# What never may be said, whatever is known.

WITNESSES = st.builds(
    Witness,
    parent=st.sampled_from(PARENTS),
    sha=st.sampled_from(["a" * 40, "b" * 40]),
    saw=st.sampled_from(Saw),
    signatures=st.sampled_from([frozenset(), OTHER, frozenset({FAULT.signature}), OTHER | {FAULT.signature}]),
    by=st.sampled_from(["ci", "syncline", "proposal 7"]),
    check=st.sampled_from(["unit", "gpu", "lint"]),
    exact=st.booleans(),
)
FACTS = st.builds(
    Facts,
    witnesses=st.lists(WITNESSES, max_size=6).map(tuple),
    attempts=st.lists(st.builds(Attempt, st.sampled_from(["unit", "lint"]), passed=st.booleans()), max_size=2).map(
        tuple
    ),
    suspects=st.lists(st.sampled_from([FINDING, DECISION, COMMIT, ELSEWHERE]), max_size=2).map(tuple),
    presence=st.builds(
        Presence, target=st.sampled_from([None, True, False]), source=st.sampled_from([None, True, False])
    ),
)
CLUSTERS = st.sampled_from([
    cluster([("unit", FAULT)])[0], cluster([("unit", FAULT), ("gpu", FAULT)])[0]
])  # fmt: skip


@given(CLUSTERS, FACTS, st.randoms(use_true_random=False))
def test_what_never_may_be_said(one: object, facts: Facts, random: object) -> None:
    verdict = judge(one, facts)  # pyrefly: ignore
    heard = [item for item in facts.witnesses if item.check in one.checks]  # pyrefly: ignore
    alike = {
        parent: [
            item for item in heard
            if item.parent == parent and item.saw is Saw.FAILED and FAULT.signature in item.signatures
        ]
        for parent in PARENTS
    }  # fmt: skip
    exact = {parent: [item for item in found if item.exact] for parent, found in alike.items()}
    cause = verdict.cause
    # Nobody is accused without having been seen to fail the same way.
    assert cause is not Cause.TARGET or alike["target"]
    assert cause is not Cause.SOURCE or alike["source"]
    assert cause is not Cause.BOTH or (alike["target"] and alike["source"])
    assert cause is not Cause.EXPOSED or alike["target"] or alike["source"]
    # The sync is not accused of what a parent does too.
    assert cause is not Cause.SYNC or not (exact["target"] or exact["source"])
    # What never ran, or not to its end, accuses nobody.
    if all(item.saw in {Saw.UNFINISHED, Saw.NOT_RUN} for item in heard):
        by_itself = FINDING in facts.suspects or facts.attempts
        assert cause is Cause.UNKNOWN or by_itself
    # What passed on the same commit is flaky and nothing else.
    if any(item.passed and item.check == "unit" for item in facts.attempts):
        assert cause is Cause.FLAKY
    assert 0 <= verdict.confidence <= 1
    # The order of the facts does not matter.
    shuffled = list(facts.witnesses)
    random.shuffle(shuffled)  # pyrefly: ignore
    assert judge(one, replace(facts, witnesses=tuple(shuffled))) == verdict  # pyrefly: ignore


@given(CLUSTERS, FACTS, st.sampled_from(PARENTS), st.sampled_from([Saw.UNFINISHED, Saw.NOT_RUN]))
def test_what_did_not_end_changes_no_verdict(one: object, facts: Facts, parent: str, saw: Saw) -> None:
    more = Witness(parent, "a" * 40, saw, by="syncline", check="unit")
    verdict = judge(one, facts)  # pyrefly: ignore
    assert judge(one, replace(facts, witnesses=(*facts.witnesses, more))).cause is verdict.cause  # pyrefly: ignore


@given(CLUSTERS, FACTS)
def test_the_sides_are_treated_alike(one: object, facts: Facts) -> None:
    other = {"target": "source", "source": "target"}
    turned = replace(
        facts,
        witnesses=tuple(replace(item, parent=other[item.parent]) for item in facts.witnesses),
        presence=Presence(target=facts.presence.source, source=facts.presence.target),
    )
    names = {Cause.TARGET: Cause.SOURCE, Cause.SOURCE: Cause.TARGET}
    here, there = judge(one, facts), judge(one, turned)  # pyrefly: ignore
    assert there.cause is names.get(here.cause, here.cause)
    assert there.confidence == here.confidence


def test_every_pair_of_simple_states_is_in_the_matrix() -> None:
    simple = {"passed", "alike", "differently", "cut-off", "not-run", "exposed", "both-ways"}
    assert set(itertools.product(simple, simple)) <= {(target, source) for target, source, _ in table()}
