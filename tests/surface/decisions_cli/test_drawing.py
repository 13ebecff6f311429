"""Drawing how decisions evolved: lanes, lines in a terminal, SVG and Mermaid.

The golden files are what `python -m tests.surface.decisions_cli.test_drawing` writes; look at the
picture before keeping it.
"""

import json
import random
from pathlib import Path
from xml.etree import ElementTree

import click
import pytest

from strata.cli.show.evolution import (
    DecisionNode,
    DecisionTie,
    EvolutionPicture,
    drawn_lines,
    laid_out,
    picture_lines,
)
from strata.cli.show.pictures import mermaid, svg
from strata.cli.show.text import width
from tests.surface.conftest import Run
from tests.surface.decisions_cli.conftest import Id

GOLDEN = Path(__file__).parent / "golden"
SVG = "{http://www.w3.org/2000/svg}"


def node(id_: str, title: str = "", **more: object) -> DecisionNode:
    day = f"2026-11-{1 + ord(id_[0]) - ord('a'):02d}"
    return DecisionNode(
        **{"id": id_, "title": title or id_, "day": day, "state": "replaced", **more}
    )


PICTURES = [
    EvolutionPicture(
        name="auth",
        nodes=(
            node("a", "Use server-side sessions", why="Simple to revoke"),
            node(
                "b",
                "토큰을 쓴다",
                why="모바일 앱이 생겼다",
                outcome="failed",
                lesson="A token leaked <here> & there",
                notes=("→ motivated_by 0.80 비밀은 짧게",),
            ),
            node("c", "Passkeys only", state="current"),
            node("d", "mTLS between services"),
            node("e", "Short-lived tokens", state="current"),
        ),
        grown=(("a", "b"), ("b", "c"), ("b", "d"), ("d", "e")),
        ties=(DecisionTie("c", "f", "contradicts 0.75"),),
    ),
    EvolutionPicture(
        name='결제 "카드" #1',
        nodes=(
            node(
                "f",
                "카드 결제는 한 번만 다시 시도한다",
                why="이중 결제",
                outcome="worked",
                state="current",
            ),
        ),
    ),
]
MADE = {
    "evolution.txt": lambda: "\n".join(map(click.unstyle, drawn_lines(PICTURES))) + "\n",
    "evolution.svg": lambda: svg(PICTURES, title="Evolution of decisions"),
    "evolution.mmd": lambda: mermaid(PICTURES),
}


@pytest.mark.parametrize("name", MADE)
def test_a_picture_is_drawn_as_the_golden_file_shows(name: str) -> None:
    assert MADE[name]() == (GOLDEN / name).read_text(encoding="utf-8")


def lines(grown: str, heads: str = "") -> list[str]:
    """Draw single letters, oldest first, from pairs such as "ab ac", and return what is drawn."""
    ids = sorted({letter for pair in grown.split() for letter in pair})
    nodes = tuple(node(id_, state="current" if id_ in heads else "replaced") for id_ in ids)
    pairs = tuple((pair[0], pair[1]) for pair in grown.split())
    drawn = list(picture_lines(EvolutionPicture(name="x", nodes=nodes, grown=pairs)))[1:]
    return [click.unstyle(line).partition("2026")[0].rstrip() for line in drawn]


def test_a_chain_goes_straight_down() -> None:
    assert lines("ab bc", heads="c") == ["○", "○", "◉"]


def test_two_heads_stand_side_by_side() -> None:
    assert lines("ab ac", heads="bc") == ["○", "├─╮", "◉ │", "  ◉"]


def test_what_grew_from_two_brings_them_together() -> None:
    assert lines("ab ac bd cd", heads="d") == ["○", "├─╮", "○ │", "│ ○", "├─╯", "◉"]


def test_ways_that_cross_do_not_meet() -> None:
    drawn = lines("ab ac ad be ce", heads="de")
    assert drawn == ["○", "├─┬─╮", "○ │ │", "│ ○ │", "│ │ ◉", "├─╯", "◉"]
    assert lines("ac bd ad", heads="cd") == ["○", "├─╮", "│ │ ○", "◉ │ │", "  ├─╯", "  ◉"]


def test_a_way_passes_over_another_lane() -> None:
    drawn = lines("ab ac ad cf cg", heads="bdfg")
    assert drawn == ["○", "├─┬─╮", "◉ │ │", "  ○ │", "╭─┤ │", "│ │ ◉", "│ ◉", "◉"]
    assert "│ ├─┼─╮" in lines("ab ac ad cf cg bh", heads="dfgh")


def test_what_is_unknown_or_against_the_order_is_left_out() -> None:
    layout = laid_out(["a", "b"], [("a", "nobody"), ("b", "a"), ("a", "b"), ("a", "b")])
    assert [(way.older.id, way.newer.id) for way in layout.ways] == [("a", "b")]
    assert laid_out([], []).lanes == 1


