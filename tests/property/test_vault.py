"""Whatever files a vault has, whatever they are called: they come back as they were."""

import tempfile
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

import strata
from strata.exchange import export_vault, import_vault
from tests.property.examples import examples

# Pieces that a careless program would trip over, in names and in texts.
PIECES = [
    "[[a]]",
    "![[a.png]]",
    "[x](a.md)",
    "---\n",
    "aliases: [b]\n",
    "# ",
    "\r\n",
    "\r",
    "\n",
    "```",
    "한글",
    "ㄱ\u0301",
    "e\u0301",
    "👩‍👩‍👧",
    "\u2028",
    "\x85",
    "\x00",
    "\ufeff",
    "|",
    "\u202e",
    " ",
    "^b",
    "#",
]
texts = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=4)), max_size=8).map("".join)
names = (
    st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=3)), min_size=1, max_size=4)
    .map(lambda parts: "".join(parts).replace("/", "").replace("\0", "").lstrip("."))
    .filter(lambda name: 0 < len(name.encode("utf-8", "replace")) < 200)
    .filter(lambda name: not any("\ud800" <= letter <= "\udfff" for letter in name))
)
paths = st.builds(
    lambda folders, name, ending: "/".join([*folders, name + ending]),
    st.lists(names, max_size=2),
    names,
    st.sampled_from([".md", ".md", ".MD", "", ".png"]),
)
vaults = st.dictionaries(
    paths, st.one_of(texts.map(str.encode), st.binary(max_size=40)), max_size=6
)


@settings(max_examples=examples(40))
@given(vaults)
@example({"a b.md": b"1", "a  b.md": b"2", "a\tb/c.md": b"3", "a b/c.md": b"4"})
def test_an_imported_vault_is_exported_as_it_was(vault: dict[str, bytes]) -> None:
    with (
        tempfile.TemporaryDirectory() as place,
        strata.open(durability="cache", auto_embed=False) as db,
    ):
        kept = fill(Path(place) / "in", vault)
        report = import_vault(db, Path(place) / "in")
        assert report.notes + report.images + report.files == len(kept)
        again = import_vault(db, Path(place) / "in")
        assert (again.unchanged, again.missing) == (len(kept), ())
        export_vault(db, Path(place) / "out", plain=True)
        found = (path for path in (Path(place) / "out").rglob("*") if path.is_file())
        written = {path.relative_to(Path(place) / "out").as_posix(): path for path in found}
        assert {name: path.read_bytes() for name, path in written.items()} == kept


def fill(root: Path, vault: dict[str, bytes]) -> dict[str, bytes]:
    """Write what can be written: a name may be taken by a folder already."""
    root.mkdir()
    for path, data in vault.items():
        place = root / path
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
        except (FileExistsError, NotADirectoryError, IsADirectoryError):
            continue
    found = (path for path in root.rglob("*") if path.is_file())
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in found}
