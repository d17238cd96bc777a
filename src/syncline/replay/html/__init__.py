"""A replay as pages to look at: an index with the figures, a page for each merge, a page for each disagreement."""
