"""Where proposals and checks live."""
