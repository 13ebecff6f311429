"""Markdown to HTML that is safe to show to any visitor."""

from strata.web.public.rendering.headings import ContentsHeading
from strata.web.public.rendering.markdown import RENDERER, RenderContext, RenderedText, render

__all__ = ["RENDERER", "ContentsHeading", "RenderContext", "RenderedText", "render"]
