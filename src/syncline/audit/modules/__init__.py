"""How files of a source tree name each other: imports of many languages, told by a few patterns each."""
