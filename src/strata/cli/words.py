"""Arguments and options that several commands take, each described once."""

from typing import Annotated

from strata.cli.command import Spelling
from strata.cli.completion import complete_documents

DocumentName = Annotated[
    str,
    "Its id, or its title if only one is called so.",
    Spelling("DOCUMENT", complete=complete_documents),
]
Under = Annotated[
    tuple[str, ...],
    "A heading above the words, if they occur more than once; may be repeated.",
    Spelling("HEADING"),
]
OnlyIds = Annotated[bool, "Only their ids, one a line, for other commands."]
Message = Annotated[str | None, "Why, for the log.", Spelling(flags="-m --message")]
Yes = Annotated[bool, "Do not ask."]
# How the number of results is limited.
LIMIT = Spelling(flags="-n --limit")
