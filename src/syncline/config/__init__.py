"""`syncline.toml`: models, reading it, and errors that name file, line and key."""

import os

# No plugin of some other package has a say in how the policy is read; and to look for plugins would cost every
# command a twentieth of a second. https://docs.pydantic.dev/latest/concepts/plugins/
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
