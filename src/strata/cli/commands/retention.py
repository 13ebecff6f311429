"""Retention: how long replaced values are kept."""

from typing import Annotated

import strata
from strata.cli.command import Output, Spelling, group, reads
from strata.cli.output import confirm, plural, size
from strata.cli.session import Invocation
from strata.cli.show.progress import progress
from strata.cli.show.tables import table
from strata.cli.words import Yes
from strata.workspace import Workspace

_DAY_US = 86_400_000_000

retention = group(
    "retention",
    """Say how long replaced values are kept.

    Without a policy everything is kept. What a branch, a fork, a tag or a merge still needs
    is never dropped. Alone it lists the policies.

        strata put greeting 안녕
        strata retention set --max-age 30d
        strata retention
    """,
)


@reads("retention", anywhere=True)
def list_policies(db: Workspace) -> Output:
    """List the policies."""
    found = db.retention.list()
    lines = _table(found) if found else ["no policy: everything is kept"]
    return Output({"policies": found}, lines)


retention.alone = list_policies


def _table(policies: list[strata.Policy]) -> list[str]:
    rows = [
        (
            one.space,
            one.kind,
            "" if one.max_age_us is None else f"{one.max_age_us / _DAY_US:g} d",
            str(one.max_versions or ""),
        )
        for one in policies
    ]
    return table(("SPACE", "KIND", "MAX AGE", "MAX VERSIONS"), rows)


@retention.writes("set", takes="space", anywhere=True, creates=True)
def set_policy(
    db: Workspace,
    *,
    kind: Annotated[str, "Only this kind."] = "*",
    max_age: Annotated[
        str | None, 'Keep replaced values for: 30d, 12h, "2 weeks".', Spelling("LENGTH")
    ] = None,
    max_versions: Annotated[int | None, "Keep so many replaced values of each key."] = None,
) -> Output:
    """Set the policy of a space and a kind; without them, of everything.

    With both limits a value is dropped only when it is past both.

        strata retention set --max-age 30d
        strata retention set --space notes --kind kv --max-versions 10
    """
    space = Invocation.current().space or "*"
    found = db.retention.set(space=space, kind=kind, max_age=max_age, max_versions=max_versions)
    return Output(found, _table([found]))


@retention.writes("remove", takes="space", anywhere=True)
def remove(db: Workspace, *, kind: Annotated[str, "The policy of this kind."] = "*") -> Output:
    """Remove the policy of a space and a kind; without them, of everything.

    What it allowed to drop and is not dropped yet is kept again.

        strata retention set --max-age 30d
        strata retention remove
    """
    space = Invocation.current().space or "*"
    if not db.retention.remove(space=space, kind=kind):
        raise strata.NotFound(
            f"There is no policy for space {space!r} and kind {kind!r}.",
            hint="`strata retention` lists them.",
        )
    return Output({"removed": {"space": space, "kind": kind}}, "removed the policy")


@retention.command_of("apply")
def apply(
    session: Invocation,
    *,
    preview: Annotated[bool, "Only count what would go."] = False,
    yes: Yes = False,
) -> Output:
    """Drop the values that are past their policy and that nothing needs.

    They cannot be read any more; that they were there, and their hashes, stay.

        strata put counter 1 && strata put counter 2
        strata retention set --max-versions 1
        strata retention apply --preview
        strata retention apply --yes
    """
    opened = session.reading(anywhere=True) if preview else session.writing(anywhere=True)
    with opened as db:
        if not preview:
            due = db.retention.apply(preview=True).versions
            # Nothing is lost by dropping nothing.
            confirm(f"Drop {plural(due, 'old version')} for good?", yes=yes or not due)
        with progress("retention") as report:
            found = db.retention.apply(preview=preview, progress=report)
    verb = "would drop" if preview else "dropped"
    what = f"{plural(found.versions, 'version')}, {size(found.bytes)}"
    return Output(found, f"{verb} {what}; {found.needed} past the policy are still needed")
