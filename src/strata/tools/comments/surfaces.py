"""The two tools of review: what is said about a text, and what it should become."""

from strata.tools.comments import commenting, suggesting
from strata.tools.comments.surface import comments

assert {commenting, suggesting}, "importing them declares their tools"
SURFACES = (comments,)
