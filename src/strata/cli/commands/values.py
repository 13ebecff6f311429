"""Keys: putting, getting, listing, deleting and erasing what they hold."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias, get_args

import click
import msgspec

import strata
from strata.base.counts import plural
from strata.base.results import plain
from strata.base.validity import check_validity
from strata.base.values import Json, decode
from strata.cli.command import Output, Spelling, command, reads, writes
from strata.cli.completion import complete_keys
from strata.cli.output import confirm, local_time, mention_moment
from strata.cli.session import Invocation
from strata.cli.show.text import TWIN_COLUMNS, cut, inline, one_line, pretty, table
from strata.cli.words import (
    LIMIT,
    Contents,
    Key,
    Limit,
    Message,
    ReviewBy,
    Since,
    Sources,
    Until,
    Yes,
)
from strata.memory import JsonDocuments, Kv, State, json_path
from strata.secrets import SecretInValue, masks_in
from strata.sql import is_address
from strata.workspace import Workspace, WorkspaceTransaction

if TYPE_CHECKING:
    from strata.search import TextTwin

Kind: TypeAlias = Literal["kv", "json", "state"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Handle: TypeAlias = Workspace | WorkspaceTransaction
KindOfKey = Annotated[Kind | None, "kv (plain), json or state; otherwise the kind the key has."]


@writes("put", takes="branch space actor allow-secrets", creates=True)
def put(
    db: Workspace,
    key: Key,
    value: Annotated[str | None, "JSON or text; - reads it from standard input."] = None,
    *,
    file: Contents = None,
    as_text: Annotated[
        bool, "Take the value as text, even if it is JSON.", Spelling(flags="--text")
    ] = False,
    raw_json: Annotated[bool, "Refuse a value that is not JSON."] = False,
    tags: Annotated[
        tuple[str, ...], "A tag to find it by; may be repeated.", Spelling(flags="--tag")
    ] = (),
    since: Since = None,
    until: Until = None,
    review_by: ReviewBy = None,
    sources: Sources = (),
    replaces: Annotated[
        tuple[str, ...],
        "A key that holds no longer because of this one; may be repeated.",
        Spelling("KEY", complete=complete_keys),
    ] = (),
    path: Annotated[str | None, "Set only this part of the value: name, a.b[0], $.a."] = None,
    kind: KindOfKey = None,
    if_version: Annotated[int | None, "Only if the key has this version; 0: is absent."] = None,
    if_counter: Annotated[int | None, "Only if the cell counts this far; 0: is absent."] = None,
    message: Message = None,
) -> Output:
    """Keep a value under a key.

    VALUE is JSON if it can be read as JSON, otherwise text; `-` reads it from standard
    input. Earlier values stay in the key's history. With --path only that part of the value
    changes. A new key is a plain value (kv), or a JSON document when --path is given; --kind
    state makes a cell with a counter, for compare-and-set. A key, a token or a password in the
    value is refused, unless --allow-secrets is given or the setting `secrets` says otherwise.
    --since, --until, --review-by, --source and --replaces are kept as tags; `strata why` shows
    them. A key that is replaced stays, and searches show what replaces it above it. When other
    keys of the space say nearly the same, at most two of them are named on standard error, and as
    `similar` with --json; nothing is dropped or replaced by itself.

        strata put greeting 안녕하세요
        strata put user '{"name": "하나", "age": 30}' --tag people
        strata put user 31 --path age -m "a birthday"
        echo "a longer text" | strata put note -
        strata put settings '{"theme": "dark"}' --kind json
        strata put leader agent-1 --kind state --if-counter 0
        strata put sale "20 % off" --until 2099-12-31 --source docs/prices.md
        strata put sale/summer "30 % off" --replaces sale
    """
    told = check_validity(since=since, until=until, review_by=review_by, sources=sources)
    tags = (*tags, *told.marks)
    wanted = read_value(value, file, as_text=as_text, raw_json=raw_json)
    kind = kind or _kind_of(db, key) or ("kv" if path is None else "json")
    plan = _Put(key, wanted, kind, path, tags, if_version, if_counter, replaces)
    _check_conditions(plan)
    if message is None:
        found = _put(db, plan)
    else:
        with db.transaction(message=message) as transaction:
            found = _put(transaction, plan)
        if (at := transaction.commit) is not None:
            found = msgspec.structs.replace(found, version=at.version, timestamp=at.timestamp)
    masked = masked_in(wanted, found.value)
    lines = [f"put {one_line(key)}, version {found.version}", *masked_lines(masked)]
    twins = db.twins(key) if kind == "kv" else []
    similar = [_brief(twin) for twin in twins]
    notes = _notes_on(twins)
    return Output(found, lines, notes=notes, key=key, kind=kind, masked=masked, similar=similar)


def _brief(twin: "TextTwin") -> dict[str, Json]:
    return {"key": twin.hit.key, "value": twin.hit.value, "likeness": twin.likeness}


def _notes_on(twins: "list[TextTwin]") -> list[str]:
    """Return a line for each key that says nearly the same, and what can be done about it."""
    notes = [
        f"{one_line(twin.hit.key)} says nearly the same ({twin.likeness:.0%}):"
        f" {cut(inline(twin.hit.value), TWIN_COLUMNS)}"
        for twin in twins
    ]
    if notes:
        notes.append("delete one of them, or put this one again with --replaces KEY")
    return notes


class _Put(msgspec.Struct, frozen=True):
    """What is to be written, and under which conditions."""

    key: str
    value: Json
    kind: Kind
    path: str | None
    tags: tuple[str, ...]
    if_version: int | None
    if_counter: int | None
    replaces: tuple[str, ...] = ()


def _check_conditions(plan: _Put) -> None:
    """Refuse conditions that the kind of a value does not have."""
    for option, given, home in (
        ("--if-version", plan.if_version is not None, "kv"),
        ("--tag", bool(plan.tags), "kv"),
        ("--replaces", bool(plan.replaces), "kv"),
        ("--if-counter", plan.if_counter is not None, "state"),
    ):
        if given and (plan.kind != home or plan.path is not None):
            raise click.UsageError(
                f"{option} is for a whole value of kind {home}; {plan.key!r} is of kind "
                f"{plan.kind}{' and --path was given' if plan.path is not None else ''}."
            )
    if plan.kind == "state" and plan.path is not None:
        raise click.UsageError("A state cell is set whole, without --path.")


def _put(db: Handle, plan: _Put) -> strata.Version | strata.Cell:
    if plan.if_counter is not None:
        return _compare_and_set(db, plan)
    if plan.kind == "json":
        return db.json.set(plan.key, plan.path or "$", plan.value)
    if plan.kind == "state":
        cell = db.state.set(plan.key, plan.value)
        return strata.Version(cell.value, cell.version, cell.timestamp)
    if plan.replaces:
        return db.facts.remember(
            plan.key,
            plan.value,
            tags=plan.tags,
            if_version=plan.if_version,
            replaces=plan.replaces,
        ).held
    if plan.path is None:
        return db.kv.put(plan.key, plan.value, tags=plan.tags, if_version=plan.if_version)
    return db.facts.remember(plan.key, plan.value, path=plan.path).held


def _compare_and_set(db: Handle, plan: _Put) -> strata.Cell:
    cell = db.state.cas(plan.key, plan.value, expected=plan.if_counter or None)
    if cell is not None:
        return cell
    found = db.state.get(plan.key)
    raise strata.VersionConflict(
        f"The cell {plan.key!r} counts {found.counter if found else 0}, not {plan.if_counter}.",
        hint="Read it again and decide anew; nothing was changed.",
    )


def _kind_of(db: Handle, key: str) -> Kind | None:
    """Return the kind under which a key holds a value; a plain value comes first."""
    return next((kind for kind in KINDS if _values(db, kind).exists(key)), None)


def _values(db: Handle, kind: Kind) -> Kv | JsonDocuments | State:
    return {"kv": db.kv, "json": db.json, "state": db.state}[kind]


@reads("get", takes="branch space at")
def get(
    db: Workspace,
    key: Key,
    *,
    path: Annotated[str | None, "Only this part of the value: name, a.b[0], $.a."] = None,
    kind: KindOfKey = None,
    no_newline: Annotated[
        bool, "Add no newline to a text.", Spelling(flags="-n --no-newline")
    ] = False,
) -> Output | None:
    """Show what a key holds.

    Text is printed as it is, everything else as JSON. When the key holds nothing, nothing is
    printed and the exit code is 1.

        strata put user '{"name": "하나", "age": 30}'
        strata get user
        strata get user --path name
        strata get user --at now --json
    """
    kind = kind or _kind_of(db, key)
    found = None if kind is None else _get(db, key, kind, path=path)
    if found is None:
        part = f" with a part {path!r}" if path else ""
        past = f" as of version {db.as_of.version}" if db.as_of else ""
        raise strata.NotFound(
            f"There is no key {key!r}{part} in space {db.space_name!r} "
            f"on branch {db.branch!r}{past}.",
            hint="`strata list` shows the keys.",
            key=key,
        )
    if (session := Invocation.current()).json:
        return Output(found, key=key, kind=kind)
    text = found.value if isinstance(found.value, str) else pretty(found.value)
    # The colour setting of `echo` would take escape codes out of what was stored.
    click.echo(text, nl=not (no_newline or text.endswith("\n")), color=True)
    mention_moment(session)
    return None


def _get(
    db: Handle, key: str, kind: Kind, *, path: str | None
) -> strata.Version | strata.Cell | None:
    if kind == "json":
        return db.json.get(key, path or "$")
    whole = db.state.get(key) if kind == "state" else db.kv.get(key)
    if whole is None or path is None:
        return whole
    is_there, part = json_path.lookup(whole.value, json_path.parse(path))
    return strata.Version(part, whole.version, whole.timestamp) if is_there else None


@writes("delete", takes="branch space actor")
def delete(
    db: Workspace,
    keys: Annotated[tuple[str, ...], "The names of the values.", Spelling(complete=complete_keys)],
    *,
    path: Annotated[str | None, "Remove only this part of the value."] = None,
    kind: KindOfKey = None,
    message: Message = None,
) -> Output:
    """Remove keys from now on; their history stays.

    Several keys go in one commit. Keys that hold nothing are named; when none of them held
    anything, the exit code is 1. To erase a value for good, see `strata purge`.

        strata put draft/1 "first" && strata put draft/2 '{"title": "둘", "body": ""}'
        strata delete draft/2 --path body
        strata delete draft/1 draft/2 -m "no longer needed"
    """
    with db.transaction(message=message) as transaction:
        found = {
            key: _delete(transaction, key, kind or _kind_of(transaction, key) or "kv", path=path)
            for key in dict.fromkeys(keys)
        }
    return Output(
        {
            "deleted": [key for key, was_there in found.items() if was_there],
            "missing": [key for key, was_there in found.items() if not was_there],
            "version": transaction.commit.version if transaction.commit else None,
        },
        (
            f"deleted {one_line(key)}" if was_there else f"{one_line(key)} holds nothing"
            for key, was_there in found.items()
        ),
        code=0 if any(found.values()) else 1,
    )


def _delete(db: Handle, key: str, kind: Kind, *, path: str | None) -> bool:
    """Remove a key, or a part of its value; return whether it was there."""
    if kind == "json":
        return bool(db.json.delete(key, path or "$"))
    if kind == "state":
        return db.state.delete(key)
    steps = json_path.parse(path) if path is not None else ()
    whole = db.kv.get(key)
    if not steps or whole is None:
        return db.kv.delete(key)
    rest, was_there = json_path.remove(whole.value, steps)
    if not was_there or rest is json_path.MISSING:
        return False
    db.kv.put(key, rest, tags=whole.tags, if_version=whole.version)
    return True


@command("purge", takes="branch space")
def purge(
    session: Invocation,
    key: Key | None = None,
    *,
    document: Annotated[
        str | None, "A document (id or title), with all it has.", Spelling("DOCUMENT")
    ] = None,
    kind: Annotated[str | None, "Only under this kind; otherwise under all of them."] = None,
    version: Annotated[int | None, "Only this version of the key."] = None,
    yes: Yes = False,
) -> Output:
    """Erase all values of a key from history.

    The values vanish from every version, on every branch, and from the file itself; that
    something was there, and its hash, stay. There is no way back. Backups and bundles made
    before keep what they have. With --document, a document goes with every text it ever had,
    its suggestions, shares and images; single words of its past cannot be erased alone.

        strata put token s3cr3t
        strata purge token --yes
        strata history token
        strata doc new Plan "the secret plan"
        strata purge --document Plan --yes
    """
    if (key is None) == (document is None) or (document and (kind or version)):
        raise click.UsageError("Name a key, or a document with --document alone.")
    # On every branch; one is named for an event, whose number is its own on each.
    with session.writing(anywhere=session.branch is None) as db:
        if key is not None:
            what = "every value" if version is None else f"version {version}"
            confirm(f"Erase {what} of {key!r} in space {db.space_name!r} for good?", yes=yes)
            found, name = db.purge(key, kind=kind, version=version), {"key": key}
        else:
            assert document is not None, "a key or a document is named"
            # A user who has the file may erase what they cannot read, but has to know its id.
            id_ = document if document.startswith("doc_") else db.documents.called(document)
            confirm(f"Erase the document {document!r} on every branch for good?", yes=yes)
            found, name = db.purge_document(id_), {"document_id": id_}
    lines = [f"erased {plural(found.versions, 'version')} of {one_line(key or document or '')}"]
    if not found.is_complete:
        lines.append(
            "Dead rows, archived logs, replicas and dumps of the database may keep it until they "
            "are gone."
            if is_address(session.location.place)
            else "A reader still holds old pages; when it has ended, `strata compact` ends this."
        )
    return Output(plain(found) | name, lines)


_Entry: TypeAlias = tuple[str, str, strata.Version]  # key, kind, what it holds


@reads("list", takes="branch space at")
def list_keys(
    db: Workspace,
    prefix: Annotated[str, "How the keys begin.", Spelling(complete=complete_keys)] = "",
    *,
    only_keys: Annotated[
        bool, "Print the bare keys, one on each line.", Spelling(flags="--keys")
    ] = False,
    tags: Annotated[
        tuple[str, ...], "Only values with this tag; may be repeated.", Spelling(flags="--tag")
    ] = (),
    kind: Annotated[Kind | None, "Only keys of this kind."] = None,
    limit: Annotated[int, "How many keys at most.", LIMIT, msgspec.Meta(ge=1, le=9_999)] = 100,
    after: Annotated[str | None, "Begin behind this key."] = None,
    everything: Annotated[bool, "Every key, however many.", Spelling(flags="--all")] = False,
) -> Output:
    """List keys and what they hold.

    Keys are sorted; PREFIX narrows them down. Values are cut to fit the terminal.

        strata put user/하나 '{"age": 30}' --tag people && strata put user/둘 '{"age": 25}'
        strata list
        strata list user/ --keys
        strata list --tag people --json
    """
    chosen: tuple[Kind, ...] = (kind,) if kind is not None else ("kv",) if tags else KINDS
    most = None if everything else limit
    found = sorted(
        entry
        for one in chosen
        for entry in _entries(db, one, prefix, tags=tags, limit=most, after=after)
    )
    page = found[:most]
    where = f"in space {db.space_name} on branch {db.branch}"
    none = f"no keys {where}; `strata put` makes one"
    if tags or kind:
        none = f"no keys {where} match; `strata list` shows all"
    elif prefix:
        none = f"no keys {where} begin with {one_line(prefix)}; `strata list` shows all"
    notes = []
    if more := len(found) > len(page):
        notes = [f"there is more: --after {page[-1][0]!r} shows the next, --all everything"]
    return Output(
        {
            "items": [plain(one) | {"key": key, "kind": kind} for key, kind, one in page],
            "more": more,
        },
        _lines(page, only_keys=only_keys),
        empty=none,
        notes=notes,
    )


def _entries(
    db: Workspace,
    kind: Kind,
    prefix: str,
    *,
    tags: tuple[str, ...],
    limit: int | None,
    after: str | None,
) -> Iterator[_Entry]:
    """Yield the keys of one kind, one more than the limit so that "more" can be told."""
    values = _values(db, kind)
    if tags:
        keys = values.list(prefix, limit=(limit or 9_999) + 1, after=after, tags=tags)
        held = ((key, db.kv.get(key)) for key in keys)
        yield from ((key, kind, found) for key, found in held if found is not None)
    elif limit is None:
        yield from ((key, kind, found) for key, found in values.scan(prefix))
    else:
        items = values.items(prefix, limit=limit + 1, after=after)
        yield from ((key, kind, found) for key, found in items)


def _lines(page: list[_Entry], *, only_keys: bool) -> Iterator[str]:
    if only_keys:
        yield from (one_line(key) for key, _kind, _found in page)
        return
    # A column that says the same, or nothing, in every row is left out.
    shows_kind = any(kind != "kv" for _key, kind, _found in page)
    shows_tags = any(found.tags for _key, _kind, found in page)
    headers = ["KEY", *["KIND"][:shows_kind], "VALUE", *["TAGS"][:shows_tags], "VERSION", "WRITTEN"]
    rows = [
        [
            one_line(key),
            *[kind][:shows_kind],
            inline(found.value),
            *[", ".join(found.tags)][:shows_tags],
            str(found.version),
            local_time(found.timestamp),
        ]
        for key, kind, found in page
    ]
    yield from table(headers, rows, right=["VERSION"])


@reads("history", takes="branch space at")
def history(
    db: Workspace,
    key: Key,
    *,
    kind: Annotated[Kind | None, "Only this kind; otherwise any."] = None,
    limit: Limit | None = None,
) -> Output:
    """Show the versions of a key, newest first.

    Deletions are shown too, and values that retention trimmed or that were erased. Read an old
    value with `strata get KEY --at VERSION`.

        strata put greeting 안녕 && strata put greeting 안녕하세요
        strata history greeting
    """
    for name in (kind,) if kind is not None else KINDS:
        if found := _values(db, name).history(key, limit=limit):
            rows = [
                (
                    one.version,
                    local_time(one.timestamp),
                    inline(one.value) if one.state == "live" else f"({one.state})",
                )
                for one in found
            ]
            lines = table(("VERSION", "WRITTEN", "VALUE"), rows, right=["VERSION"])
            return Output({"versions": found}, lines, key=key, kind=name)
    raise strata.NotFound(
        f"The key {key!r} never held anything in space {db.space_name!r} on branch {db.branch!r}.",
        hint="`strata list` shows the keys.",
    )


# What other kinds of values need too.


def read_value(
    value: str | None, file: Path | None, *, as_text: bool = False, raw_json: bool = False
) -> Json:
    """Return the value that was typed, piped in (`-`) or named by a file."""
    if (value is None) == (file is None):
        raise click.UsageError("Give either a value (- for standard input) or --file.")
    if as_text and raw_json:
        raise click.UsageError("--text and --raw-json exclude each other.")
    text = _read_text(value, file)
    if as_text:
        return text
    try:
        return decode(text)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        if raw_json:
            raise click.UsageError(f"The value is not JSON: {error}.") from None
        return text


def _read_text(value: str | None, file: Path | None) -> str:
    if value is not None and value != "-":
        return value
    data = file.read_bytes() if file is not None else Invocation.current().piped
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise click.UsageError(
            f"{file or 'Standard input'} is not UTF-8 text; keep a reference to the file instead."
        ) from None


def masked_in(given: Json, kept: Json) -> list[SecretInValue]:
    """Return what was masked on the way from a value that was given to the one that is kept."""
    return masks_in(kept) if kept != given else []


def masked_lines(masked: Sequence[SecretInValue]) -> list[str]:
    """Return a line for each secret that was masked."""
    return [f"masked {found.kind} at {one_line(found.path)}" for found in masked]
