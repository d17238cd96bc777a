"""The only package that starts git. Bytes inside, text at the edge; knows nothing of lanes or merging policy."""

from syncline.git.oid import BlobId, CommitId, Oid, TreeId
from syncline.git.repository import Repository
from syncline.git.tree import Entry, Mode

__all__ = ["BlobId", "CommitId", "Entry", "Mode", "Oid", "Repository", "TreeId"]
