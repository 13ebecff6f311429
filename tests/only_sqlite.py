"""Tests that are about SQLite or its files, which `--database postgres` leaves out, with reasons.

A name of a file leaves out all of its tests. A test that assumes a file without being about one
does not belong here: `place_of` and `address_of` in `tests/databases.py` say what to use instead.
"""

SQL = "reads or damages rows by SQL of SQLite, which knows no workspaces"
BYTES = "looks for bytes in the file"
BACKUP = "a backup is a file; on PostgreSQL the error says what to do instead"
FILE = "is about files that are stores, or are none"
COUNTS = "counts what SQLite's driver is given"
LOADED = "names what is loaded; the tests' way to the server loads more"
BOTH = "has a file and a server of its own, also where the tests run on SQLite"
DOCTOR = "looks at the file by itself, past what leads the tests to the server"
TRUST = "is about files that come from elsewhere; naming a database's address is trusting it"
OTHER = "reads the store with another SQLite program"

_TABLE = "tests/surface/developer/test_the_table.py::"
_PAGE = "tests/surface/web/test_page_operations.py::"

ONLY_SQLITE = {
    "tests/contract/test_costs.py": COUNTS,
    "tests/contract/test_costs_of_pages.py": COUNTS,
    "tests/contract/test_round_trips.py::test_a_call_sends_few_statements": COUNTS,
    "tests/contract/test_refused_places.py": FILE,
    "tests/contract/test_decision_tables.py": OTHER,
    "tests/contract/test_caring_for_documents.py::test_a_purged_document_leaves_nothing_in_": BYTES,
    "tests/contract/test_caring_for_documents.py::test_an_image_that_another_document_has_": SQL,
    "tests/contract/test_deciding_together.py::test_two_branches_merged_in_either_order": BACKUP,
    "tests/contract/test_forgetting.py::test_the_bytes_of_a_purged_value_are_nowhere": BYTES,
    "tests/contract/test_forgetting.py::test_a_large_compressed_value_is_gone": BYTES,
    "tests/contract/test_forgetting.py::test_a_secret_is_gone_after_its_pages_were_split": BYTES,
    "tests/contract/test_forgetting.py::test_a_purge_reaches_every_branch_and_the_past": BYTES,
    "tests/contract/test_forgetting.py::test_retention_leaves_events_and_the_present_": BACKUP,
    "tests/contract/test_forgetting_texts.py::test_a_purge_erases_vectors_tokens_and_what": BYTES,
    "tests/contract/test_python_manners.py::test_results_are_plain_json_with": BACKUP,
    "tests/contract/test_python_manners.py::test_what_is_shown_says_where_it_is": FILE,
    "tests/contract/test_secrets.py::test_the_search_for_files_would_notice_one": BYTES,
    "tests/contract/mama/test_files.py::test_a_database_of_another_program_is_refused": FILE,
    "tests/property/test_files_model.py": BACKUP,
    "tests/property/test_decisions_model.py": SQL,
    "tests/surface/test_cut_off_commands.py": FILE,
    "tests/surface/test_damaged_stores.py::test_a_": BACKUP,
    "tests/surface/test_damaged_stores.py::test_an_export_saves": SQL,
    "tests/surface/test_damaged_stores.py::test_d": SQL,
    "tests/surface/test_damaged_stores.py::test_no_bundle": SQL,
    "tests/surface/test_damaged_stores.py::test_the_store_that_was": BACKUP,
    "tests/surface/test_damaged_stores.py::test_who_is": BACKUP,
    "tests/surface/test_doctor.py": DOCTOR,
    "tests/surface/test_document_care.py::test_a_document_is_erased_by_its": BYTES,
    "tests/surface/test_document_care.py::test_verify_and_doctor": SQL,
    "tests/surface/test_earlier_stores.py": FILE,
    "tests/surface/test_embedding_commands.py::test_wait": DOCTOR,
    "tests/surface/test_embedding_commands.py::test_what_failed": DOCTOR,
    "tests/surface/test_embedding_commands.py::test_without_models": DOCTOR,
    "tests/surface/test_git_branches.py::test_a_folder_of_another": FILE,
    "tests/surface/test_git_branches.py::test_a_merge_is_offered": DOCTOR,
    "tests/surface/test_hook_modules.py": LOADED,
    "tests/surface/test_hooks.py::test_a_store_that_nobody_else_may": FILE,
    "tests/surface/test_hooks.py::test_a_writer_that_holds_the_store": FILE,
    "tests/surface/test_hooks.py::test_the_hook_loads_nothing": LOADED,
    "tests/surface/test_proposal_commands.py::test_the_curator_runs": FILE,
    "tests/surface/test_manners.py::test_a_file_that_is_there_is": BACKUP,
    "tests/surface/test_postgres_commands.py": BOTH,
    "tests/surface/test_shared_options.py::test_reading_leaves_nothing_beside_the": DOCTOR,
    "tests/surface/test_start.py::test_simple_commands_stay_light": LOADED,
    "tests/surface/test_terminal.py::test_torture_shows_its_progress": FILE,
    "tests/surface/test_trust.py": TRUST,
    "tests/surface/test_upkeep_commands.py::test_a_backup": BACKUP,
    "tests/surface/test_upkeep_commands.py::test_compact_tells": BACKUP,
    "tests/surface/test_upkeep_commands.py::test_progress_stays_away_from_pipes[backup": BACKUP,
    "tests/surface/test_upkeep_commands.py::test_progress_stays_away_from_pipes[compact": BACKUP,
    "tests/surface/test_upkeep_commands.py::test_verify_finds_a_flipped": BYTES,
    "tests/surface/test_value_commands.py::test_purge_erases_every_version": BYTES,
    "tests/surface/developer/test_data_tools.py::test_counters_grow_with_what": COUNTS,
    f"{_TABLE}test_a_right_call_answers_in_its_shape[strata_db_compact": BACKUP,
    f"{_TABLE}test_it_answers_the_same_over_the_wire[strata_db_compact": BACKUP,
    "tests/surface/mcp/test_loaded_modules.py::test_the_first_answers_load_nothing_heavy": LOADED,
    f"{_PAGE}test_only_readers_are_served_in_the_past[page_backup": BACKUP,
    f"{_PAGE}test_the_owner_may_call_it[page_backup": BACKUP,
    "tests/surface/web/test_page_settings.py::test_a_backup_is_made_beside_the_store": BACKUP,
    "tests/surface/web/test_page_settings.py::test_only_the_owner_downloads_a_backup": BACKUP,
    "tests/unit/access/test_rights.py::test_every_change_is_in_the_audit_log": SQL,
    "tests/unit/access/test_share_links.py::test_links_are_audited_and_their_secrets": BYTES,
    "tests/unit/access/test_sign_ins.py::test_neither_codes_nor_cookies_are_in_the_file": BYTES,
    "tests/unit/access/test_tokens.py::test_the_secret_is_nowhere_in_the_file": BYTES,
    "tests/unit/access/test_tokens.py::test_a_token_that_was_made_before_there_were": SQL,
    "tests/unit/access/test_speed.py": "bounds the time of a process that waits for no server",
    "tests/unit/documents/test_uploads.py::test_what_nobody_finalized_is_removed_with": SQL,
    "tests/unit/exchange/test_vault_own_store.py::test_a_file_named_as_the_store_does": FILE,
    "tests/unit/presence/test_presence.py::test_a_touch_does_not_change_how_durable": SQL,
    "tests/unit/publishing/test_publishing.py::test_purging_a_document_erases_what_was": BYTES,
    "tests/unit/publishing/test_publishing.py::test_verifying_a_store_notices_a_published": SQL,
    "tests/unit/search/test_codes.py::test_a_store_that_grows_is_held_by_its_codes": SQL,
    "tests/unit/search/test_codes.py::test_damaged_codes_are_found_and_made_again": SQL,
    "tests/unit/search/test_embeddings.py::test_looking_for_work_does_not_read_what_is": SQL,
    "tests/unit/search/test_quick_sealed.py::test_of_a_damaged_segment_the_entries": SQL,
    "tests/unit/search/test_segments.py::test_a_damaged_segment_is_found_and_made": SQL,
    "tests/unit/search/test_segments.py::test_a_search_does_without_a_damaged_segment": SQL,
    "tests/unit/search/test_segments.py::test_the_sealer_makes_segments_it_cannot_read": SQL,
    "tests/unit/sql/test_closing.py::test_pages_are_only_released_by_the_thread": FILE,
    "tests/unit/sql/test_integrity.py": SQL,
    "tests/unit/sql/test_migrate.py": FILE,
    "tests/unit/sql/test_read_hold.py": FILE,
    "tests/unit/sql/test_schema.py": FILE,
    "tests/unit/sql/test_sqlite.py": FILE,
    "tests/unit/store/test_catalog.py::test_a_transaction_that_wrote_nothing_reads_a": COUNTS,
    "tests/unit/store/test_catalog.py::test_changed_branches_are_found_by_an_index": SQL,
    "tests/unit/store/test_commit_hash.py::test_it_covers_the_hash_before_the_time": OTHER,
    "tests/unit/store/test_counting.py": SQL,
    "tests/unit/tasks/test_queue.py::test_a_look_at_an_idle_queue_is_one_indexed": SQL,
    "tests/unit/upkeep/test_copies.py": BACKUP,
    "tests/unit/upkeep/test_examine.py": BACKUP,
    "tests/unit/upkeep/test_partial_files.py": BACKUP,
    "tests/unit/upkeep/test_reindex.py": SQL,
    "tests/unit/workspace/test_open.py": FILE,
    "tests/unit/workspace/test_locate.py::test_opening_without_a_path_makes_a_private_": FILE,
}

NUL = "texts of damaged MAMA files hold NUL, which is refused"
# Known to fail on PostgreSQL, each with what is known of it.
OPEN = {
    "tests/contract/mama/test_damage.py::test_whatever_stands_in_the_rows_each_becomes": NUL,
    "tests/contract/mama/test_damage.py::test_flipped_bytes_never_break_an_import_in_any": NUL,
}


def reason_for(node: str, reasons: dict[str, str]) -> str | None:
    """Return why a test is left out, if it is."""
    return next((why for name, why in reasons.items() if node.startswith(name)), None)
