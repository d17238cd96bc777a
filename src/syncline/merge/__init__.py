"""Merging in memory: git's conflicts as a model, the resolvers, the resulting tree. Knows no forge."""
