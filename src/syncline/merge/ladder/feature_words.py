"""The model's features in words, so that a judgement can be read by those who do not know the model. Pure."""

from collections.abc import Sequence

_FACTS = {
    "this lane": "this lane's own correction of the shipped weights",
    "no_text": "a conflict without text",
    "ours_absent": "target does not have the file",
    "theirs_absent": "source does not have the file",
    "alike": "how much the version that is left resembles the base",
    "size": "size of the file",
    "lines_base": "lines in base",
    "lines_ours": "lines in target",
    "lines_theirs": "lines in source",
    "no_base": "nothing in base",
    "no_ours": "nothing left in target",
    "no_theirs": "nothing left in source",
    "add_add": "both sides added the file",
    "uncertain": "the borders in base are uncertain",
    "alike_sides": "how much the sides resemble each other",
    "ours_in_theirs": "how much of target stands in source",
    "theirs_in_ours": "how much of source stands in target",
    "gap": "distance between the sides' edits",
    "touching": "the sides' edits touch",
    "numbers_only": "the sides differ in numbers only",
    "imports": "share of imports",
    "comments": "share of comments",
    "hunks": "hunks in the file",
    "silent": "no resolver offers it",
    "text_new_words": "share of words that no version has",
    "seconded": "a resolver offers what an attempt answered",
    "seconded_merged": "a resolver offers what an attempt answered, and it is neither side's text",
    "speakers": "how many offers agree on it",
    "rivals": "how many other answers were offered",
    "rival_best": "record of the best other offer",
    "lead": "how much better its record is than the best other offer's",
}
_SIDED = {
    "regions": "places changed by",
    "new": "words added by",
    "gone": "words dropped by",
    "alike": "how much of base stays in",
    "base_kept": "share of base kept by",
    "unchanged": "left as in base by",
    "only_adds": "only additions by",
    "only_drops": "only deletions by",
    "text_loses": "share of words it lacks that were added by",
    "text_undoes": "share of words it has again that were dropped by",
}
_SIDES = {"ours": "target", "theirs": "source"}
_KEYS = {
    "all": "in this group of files",
    "suffix": "in files of this type",
    "top": "in files of this type under this top directory",
    "directory": "in this directory",
    "path": "in this file",
    "shape": "with hunks of this shape",
    "digits": "with hunks that differ from this one in numbers only",
    "same": "with the same two sides",
    "exact": "with exactly this hunk",
}
_VOICES = {
    "best": "record of its best offer",
    "apart": "its offers do better here than elsewhere",
    "n": "how often such offers were made",
}
_WHEN = {"lane": "what this lane did", "now": "what people answered in this merge"}


def feature_words(name: str) -> str:
    """Return what a feature of the model means; its own name where it is a new one."""
    if name in _FACTS:
        return _FACTS[name]
    first, _, rest = name.partition("_")
    match first:
        case "group":
            return f"a file of the group {rest}"
        case "says":
            resolver, _, mark = rest.partition(":")
            return f"{resolver} offers it ({mark})" if mark else f"{resolver} offers it"
        case "against":
            kinds = {"ours": "target's side is offered, too", "theirs": "source's side is offered, too",
                     "merged": "another combination is offered"}  # fmt: skip
            return kinds.get(rest, f"{rest} offers something else")
        case "lane" | "now":
            return _past_words(first, rest) or name
    stem, _, side = name.rpartition("_")
    return f"{_SIDED[stem]} {_SIDES[side]}" if stem in _SIDED and side in _SIDES else name


def _past_words(when: str, rest: str) -> str:
    voice = rest.removeprefix("voice_")
    if voice in _VOICES and voice != rest:
        return f"{_VOICES[voice]} ({'this lane' if when == 'lane' else 'this merge'})"
    for ending, words in (("_n", ", how often"), ("_p", ", all in all"), ("", "")):
        key = rest.removesuffix(ending) if ending else rest
        if key in _KEYS and rest == key + ending:
            return f"{_WHEN[when]} {_KEYS[key]}{words}"
    return ""


def weightiest(reasons: Sequence[tuple[str, float]], most: int = 12) -> list[tuple[str, str, float]]:
    """Return the weightiest reasons: (name, in words, log-odds)."""
    chosen = sorted(reasons, key=lambda pair: -abs(pair[1]))[:most]
    return [(name, feature_words(name), value) for name, value in chosen if abs(value) >= 0.005]


def weighed(reasons: Sequence[tuple[str, float]], most: int = 3) -> str:
    """Return in a line what weighed most for and against a candidate, with log-odds; empty where nothing did."""
    known = weightiest(reasons, len(reasons))
    parts = [
        (title, [f"{words} ({value:+.1f})" for _, words, value in known if (value > 0) is good][:most])
        for title, good in (("for it", True), ("against it", False))
    ]
    return "; ".join(f"{title}: {', '.join(told)}" for title, told in parts if told)
