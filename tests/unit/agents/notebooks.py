"""Two hundred notes of a team, made from a seed, with what an agent should find in them.

Sentences are made of many words that have nothing to do with any title. What should be found is
known because it was put there; so is what looks like it and is not.
"""

import re
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

NOUNS = (
    "budget invoice contract schedule storage network printer kitchen garden window bridge "
    "harbour engine battery sensor antenna lecture library museum archive notebook lantern "
    "blanket pillow bicycle tram ferry glacier meadow orchard vineyard bakery pottery "
    "violin trumpet canvas mirror ladder hammer compass telescope microscope satellite "
    "turbine pipeline reservoir quarry "
).split()
VERBS = (
    "checks repairs delays explains collects measures paints borrows returns counts sorts "
    "cleans moves describes protects replaces supports compares confirms questions "
    "announces rejects "
).split()
ADJECTIVES = (
    "quiet heavy recent fragile expensive ordinary distant narrow careful sudden modest "
    "ancient practical curious reliable temporary visible remote friendly complete "
).split()
PLACES = ("Lisbon Busan Oslo Quito Dakar Hanoi Turin Leeds Daegu Perth Malmö Cusco ").split()
KO_NOUNS = (
    "예산 계약 일정 창고 통신망 부엌 정원 다리 항구 기관 전지 안테나 강의 도서관 박물관 "
    "기록 등불 담요 자전거 전차 빙하 초원 과수원 빵집 도자기 바이올린 거울 사다리 망치 "
    "나침반 망원경 위성 저수지 채석장 "
).split()
KO_VERBS = (
    "확인했다 고쳤다 늦췄다 설명했다 모았다 쟀다 칠했다 빌렸다 돌려주었다 세었다 정리했다 "
    "옮겼다 지켰다 바꾸었다 "
).split()
KO_ADJECTIVES = (
    "조용한 무거운 새로운 비싼 평범한 좁은 갑작스러운 오래된 믿을만한 임시의 친절한 "
).split()


_SLOTS: dict[str, Sequence[str]] = {
    "noun": NOUNS,
    "verb": VERBS,
    "adj": ADJECTIVES,
    "place": PLACES,
    "time": ["noon", "Monday", "winter", "dinner"],
}
_KO_SLOTS: dict[str, Sequence[str]] = {"noun": KO_NOUNS, "verb": KO_VERBS, "adj": KO_ADJECTIVES}
_ENGLISH = (
    "The <adj> <noun> <verb> the <noun>.",
    "In <place> a <noun> <verb> every <noun> near the <noun>.",
    "Nobody <verb> a <adj> <noun> before <time>.",
    "We saw how the <noun> <verb> <adj> <noun>s and left for <place>.",
)
_KOREAN = (
    "<adj> <noun> 옆에서 <noun> 문제를 <verb>.",
    "어제는 <noun> 때문에 <noun> 작업을 <verb>.",
    "<noun> 앞에서 <adj> 사람이 <verb>.",
)


class Planned(NamedTuple):
    """A note that will be written."""

    title: str
    text: str


class Linked(NamedTuple):
    """Notes, and which of them should link to which, by their titles."""

    notes: list[Planned]
    links: set[tuple[str, str]]


