"""A small diverged repository that tells the whole story of a sync."""
