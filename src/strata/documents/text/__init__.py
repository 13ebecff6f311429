"""The text of a document: replicas of a Y.Text, anchors in it, differences, who wrote what."""

from strata.documents.text.anchors import AnchorPlace, anchor, anchors, is_gone, locate, resolve
from strata.documents.text.blame import AuthorRun, blame, blame_and_state
from strata.documents.text.diff import splices
from strata.documents.text.known_updates import KnownUpdates
from strata.documents.text.neighbours import joined_to
from strata.documents.text.replica import Replica
from strata.documents.text.splice import Splice, coarser, spliced
from strata.documents.text.threeway import (
    MergedText,
    Overlap,
    declined,
    merge_edits,
    merge_texts,
)
from strata.documents.text.undelete import undeletions
from strata.documents.text.update_splices import apply_as_splices
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
    "AnchorPlace",
    "AuthorRun",
    "Deletion",
    "KnownUpdates",
    "MergedText",
    "Overlap",
    "Replica",
    "Splice",
    "anchor",
    "anchors",
    "apply_as_splices",
    "blame",
    "blame_and_state",
    "clients_of",
    "clocks_of",
    "coarser",
    "declined",
    "is_gone",
    "joined",
    "joined_to",
    "locate",
    "merge_edits",
    "merge_texts",
    "number",
    "read_update",
    "resolve",
    "spliced",
    "splices",
    "undeletions",
    "without",
]
