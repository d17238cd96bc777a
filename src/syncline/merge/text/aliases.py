"""Aliases of a YAML file, each of which needs an anchor before it. Pure."""

from syncline.merge.text import syntax


def alias_fault(content: bytes) -> str | None:
    """Return which alias of a YAML file has no anchor before it; None when there is none, or it has no tree."""
    if b"*" not in content:
        return None
    language = syntax.language_of(b"a.yaml")
    tree = syntax.parse(language, content) if language is not None else None
    if tree is None or tree.root_node.has_error:
        return None
    anchors: set[bytes] = set()
    stack = [tree.root_node]
    while stack:
        node = stack.pop()
        if node.type == "document":
            anchors = set()
        name = content[node.start_byte + 1 : node.end_byte]
        if node.type == "anchor":
            anchors.add(name)
        elif node.type == "alias" and name not in anchors:
            return f"the alias *{name.decode('utf-8', 'replace')} has no anchor (line {node.start_point[0] + 1})"
        stack += reversed(node.named_children)
    return None
