"""Signing in by a browser: codes that are used once, and what a browser keeps of them."""

from strata.access.signing.records import Browser, Opened, SignInCode
from strata.access.signing.sign_ins import SignIns

__all__ = ["Browser", "Opened", "SignInCode", "SignIns"]
