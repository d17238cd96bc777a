"""Fits together: what checkers say of the merge and of neither side.

Checkers (type checkers, linters, whatever people configured) look at three trees; a fault counts only if the merge
has it more often than each side. They run on files in a temporary directory, sealed like any program, and know
nothing of git. What they said of a tree is kept, so that the sides cost nothing the second time.
"""
