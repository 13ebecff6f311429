"""Long texts about several things, one after another, whose borders are known.

The made ones have words of their own for each topic and as many that all share. The real ones are
pages of this project without their headings.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

_TOPICS = (
    "bees hive honey queen nectar swarm pollen beekeeper comb frame smoker wax colony",
    "glacier ice crevasse moraine meltwater summit rope crampon ridge avalanche snow alpine",
    "bread dough flour yeast oven crust loaf knead salt sourdough starter baker crumb",
    "sail mast rudder harbour tide anchor keel wind crew rope deck compass regatta",
    "invoice payment ledger tax refund account audit budget receipt currency bank interest",
    "violin orchestra string bow concert tempo score conductor rehearsal melody quartet chord",
    "vaccine clinic patient dose nurse symptom fever doctor immunity virus trial hospital",
    "server latency cache request database replica query index cluster failover backup shard",
    "garden soil compost seed tomato weed harvest watering greenhouse mulch pruning slug",
    "train platform ticket signal carriage timetable conductor railway station freight tunnel",
    "지진 단층 진동 대피 건물 내진 여진 규모 관측소 해일 경보 피해",
    "도서관 대출 사서 서가 반납 열람실 장서 목록 연체 자료실 독서 회원",
    "김치 배추 고춧가루 젓갈 절임 발효 항아리 김장 마늘 무채 양념 숙성",
    "축구 골키퍼 심판 전반전 후반전 반칙 승부차기 감독 수비수 공격수 관중 득점",
)
_SHARED = (
    "people time year day way thing work part place case point group problem fact morning "
    "hour week month question reason number side head house service friend power end member "
    "law car city "
).split()
_KO_SHARED = (
    "사람 시간 올해 하루 방법 부분 장소 경우 문제 사실 아침 질문 이유 번호 친구 도시 결과 마지막 "
).split()


class Sectioned(NamedTuple):
    """A text without headings, and the numbers of the paragraphs that begin a section."""

    text: str
    starts: list[int]


def made_text(seed: int) -> Sectioned:
    """Return a text of four to seven sections, each of two to five paragraphs."""
    random = Random(seed)
    topics = random.sample(_TOPICS, random.randint(4, 7))
    paragraphs: list[str] = []
    starts: list[int] = []
    for topic in topics:
        starts.append(len(paragraphs))
        own = topic.split()
        shared = _SHARED if topic.isascii() else _KO_SHARED
        paragraphs += [_paragraph(random, own, shared) for _ in range(random.randint(2, 5))]
    return Sectioned("\n\n".join(paragraphs) + "\n", starts)


def _paragraph(random: Random, own: Sequence[str], shared: Sequence[str]) -> str:
    return " ".join(_sentence(random, own, shared) for _ in range(random.randint(2, 5)))


def _sentence(random: Random, own: Sequence[str], shared: Sequence[str]) -> str:
    words = [random.choice(own if random.random() < 0.4 else shared) for _ in range(7)]
    return f"The {' '.join(words)}.".replace("The ", "" if words[0] > "~" else "The ")


def real_texts(folder: Path) -> list[Sectioned]:
    """Return the pages of a folder that have four sections or more, as texts without headings."""
    found: list[Sectioned] = []
    for page in sorted(folder.rglob("*.md")):
        sectioned = _without_headings(page.read_text(encoding="utf-8"))
        if len(sectioned.starts) >= 4:
            found.append(sectioned)
    return found


def _without_headings(text: str) -> Sectioned:
    text = re.sub(r"```.*?```|^\|.*$|<!--.*?-->", "", text, flags=re.DOTALL | re.MULTILINE)
    paragraphs: list[str] = []
    starts: list[int] = []
    begins = True
    for block in re.split(r"\n\s*\n", text):
        if block.lstrip().startswith("#"):
            begins = True
        elif len(block.split()) >= 8:
            if begins:
                starts.append(len(paragraphs))
            begins = False
            paragraphs.append(block.strip())
    return Sectioned("\n\n".join(paragraphs) + "\n", starts)


def f1_of_borders(found: list[int], wanted: list[int], *, near: int = 1) -> tuple[int, int, int]:
    """Return how many borders were found and right, found, and wanted; the first is none."""
    left = [start for start in wanted if start]
    right = 0
    for start in (start for start in found if start):
        match = next((one for one in left if abs(one - start) <= near), None)
        if match is not None:
            left.remove(match)
            right += 1
    return right, len([s for s in found if s]), len([s for s in wanted if s])


def pk(found: list[int], wanted: list[int], length: int) -> float:
    """Return the share of windows whose ends are taken for the same section wrongly (Beeferman)."""
    window = max(2, round(length / max(len(wanted), 1) / 2))

    def section(starts: list[int], at: int) -> int:
        return sum(1 for start in starts if start <= at)

    places = range(length - window)
    wrong = sum(
        (section(found, at) == section(found, at + window))
        != (section(wanted, at) == section(wanted, at + window))
        for at in places
    )
    return wrong / max(len(places), 1)
