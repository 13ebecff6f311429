"""Who is at a document now."""

from strata.cli.commands.documents.group import DOCUMENT, doc
from strata.cli.decorated import command
from strata.cli.output import answer, local_time
from strata.cli.session import Invocation
from strata.cli.show.tables import table
from strata.cli.show.text import one_line


@command(
    "who",
    group=doc,
    takes="branch user",
    examples="""
    strata doc new Plan "# Goals"
    strata doc who Plan
    """,
)
@DOCUMENT
def who(session: Invocation, *, name: str) -> None:
    """Show who has a document open now: people and agents, and where in it.

    Whoever was not seen for 30 seconds is not shown. What is written at the command line does
    not count: it is over before anybody could look.
    """
    with session.reading() as db:
        document = db.documents.called(name)
        found = db.presence.list(document)
        rows = [
            (one_line(one.name), one_line(one.via or ""), one.status,
             one_line(one.section or ""), local_time(one.seen))
            for one in found
        ]  # fmt: skip
        value = {
            "document": document,
            "people": [
                {"user": one.person, "name": one.name, "via": one.via, "status": one.status,
                 "entity_type": one.entity_type, "section": one.section, "colour": one.colour,
                 "seen": one.iso_time}
                for one in found
            ],
        }  # fmt: skip
        headers = ("NAME", "AGENT", "STATUS", "SECTION", "SEEN")
        answer(session, value, table(headers, rows), empty="nobody is at this document now")
