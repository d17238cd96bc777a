"""Audits of files as such: their modes, links, names, sizes, endings, and what must never be in one."""
