"""The REST routes, one module for each room of GitHub. Importing this package registers them."""

from testing.github.rest import actions, apps, checks, comments, labels, meta, pulls, repository, reviews, rules

MODULES = (actions, apps, checks, comments, labels, meta, pulls, repository, reviews, rules)
