"""Writes docs/reference from the declarations and docstrings of the program."""

from strata.reference.pages import CommandPage, ParameterLine, command_page, setting_page

__all__ = ["CommandPage", "ParameterLine", "command_page", "setting_page"]
