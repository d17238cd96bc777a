"""The words and pages of a proposal: commit, Markdown body, HTML report. Writes to no forge."""
