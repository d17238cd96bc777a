"""Logs of checks: from text of any size to the failures in it, each with a signature that stays the same."""
