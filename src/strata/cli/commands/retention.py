"""Retention: how long replaced values are kept."""

import click

import strata
from strata.cli.decorated import command, group
from strata.cli.output import answer, confirm, plural, size
from strata.cli.session import Invocation
from strata.cli.show.progress import progress
from strata.cli.show.tables import table

_DAY_US = 86_400_000_000


@group(
    "retention",
    examples="""
    strata put greeting 안녕
    strata retention set --max-age 30d
    strata retention
    """,
)
def retention(session: Invocation) -> None:
    """Say how long replaced values are kept.

    Without a policy everything is kept. What a branch, a fork, a tag or a merge still needs
    is never dropped. Alone it lists the policies.
    """
    with session.reading(anywhere=True) as db:
        found = db.retention.list()
        rows = [_row(policy) for policy in found]
        headers = ("SPACE", "KIND", "MAX AGE", "MAX VERSIONS")
        lines = table(headers, rows) or ["no policy: everything is kept"]
        answer(session, {"policies": found}, lines)


def _row(policy: strata.Policy) -> tuple[str, str, str, str]:
    age = "" if policy.max_age_us is None else f"{policy.max_age_us / _DAY_US:g} d"
    return policy.space, policy.kind, age, str(policy.max_versions or "")


@command(
    "set",
    group=retention,
    takes="space",
    examples="""
    strata retention set --max-age 30d
    strata retention set --space notes --kind kv --max-versions 10
    """,
)
@click.option("--kind", default="*", help="Only this kind.")
@click.option("--max-age", metavar="LENGTH", help='Keep replaced values for: 30d, 12h, "2 weeks".')
@click.option("--max-versions", type=int, help="Keep so many replaced values of each key.")
def set_policy(
    session: Invocation, *, kind: str, max_age: str | None, max_versions: int | None
) -> None:
    """Set the policy of a space and a kind; without them, of everything.

    With both limits a value is dropped only when it is past both.
    """

    def work(db: strata.Workspace) -> strata.Policy:
        return db.retention.set(
            space=session.space or "*", kind=kind, max_age=max_age, max_versions=max_versions
        )

    session.rehearse(work, anywhere=True)
    with session.writing(create=True, anywhere=True) as db:
        found = work(db)
        lines = table(("SPACE", "KIND", "MAX AGE", "MAX VERSIONS"), [_row(found)])
        answer(session, found, lines)


@command(
    "remove",
    group=retention,
    takes="space",
    examples="""
    strata retention set --max-age 30d
    strata retention remove
    """,
)
@click.option("--kind", default="*", help="The policy of this kind.")
def remove(session: Invocation, *, kind: str) -> None:
    """Remove the policy of a space and a kind; without them, of everything.

    What it allowed to drop and is not dropped yet is kept again.
    """
    space = session.space or "*"
    with session.writing(anywhere=True) as db:
        if not db.retention.remove(space=space, kind=kind):
            raise strata.NotFound(
                f"There is no policy for space {space!r} and kind {kind!r}.",
                hint="`strata retention` lists them.",
            )
        answer(session, {"removed": {"space": space, "kind": kind}}, ["removed the policy"])


@command(
    "apply",
    group=retention,
    examples="""
    strata put counter 1 && strata put counter 2
    strata retention set --max-versions 1
    strata retention apply --preview
    strata retention apply --yes
    """,
)
@click.option("--preview", is_flag=True, help="Only count what would go.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def apply(session: Invocation, *, preview: bool, yes: bool) -> None:
    """Drop the values that are past their policy and that nothing needs.

    They cannot be read any more; that they were there, and their hashes, stay.
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
    answer(session, found, [f"{verb} {what}; {found.needed} past the policy are still needed"])
