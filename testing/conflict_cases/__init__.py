"""The rows of `testing.conflicts`, by what is in conflict."""
