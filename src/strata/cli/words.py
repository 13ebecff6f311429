"""Arguments and options that several commands take, each described once."""

from pathlib import Path
from typing import Annotated, Literal

import click
import msgspec

from strata.base import limits
from strata.cli.command import Spelling
from strata.cli.completion import complete_documents, complete_keys

# How the number of results is limited.
LIMIT = Spelling(flags="-n --limit")

DocumentName = Annotated[
    str,
    "Its id, or its title if only one is called so.",
    Spelling("DOCUMENT", complete=complete_documents),
]
Query = Annotated[
    tuple[str, ...],
    "What to look for, in any language; quotes are not needed.",
    Spelling("QUERY..."),
]
Under = Annotated[
    tuple[str, ...],
    "A heading above the words, if they occur more than once; may be repeated.",
    Spelling("HEADING"),
]
OnlyIds = Annotated[bool, "Only their ids, one a line, for other commands."]
Key = Annotated[str, "The name of the value.", Spelling(complete=complete_keys)]
Message = Annotated[str | None, "Why, for the log.", Spelling(flags="-m --message")]
_DATE = Spelling("DATE")
Since = Annotated[str | None, "It holds from this day or time on.", _DATE]
Until = Annotated[str | None, "It holds until this day or time; then searches leave it out.", _DATE]
ReviewBy = Annotated[str | None, "From this day on, searches say that it is to be reviewed.", _DATE]
Sources = Annotated[
    tuple[str, ...],
    "Where it comes from: a turn (codex/01a1#12-15), a document, a file; may be repeated.",
    Spelling("SOURCE", "--source"),
]
Yes = Annotated[bool, "Do not ask."]
Stat = Annotated[bool, "Name the keys without their values."]
Force = Annotated[bool, "Replace the file if it exists."]
# What a command reads in place of an argument.
Contents = Annotated[
    Path | None,
    "Read it from this file.",
    Spelling(flags="--file", type=click.Path(exists=True, dir_okay=False, path_type=Path)),
]
Limit = Annotated[int, "How many at most.", LIMIT, msgspec.Meta(ge=1, le=10_000)]
CommitVersion = Annotated[
    int, "The number of a commit, or of a version it wrote.", msgspec.Meta(ge=1)
]

# A file that a command writes, or one that it reads and that need not be there.
PLAIN_FILE = Spelling(type=click.Path(dir_okay=False, path_type=Path))

# Links that let others in.
LinkRole = Annotated[Literal["viewer", "commenter", "editor"], "What they may do."]
LinkDays = Annotated[
    int, "How long the link is good.", msgspec.Meta(ge=1, le=limits.SHARE_LINK_DAYS_MAX)
]
LinkUses = Annotated[int, "How many may use it.", msgspec.Meta(ge=1, le=limits.SHARE_LINK_USES_MAX)]
NewUsers = Annotated[bool, "Who has no user yet gets one by it; takes an admin."]

# Options of servers.
ToolNames = Annotated[Literal["underscore", "dot", "slash"], "How names of two words are spelled."]
OnlyReading = Annotated[bool, "Leave out every tool that writes."]
AutoEmbed = Annotated[
    bool,
    "Make vectors for search by meaning in the background.",
    Spelling(flags="--auto-embed/--no-auto-embed"),
]
LogFile = Annotated[
    str | None, "Log here instead of stderr.", Spelling(type=click.Path(dir_okay=False))
]
Verbose = Annotated[bool, "Log more than warnings."]
