"""Merging what was merged before again, and scoring the result against what people committed."""
