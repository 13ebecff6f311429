"""The text of a document: replicas of a Y.Text, anchors in it, differences, who wrote what."""

from strata.documents.text.anchors import Located, anchor, anchors, is_gone, locate, resolve
from strata.documents.text.blame import Run, blame
from strata.documents.text.diff import splices
from strata.documents.text.following import followed
from strata.documents.text.knowing import Knowledge
from strata.documents.text.neighbours import joined_to
from strata.documents.text.replica import Replica
from strata.documents.text.splice import Splice, coarser
from strata.documents.text.threeway import MergedText, Overlap, merge_edits, merge_texts
from strata.documents.text.updates import clients_of, clocks_of, joined, number

__all__ = [
    "Knowledge",
    "Located",
    "MergedText",
    "Overlap",
    "Replica",
    "Run",
    "Splice",
    "anchor",
    "anchors",
    "blame",
    "clients_of",
    "clocks_of",
    "coarser",
    "followed",
    "is_gone",
    "joined",
    "joined_to",
    "locate",
    "merge_edits",
    "merge_texts",
    "number",
    "resolve",
    "splices",
]
