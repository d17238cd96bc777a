"""Paths as text, at the edge: git's are bytes of any kind."""


def path_text(path: bytes) -> str:
    """Return a path as text that can be matched and turned back; bytes that are no UTF-8 are kept."""
    return path.decode("utf-8", "surrogateescape")


def json_path(path: bytes) -> str:
    """Return a path for JSON and for people; bytes that are no UTF-8 become a backslash, x and two digits."""
    return path.decode("utf-8", "backslashreplace")
