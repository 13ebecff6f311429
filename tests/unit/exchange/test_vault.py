"""A folder of markdown goes in as documents and comes out byte for byte."""

from pathlib import Path

import pytest

from strata import AlreadyExists, InvalidArgument, NotAllowed, NotFound, Workspace
from strata.documents import Request, images_in
from strata.exchange import export_vault, import_vault
from tests.unit.exchange.vault_tree import make_vault


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    """A small vault with one of most things."""
    files = {
        "Home.md": "# 집\n\n[[Plan]], [[둘째 이름]], [[일/Plan]], ![[그림.png]], [[nowhere]]\n",
        "일/Plan.md": "---\naliases: [둘째 이름]\ntags: [a]\n---\r\n# Plan\r\n[home](../Home.md)",
        "일/안/deep.md": "\ufeffwith a mark",
        "empty.md": "",
    }
    root = tmp_path / "나의 vault"
    for path, text in files.items():
        put(root, path, text.encode())
    put(root, "assets/그림.png", PIXEL)
    put(root, "assets/paper.pdf", b"%PDF\x00")
    put(root, "latin.md", b"caf\xe9")
    put(root, ".obsidian/app.json", b"{}")
    put(root, ".trash/gone.md", b"gone")
    return root


PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
    "0000000c49444154789c63f8cfc0000003010100c9fe92ef0000000049454e44ae426082"
)


def put(root: Path, path: str, data: bytes) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_bytes(data)


def contents(root: Path) -> dict[str, bytes]:
    """Return every file that is not hidden, by its path."""
    found = (path.relative_to(root) for path in root.rglob("*") if path.is_file())
    shown = (path for path in found if not any(part.startswith(".") for part in path.parts))
    return {path.as_posix(): (root / path).read_bytes() for path in shown}


def document(db: Workspace, path: str) -> str:
    """Return the id of the document that came from a path."""
    ids = [*db.rights.visible()]
    return next(id_ for id_ in ids if db.documents.get(id_).origin["path"] == path)


@pytest.mark.slow
def test_a_vault_of_two_hundred_notes_comes_back_byte_for_byte(
    db: Workspace, tmp_path: Path
) -> None:
    source = make_vault(tmp_path / "vault", notes=200, seed=3)
    report = import_vault(db, source)
    assert report.notes == 198
    assert report.as_files == ("latin.md", "utf16.md")
    assert report.images >= 12
    assert {skipped.reason for skipped in report.skipped} == {"hidden", "in the trash of the vault"}
    exported = export_vault(db, tmp_path / "out")
    assert (exported.notes, exported.skipped, exported.renamed) == (198, (), ())
    assert contents(tmp_path / "out") == contents(source)
    assert (tmp_path / "out" / "empty folder" / "안").is_dir()
    assert db.verify().ok


def test_notes_become_documents_of_folders(db: Workspace, vault: Path) -> None:
    report = import_vault(db, vault)
    assert (report.notes, report.images, report.files, report.folders) == (4, 1, 2, 3)
    plan = db.documents.get(document(db, "일/Plan.md"))
    assert plan.title == "Plan"
    assert plan.aliases == ("둘째 이름",)
    assert plan.frontmatter["tags"] == ["a"]
    folder = db.folders.require(plan.folder)
    assert folder.name == "일"
    assert folder.parent == db.folders.personal().id
    assert db.documents.text(plan.id).endswith("# Plan\r\n[home](../Home.md)")


def test_links_lead_where_they_did(db: Workspace, vault: Path) -> None:
    report = import_vault(db, vault)
    assert (report.links_resolved, report.links_unresolved) == (5, 1)
    assert report.unresolved == ("nowhere",)
    home, plan = document(db, "Home.md"), document(db, "일/Plan.md")
    edges = {(edge.source, edge.target) for edge in db.documents.graph(home).edges}
    assert {(home, plan), (plan, home)} <= edges


def test_a_path_leads_to_one_of_several_notes_of_a_name(db: Workspace, vault: Path) -> None:
    put(vault, "a/Same.md", b"# A")
    put(vault, "b/Same.md", b"# B")
    put(vault, "c/to b.md", b"[[b/Same]]")
    import_vault(db, vault)
    pointing, wanted = document(db, "c/to b.md"), document(db, "b/Same.md")
    edges = db.documents.graph(wanted, depth=1).edges
    assert (pointing, wanted) in {(edge.source, edge.target) for edge in edges}


