"""Ways to settle a conflict, one file each."""
