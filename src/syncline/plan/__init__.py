"""What one sync would import: divergence, slice, predicted conflicts. Reads git, changes nothing."""