def test_no_two_ways_or_decisions_share_a_place() -> None:
    for seed in range(200):
        chance = random.Random(seed)
        ids = [str(number) for number in range(12)]
        grown = [
            (older, newer)
            for at, newer in enumerate(ids)
            for older in chance.sample(ids[:at], min(at, chance.choice([0, 1, 1, 1, 2])))
        ]
        layout = laid_out(ids, grown)
        assert {(way.older.id, way.newer.id) for way in layout.ways} == set(grown)
        for place in layout.places:
            passing = [way.lane for way in layout.ways if way.older.row < place.row < way.newer.row]
            assert len(passing) == len(set(passing)), seed
            assert place.lane not in passing, seed


def test_wide_letters_are_cut_to_the_terminal_and_days_stand_in_a_column(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    drawn = [click.unstyle(line) for line in picture_lines(PICTURES[0])]
    assert all(width(line) <= 50 for line in drawn[1:])
    days = {width(line.partition("2026-")[0]) for line in drawn if "2026-" in line}
    assert days == {4}
    monkeypatch.setenv("COLUMNS", "64")
    long = EvolutionPicture(name="x", nodes=(node("a", "카드 결제를 다시 시도한다 " * 9),))
    (line,) = list(picture_lines(long))[1:]
    assert "…  replaced" in click.unstyle(line)
    assert 62 <= width(click.unstyle(line)) <= 64


def test_the_picture_can_be_read_by_ear_and_runs_nothing() -> None:
    root = ElementTree.fromstring(svg(PICTURES, title="Evolution of <auth>"))
    assert root.get("role") == "img"
    named = [root.find(f"{SVG}{tag}") for tag in ("title", "desc")]
    assert root.get("aria-labelledby") == " ".join(
        one.get("id", "") for one in named if one is not None
    )
    told = [one.text or "" for one in named if one is not None]
    assert told[0] == "Evolution of <auth>"
    assert "5 decisions, 2 current (in conflict)" in told[1]
    dots = list(root.iter(f"{SVG}circle"))
    assert len(dots) == 6
    assert not list(root.iter(f"{SVG}script"))
    wide, high = (float(root.get(side, 0)) for side in ("width", "height"))
    for text in root.iter(f"{SVG}text"):
        assert 0 <= float(text.get("y", 0)) < high
        assert float(text.get("x", 0)) < wide


def test_mermaid_text_quotes_what_could_be_taken_for_its_own() -> None:
    odd = EvolutionPicture(name='end "x" #1 `y`;', nodes=(node("a", 'a]"<b>|{c} %% end'),))
    text = mermaid([odd])
    assert 'd0["a]#quot;#lt;b#gt;|{c} %% end<br/>' in text
    assert text.count('"') % 2 == 0
    (title,) = [line for line in text.splitlines() if "accTitle" in line]
    assert not set('"#;`') & set(title)


# ---------------------------------------------------------------- the command


def test_the_command_draws_a_topic_an_id_or_everything(
    ok: Run, run: Run, save: Id, forked: dict[str, str]
) -> None:
    save("결제", "한 번만")
    one = ok("decisions", "graph", "auth").out
    assert "3 decisions, 2 current (in conflict)" in one
    assert "├─╮" in one
    assert "한 번만" not in one
    assert ok("decisions", "graph", forked["ours"]).out == one
    everything = ok("decisions", "graph").out
    assert one in everything
    assert "한 번만" in everything
    assert run("decisions", "graph", "nothing").code == 1


def test_the_command_writes_files_or_prints_them(
    ok: Run, project: Path, forked: dict[str, str]
) -> None:
    told = ok("decisions", "graph", "auth", "--svg", "그림.svg", "--mermaid", "a.mmd").out
    assert told == "wrote 그림.svg\nwrote a.mmd\n"
    root = ElementTree.parse(project / "그림.svg").getroot()
    assert root.tag == f"{SVG}svg"
    printed = ok("decisions", "graph", "auth", "--mermaid", "-").out
    assert printed == (project / "a.mmd").read_text(encoding="utf-8")
    assert printed.startswith("flowchart TB\n")


def test_the_json_has_lanes_states_and_what_grew_from_what(ok: Run, forked: dict[str, str]) -> None:
    (found,) = json.loads(ok("decisions", "graph", "auth", "--json").out)["pictures"]
    assert found["has_conflict"]
    assert {one["id"]: one["lane"] for one in found["decisions"]} == {
        forked["first"]: 0,
        forked["ours"]: 0,
        forked["theirs"]: 1,
    }
    pairs = [(one["older"], one["newer"]) for one in found["grown"]]
    assert sorted(pairs) == sorted(
        [(forked["first"], forked["ours"]), (forked["first"], forked["theirs"])]
    )


def test_links_stand_below_a_decision_unless_left_out(ok: Run, save: Id) -> None:
    save("cache", "Cache prices")
    save("auth", "Use tokens")
    ok("decisions", "link", "add", "auth", "contradicts", "cache")
    assert "→ contradicts 0.80 Cache prices" in ok("decisions", "graph", "auth").out
    assert "contradicts" not in ok("decisions", "graph", "auth", "--no-links").out
    assert "-. " in ok("decisions", "graph", "--mermaid", "-").out


if __name__ == "__main__":
    for name, make in MADE.items():
        (GOLDEN / name).write_text(make(), encoding="utf-8")
