"""What `syncline init` writes: it looks at branches and files and makes a commented `syncline.toml` of them.

`places` reads the branches, `names` and `pairs` choose two, `files` looks at the target's files, `survey` holds
what was seen, `text` writes it down. Nothing here changes the repository.
"""
