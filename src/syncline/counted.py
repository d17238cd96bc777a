"""Numbers with their nouns, as people write them. Pure."""


def counted(number: int, noun: str, many: str = "") -> str:
    """Return `1 file`, `1,204 files`.

    Args:
        number: how many.
        noun: for one of them.
        many: for several, where that is more than an s at the end.
    """
    return f"{number:,} {noun if number == 1 else many or noun + 's'}"
