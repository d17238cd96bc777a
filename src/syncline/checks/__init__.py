"""Results of checks and the gate that judges them. Knows nothing of merging or of any forge."""
