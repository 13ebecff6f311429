"""Make a folder of notes as somebody has it after years, with all that a program may trip over.

    python -m tests.unit.exchange.vault_tree FOLDER --notes 2000

The same seed gives the same bytes.
"""

import argparse
import json
import random
import unicodedata
from pathlib import Path
from urllib.parse import quote

from PIL import Image

_PLACES = [
    "Projects",
    "일지",
    "日記",
    "يوميات",
    "Areas & Ideas",
    "🚀 launch",
    "Archiv (alt)",
    "a.b",
    "Résumé",
    "x" * 120,
    "Проекты",
    "meeting notes",
]
_NAMES = [
    "Plan",
    "회의록",
    "議事録",
    "ملاحظات",
    "Idea",
    "Reading list",
    "배포 절차",
    "📚 books",
    "C++ & C#",
    "100% sure",
    "it's (really) fine",
    "Überblick",
    "заметка",
    "ideas, dreams; etc",
    "v1.2.3",
]
_WORDS = (
    "the store keeps every version of a note and nobody loses what they wrote 서울 날씨가 좋다 "
    "배포는 금요일에 하지 않는다 会議 は 月曜日 です العربية تقرأ من اليمين "
    "👩‍👩‍👧 fast search links graph café"
).split()


def make_vault(target: Path, *, notes: int = 2000, seed: int = 1) -> Path:
    """Fill an empty or new folder; return it."""
    tree = _Tree(target, random.Random(seed), notes)
    tree.make()
    return target


