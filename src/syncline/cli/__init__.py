"""One small file per command; no logic."""
