"""Floor 3: who may use a server of the store, and for what."""

from strata.access.grants import EVERYTHING, Grant, grant_of_scopes, scopes_for
from strata.access.tokens import NewToken, Token, Tokens

__all__ = ["EVERYTHING", "Grant", "NewToken", "Token", "Tokens", "grant_of_scopes", "scopes_for"]
