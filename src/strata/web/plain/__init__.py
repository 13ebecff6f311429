"""Pages without a script: signing in, and sentences about what went wrong."""

from strata.web.plain.pages import message_page, plain_style, sign_in_page

__all__ = ["message_page", "plain_style", "sign_in_page"]
