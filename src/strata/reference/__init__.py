"""Writes docs/reference from what the program says about itself."""

from strata.reference.pages import CommandPage, ParameterLine, command_page, setting_page

__all__ = ["CommandPage", "ParameterLine", "command_page", "setting_page"]
