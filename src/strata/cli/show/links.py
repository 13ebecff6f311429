"""Links that let others into a document or a team."""

from collections.abc import Sequence

from strata.access import ShareLink
from strata.cli.command import Output
from strata.cli.output import local_time, with_times
from strata.cli.show.text import table


def table_of_links(found: Sequence[ShareLink], place: str) -> Output:
    """Return the links of a place as a table."""
    rows = [
        (
            one.id,
            one.kind,
            one.role,
            f"{one.uses} of {one.most_uses}" if one.most_uses else str(one.uses),
            local_time(one.expires) if one.expires else "",
        )
        for one in found
    ]
    headers = ("LINK", "KIND", "ROLE", "USED", "UNTIL")
    return Output(
        {"links": [with_times(one) for one in found]},
        table(headers, rows),
        empty=f"no links let others into {place}",
    )
