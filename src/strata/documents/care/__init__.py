"""Care of documents: what retention may drop, erasing one, proving them, taking them in."""

from strata.documents.care.arriving import settle
from strata.documents.care.erasing import erase_document
from strata.documents.care.keeping import TextChains
from strata.documents.care.proving import document_problems

__all__ = ["TextChains", "document_problems", "erase_document", "settle"]
