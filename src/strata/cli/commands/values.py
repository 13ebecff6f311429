"""Putting, getting, deleting and erasing values."""

import click
import msgspec

import strata
from strata.base.values import Json
from strata.cli import kinds
from strata.cli.completion import complete_keys
from strata.cli.decorated import command
from strata.cli.output import answer, confirm, mention_moment, plural
from strata.cli.session import Invocation
from strata.cli.show.secrets import masked_in, masked_lines
from strata.cli.show.text import one_line, pretty
from strata.cli.values import read_value

_KIND = click.Choice(kinds.KINDS)
_KIND_HELP = "kv (plain), json or state; otherwise the kind the key has."


@command(
    "put",
    takes="branch space actor allow-secrets",
    examples="""
    strata put greeting 안녕하세요
    strata put user '{"name": "하나", "age": 30}' --tag people
    strata put user 31 --path age -m "a birthday"
    echo "a longer text" | strata put note -
    strata put settings '{"theme": "dark"}' --kind json
    strata put leader agent-1 --kind state --if-counter 0
    """,
)
@click.argument("key", shell_complete=complete_keys, help="The name of the value.")
@click.argument("value", required=False, help="JSON or text; - reads it from standard input.")
@click.option("--file", type=click.Path(exists=True, dir_okay=False), help="Read the value here.")
@click.option("--text", "as_text", is_flag=True, help="Take the value as text, even if it is JSON.")
@click.option("--raw-json", is_flag=True, help="Refuse a value that is not JSON.")
@click.option("--tag", "tags", multiple=True, help="A tag to find it by; may be repeated.")
@click.option("--path", help="Set only this part of the value: name, a.b[0], $.a.")
@click.option("--kind", type=_KIND, help=_KIND_HELP)
@click.option("--if-version", type=int, help="Only if the key has this version; 0: is absent.")
@click.option("--if-counter", type=int, help="Only if the cell counts this far; 0: is absent.")
@click.option("-m", "--message", help="Why, for the log.")
def put(
    session: Invocation, *, key: str, value: str | None, file: str | None, as_text: bool,
    raw_json: bool, tags: tuple[str, ...], path: str | None, kind: str | None,
    if_version: int | None, if_counter: int | None, message: str | None,
) -> None:  # fmt: skip
    """Keep a value under a key.

    VALUE is JSON if it can be read as JSON, otherwise text; `-` reads it from standard
    input. Earlier values stay in the key's history. With --path only that part of the value
    changes. A new key is a plain value (kv), or a JSON document when --path is given; --kind
    state makes a cell with a counter, for compare-and-set. A key, a token or a password in the
    value is refused, unless --allow-secrets is given or the setting `secrets` says otherwise.
    """
    wanted = read_value(value, file, as_text=as_text, raw_json=raw_json)
    plan = _Put(key, wanted, tags, path, kind, if_version, if_counter)
    session.rehearse(lambda db: _write(db, plan, message))
    with session.writing(create=True) as db:
        kind, found = _write(db, plan, message)
        masked = masked_in(wanted, found.value)
        lines = [f"put {one_line(key)}, version {found.version}", *masked_lines(masked)]
        answer(session, found, lines, key=key, kind=kind, masked=masked)


def _write(
    db: strata.Workspace, plan: "_Put", message: str | None
) -> tuple[str | None, strata.Version | strata.Cell]:
    """Put a value; return its kind and its new version."""
    plan = _settled(db, plan)
    if message is None:
        return plan.kind, _put(db, plan)
    with db.transaction(message=message) as transaction:
        found = _put(transaction, plan)
    at = transaction.commit
    if at is not None:
        found = msgspec.structs.replace(found, version=at.version, timestamp=at.timestamp)
    return plan.kind, found


class _Put(msgspec.Struct, frozen=True):
    """What is to be written, and under which conditions."""

    key: str
    value: Json
    tags: tuple[str, ...]
    path: str | None
    kind: str | None
    if_version: int | None
    if_counter: int | None


def _settled(db: kinds.Rooms, plan: _Put) -> _Put:
    """Choose the kind where none was named, and refuse conditions that it does not have."""
    new = "json" if plan.path is not None else "kv"
    kind = plan.kind or kinds.kind_of(db, plan.key) or new
    for option, given, home in (
        ("--if-version", plan.if_version is not None, "kv"),
        ("--tag", bool(plan.tags), "kv"),
        ("--if-counter", plan.if_counter is not None, "state"),
    ):
        if given and (kind != home or plan.path is not None):
            raise click.UsageError(
                f"{option} is for a whole value of kind {home}; {plan.key!r} is of kind {kind}"
                f"{' and --path was given' if plan.path is not None else ''}."
            )
    if kind == "state" and plan.path is not None:
        raise click.UsageError("A state cell is set whole, without --path.")
    return msgspec.structs.replace(plan, kind=kind)


def _put(db: kinds.Rooms, plan: _Put) -> strata.Version | strata.Cell:
    if plan.if_counter is not None:
        return _compare_and_set(db, plan)
    if plan.kind == "kv" and plan.path is None:
        return db.kv.put(plan.key, plan.value, tags=plan.tags, if_version=plan.if_version)
    return kinds.put(db, plan.key, plan.value, kind=plan.kind or "kv", path=plan.path)


def _compare_and_set(db: kinds.Rooms, plan: _Put) -> strata.Cell:
    cell = db.state.cas(plan.key, plan.value, expected=plan.if_counter or None)
    if cell is not None:
        return cell
    found = db.state.get(plan.key)
    raise strata.VersionConflict(
        f"The cell {plan.key!r} counts {found.counter if found else 0}, not {plan.if_counter}.",
        hint="Read it again and decide anew; nothing was changed.",
    )


