"""Versions, branches, commits, merges, history. One store; all other data is a view of it."""

from typing import TYPE_CHECKING

from strata.base.lazy import lazily

if TYPE_CHECKING:
    from strata.store.branch import (
        PROPOSALS,
        Ancestry,
        Branch,
        Point,
        common_base,
        create,
        delete,
        describe,
        expiry,
        get,
        insert_branch,
        listing,
        names_of_branches,
        rename,
        require_whole,
        restore,
        retire_branch,
        show_branch,
    )
    from strata.store.catalog import (
        DEFAULT_BRANCH,
        DEFAULT_SPACE,
        BranchRow,
        UnbornBranch,
        row_digest,
        unreadable,
    )
    from strata.store.chain import (
        EVENT,
        EventOrigin,
        count_events,
        event_change,
        event_deletion,
        event_hash,
        event_key,
        event_notes,
        event_time,
        last_event,
    )
    from strata.store.commit import (
        NO_HASH,
        Header,
        Receipt,
        Slot,
        check_header,
        commit_body,
        commit_hash,
        finish,
        hash_entry,
        insert_versions,
        insert_words,
        keyspace_for,
        open_slot,
        visible_tip,
        write_commit,
    )
    from strata.store.compare import compare_branches
    from strata.store.counting import (
        count_texts,
        forget_counts,
        forget_text_counts,
        reads_of_counts,
        settle,
        total_commits,
        wrong_checkpoints,
    )
    from strata.store.derived import Commits, Derived, Remembered
    from strata.store.diff import Change as ShownChange
    from strata.store.diff import (
        Diff,
        Pair,
        as_change,
        changes_of_commit,
        changes_since,
        read_of_visible,
        readable_value,
        unpack_floats,
        visible_record,
    )
    from strata.store.foreseen import ForeseenSnapshot
    from strata.store.history import (
        Commit,
        CommitRow,
        Instant,
        TouchedKey,
        as_commit,
        authors_of,
        commits_after,
        commits_forward,
        distance,
        find_commit,
        find_shared_commit,
        has_visible_work,
        is_visible,
        log,
        newest_work,
        own_commits,
        reads_of_things,
        resolve,
        short_hash,
        short_hash_of,
        things_of,
        time_range,
        version_at,
        visible_keys,
    )
    from strata.store.key_order import KeyOrders
    from strata.store.merge import (
        STRATEGIES,
        Merge,
        accept_changes,
        drop_changes,
        merge_branch,
        pick_commit,
        would_change,
    )
    from strata.store.merging.choices import (
        Choice,
        EditedValue,
        NamedChoices,
        choice_refused,
        conflict_id,
        word_of,
    )
    from strata.store.merging.json_fields import merge_values
    from strata.store.merging.plan import (
        FiledEdit,
        LaterChange,
        MergeTask,
        Plan,
        Strategy,
        agree,
        labels_of,
        preferred,
    )
    from strata.store.record import (
        BINARY,
        COMPRESSED,
        DELETED,
        ERASED,
        GONE,
        NEXT_KEY,
        NOW,
        TRIMMED,
        Address,
        IndexEntry,
        Record,
        StagedChange,
        after_prefix,
        check_digest,
        check_key,
        check_name,
        damaged,
        decompress,
        meta_of,
        meta_of_deletion,
        onward,
        packed,
        plain,
        read_json,
        state_of,
        value_of,
    )
    from strata.store.revert import revert_commits
    from strata.store.rows import (
        branch_rows,
        branches_with,
        commit_rows,
        lineage_rows,
        read_of_version_rows,
        read_of_versions,
        rows_of_versions,
        tag_row,
        tag_rows,
        tip_row,
        version_row,
        version_rows,
    )
    from strata.store.settings import (
        change_setting,
        delete_setting,
        read_setting,
        setting_rows,
        write_setting,
    )
    from strata.store.signature import Signature, check_actor, read_signature, with_person
    from strata.store.snapshot import Snapshot
    from strata.store.store import Indexer, Joiner, Screen, Store
    from strata.store.tags import Tag, Tags, insert_tag
    from strata.store.transaction import Transaction
    from strata.store.view import StagingView, View
    from strata.store.visibility import (
        FOLLOWING_OPERATION,
        GUARDED,
        UNGUARDED,
        WHOLE,
        Need,
        Visibility,
    )

