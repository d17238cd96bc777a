"""What merging needs to know of text: differences between sequences, tokens, languages. Pure."""
