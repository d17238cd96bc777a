"""What either side added or changed since base and the merge lost."""