__all__ = [
    "BINARY",
    "COMPRESSED",
    "DEFAULT_BRANCH",
    "DEFAULT_SPACE",
    "DELETED",
    "ERASED",
    "EVENT",
    "FOLLOWING_OPERATION",
    "GONE",
    "GUARDED",
    "NEXT_KEY",
    "NOW",
    "NO_HASH",
    "PROPOSALS",
    "STRATEGIES",
    "TRIMMED",
    "UNGUARDED",
    "WHOLE",
    "Address",
    "Ancestry",
    "Branch",
    "BranchRow",
    "Choice",
    "Commit",
    "CommitRow",
    "Commits",
    "Derived",
    "Diff",
    "EditedValue",
    "EventOrigin",
    "FiledEdit",
    "ForeseenSnapshot",
    "Header",
    "IndexEntry",
    "Indexer",
    "Instant",
    "Joiner",
    "KeyOrders",
    "LaterChange",
    "Merge",
    "MergeTask",
    "NamedChoices",
    "Need",
    "Pair",
    "Plan",
    "Point",
    "Receipt",
    "Record",
    "Remembered",
    "Screen",
    "ShownChange",
    "Signature",
    "Slot",
    "Snapshot",
    "StagedChange",
    "StagingView",
    "Store",
    "Strategy",
    "Tag",
    "Tags",
    "TouchedKey",
    "Transaction",
    "UnbornBranch",
    "View",
    "Visibility",
    "accept_changes",
    "after_prefix",
    "agree",
    "as_change",
    "as_commit",
    "authors_of",
    "branch_rows",
    "branches_with",
    "change_setting",
    "changes_of_commit",
    "changes_since",
    "check_actor",
    "check_digest",
    "check_header",
    "check_key",
    "check_name",
    "choice_refused",
    "commit_body",
    "commit_hash",
    "commit_rows",
    "commits_after",
    "commits_forward",
    "common_base",
    "compare_branches",
    "conflict_id",
    "count_events",
    "count_texts",
    "create",
    "damaged",
    "decompress",
    "delete",
    "delete_setting",
    "describe",
    "distance",
    "drop_changes",
    "event_change",
    "event_deletion",
    "event_hash",
    "event_key",
    "event_notes",
    "event_time",
    "expiry",
    "find_commit",
    "find_shared_commit",
    "finish",
    "forget_counts",
    "forget_text_counts",
    "get",
    "has_visible_work",
    "hash_entry",
    "insert_branch",
    "insert_tag",
    "insert_versions",
    "insert_words",
    "is_visible",
    "keyspace_for",
    "labels_of",
    "last_event",
    "lineage_rows",
    "listing",
    "log",
    "merge_branch",
    "merge_values",
    "meta_of",
    "meta_of_deletion",
    "names_of_branches",
    "newest_work",
    "onward",
    "open_slot",
    "own_commits",
    "packed",
    "pick_commit",
    "plain",
    "preferred",
    "read_json",
    "read_of_version_rows",
    "read_of_versions",
    "read_of_visible",
    "read_setting",
    "read_signature",
    "readable_value",
    "reads_of_counts",
    "reads_of_things",
    "rename",
    "require_whole",
    "resolve",
    "restore",
    "retire_branch",
    "revert_commits",
    "row_digest",
    "rows_of_versions",
    "setting_rows",
    "settle",
    "short_hash",
    "short_hash_of",
    "show_branch",
    "state_of",
    "tag_row",
    "tag_rows",
    "things_of",
    "time_range",
    "tip_row",
    "total_commits",
    "unpack_floats",
    "unreadable",
    "value_of",
    "version_at",
    "version_row",
    "version_rows",
    "visible_keys",
    "visible_record",
    "visible_tip",
    "with_person",
    "word_of",
    "would_change",
    "write_commit",
    "write_setting",
    "wrong_checkpoints",
]

__getattr__ = lazily(
    __name__,
    {
        "strata.store.branch": (
            "PROPOSALS Ancestry Branch Point common_base create delete describe expiry get "
            "insert_branch listing names_of_branches rename require_whole restore retire_branch "
            "show_branch"
        ),
        "strata.store.catalog": "DEFAULT_BRANCH DEFAULT_SPACE BranchRow UnbornBranch "
        "row_digest unreadable",
        "strata.store.chain": (
            "EVENT EventOrigin count_events event_change event_deletion event_hash event_key "
            "event_notes event_time last_event"
        ),
        "strata.store.commit": (
            "NO_HASH Header Receipt Slot check_header commit_body commit_hash finish "
            "hash_entry insert_versions insert_words keyspace_for open_slot visible_tip "
            "write_commit"
        ),
        "strata.store.compare": "compare_branches",
        "strata.store.counting": (
            "count_texts forget_counts forget_text_counts reads_of_counts settle total_commits "
            "wrong_checkpoints"
        ),
        "strata.store.derived": "Commits Derived Remembered",
        "strata.store.key_order": "KeyOrders",
        "strata.store.diff": (
            "Change=ShownChange Diff Pair as_change changes_of_commit changes_since "
            "read_of_visible readable_value unpack_floats visible_record"
        ),
        "strata.store.foreseen": "ForeseenSnapshot",
        "strata.store.history": (
            "Commit CommitRow Instant TouchedKey as_commit authors_of commits_after "
            "commits_forward distance find_commit find_shared_commit has_visible_work "
            "is_visible log newest_work own_commits reads_of_things resolve short_hash "
            "short_hash_of things_of "
            "time_range version_at visible_keys"
        ),
        "strata.store.merge": (
            "STRATEGIES Merge drop_changes merge_branch pick_commit accept_changes would_change"
        ),
        "strata.store.merging.choices": (
            "Choice EditedValue NamedChoices choice_refused conflict_id word_of"
        ),
        "strata.store.merging.json_fields": "merge_values",
        "strata.store.merging.plan": (
            "FiledEdit LaterChange MergeTask Plan Strategy agree labels_of preferred"
        ),
        "strata.store.record": (
            "BINARY COMPRESSED DELETED ERASED GONE NEXT_KEY NOW TRIMMED Address IndexEntry Record "
            "StagedChange after_prefix check_digest check_key check_name damaged decompress "
            "meta_of meta_of_deletion onward packed plain read_json state_of value_of"
        ),
        "strata.store.revert": "revert_commits",
        "strata.store.rows": (
            "branch_rows branches_with commit_rows lineage_rows read_of_version_rows "
            "read_of_versions rows_of_versions tag_row tag_rows tip_row version_row version_rows"
        ),
        "strata.store.settings": (
            "change_setting delete_setting read_setting setting_rows write_setting"
        ),
        "strata.store.signature": "Signature check_actor read_signature with_person",
        "strata.store.snapshot": "Snapshot",
        "strata.store.store": "Indexer Joiner Screen Store",
        "strata.store.tags": "Tag Tags insert_tag",
        "strata.store.transaction": "Transaction",
        "strata.store.view": "StagingView View",
        "strata.store.visibility": ("FOLLOWING_OPERATION GUARDED UNGUARDED WHOLE Need Visibility"),
    },
)
