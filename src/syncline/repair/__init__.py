"""Changes that fix findings or failures; all of them live in the one repair commit."""
