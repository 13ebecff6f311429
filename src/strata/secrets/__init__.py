"""Recognising keys, tokens and passwords by their structure, before they are kept."""

from typing import TYPE_CHECKING

from strata.base.lazy import lazily

if TYPE_CHECKING:
    from strata.secrets.candidates import KINDS
    from strata.secrets.find import Finding, find_secrets
    from strata.secrets.modes import MODES, SecretMode, check_mode
    from strata.secrets.refusals import RefusedSecrets, count_refusal, list_refusals
    from strata.secrets.screen import SecretScreen, refusal_by_line
    from strata.secrets.survey import StoredSecret, find_stored
    from strata.secrets.values import SecretInValue, find_in, mask, masks_in

__all__ = [
    "KINDS",
    "MODES",
    "Finding",
    "RefusedSecrets",
    "SecretInValue",
    "SecretMode",
    "SecretScreen",
    "StoredSecret",
    "check_mode",
    "count_refusal",
    "find_in",
    "find_secrets",
    "find_stored",
    "list_refusals",
    "mask",
    "masks_in",
    "refusal_by_line",
]

__getattr__ = lazily(
    __name__,
    {
        "strata.secrets.candidates": "KINDS",
        "strata.secrets.find": "Finding find_secrets",
        "strata.secrets.modes": "MODES SecretMode check_mode",
        "strata.secrets.refusals": "RefusedSecrets count_refusal list_refusals",
        "strata.secrets.screen": "SecretScreen refusal_by_line",
        "strata.secrets.survey": "StoredSecret find_stored",
        "strata.secrets.values": "SecretInValue find_in mask masks_in",
    },
)
