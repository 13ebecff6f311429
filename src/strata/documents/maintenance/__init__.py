"""Care of documents: what retention may drop, erasing one, proving them, taking them in."""

from strata.documents.maintenance.bundled import settle
from strata.documents.maintenance.erasing import erase_document
from strata.documents.maintenance.retention import TextChains
from strata.documents.maintenance.verification import document_problems

__all__ = [
    "TextChains",
    "document_problems",
    "erase_document",
    "settle",
]
