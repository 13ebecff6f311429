"""Markdown to HTML that is safe to show to anybody."""

from strata.web.public.rendering.headings import Heading
from strata.web.public.rendering.markdown import RENDERER, Place, Rendered, render

__all__ = ["RENDERER", "Heading", "Place", "Rendered", "render"]
