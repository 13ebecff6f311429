"""Models as the SDK shows them: which there are, and what can be asked of them."""

from strata.workspace.language.room import ModelRoom

__all__ = ["ModelRoom"]