class _Tree:
    def __init__(self, target: Path, chance: random.Random, notes: int) -> None:
        self.target, self.chance, self.count = target, chance, notes
        self.folders = [Path(), *self._folders()]
        self.images: list[Path] = []
        self.notes: list[Path] = []

    def make(self) -> None:
        self.target.mkdir(parents=True, exist_ok=True)
        for folder in self.folders:
            (self.target / folder).mkdir(parents=True, exist_ok=True)
        (self.target / "empty folder" / "안").mkdir(parents=True)
        self._attachments()
        special = self._special()
        self.notes = [*special, *self._names(self.count - len(special))]
        for path, data in special.items():
            self._put(path, data)
        for number, path in enumerate(self.notes[len(special) :]):
            self._put(path, self._note(number, path))
        self._hidden()

    def _put(self, path: Path | str, data: bytes) -> None:
        place = self.target / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)

    def _folders(self) -> list[Path]:
        found: list[Path] = []
        for _ in range(max(4, self.count // 20)):
            above = self.chance.choice([Path(), *found])
            above = above if len(above.parts) < 5 else Path()
            found.append(
                above / f"{self.chance.choice(_PLACES)}{self.chance.choice(['', ' 2', '3'])}"
            )
        return list(dict.fromkeys(found))

    def _names(self, count: int) -> list[Path]:
        """Return where notes go; some of a name are in several folders, none twice in one."""
        found: dict[Path, None] = {}
        for number in range(count):
            folder = self.chance.choice(self.folders)
            name = self.chance.choice(_NAMES)
            path = folder / f"{name}.md"
            found[path if path not in found else folder / f"{name} {number}.md"] = None
        return list(found)

    def _note(self, number: int, path: Path) -> bytes:
        if number % 40 == 7:
            return b""
        lines = [*self._front(number), f"# {path.stem}", ""]
        for part in range(self.chance.randint(1, 6)):
            lines += [f"## Part {part}", "", self._paragraph(), "", *self._links(path), ""]
            if self.chance.random() < 0.3:
                lines += ["```python", "# no heading, and [[no link]]", "```", "^block-1", ""]
        text = "\n".join(lines)
        text = text.rstrip("\n") if number % 5 == 0 else text + "\n"
        if number % 7 == 0:
            text = text.replace("\n", "\r\n")
        mark = b"\xef\xbb\xbf" if number % 11 == 0 else b""
        return mark + text.encode()

    def _front(self, number: int) -> list[str]:
        if number % 3:
            return []
        return [
            "---",
            f"title: Another title {number}",
            f"aliases: [별칭 {number}, 'Alias {number}']",
            "tags:",
            "  - 태그",
            "  - note/sub",
            f"date: 2026-{number % 12 + 1:02}-03",
            "---",
            "",
        ]

    def _paragraph(self) -> str:
        return " ".join(self.chance.choices(_WORDS, k=self.chance.randint(10, 80)))

    def _links(self, path: Path) -> list[str]:
        other = self.chance.choice(self.notes)
        picture = self.chance.choice(self.images)
        up = "/".join([".."] * len(path.parent.parts)) or "."
        choices = [
            f"See [[{other.stem}]].",
            f"See [[{other.with_suffix('').as_posix()}|that one]].",
            f"See [[{other.stem}#Part 0]] and [[{other.stem}#^block-1]].",
            f"또 [[별칭 {self.chance.randrange(0, self.count, 3)}]]",
            f"- [text]({up}/{quote(other.as_posix())}) and [web](https://example.com/a)",
            f"![[{picture.name}]]",
            f"![그림]({up}/{quote(picture.as_posix())})",
            f"![[{other.stem}#Part 0]]",
            "[[nowhere at all]]",
        ]
        return self.chance.sample(choices, self.chance.randint(0, 3))

    def _special(self) -> dict[Path, bytes]:
        big = "\n\n".join(self._paragraph() for _ in range(2_600))
        longest = "긴" * 70 + "x" * 40
        return {
            Path("Home.md"): "# Home\n\n[[Plan]] [[회의록]]\n".encode(),
            Path("Projects/Home.md"): b"---\naliases: Second home\n---\n[[Home]]",
            Path("big.md"): big.encode()[:1_048_576].decode("utf-8", "ignore").encode(),
            Path(f"{longest}.md"): b"a long name",
            Path("latin.md"): "caf\u00e9 and na\u00efve".encode("latin-1"),
            Path("utf16.md"): "\ufeffwide 글".encode("utf-16-le"),
            Path("old mac.md"): b"one\rtwo\r\nthree\n",
            Path("zero.md"): b"a\x00b\n",
            Path("only bom.md"): b"\xef\xbb\xbf",
            Path("two boms.md"): b"\xef\xbb\xbf\xef\xbb\xbftext",
            Path(" blank .md"): b" \n\n",
            Path(unicodedata.normalize("NFD", "분해된 이름.md")): "분해".encode(),
            Path("분해된 이름.md"): "합친".encode(),
            Path("UPPER.MD"): b"# Upper\n",
            Path("long form.markdown"): b"# Long\n",
            Path("broken front.md"): b"---\ntags: [a, b\n---\ntext\n",
            Path("line.separators.md"): "a\u2028b\u0085c\x0b\n".encode(),
        }

    def _attachments(self) -> None:
        for number, kind in enumerate(["png", "jpg", "gif", "png", "webp", "png"] * 2):
            folder = self.folders[number % len(self.folders)]
            path = folder / f"그림 {number}.{kind}"
            self.images.append(path)
            image = Image.new("RGB", (24 + number, 16), (20 * number, 90, 200 - number))
            image.save(self.target / path)
        vector = Path("assets/drawing.svg")
        self._put(vector, b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
        self.images.append(vector)
        same = (self.target / self.images[0]).read_bytes()
        self._put("assets/the same.png", same)
        self._put("assets/not an image.png", b"no picture at all")
        self._put("assets/paper.pdf", b"%PDF-1.7\n" + bytes(range(256)) * 20)
        self._put("assets/empty.bin", b"")
        self._put("map.canvas", json.dumps({"nodes": [{"text": "글"}]}).encode())
        self._put("no suffix", b"\x00\x01")

    def _hidden(self) -> None:
        self._put(".obsidian/app.json", b"{}")
        self._put(".obsidian/plugins/x/main.js", b"1")
        self._put(".trash/gone.md", b"# Gone\n")
        self._put("Projects/.hidden/secret.md", b"# Hidden\n")
        self._put("Projects/.DS_Store", b"\x00")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--notes", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    print(make_vault(chosen.folder, notes=chosen.notes, seed=chosen.seed))


if __name__ == "__main__":
    main()