@command(
    "get",
    takes="branch space at",
    examples="""
    strata put user '{"name": "하나", "age": 30}'
    strata get user
    strata get user --path name
    strata get user --at now --json
    """,
)
@click.argument("key", shell_complete=complete_keys, help="The name of the value.")
@click.option("--path", help="Only this part of the value: name, a.b[0], $.a.")
@click.option("--kind", type=_KIND, help=_KIND_HELP)
@click.option("-n", "--no-newline", is_flag=True, help="Add no newline to a text.")
def get(
    session: Invocation, *, key: str, path: str | None, kind: str | None, no_newline: bool
) -> None:
    """Show what a key holds.

    Text is printed as it is, everything else as JSON. When the key holds nothing, nothing is
    printed and the exit code is 1.
    """
    with session.reading() as db:
        found = kinds.fetch(db, key, kind=kind, path=path)
        if found is None:
            raise _absent(db, key, path)
        if session.json:
            answer(session, found[1], key=key, kind=found[0])
            return
        value = found[1].value
        text = value if isinstance(value, str) else pretty(value)
        # The colour setting of `echo` would take escape codes out of what was stored.
        click.echo(text, nl=not (no_newline or text.endswith("\n")), color=True)
        mention_moment(session)


def _absent(db: strata.Workspace, key: str, path: str | None) -> strata.NotFound:
    part = f" with a part {path!r}" if path else ""
    past = f" as of version {db.as_of.version}" if db.as_of else ""
    return strata.NotFound(
        f"There is no key {key!r}{part} in space {db.space_name!r} on branch {db.branch!r}{past}.",
        hint="`strata list` shows the keys.",
        key=key,
    )


@command(
    "delete",
    takes="branch space actor",
    examples="""
    strata put draft/1 "first" && strata put draft/2 '{"title": "둘", "body": ""}'
    strata delete draft/2 --path body
    strata delete draft/1 draft/2 -m "no longer needed"
    """,
)
@click.argument(
    "keys", nargs=-1, required=True, shell_complete=complete_keys, help="The names of the values."
)
@click.option("--path", help="Remove only this part of the value.")
@click.option("--kind", type=_KIND, help=_KIND_HELP)
@click.option("-m", "--message", help="Why, for the log.")
def delete(
    session: Invocation, *, keys: tuple[str, ...], path: str | None, kind: str | None,
    message: str | None,
) -> int | None:  # fmt: skip
    """Remove keys from now on; their history stays.

    Several keys go in one commit. Keys that hold nothing are named; when none of them held
    anything, the exit code is 1. To erase a value for good, see `strata purge`.
    """
    with session.writing() as db:
        with db.transaction(message=message) as transaction:
            found = {
                key: kinds.delete(
                    transaction, key, kind=kind or kinds.kind_of(transaction, key) or "kv",
                    path=path,
                )
                for key in dict.fromkeys(keys)
            }  # fmt: skip
        version = transaction.commit.version if transaction.commit else None
        lines = [
            f"deleted {one_line(key)}" if was_there else f"{one_line(key)} holds nothing"
            for key, was_there in found.items()
        ]
        deleted = [key for key, was_there in found.items() if was_there]
        missing = [key for key, was_there in found.items() if not was_there]
        answer(session, {"deleted": deleted, "missing": missing, "version": version}, lines)
    return None if deleted else 1


@command(
    "purge",
    takes="branch space",
    examples="""
    strata put token s3cr3t
    strata purge token --yes
    strata history token
    strata doc new Plan "the secret plan"
    strata purge --document Plan --yes
    """,
)
@click.argument("key", required=False, shell_complete=complete_keys, help="The name of the value.")
@click.option("--document", metavar="DOCUMENT", help="A document (id or title), with all it has.")
@click.option("--kind", help="Only under this kind; otherwise under all of them.")
@click.option("--version", type=int, help="Only this version of the key.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def purge(
    session: Invocation, *, key: str | None, document: str | None, kind: str | None,
    version: int | None, yes: bool,
) -> None:  # fmt: skip
    """Erase what a key ever held, for good.

    The values vanish from every version, on every branch, and from the file itself; that
    something was there, and its hash, stay. There is no way back. Backups and bundles made
    before keep what they have. With --document, a document goes with every text it ever had,
    its suggestions, shares and images; single words of its past cannot be erased alone.
    """
    if (key is None) == (document is None) or (document and (kind or version)):
        raise click.UsageError("Name a key, or a document with --document alone.")
    # On every branch; one is named for an event, whose number is its own on each.
    with session.writing(anywhere=session.branch is None) as db:
        id_ = ""
        if document is not None:
            # Whoever has the file may erase what they cannot read, but has to know its id.
            id_ = document if document.startswith("doc_") else db.documents.called(document)
            confirm(f"Erase the document {document!r} on every branch for good?", yes=yes)
            found = db.purge_document(id_)
        else:
            assert key is not None, "a key or a document is named"
            what = "every value" if version is None else f"version {version}"
            confirm(f"Erase {what} of {key!r} in space {db.space_name!r} for good?", yes=yes)
            found = db.purge(key, kind=kind, version=version)
        name = {"key": key} if document is None else {"document_id": id_}
        answer(session, found, _erased(found, key or document or ""), **name)


def _erased(found: strata.Purge, name: str) -> list[str]:
    lines = [f"erased {plural(found.versions, 'version')} of {one_line(name)}"]
    if not found.is_complete:
        lines.append(
            "A reader still holds old pages; when it has ended, `strata compact` finishes this."
        )
    return lines
