"""The only package that starts git. Bytes inside, text at the edge; knows nothing of lanes or merging policy."""
