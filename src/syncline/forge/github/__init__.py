"""Proposals and checks on github.com and GitHub Enterprise Server."""