def test_a_note_is_found_by_its_words(db: Workspace, vault: Path) -> None:
    import_vault(db, vault)
    found = db.documents.find(Request(query="집"))
    assert [item.title for item in found.items] == ["Home"]


def test_a_note_shows_the_pictures_of_the_vault(db: Workspace, vault: Path) -> None:
    import_vault(db, vault)
    home = document(db, "Home.md")
    assert images_in(db.documents.text(home)) == []  # the text stays as it was written
    picture = next(iter(db.documents.images(home)))
    assert (picture.name, picture.media_type) == ("그림.png", "image/png")


def test_a_second_import_writes_nothing(db: Workspace, vault: Path) -> None:
    import_vault(db, vault)
    log = db.log()
    report = import_vault(db, vault)
    assert (report.created, report.changed, report.unchanged) == (0, 0, 7)
    assert db.log() == log


def test_only_what_changed_in_the_vault_is_written(db: Workspace, vault: Path) -> None:
    import_vault(db, vault)
    put(vault, "Home.md", "# 집\n\n이제 다르다\n".encode())
    put(vault, "assets/paper.pdf", b"%PDF other")
    put(vault, "new.md", b"new")
    report = import_vault(db, vault)
    assert (report.created, report.changed, report.unchanged) == (1, 2, 5)
    assert db.documents.text(document(db, "Home.md")) == "# 집\n\n이제 다르다\n"
    assert [one.operation for one in db.documents.history(document(db, "Home.md"))] == [
        "write",
        "create",
    ]
    assert import_vault(db, vault).unchanged == 8


def test_a_mark_that_was_added_to_a_file_comes_back(
    db: Workspace, vault: Path, tmp_path: Path
) -> None:
    import_vault(db, vault)
    put(vault, "empty.md", b"\xef\xbb\xbf")
    assert import_vault(db, vault).changed == 0
    export_vault(db, tmp_path / "out")
    assert contents(tmp_path / "out") == contents(vault)


def test_what_was_changed_here_is_kept(db: Workspace, vault: Path) -> None:
    import_vault(db, vault)
    home = document(db, "Home.md")
    db.documents.edit(home, "# 집", "# 우리 집")
    report = import_vault(db, vault)
    assert (report.kept, report.changed) == (1, 0)
    assert db.documents.text(home).startswith("# 우리 집")


def test_what_was_changed_here_and_there_is_merged(db: Workspace, vault: Path) -> None:
    import_vault(db, vault)
    home = document(db, "Home.md")
    db.documents.edit(home, "# 집", "# 우리 집")
    changed = (vault / "Home.md").read_text(encoding="utf-8") + "\nMore from the vault.\n"
    put(vault, "Home.md", changed.encode())
    assert import_vault(db, vault).merged == 1
    assert db.documents.text(home) == changed.replace("# 집", "# 우리 집")
    again = import_vault(db, vault)
    assert (again.merged, again.kept) == (0, 1)


def test_missing_notes_are_named_and_trashed_only_when_asked(db: Workspace, vault: Path) -> None:
    import_vault(db, vault)
    home = document(db, "Home.md")
    (vault / "Home.md").unlink()
    (vault / "assets" / "paper.pdf").unlink()
    report = import_vault(db, vault)
    assert report.missing == ("Home.md", "assets/paper.pdf")
    assert db.documents.get(home).status == "draft"
    assert import_vault(db, vault, delete=True).trashed == 2
    assert db.documents.get(home).status == "trashed"
    assert import_vault(db, vault, delete=True).trashed == 0


def test_what_is_in_the_trash_here_stays_there(db: Workspace, vault: Path, tmp_path: Path) -> None:
    import_vault(db, vault)
    home = document(db, "Home.md")
    db.documents.trash(home)
    report = import_vault(db, vault)
    assert ("Home.md", "its document is in the trash") in [
        (one.path, one.reason) for one in report.skipped
    ]
    assert db.documents.get(home).status == "trashed"
    export_vault(db, tmp_path / "out")
    assert "Home.md" not in contents(tmp_path / "out")


