"""Who made a commit: an agent, the person it works for, and the task it works on.

A commit has one column for its actor, which its hash covers. Where only an actor is known, it has
the name. Where a person is known, it has all parts, between separators that no name has.
"""

from functools import lru_cache

import msgspec

from strata.base import limits
from strata.base.checks import check_text
from strata.base.errors import InvalidArgument, LimitExceeded
from strata.base.results import Result

SEPARATOR = "\x1f"


class Signature(Result, frozen=True):
    """Who made a commit. `person` is the id of a user, `name` what the user was called then.

    Without a person, `agent` is the actor that the commit names, whatever that is.
    """

    agent: str | None = None
    person: str | None = None
    name: str | None = None
    task: str | None = None

    @property
    def actor(self) -> str | None:
        """The one name for readers: the agent's, else the person's."""
        return self.agent or self.name

    @property
    def text(self) -> str | None:
        """What a commit keeps."""
        if self.person is None and self.task is None:
            return self.agent
        return SEPARATOR.join(
            part or "" for part in (self.agent, self.person, self.name, self.task)
        )


@lru_cache(maxsize=1024)
def read_signature(text: str | None) -> Signature:
    """Read what a commit keeps."""
    if text is None or SEPARATOR not in text:
        return Signature(text)
    agent, person, name, task, *_more = [*text.split(SEPARATOR), "", ""]
    return Signature(agent or None, person or None, name or None, task or None)


@lru_cache(maxsize=1024)
def with_person(text: str | None, person: Signature) -> str | None:
    """Return a signature that names a person, and the agent it named before, if it did."""
    known = read_signature(text)
    if known.person is not None:
        return text
    return msgspec.structs.replace(
        person, agent=known.agent or person.agent, task=known.task or person.task
    ).text


def check_actor(actor: object) -> str | None:
    """Return the name of an actor, or raise; it cannot pretend to be a person's signature."""
    if actor is None:
        return None
    text = check_text(actor, name="actor")
    if len(text) > limits.ACTOR_CHARACTERS_MAX:
        raise LimitExceeded(
            f"The actor has {len(text):,} characters; the limit is "
            f"{limits.ACTOR_CHARACTERS_MAX:,}.",
            limit=limits.ACTOR_CHARACTERS_MAX,
            size=len(text),
        )
    if SEPARATOR in text:
        raise InvalidArgument(f"{text!r} cannot be an actor.", parameter="actor")
    return text
