"""What each tool's output looks like: one file a tool, listed in `registry`."""
