"""A store as large as the page has to be quick with."""

from pathlib import Path
from typing import NamedTuple

import strata

FACTS = 100_000
_PART = 10_000
_WORDS = "결제 계획과 release notes for the payment service, 검토 결과, retries and limits."


class Filled(NamedTuple):
    """What the store holds, as far as addresses need it, and how its owner signs in."""

    short: str
    long: str
    secret: str


def fill(path: Path, *, facts: int) -> Filled:
    """Make documents, facts, decisions and events, and sign a browser in.

    Short documents, decisions and events get their vectors, so that searches go by meaning too;
    the facts and the megabyte get none, because theirs would take minutes.
    """
    with strata.open(path, durability="standard") as db:
        for number in range(300):
            db.documents.create(f"Notes {number}", f"# Notes {number}\n\n{_WORDS * 5}\n")
        short = db.documents.create("Payments spec", f"# Payments\n\n{_WORDS * 20}\n").document
        for number in range(200):
            db.decisions.save(f"topic {number}", f"Do {number}. {_WORDS}", "It was measured.")
            db.events.append("deploy", {"number": number})
        db.embeddings.wait()
    with strata.open(path, auto_embed=False, durability="standard") as db:
        long = db.documents.create("A megabyte", _megabyte()).document
        for start in range(0, facts, _PART):
            numbers = range(start, min(start + _PART, facts))
            db.kv.put_many({key(number): f"value {number}" for number in numbers})
        owner = db.users.owner()
        secret = db.sign_ins.open(db.sign_ins.create_code(owner.id).secret).secret
    return Filled(short, long, secret)


def key(number: int) -> str:
    """Return the name of a fact by its place in the list."""
    return f"many/{number:06}"


def _megabyte() -> str:
    """Return a megabyte of rich Markdown."""
    table = "| plan | limit |\n|---|---|\n| free | 60 |\n"
    part = f"**{_WORDS}** and `code`, [a link](https://example.com). " * 8
    whole = "".join(f"## Part {n}\n\n{part}\n\n- [ ] one\n\n{table}\n" for n in range(800))
    return whole.encode()[:1_000_000].decode(errors="ignore")
