"""`syncline.toml`: models, reading it, and errors that name file, line and key."""
