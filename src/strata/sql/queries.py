"""Named statements: all SQL that the product runs, loaded from files.

A statement begins with a line `-- name: its_name`. `common` holds those that every database runs;
where databases need different forms, each dialect's folder has one under the same name.
`Queries` declares every name for the type checker; a test compares the declarations with the files.

Statements are written for a database of many workspaces: every table that they read or write is
limited to one, by `ws = :ws` as the first condition. A SQLite file holds a single workspace, so its
tables have no such column, and the condition is left out of what SQLite runs. PostgreSQL numbers
parameters in its own way, and the number of the workspace is the last of them.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

Dialect: TypeAlias = Literal["sqlite", "postgres"]

_NAME, _END = "\n-- name: ", ";\n"


class Queries:
    """The text of every statement, by name, prepared when it is first asked for.

    Every start of a program makes one, and most programs run a tenth of the statements.
    """

    # common/access.sql
    change_access_mark: str
    users: str
    user_names: str
    count_users: str
    user_by_id: str
    user_by_email: str
    insert_user: str
    update_user: str
    remove_user: str
    user_belongings: str
    give_placements: str
    give_placements_of_folder: str
    give_subfolders: str
    give_spaces: str
    delete_folders_of_user: str
    delete_members_of_user: str
    delete_shares_of_user: str
    revoke_tokens_of_user: str
    teams: str
    insert_team: str
    rename_team: str
    move_team: str
    delete_team: str
    team_contents: str
    members: str
    memberships: str
    upsert_member: str
    delete_member: str
    delete_members_of_team: str
    team_roles: str
    folder: str
    personal_folder: str
    folders_of_user: str
    folders_of_teams: str
    count_folders: str
    insert_folder: str
    rename_folder: str
    move_folder: str
    delete_folder: str
    folder_contents: str
    document_spaces: str
    insert_document_space: str
    rename_document_space: str
    describe_document_space: str
    delete_document_space: str
    empty_document_space: str
    put_in_space: str
    remove_from_space: str
    documents_of_space: str
    spaces_of_document: str
    placement: str
    placements_of_folder: str
    placements_of_owner: str
    upsert_placement: str
    delete_placement: str
    delete_shares_of_document: str
    delete_invitations_of_document: str
    delete_spaces_of_document: str
    shares: str
    invitations: str
    documents_shared_with: str
    upsert_share: str
    delete_share: str
    upsert_invitation: str
    delete_invitation: str
    delete_bound_invitations: str
    last_branch: str
    published_documents: str
    is_published: str
    # common/agents.sql
    agents_for: str
    agent_names: str
    count_agents: str
    upsert_agent: str
    delete_agent: str
    insert_task: str
    task: str
    task_of_request: str
    tasks_of: str
    tasks_of_agent: str
    count_open_tasks: str
    is_work_waiting: str
    renew_task: str
    task_flag: str
    finish_task: str
    release_task: str
    cancel_task: str
    insert_task_step: str
    task_steps: str
    delete_task_steps: str
    delete_steps_of_old_tasks: str
    delete_old_tasks: str
    # common/catalog.sql
    count_sync: str
    branches: str
    branches_changed_since: str
    branch: str
    insert_branch_itself: str
    lineage: str
    update_branch: str
    keyspaces: str
    keyspace_branches: str
    store_id: str
    # common/commit.sql
    branch_tip: str
    branch_oldest: str
    branch_commits: str
    branch_commits_forward: str
    commits_after: str
    branch_merges: str
    branch_undoings: str
    # common/counting.sql
    last_checkpoint: str
    commits_upto: str
    gained_keys: str
    checkpoints: str
    insert_checkpoint: str
    all_counts: str
    insert_count: str
    all_text_counts: str
    insert_text_count: str
    delete_text_counts: str
    delete_counts: str
    delete_checkpoints: str
    # common/document.sql
    chain_rows: str
    unplaced_documents: str
    version_with_attribute: str
    # common/embedding.sql
    models: str
    set_model_state: str
    move_model: str
    count_model: str
    delete_model: str
    version_flags: str
    embedding_of_content: str
    last_embedding: str
    insert_embedding: str
    insert_embedding_tokens: str
    insert_embedded: str
    delete_embedded: str
    embedded_behind: str
    versions_to_redo: str
    count_to_redo: str
    count_open_to_redo: str
    failures: str
    redo_failures: str
    embedding_user: str
    delete_embedding: str
    delete_embedding_tokens: str
    delete_oldest_tokens: str
    delete_some_embedded: str
    delete_some_embeddings: str
    active_model: str
    embeddings_after: str
    embedded_after: str
    delete_unused_tokens: str
    delete_frequencies: str
    vectors_of_part: str
    insert_codes: str
    codes_of_part: str
    codes_after: str
    last_codes: str
    delete_codes_of_part: str
    delete_codes: str
    set_sealed: str
    # common/hooks.sql
    contexts_after: str
    upsert_context: str
    delete_context: str
    has_context: str
    delete_old_contexts: str
    listener: str
    upsert_listener: str
    delete_old_listeners: str
    # common/integrity.sql
    table_sums: str
    set_table_sum: str
    declared_between: str
    set_declared: str
    # common/linking.sql
    keyspace_versions_between: str
    count_keyspace_versions_between: str
    # common/memories.sql
    upsert_memory: str
    delete_memory: str
    memories_between: str
    upsert_memory_link: str
    delete_memory_link: str
    memory_links_between: str
    # common/migrate.sql
    bump_generation: str
    # common/presence.sql
    delete_presence: str
    delete_old_presence: str
    presence_of_document: str
    # common/projection.sql
    attribute_values: str
    declared: str
    links_of_version: str
    keys_of_attribute: str
    # common/publishing.sql
    profile_of: str
    insert_profile: str
    owner_of_profile_name: str
    insert_profile_name: str
    count_profile_names: str
    present_profile_name: str
    publication: str
    slug_is_taken: str
    documents_ever_published: str
    publications: str
    insert_published_version: str
    published_versions: str
    published_version: str
    published_text: str
    delete_published_versions: str
    has_published_image: str
    insert_published_image: str
    published_image: str
    delete_published_images: str
    public_profile: str
    public_list: str
    public_page: str
    document_of_slug: str
    # common/request.sql
    request: str
    insert_request: str
    delete_old_requests: str
    # common/secrets.sql
    all_versions: str
    count_refused_secret: str
    refused_secrets: str
    forget_refused_secrets: str
    # common/segments.sql
    segments: str
    insert_segment_part: str
    segment_part: str
    segment_parts_among: str
    segment_parts_between: str
    segments_overlapping: str
    delete_segment: str
    sealed_upto: str
    segment_of_stamp: str
    # common/settings.sql
    settings: str
    upsert_setting: str
    delete_setting: str
    # common/sharing.sql
    insert_share_link: str
    share_link_by_digest: str
    share_link: str
    share_links: str
    use_share_link: str
    delete_share_link: str
    delete_links_of_document: str
    delete_links_of_team: str
    upsert_link_reader: str
    link_readers: str
    delete_link_readers: str
    delete_link_readers_of_document: str
    delete_link_readers_of_user: str
    # common/signin.sql
    insert_code: str
    use_code: str
    delete_old_codes: str
    delete_codes_of_user: str
    insert_browser: str
    browser: str
    browsers: str
    touch_browser: str
    delete_browser: str
    delete_browsers_of_user: str
    delete_old_browsers: str
    # common/tags.sql
    tags_between: str
    insert_tag: str
    tag: str
    tags: str
    delete_tag: str
    # common/text.sql
    versions_by_tag: str
    words_from: str
    delete_word: str
    # common/token.sql
    insert_token: str
    token: str
    tokens: str
    revoke_token: str
    touch_token: str
    # common/upkeep.sql
    leases: str
    take_lease: str
    renew_lease: str
    release_lease: str
    version_spans: str
    strip_version: str
    set_digest: str
    versions_of_key: str
    entries_after: str
    set_entry: str
    count_versions: str
    count_commits: str
    versions_by_attribute: str
    insert_purged: str
    purged_contents: str
    all_words: str
    count_declared: str
    declared_digest: str
    commit_of_version: str
    delete_attributes: str
    delete_item_tags: str
    delete_links: str
    set_second_parent: str
    bump_removals: str
    # common/upload.sql
    signing_key: str
    insert_signing_key: str
    insert_upload: str
    upload: str
    upload_data: str
    receive_upload: str
    finish_upload: str
    old_uploads: str
    delete_upload: str
    # common/version.sql
    keys_written: str
    version_number: str
    last_key: str
    places_of_commit: str
    versions_of_commit: str
    # sqlite/access.sql
    document_role: str
    stray_documents: str
    visible_documents: str
    documents_of_folders: str
    documents_of_spaces: str
    insert_audit: str
    audit_entries: str
    user_who_owns: str
    bind_invitations: str
    team_audience: str
    # sqlite/agents.sql
    next_task: str
    tasks_of_status: str
    tasks_mark: str
    end_tasks_without_worker: str
    claim_task: str
    delete_steps_about: str
    delete_tasks_about: str
    # sqlite/catalog.sql
    insert_branch: str
    insert_branch_ancestors: str
    insert_keyspace: str
    keyspace: str
    insert_catalog: str
    # sqlite/commit.sql
    insert_version: str
    insert_lone_version: str
    branch_tips: str
    commit_of: str
    visible_tip: str
    tip_at_version: str
    # sqlite/copying.sql
    table_rows: str
    count_table_rows: str
    insert_table_row: str
    delete_table_row: str
    primary_key: str
    # sqlite/counting.sql
    live_keys: str
    last_count: str
    last_text_count: str
    texts_between: str
    # sqlite/document.sql
    keys_of_kind: str
    versions_of_document: str
    # sqlite/earlier.sql
    attach_earlier: str
    detach_earlier: str
    columns_of: str
    delete_rows: str
    copy_rows: str
    mark_copied_branches: str
    copy_catalog: str
    # sqlite/embedding.sql
    insert_model: str
    count_guarded_vectors: str
    insert_to_redo: str
    count_embedding_token: str
    embeddings_by_number: str
    embeddings_of_versions: str
    versions_of_embeddings: str
    tokens_by_number: str
    token_frequencies: str
    texts_after: str
    # sqlite/exchange.sql
    is_untouched: str
    earlier_commits: str
    earlier_versions: str
    earlier_references: str
    earlier_last_version: str
    earlier_tip: str
    versions_in_index: str
    # sqlite/finding.sql
    cards_and_notes: str
    documents_without_place: str
    # sqlite/integrity.sql
    every_row: str
    schema_objects: str
    # sqlite/look.sql
    look: str
    # sqlite/presence.sql
    upsert_presence: str
    # sqlite/projection.sql
    insert_attribute: str
    insert_link: str
    insert_word: str
    insert_item_tag: str
    keys_by_attribute: str
    newest_by_attribute: str
    oldest_by_attribute: str
    items_by_attribute: str
    keys_by_attribute_down: str
    keys_by_tag: str
    links_to: str
    # sqlite/publishing.sql
    update_profile: str
    insert_publication: str
    show_publication: str
    hide_publication: str
    hide_publication_of_branch: str
    pin_publication: str
    delete_publication: str
    # sqlite/request.sql
    delete_requests_about: str
    # sqlite/segments.sql
    entries_between: str
    index_mark: str
    insert_segment: str
    delete_segment_parts: str
    entry_place: str
    replaced_between: str
    # sqlite/text.sql
    texts_before: str
    keys_by_number: str
    # sqlite/upkeep.sql
    needed_points: str
    commits_of_hashes: str
    # sqlite/upload.sql
    open_upload_bytes: str
    delete_uploads_of_document: str
    # sqlite/version.sql
    version_at: str
    version_through_lineage: str
    version_on_either: str
    key_history: str
    newest_of_keys: str
    count_keys: str
    versions_since: str
    trimmed_keys_at: str
    changed_pairs: str
    versions_by_number: str
    tags_among: str
    keys_in_order: str
    keys_written_between: str
    declared_by_number: str
    items_in_order: str
    items_of_branch: str
    versions_of_keys: str
    histories_of_keys: str
    # postgres/administration.sql
    server_version: str
    server: str
    citus_version: str
    undistributed_tables: str
    make_reference_table: str
    distribute_first_table: str
    distribute_table: str
    policies: str
    drop_policy: str
    disable_row_security: str
    set_default_on_nodes: str
    setting_now: str
    set_default: str
    grant_connect: str
    grant_schema: str
    grant_reading: str
    grant_table: str
    grant_audit: str
    # postgres/commit.sql
    append_branch: str
    append_version: str
    copy_versions: str
    # postgres/commit_requests.sql
    note_request: str
    refuse_request: str
    outcome_of_request: str
    forget_requests: str
    # postgres/copying.sql
    workspace_rows: str
    count_workspace_rows: str
    column_types: str
    copy_workspace_rows: str
    insert_workspace_row: str
    delete_workspace_row: str
    rename_workspace: str
    hold_unfinished: str
    is_limited_by_rows: str
    lock_workspace: str
    set_newest_version: str
    set_tips: str
    # postgres/look.sql
    send_hint: str
    state: str
    database_time: str
    # postgres/workspace.sql
    begin_change: str
    listen: str
    workspace_number: str
    workspaces: str
    insert_workspace: str
    delete_workspace: str
    delete_workspace_rows: str
    seed_workspace: str
    is_distributed: str
    has_tables: str
    last_format: str
    format: str
    insert_format: str
    lock_format: str
    workspace_tables: str
    choose_workspace: str
    size: str

    def __init__(self, texts: dict[str, str], dialect: Dialect = "sqlite") -> None:
        self._texts = texts
        self._form = _FORMS[dialect]

    if not TYPE_CHECKING:  # the type checker knows the names above and no others

        def __getattr__(self, name: str) -> str:
            try:
                text = self._form(_on_one_line(self._texts[name]))
            except KeyError:
                raise AttributeError(f"There is no statement {name!r}.") from None
            setattr(self, name, text)
            return text


@cache
def load(dialect: Dialect = "sqlite") -> Queries:
    """Read the statements of one dialect."""
    folder = Path(__file__).parent / "statements"
    return Queries(_folder(folder / "common") | _folder(folder / dialect), dialect)


def completed(statement: str, table: str, columns: Sequence[str]) -> str:
    """Put the names of a table and its columns into a statement."""
    listed = ", ".join(f'"{column}"' for column in columns)
    return statement.replace(":table", table).replace(":columns", listed)


def statements(text: str) -> dict[str, str]:
    """Return the named statements of a text, as they are written."""
    return {name: _on_one_line(body) for name, body in _split(text).items()}


# A condition with others behind it; the only ones; a column, and a value, with others behind it.
_WORKSPACE = re.compile(
    r"\b(?:\w+\.)?ws = :ws AND "
    r"| (?:WHERE|ON) (?:(?:\w+\.)?ws = :ws AND )*(?:\w+\.)?ws = :ws\b(?! AND)"
    r"|(?<=\()(?:ws|:ws), "
    r"|(?<=SELECT ):ws, "
)
_PARAMETER = re.compile(r"\?(\d*)|:ws\b")


def sqlite_form(text: str) -> str:
    """Return a statement as SQLite runs it: without the workspace."""
    return _WORKSPACE.sub("", text) if ":ws" in text else text


def postgres_form(text: str) -> str:
    """Return a statement as PostgreSQL runs it: with numbered parameters, the workspace last.

    CROSS JOIN tells SQLite the order in which it should read tables. PostgreSQL finds that itself,
    and knows no such join with a condition.
    """
    numbers = [int(number) for number in re.findall(r"\?(\d+)", text)]
    workspace = (max(numbers) if numbers else text.count("?")) + 1
    last = 0

    def numbered(found: re.Match[str]) -> str:
        nonlocal last
        if found[0] == ":ws":
            return f"${workspace}"
        last = int(found[1] or last + 1)
        return f"${last}"

    return _PARAMETER.sub(numbered, text.replace("CROSS JOIN", "JOIN"))


_FORMS: dict[Dialect, Callable[[str], str]] = {"sqlite": sqlite_form, "postgres": postgres_form}


def _folder(folder: Path) -> dict[str, str]:
    """Read the statements of one folder; a name may be in one of its files only."""
    return _split(b"\n".join([path.read_bytes() for path in folder.glob("*.sql")]).decode())


def _split(text: str) -> dict[str, str]:
    """Return the statements of a text as they are written; refuse a name given twice."""
    parts = [part.partition("\n") for part in f"\n{text}".split(_NAME)[1:]]
    found = {name: body for name, _end, body in parts}
    if len(found) < len(parts):
        names = [name for name, _end, _body in parts]
        twice = ", ".join(sorted({name for name in names if names.count(name) > 1}))
        raise LookupError(f"A statement is named twice: {twice}")
    return found


def _on_one_line(body: str) -> str:
    """Return a statement without comments: the shorter its text, the sooner SQLite's is found."""
    lines = f"{body}\n".partition(_END)[0].split("\n")
    lines = [line for line in lines if not line.lstrip().startswith("--")]
    return " ".join(" ".join(lines).split())
