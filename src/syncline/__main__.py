"""`python -m syncline`."""

from syncline.cli.main import main

main()
