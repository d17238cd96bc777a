"""Agents: who is asked about what nothing mechanical settles, how, and what their answers must stand up to.

An agent may be anybody's program or model, so nothing it says is taken on trust: it gets one task, a directory of
its own and no credentials, and its answer is judged like any other change (see `guard`). What comes from the
repository, from logs or comments is data to it, and marked as such.
"""
