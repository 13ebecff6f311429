"""The screen that keeps keys, tokens and passwords out of the store."""

import os
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from strata.secrets import MODES, SecretMode, find_secrets, mask
from strata.tools.page.group import (
    PageAnswer,
    Who,
    iso,
    manages,
    page,
    require_owner,
    require_person,
    who_signed,
)
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.workspace import Workspace

_TEXT_CHARACTERS_MAX = 100_000
_FOUND_MAX = 100
_REFUSED_MAX = 100
_DAYS = 30
_VARIABLE = "STRATA_SECRETS"


class SecretRefusals(PageAnswer, frozen=True):
    """How often secrets of one kind were refused that one user or agent sent, and when last."""

    kind: str
    who: Who
    times: int
    last: str


class SecretSettings(PageAnswer, frozen=True):
    """What is done with a secret in what is written, and what was refused lately."""

    mode: str
    modes: tuple[str, ...]
    # Whether a variable of the server decides, and not the store.
    is_fixed: bool
    # Of the last days, the latest first; for the owner and admins, others see none.
    days: int
    refused: list[SecretRefusals]


@page.reads(needs="memory", example={})
def secrets(call: Call) -> SecretSettings:
    """Show what is done with a secret in what is written."""
    here = call.anywhere
    return SecretSettings(
        mode=str(here.settings.get("secrets")),
        modes=MODES,
        is_fixed=_VARIABLE in os.environ,
        days=_DAYS,
        refused=_refused(here) if manages(here) else [],
    )


def _refused(here: "Workspace") -> list[SecretRefusals]:
    found = here.refused_secrets(days=_DAYS)
    return [
        SecretRefusals(
            kind=one.secret,
            who=who_signed(here, one.sender),
            times=one.times,
            last=iso(one.last),
        )
        for one in found[:_REFUSED_MAX]
    ]


@page.writes(needs="memory", idempotent=True, example={"mode": "mask"})
def set_secrets(
    call: Call, *, mode: Annotated[SecretMode, "What to do with one"]
) -> SecretSettings:
    """Choose what is done with secrets from now on; for the owner alone."""
    require_person(call)
    here = call.anywhere
    require_owner(here, "decide what is done with secrets")
    here.settings.set("secrets", mode)
    return secrets(call)


class SecretPlace(PageAnswer, frozen=True):
    """A secret in a text: its kind and its line, never the secret."""

    kind: str
    line: int


class SecretTrial(PageAnswer, frozen=True):
    """What would be done with a text, and the text with its secrets masked."""

    mode: str
    found: list[SecretPlace]
    masked: str


@page.reads(example={"text": "The deploy key is in the vault."})
def try_secrets(
    call: Call,
    *,
    text: Annotated[
        str, Meta(description="Nothing of it is kept", max_length=_TEXT_CHARACTERS_MAX)
    ],
) -> SecretTrial:
    """Tell whether a text would be refused; it is neither stored nor logged."""
    found = find_secrets(text)[:_FOUND_MAX]
    return SecretTrial(
        mode=str(call.anywhere.settings.get("secrets")),
        found=[
            SecretPlace(kind=one.kind, line=text.count("\n", 0, one.start) + 1) for one in found
        ],
        masked=str(mask(text)[0]),
    )
