"""Texts from strangers, written as Markdown and HTML so that they say what they are and nothing more."""
