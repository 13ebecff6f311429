"""The text of a document: replicas of a Y.Text, anchors in it, differences, who wrote what."""

from strata.documents.text.anchors import Located, anchor, anchors, is_gone, locate, resolve
from strata.documents.text.blame import AuthorRun, blame
from strata.documents.text.diff import splices
from strata.documents.text.following import followed
from strata.documents.text.knowing import Knowledge
from strata.documents.text.neighbours import joined_to
from strata.documents.text.replica import Replica
from strata.documents.text.returning import returning
from strata.documents.text.splice import Splice, coarser
from strata.documents.text.threeway import (
    MergedText,
    Overlap,
    declined,
    merge_edits,
    merge_texts,
)
from strata.documents.text.updates import (
    NOTHING,
    Deletion,
    clients_of,
    clocks_of,
    joined,
    number,
    read_update,
    without,
)

__all__ = [
    "NOTHING",
    "AuthorRun",
    "Deletion",
    "Knowledge",
    "Located",
    "MergedText",
    "Overlap",
    "Replica",
    "Splice",
    "anchor",
    "anchors",
    "blame",
    "clients_of",
    "clocks_of",
    "coarser",
    "declined",
    "followed",
    "is_gone",
    "joined",
    "joined_to",
    "locate",
    "merge_edits",
    "merge_texts",
    "number",
    "read_update",
    "resolve",
    "returning",
    "splices",
    "without",
]
