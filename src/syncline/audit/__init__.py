"""Checks over the four trees of a merge. Knows nothing of proposals."""
