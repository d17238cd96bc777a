"""Why the checks of a proposal are red: what the forge and git know, given to `checks.triage`, which judges."""
