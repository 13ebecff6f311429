"""What a client's hook does at the end of a turn: it keeps what was said.

Nothing is asked of a model, and nothing goes on running. A hook must never be in the way: whatever
goes wrong, the client goes on, and the next turn or an import takes in what is missing.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from strata.hooks.beginning import of_session, open_store, read_input, store_of


class TurnEvent(msgspec.Struct, frozen=True):
    """What a client says when a turn has ended: where its transcript is, and where it works."""

    transcript_path: str | None = None
    cwd: str | None = None


_read_event = msgspec.json.Decoder(TurnEvent).decode


def run_turn_hook(arguments: Sequence[str]) -> bool:
    """Keep what was said, called plainly; tell whether the options were plain."""
    match list(arguments):
        case []:
            database = None
        case ["--db", path]:
            database = path
        case _:
            return False
    keep_turn(database)
    return True


def keep_turn(database: str | None = None) -> int:
    """Append what is new in the transcript that the client's JSON on stdin names.

    Returns how many turns were new. It prints nothing on stdout and never raises.
    """
    try:
        return _append_turns(read_input(), database)
    except Exception as error:  # noqa: BLE001  (a hook must not fail, whatever happens)
        problem = getattr(error, "message", "") or type(error).__name__
        print(f"strata: hook: {' '.join(problem.split())}", file=sys.stderr)  # noqa: T201
        return 0


def _append_turns(data: bytes, database: str | None) -> int:
    heard = _read_event(data)
    path = heard.transcript_path
    if not path or not Path(path).is_file():
        return 0
    place = store_of(heard.cwd, database)
    if place is None:
        return 0
    with open_store(place) as db:
        if db.read_only or not db.trust.is_given:
            return 0
        here = of_session(db, heard.cwd)
        # A database holds the conversations of all projects: those of this one are meant.
        folders = None if path.endswith(".jsonl") or heard.cwd is None else [heard.cwd]
        [file] = here.conversations.import_files([path], folders=folders)
        return sum(one.turns for one in file.conversations)