class Prose:
    """Makes sentences that say nothing in particular."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def english(self) -> str:
        return self._filled(self.random.choice(_ENGLISH), _SLOTS)

    def korean(self) -> str:
        return self._filled(self.random.choice(_KOREAN), _KO_SLOTS)

    def _filled(self, form: str, slots: dict[str, Sequence[str]]) -> str:
        return re.sub(r"<(\w+)>", lambda found: self.random.choice(slots[found[1]]), form)

    def paragraph(self, sentences: int, *, korean: bool) -> list[str]:
        return [self.korean() if korean else self.english() for _ in range(sentences)]


_PROJECTS = (
    "Kestrel Larkspur Tamarack Bluefin Halcyon Meridian Juniper Obsidian Solstice Palisade "
    "Wolfram Zephyr Cascadia Foxglove Driftwood "
).split()
_KINDS = (
    "Migration Runbook",
    "Launch Checklist",
    "Risk Register",
    "Hiring Plan",
    "Design Notes",
    "Incident Report",
    "Pricing Study",
    "Interview Guide",
)
_ORDINARY = ("Meeting notes", "Onboarding", "Ideas", "Reading list", "Planning", "Feedback")
_KO_TITLES = (
    "결제 시스템 개편안",
    "고객 면담 기록",
    "채용 면접 안내",
    "장애 대응 절차",
    "가격 정책 초안",
    "모바일 출시 점검표",
    "데이터 보존 규칙",
    "사무실 이전 계획",
    "협력사 평가 기준",
    "보안 점검 결과",
)
_KO_NAMES = ("한빛", "물푸레", "두루미", "가온누리")
_JOSA = ("은", "는", "을", "를", "에서", "의", "에", "과", "도")


def linked_notes(seed: int, count: int = 200) -> Linked:
    """Return notes of a team in which some name others, and some only seem to."""
    random = Random(seed)
    prose = Prose(random)
    titles = _titles(random, count)
    several = [title for title in titles if " " in title and title.isascii()]
    aliases = {
        title: f"{title.split()[0]} {random.choice(('playbook', 'memo', 'dossier'))}"
        for title in random.sample(several, 15)
    }
    notes: list[Planned] = []
    links: set[tuple[str, str]] = set()
    named = [title for title in titles if title not in _ORDINARY]
    for title in titles:
        korean = not title.isascii() or random.random() < 0.25
        parts = [
            prose.paragraph(random.randint(2, 5), korean=korean)
            for _ in range(random.randint(2, 5))
        ]
        for target in random.sample(named, random.choice((0, 1, 1, 2, 3))):
            if target != title:
                links.add((title, target))
                random.choice(parts).append(_naming(random, target, aliases, korean=korean))
        _distract(random, parts, named, title, links)
        notes.append(_written(random, title, parts, aliases.get(title)))
    return Linked(notes, links)


def _titles(random: Random, count: int) -> list[str]:
    made = [*_ORDINARY, *_KO_TITLES, *_KO_NAMES, *_PROJECTS]
    kinds = [f"{project} {kind}" for project in _PROJECTS for kind in _KINDS]
    made += kinds + [f"{random.choice(PLACES)} trip {year}" for year in range(1980, 2026)]
    made = list(dict.fromkeys(made))[:count]
    random.shuffle(made)
    return made


def _naming(random: Random, target: str, aliases: dict[str, str], *, korean: bool) -> str:
    """Return a sentence that names another note, as people do."""
    name = aliases.get(target, target) if random.random() < 0.5 else target
    if korean:
        josa = random.choice(_JOSA)
        return random.choice(
            (f"자세한 내용은 {name}{josa} 보면 된다.", f"어제 {name}{josa} 다시 읽었다.")
        )
    roll = random.random()
    if roll < 0.15 and " " in target and target.isascii():
        first, *rest = target.split()
        return f"We keep the {' '.join(rest).lower()} for {first} up to date."
    written = name.lower() if roll < 0.25 and " " in name else name
    forms = (
        f"Details are in the {written} for now.",
        f"Please read {written} before Friday.",
        f"As {written} says, costs went up.",
    )
    return random.choice(forms)


def _distract(
    random: Random,
    parts: list[list[str]],
    named: list[str],
    title: str,
    links: set[tuple[str, str]],
) -> None:
    """Add what looks like a name and is none: ordinary words, code, links, parts of words."""
    other = random.choice([name for name in named if name != title and (title, name) not in links])
    project = random.choice(_PROJECTS)
    free = (title, project) not in links and project != title
    lines = [
        "Her meeting notes were short, and planning took the morning.",
        "Onboarding new people takes two weeks, and feedback comes late.",
        "Ideas are cheap; a reading list is not.",
        f'Run `open "{other}"` first.',
        f"See [[{other}]] again.",
        f"The shop sells {project.lower()}s and other things." if free else "",
        f"They bought a {project.lower()} for the garden." if free else "",
    ]
    for line in random.sample(lines, 2):
        random.choice(parts).append(line)


def _written(random: Random, title: str, parts: list[list[str]], alias: str | None) -> Planned:
    front = f"---\naliases: [{alias}]\n---\n" if alias else ""
    body: list[str] = []
    for number, part in enumerate(parts):
        random.shuffle(part)
        heading = f"## Part {number + 1}\n\n" if random.random() < 0.3 else ""
        body.append(heading + " ".join(line for line in part if line))
    return Planned(title, front + "\n\n".join(body) + "\n")
