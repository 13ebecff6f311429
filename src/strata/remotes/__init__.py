"""Remotes: other places that hold the same memory, and what travels between them."""

from typing import TYPE_CHECKING

from strata.base.lazy import lazily

if TYPE_CHECKING:
    from strata.remotes.http import (
        FETCH_PATH,
        LAST_HEADER,
        MANIFEST_PATH,
        PACKS_PATH,
        PUSH_PATH,
        Accepted,
        FetchRequest,
        HttpRemote,
    )
    from strata.remotes.manifest import CommitName, StoreManifest, decode_manifest, encode_manifest
    from strata.remotes.offering import clean_label, manifest_of, packs_for
    from strata.remotes.places import (
        Remote,
        check_address,
        check_options,
        check_remote_name,
        drop_remote,
        keep_remote,
        kind_of,
        note_on_remote,
        open_remote,
        remotes_of,
        require_remote,
    )
    from strata.remotes.pulling import (
        Erasing,
        Offer,
        Pull,
        PulledBranch,
        PullSettings,
        ReceivedOffers,
        apply_erasures,
        contains,
        is_pack,
        merge_arrival,
        merge_arrivals,
        receive_offers,
        shelf_offers,
        spooling,
    )
    from strata.remotes.pushing import Push, push_to_shelf
    from strata.remotes.shelves import FolderShelf, Shelf
    from strata.remotes.tokens import (
        forget_token,
        keep_token,
        put_token_back,
        stored_token,
        token_for,
    )

__all__ = [
    "FETCH_PATH",
    "LAST_HEADER",
    "MANIFEST_PATH",
    "PACKS_PATH",
    "PUSH_PATH",
    "Accepted",
    "CommitName",
    "Erasing",
    "FetchRequest",
    "FolderShelf",
    "HttpRemote",
    "Offer",
    "Pull",
    "PullSettings",
    "PulledBranch",
    "Push",
    "ReceivedOffers",
    "Remote",
    "Shelf",
    "StoreManifest",
    "apply_erasures",
    "check_address",
    "check_options",
    "check_remote_name",
    "clean_label",
    "contains",
    "decode_manifest",
    "drop_remote",
    "encode_manifest",
    "forget_token",
    "is_pack",
    "keep_remote",
    "keep_token",
    "kind_of",
    "manifest_of",
    "merge_arrival",
    "merge_arrivals",
    "note_on_remote",
    "open_remote",
    "packs_for",
    "push_to_shelf",
    "put_token_back",
    "receive_offers",
    "remotes_of",
    "require_remote",
    "shelf_offers",
    "spooling",
    "stored_token",
    "token_for",
]

__getattr__ = lazily(
    __name__,
    {
        "strata.remotes.http": (
            "FETCH_PATH LAST_HEADER MANIFEST_PATH PACKS_PATH PUSH_PATH Accepted FetchRequest "
            "HttpRemote"
        ),
        "strata.remotes.manifest": "CommitName StoreManifest decode_manifest encode_manifest",
        "strata.remotes.offering": "clean_label manifest_of packs_for",
        "strata.remotes.places": (
            "Remote check_address check_options check_remote_name drop_remote keep_remote kind_of "
            "note_on_remote open_remote remotes_of require_remote"
        ),
        "strata.remotes.pulling": (
            "Erasing Offer Pull PullSettings PulledBranch ReceivedOffers apply_erasures contains "
            "is_pack merge_arrival merge_arrivals receive_offers shelf_offers spooling"
        ),
        "strata.remotes.pushing": "Push push_to_shelf",
        "strata.remotes.shelves": "FolderShelf Shelf",
        "strata.remotes.tokens": "forget_token keep_token stored_token put_token_back token_for",
    },
)