def test_a_preview_counts_and_writes_nothing(db: Workspace, vault: Path) -> None:
    report = import_vault(db, vault, preview=True)
    assert (report.preview, report.notes, report.created, report.folders) == (True, 4, 7, 3)
    assert db.log() == []
    assert len(db.folders.list()) == 1
    done = import_vault(db, vault)
    assert (done.created, done.links_resolved) == (report.created, report.links_resolved)


def test_an_interrupted_import_is_finished_by_the_next(db: Workspace, vault: Path) -> None:
    class Stop(Exception):
        pass

    def stop(_what: str, done: int, _total: int) -> None:
        if done == 5:
            raise Stop

    for number in range(150):
        put(vault, f"많은 것/{number}.md", f"# {number}\n".encode())
    with pytest.raises(Stop):
        import_vault(db, vault, progress=stop)
    done: list[int] = []
    report = import_vault(db, vault, progress=lambda _what, count, _total: done.append(count))
    assert report.notes == 154
    assert done[-1] == 157
    assert len(db.rights.visible()) == 154
    assert import_vault(db, vault).created == 0


def test_two_vaults_in_one_folder_do_not_touch_each_other(
    db: Workspace, vault: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    put(other, "Home.md", b"another home")
    import_vault(db, vault)
    report = import_vault(db, other)
    assert (report.created, report.missing) == (1, ())
    export = export_vault(db, tmp_path / "out")
    assert export.renamed == ("Home 2.md",)
    written = contents(tmp_path / "out")
    assert written.pop("Home 2.md") == b"another home"
    assert written == contents(vault)


def test_a_vault_can_go_to_a_folder_of_a_team(db: Workspace, vault: Path, tmp_path: Path) -> None:
    team = db.teams.add("디자인")
    shared = db.folders.add("Shared", team=team.id)
    report = import_vault(db, vault, folder=shared.id)
    assert report.folder == shared.id
    assert db.documents.audience(document(db, "일/안/deep.md")).kind == "team"
    export_vault(db, tmp_path / "mine")
    assert contents(tmp_path / "mine") == {}
    export_vault(db, tmp_path / "out", folder="Shared")
    assert contents(tmp_path / "out") == contents(vault)


def test_a_part_of_a_vault_can_be_written_out(db: Workspace, vault: Path, tmp_path: Path) -> None:
    import_vault(db, vault)
    export_vault(db, tmp_path / "out", folder="일")
    assert contents(tmp_path / "out") == {
        path.removeprefix("일/"): data
        for path, data in contents(vault).items()
        if path.startswith("일/")
    }


def test_chosen_documents_bring_the_files_that_they_show(
    db: Workspace, vault: Path, tmp_path: Path
) -> None:
    import_vault(db, vault)
    report = export_vault(db, tmp_path / "out", documents=[document(db, "Home.md")])
    assert (report.notes, report.images, report.files) == (1, 1, 0)
    assert {*contents(tmp_path / "out")} == {"Home.md", "assets/그림.png"}
    with pytest.raises(NotFound):
        export_vault(db, tmp_path / "out", documents=["doc_none"])


def test_new_titles_and_places_give_new_paths(db: Workspace, vault: Path, tmp_path: Path) -> None:
    import_vault(db, vault)
    db.documents.rename(document(db, "Home.md"), "집: 우리/모두의 <것>?")
    db.documents.move(document(db, "일/Plan.md"), db.folders.personal().id)
    db.documents.create("PLAN", "made here")
    db.documents.create("con", "made here")
    report = export_vault(db, tmp_path / "out")
    written = contents(tmp_path / "out")
    assert {"집- 우리-모두의 -것--.md", "Plan.md", "PLAN 2.md", "_con.md"} <= {*written}
    assert written["Plan.md"] == (vault / "일/Plan.md").read_bytes()
    assert {*report.renamed} == {"집- 우리-모두의 -것--.md", "Plan.md"}


def test_foreign_files_are_not_written_over(db: Workspace, vault: Path, tmp_path: Path) -> None:
    import_vault(db, vault)
    out = tmp_path / "out"
    put(out, "Home.md", b"somebody else's")
    put(out, "beside.txt", b"mine")
    with pytest.raises(AlreadyExists) as caught:
        export_vault(db, out)
    assert "Home.md" in caught.value.message
    assert contents(out) == {"Home.md": b"somebody else's", "beside.txt": b"mine"}
    report = export_vault(db, out, force=True)
    assert report.changed == 1
    assert contents(out) == contents(vault) | {"beside.txt": b"mine"}
    assert export_vault(db, out).unchanged == 7


def test_an_export_stays_inside_its_target(db: Workspace, tmp_path: Path) -> None:
    for path in ("../up.md", "/etc/up.md", "a/../../up.md"):
        made = db.documents.create("up", "text")
        home = db.folders.personal().id
        db.documents.set_origin(made.document, {"folder": home, "vault": "v", "path": path})
    export_vault(db, tmp_path / "deep" / "out")
    assert {*contents(tmp_path)} == {"deep/out/up.md", "deep/out/up 2.md", "deep/out/up 3.md"}


def test_a_link_that_leads_out_of_the_target_is_refused(
    db: Workspace, vault: Path, tmp_path: Path
) -> None:
    import_vault(db, vault)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "일").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InvalidArgument):
        export_vault(db, tmp_path / "out")
    assert contents(tmp_path / "elsewhere") == {}


