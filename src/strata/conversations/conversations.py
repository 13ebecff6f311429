"""`db.conversations`: what users and models said to each other, taken in from other programs."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from strata.base import clock, limits
from strata.base.checks import check_many, check_number, check_text
from strata.base.errors import InvalidArgument, InvalidTime, NotFound
from strata.base.page import ResultPage, cut_page
from strata.conversations.importing import (
    ImportedFile,
    Importer,
    ImportFilter,
    Progress,
)
from strata.conversations.recognising import recognised
from strata.conversations.records import (
    CONVERSATION,
    SPACE,
    Conversation,
    ConversationTurn,
    read_citation,
)
from strata.conversations.stream import Stream
from strata.conversations.transcripts import CLIENTS
from strata.search import TURN, turn_key
from strata.store import DELETED, GONE, Record, StagedChange, View, value_of


class Conversations:
    """What was said, one append-only stream a conversation. Reached as `db.conversations`."""

    def __init__(self, view: View) -> None:
        self._view = view

    def import_files(
        self,
        paths: Iterable[str | os.PathLike[str]],
        *,
        client: str | None = None,
        since: clock.When | None = None,
        folders: Iterable[str | os.PathLike[str]] | None = None,
        again: bool = False,
        progress: Progress | None = None,
    ) -> list[ImportedFile]:
        """Take in what is new in transcripts of clients and exports of websites.

        Reads files of Claude Code, Codex, Gemini CLI and opencode, and `conversations.json` of
        ChatGPT and claude.ai, alone or in its ZIP file; of a folder, all such files below it. What
        was taken in before is not taken again. Secrets are masked. All files are recognised before
        anything is written.

        With `client`, other files are passed over; with `since`, conversations that ended before;
        with `folders`, those of opencode that were held elsewhere. `again` takes in what was
        forgotten, too.

        >>> line = '{"type":"user","sessionId":"7f","uuid":"u1","message":{"content":"안녕"}}'
        >>> _ = (folder / "7f.jsonl").write_text(line, encoding="utf-8")
        >>> done = db.conversations.import_files([folder / "7f.jsonl"])
        >>> [(one.id, one.state, one.turns) for one in done[0].conversations]
        [('claude-code/7f', 'new', 1)]
        >>> db.conversations.import_files([folder / "7f.jsonl"])[0].conversations[0].state
        'unchanged'
        """
        wanted = ImportFilter(
            since=None if since is None else self._time(since),
            folders=None if folders is None else tuple(os.fspath(one) for one in folders),
            again=again,
        )
        if client is not None:
            check_client(client)
        self._view.check_writable()
        files = [
            file for path in check_many(paths, name="paths") for file in recognised(Path(path))
        ]
        importer = Importer(self._view, wanted, progress=progress)
        return [importer.import_file(file) for file in files if client in (None, file.client)]

    def list(
        self,
        *,
        client: str | None = None,
        since: clock.When | None = None,
        limit: int = 100,
        after: str | None = None,
    ) -> ResultPage[Conversation, str]:
        """Return conversations, the one with the newest turn first, at most `limit`.

        With `client`, those of one client; with `since`, those that went on after that time.
        `more` of the result tells whether there are others, `next` is what to pass as `after` to
        get them, and `all()` yields them.

        >>> db.conversations.list()
        []
        """
        check_number(limit, name="limit", most=limits.PAGE_ITEMS_MAX)
        prefix = "" if client is None else f"{check_client(client)}/"
        first = 0 if since is None else self._time(since)
        found = [one for one in self._all(prefix) if one.timestamp >= first]
        found.sort(key=lambda one: (-one.timestamp, one.id))
        if after is not None:
            ids = [one.id for one in found]
            found = found[ids.index(after) + 1 :] if after in ids else []
        return cut_page(
            found[: limit + 1],
            limit,
            lambda one: one.id,
            onward=lambda after: self.list(client=client, since=since, limit=limit, after=after),
        )

    def _all(self, prefix: str) -> Iterator[Conversation]:
        snapshot = self._view.snapshot
        after: str | None = None
        while True:
            page = snapshot.items(
                SPACE, CONVERSATION, prefix, after=after, limit=limits.PAGE_ITEMS_MAX
            )
            for key, record in page:
                yield self._conversation(key, record)
            if len(page) < limits.PAGE_ITEMS_MAX:
                return
            after = page[-1][0]

    def _conversation(self, id_: str, record: Record) -> Conversation:
        stream, value = Stream(self._view, id_), value_of(record)
        about = value if isinstance(value, dict) else {}
        count = stream.count()
        first, last = stream.turn(1), stream.turn(count)
        return Conversation(
            id=id_,
            client=id_.partition("/")[0],
            title=str(about.get("title", "")),
            folder=str(about.get("folder", "")),
            turns=count,
            started=record[1] if first is None else first.timestamp,
            timestamp=record[1] if last is None else last.timestamp,
        )

    def get(self, id: str) -> Conversation | None:
        """Return a conversation by its id, or None.

        >>> db.conversations.get("codex/missing") is None
        True
        """
        record = self._view.snapshot.get(SPACE, CONVERSATION, check_text(id, name="id"))
        return None if record is None or record[2] & GONE else self._conversation(id, record)

    def called(self, name: str) -> Conversation:
        """Return the conversation whose id is, or has a part that begins with, what is given.

        >>> db.conversations.called("7f2a")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        strata.base.errors.NotFound: There is no conversation '7f2a'...
        """
        found = self.get(name)
        if found is not None:
            return found
        keys = self._view.snapshot.keys(SPACE, CONVERSATION)
        fitting = [key for key, _version in keys if key.partition("/")[2].startswith(name)]
        if len(fitting) == 1 and (found := self.get(fitting[0])) is not None:
            return found
        if fitting:
            raise InvalidArgument(
                f"{name!r} is the beginning of {len(fitting)} conversations.",
                hint=f"Say more of it: {', '.join(fitting[:3])}.",
                parameter="name",
            )
        raise NotFound(
            f"There is no conversation {name!r}.", hint="`db.conversations.list()` lists them."
        )

    def turns(
        self, id: str, *, after: int = 0, limit: int = 100
    ) -> ResultPage[ConversationTurn, int]:
        """Return the turns of a conversation behind number `after`, at most `limit`.

        `more` of the result tells whether there are others, `next` is what to pass as `after`
        to get them, and `all()` yields them.

        >>> db.conversations.turns("codex/missing")
        []
        """
        check_number(limit, name="limit", most=limits.PAGE_ITEMS_MAX)
        check_number(after, name="after", least=0)
        stream = Stream(self._view, check_text(id, name="id"))
        upto = min(stream.count(), after + limit + 1)
        found = [stream.turn(number) for number in range(after + 1, upto + 1)]
        return cut_page(
            [turn for turn in found if turn is not None],
            limit,
            lambda turn: turn.number,
            onward=lambda after: self.turns(id, after=after, limit=limit),
        )

    def cited(self, source: str) -> "list[ConversationTurn]":
        """Return the turns that a source names: `codex/01a1#12`, or `codex/01a1#12-15`.

        A source of another kind, such as a file or an address, names none.

        >>> db.conversations.cited("docs/plan.md")
        []
        """
        found = read_citation(check_text(source, name="source"))
        if found is None:
            return []
        count = min(found.last - found.first + 1, limits.PAGE_ITEMS_MAX)
        return self.turns(found.conversation, after=found.first - 1, limit=count)

    def forget(self, id: str) -> int:
        """Remove a conversation from now on; return how many turns it had. History keeps them.

        It is not taken in again, unless an import asks for it with `again`.

        >>> db.conversations.forget("codex/missing")
        0
        """
        stream = Stream(self._view, check_text(id, name="id"))
        count = stream.count()
        keys = [(TURN, turn_key(id, number)) for number in range(1, count + 1)]
        header = stream.header
        if header is None or header[2] & GONE:
            return 0
        with self._view.writing("forget") as transaction:
            transaction.stage_many(
                [
                    StagedChange(SPACE, kind, key, flags=DELETED)
                    for kind, key in [(CONVERSATION, id), *keys]
                ]
            )
        return count

    def _time(self, when: clock.When) -> int:
        store = self._view.store
        moment = clock.parse_time(when, now=store.clock(), timezone=store.zone(), parameter="since")
        if moment.timestamp is None:
            raise InvalidTime(f"{when!r} is no time.", parameter="since")
        return moment.timestamp


def check_client(client: object) -> str:
    """Return the name of a client whose conversations can be read, or raise InvalidArgument."""
    if isinstance(client, str) and client in CLIENTS:
        return client
    raise InvalidArgument(
        f"{client!r} is no client whose conversations can be read.",
        hint=f"Use {', '.join(CLIENTS)}.",
        parameter="client",
    )
