"""Texts under names beside the versions: one of each for the whole store."""

from collections.abc import Callable

from strata.sql import Row
from strata.store.catalog import row_digest
from strata.store.store import Store


def read_setting(store: Store, name: str) -> str | None:
    """Return the text of a setting, or None."""
    mark, known = store.connection().look().settings, store.known_settings
    if known is None or known[0] != mark:
        texts = {row[0]: row[1] for row in setting_rows(store)}
        known = store.known_settings = (mark, texts)
    return known[1].get(name)


def setting_rows(store: Store) -> list[Row]:
    """Return name, text and digest of every setting, by name."""
    return store.connection().rows(store.queries.settings)


def write_setting(store: Store, name: str, text: str) -> None:
    """Keep a text under a name, in place of the one before."""
    change_setting(store, name, lambda _before: text)


def change_setting(store: Store, name: str, change: Callable[[str | None], str]) -> None:
    """Keep what `change` makes of the text under a name, None where there is none.

    The text is read and written in one transaction, so changes by other processes are not lost.
    """
    with store.writing() as connection:
        text = change(read_setting(store, name))
        connection.run(store.queries.upsert_setting, (name, text, row_digest(name, text)))


def delete_setting(store: Store, name: str) -> bool:
    """Drop a setting; tell whether there was one."""
    with store.writing() as connection:
        return connection.row(store.queries.delete_setting, (name,)) is not None
