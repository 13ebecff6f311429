"""Markdown as the store sees it: sections, chunks, links and the fields in front."""

from strata.documents.markdown.chunks import SectionChunk, chunks
from strata.documents.markdown.frontmatter import Frontmatter, frontmatter, frontmatter_end
from strata.documents.markdown.incremental import resections
from strata.documents.markdown.outline import (
    Section,
    find_section,
    nearest_paths,
    path_name,
    sections,
)
from strata.documents.markdown.references import Reference, references
from strata.documents.markdown.titles import normal_title, tokens

__all__ = [
    "Frontmatter",
    "Reference",
    "Section",
    "SectionChunk",
    "chunks",
    "find_section",
    "frontmatter",
    "frontmatter_end",
    "nearest_paths",
    "normal_title",
    "path_name",
    "references",
    "resections",
    "sections",
    "tokens",
]
