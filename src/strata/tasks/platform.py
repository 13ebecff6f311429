"""Strata's own agents: they need no model, and do the same to the same documents every time."""

from strata.tasks.records import Agent, Definition


def _own(name: str, description: str, *, allow: tuple[str, ...] = ()) -> Agent:
    # What they write waits for a user to accept it, or is a document of the caller's own.
    definition = Definition(description=description, may_edit=bool(allow), allow=allow)
    return Agent(id=f"agent_{name}", name=name, definition=definition)


_CURATOR = (
    "Proposes how to tidy up facts and decisions: twins, what has expired, old decisions without an"
    " outcome, broken links, sources that are gone or have changed. Comments on [[links]] in"
    " documents that lead nowhere."
)


PLATFORM: tuple[Agent, ...] = (
    _own("linker", "Proposes [[links]] where a text names another document or is about it."),
    _own("outliner", "Proposes headings for a long text without any, or a table of contents."),
    _own("duplicates", "Comments on texts and sections that are in another document too."),
    _own(
        "digest",
        "Makes a digest of recent changes, or of one document, in its own words.",
        allow=("edit_document.create",),
    ),
    _own("curator", _CURATOR),
)
