"""The embedded forge: SQLite under the repository's git directory, checks run on this machine."""
