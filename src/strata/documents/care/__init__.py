"""Care of documents: what retention may drop, erasing one, proving them, taking them in."""

from strata.documents.care.arriving import settle
from strata.documents.care.erasing import erase_document
from strata.documents.care.keeping import TextChains
from strata.documents.care.proving import document_problems
from strata.documents.care.publicity import hide, is_published, published_documents

__all__ = [
    "TextChains",
    "document_problems",
    "erase_document",
    "hide",
    "is_published",
    "published_documents",
    "settle",
]