def test_links_in_the_vault_are_left_alone(db: Workspace, vault: Path, tmp_path: Path) -> None:
    put(tmp_path, "outside.md", b"secret")
    (vault / "linked.md").symlink_to(tmp_path / "outside.md")
    (vault / "loop").symlink_to(vault)
    report = import_vault(db, vault)
    assert report.notes == 4
    assert [one.path for one in report.skipped if "link" in one.reason] == ["linked.md", "loop"]


def test_a_file_that_is_too_large_is_told(
    db: Workspace, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("strata.base.limits.IMAGE_BYTES_MAX", 200)
    put(vault, "video.mp4", bytes(201))
    report = import_vault(db, vault)
    assert [one.path for one in report.skipped if "bytes" in one.reason] == ["video.mp4"]


def test_secrets_of_a_vault_are_told_and_kept_as_they_are(
    db: Workspace, vault: Path, tmp_path: Path
) -> None:
    put(vault, "keys.md", b"dsn: postgres://app:" + b"tr0ub4dor" + b"@db/app\n")
    assert import_vault(db, vault).secrets == 1
    export_vault(db, tmp_path / "out")
    assert contents(tmp_path / "out") == contents(vault)


def test_others_do_not_see_a_vault_and_may_not_fill_it(
    db: Workspace, vault: Path, tmp_path: Path
) -> None:
    db.users.add("ann@example.com", "Ann")
    folder = db.folders.add("mine")
    import_vault(db, vault, folder=folder.id)
    ann = db.as_user("ann@example.com")
    with pytest.raises(NotFound):
        import_vault(ann, vault, folder=folder.id)
    assert export_vault(ann, tmp_path / "out").notes == 0
    team = db.teams.add("디자인")
    db.teams.set_member(team.id, ann.rights.user.id, "viewer")
    shared = db.folders.add("Shared", team=team.id)
    with pytest.raises(NotAllowed):
        import_vault(ann, vault, folder=shared.id)


def test_the_past_of_a_vault_can_be_written_out(db: Workspace, vault: Path, tmp_path: Path) -> None:
    import_vault(db, vault)
    before, then = contents(vault), db.log(limit=1)[0].version
    put(vault, "Home.md", b"later")
    put(vault, "assets/paper.pdf", b"later")
    import_vault(db, vault)
    export_vault(db.at(then), tmp_path / "out")
    assert contents(tmp_path / "out") == before


def test_a_vault_on_a_branch_stays_there(db: Workspace, vault: Path, tmp_path: Path) -> None:
    db.branches.fork("try")
    import_vault(db.on("try"), vault)
    assert export_vault(db, tmp_path / "default").notes == 0
    export_vault(db.on("try"), tmp_path / "try")
    assert contents(tmp_path / "try") == contents(vault)
    db.branches.merge("try", into="default")
    export_vault(db, tmp_path / "merged")
    assert contents(tmp_path / "merged") == contents(vault)


def test_erasing_a_note_leaves_the_files_of_its_vault(
    db: Workspace, vault: Path, tmp_path: Path
) -> None:
    import_vault(db, vault)
    db.purge_document(document(db, "Home.md"))
    report = export_vault(db, tmp_path / "out")
    assert report.skipped == ()
    left = contents(vault)
    del left["Home.md"]
    assert contents(tmp_path / "out") == left


def test_no_folder_is_an_error(db: Workspace, tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        import_vault(db, tmp_path / "none")
