"""Recognising keys, tokens and passwords by their structure, before they are kept."""

from strata.secrets.candidates import KINDS
from strata.secrets.find import Finding, find_secrets
from strata.secrets.screen import MODES, SecretMode, SecretScreen, check_mode, refusal_by_line
from strata.secrets.survey import StoredSecret, find_stored
from strata.secrets.values import SecretInValue, find_in, mask, masks_in

__all__ = [
    "KINDS",
    "MODES",
    "Finding",
    "SecretInValue",
    "SecretMode",
    "SecretScreen",
    "StoredSecret",
    "check_mode",
    "find_in",
    "find_secrets",
    "find_stored",
    "mask",
    "masks_in",
    "refusal_by_line",
]
