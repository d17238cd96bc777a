"""What syncline's tests stand on: real git repositories, built in a few lines, in a sealed environment.

Nothing here imports syncline: this package is the oracle the product is held against, so it asks git itself.
"""
