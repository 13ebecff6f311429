"""What this package knows of publishing, which is in a higher layer: what is public, and hiding
it."""

from strata.store import Store


def published_documents(store: Store) -> list[str]:
    """Return every document that is shown to everybody."""
    return [row[0] for row in store.connection().rows(store.queries.published_documents)]


def is_published(store: Store, document: str) -> bool:
    """Tell whether a document is shown to everybody."""
    return store.connection().row(store.queries.is_published, (document,)) is not None


def hide(store: Store, document: str, branch: int) -> None:
    """Unpublish a document that went into the trash, in the open transaction.

    What is thrown away on another branch than it was published from is shown as before.
    """
    values = (document, branch, store.clock())
    store.connection().run(store.queries.hide_publication_of_branch, values)
