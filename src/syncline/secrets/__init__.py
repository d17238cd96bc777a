"""How secrets look, and how texts are shown without them. This room knows nothing else."""
