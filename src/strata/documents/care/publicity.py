"""What this floor knows of publishing, which stands above it: what is shown, and hiding that."""

from strata.store import Store

# The format of the store that brought publishing.
_SINCE = 8


def _knows(store: Store) -> bool:
    """Tell whether the store has the tables: an older one that is only read has not."""
    return not store.database.read_only or store.database.format_before >= _SINCE


def published_documents(store: Store) -> list[str]:
    """Return every document that is shown to everybody."""
    if not _knows(store):
        return []
    return [row[0] for row in store.connection().rows(store.queries.published_documents)]


def is_published(store: Store, document: str) -> bool:
    """Tell whether a document is shown to everybody."""
    if not _knows(store):
        return False
    return store.connection().row(store.queries.is_published, (document,)) is not None


def hide(store: Store, document: str, branch: int) -> None:
    """Show a document to nobody any more that went into the trash, in the open transaction.

    What is thrown away on another branch than it was published from is shown as before.
    """
    values = (document, branch, store.clock())
    store.connection().run(store.queries.hide_publication_of_branch, values)
