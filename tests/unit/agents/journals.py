"""Notes of another kind than those of `notebooks`: what agents are measured on, never tuned to.

Diaries, recipes and courses instead of a team's projects; other words, other titles, other ways to
name a note, and other things that only seem to name one.
"""

from random import Random

from tests.unit.agents.notebooks import Linked, Planned

_SUBJECTS = (
    "My neighbour",
    "The teacher",
    "An old friend",
    "The choir",
    "Our cat",
    "The gardener",
    "A child",
    "The postman",
    "Grandmother",
    "The baker",
)
_DID = (
    "sang until late",
    "forgot the keys",
    "planted tulips by the fence",
    "laughed about the weather",
    "carried the boxes upstairs",
    "wrote a long letter",
    "slept through the storm",
    "burned the first batch",
    "counted swallows on the wire",
    "mended the torn coat",
    "walked the long way home",
    "lost the second game",
)
_WHEN = ("on Sunday", "after lunch", "at dawn", "before the rain", "last spring", "twice a week")
_KO = (
    "비가 와서 하루 종일 집에 있었다.",
    "저녁에는 국을 끓여 먹었다.",
    "친구가 오래된 사진을 보여 주었다.",
    "버스를 놓쳐서 걸어갔다.",
    "화분에 물을 주고 창문을 열었다.",
    "동생이 노래를 크게 불렀다.",
    "시장에서 사과를 한 봉지 샀다.",
    "눈이 와서 길이 미끄러웠다.",
    "선생님이 숙제를 많이 내주셨다.",
)
_DISHES = (
    "Bibimbap Ratatouille Shakshuka Borscht Gumbo Pierogi Laksa Moussaka Ceviche Goulash "
).split()
_COURSES = (
    "Linear Algebra II",
    "History of Cartography",
    "Intro to Phonetics",
    "Urban Ecology Seminar",
    "Baroque Counterpoint",
    "Statistics for Poets",
    "Marine Biology Lab",
    "Ethics of Memory",
)
_BOOKS = (
    "A Winter Almanac",
    "The Glass Ferry",
    "Letters from Jeju",
    "Salt and Thunder",
    "North of Evening",
    "The Orchard Keeper's Debt",
    "Small Gods of the Hill",
    "Maps of Silence",
)
_KO_TITLES = (
    "제주 여행 준비물",
    "할머니의 김치 비법",
    "새 자전거 수리 일지",
    "한강 산책길",
    "겨울 난방비 절약법",
    "고양이 건강 수첩",
    "주말 농장 일기",
    "피아노 연습 계획표",
)
_KO_WORDS = ("섬진강", "무돌이", "별마루")
_PEOPLE = ("Ines Rafael Yuna Tobias Marek Solveig Dae-ho Noor ").split()
_PLAIN = ("Books", "Weather", "Recipes", "Walks", "Letters", "일기", "음악")


def linked_journals(seed: int, count: int = 200) -> Linked:
    """Return a private person's notes, in which some name others, and some only seem to."""
    random = Random(seed)
    titles = _titles(random, count)
    real = [title for title in titles if title not in _PLAIN]
    notes: list[Planned] = []
    links: set[tuple[str, str]] = set()
    for title in titles:
        lines = [_line(random) for _ in range(random.randint(6, 16))]
        targets = random.sample(real, random.choice((0, 0, 1, 2, 2, 4)))
        for target in targets:
            if target != title:
                links.add((title, target))
                lines.insert(random.randrange(len(lines)), _naming(random, target))
        lines.insert(random.randrange(len(lines)), _seeming(random))
        notes.append(Planned(title, _shape(random, lines)))
    return Linked(notes, links)


def _titles(random: Random, count: int) -> list[str]:
    made = [*_PLAIN, *_DISHES, *_COURSES, *_BOOKS, *_KO_TITLES, *_KO_WORDS]
    made += [f"{dish} with {user}" for dish in _DISHES for user in _PEOPLE]
    made += [f"{book}: chapter {number}" for book in _BOOKS for number in range(1, 7)]
    made += [f"Walk no. {number}" for number in range(1, 60)]
    made = made[:count]
    random.shuffle(made)
    return made


def _line(random: Random) -> str:
    if random.random() < 0.3:
        return random.choice(_KO)
    return f"{random.choice(_SUBJECTS)} {random.choice(_DID)} {random.choice(_WHEN)}."


def _naming(random: Random, target: str) -> str:
    if not target.isascii():
        forms = (
            f"{target}에적어 둔 대로 했다.",
            f"오늘 “{target}”을 고쳐 썼다.",
            f"({target} 참고)",
            f"지난번 {target}도 다시 보았다.",
            f"Looked at {target} again.",
        )
        return random.choice(forms)
    lower = target[:1].lower() + target[1:] if target.startswith(("A ", "The ")) else target
    forms = (
        f"Compare {lower}.",
        f"This belongs with “{target}”, I think.",
        f"(cf. {target})",
        f"Took it from {lower}, second page.",
        f"{target} tells the rest.",
        f"오늘은 {target}를 다시 꺼냈다.",
        f"- to do: {target}",
    )
    return random.choice(forms)


def _seeming(random: Random) -> str:
    """Return a line that has the words of a title and does not mean it."""
    forms = (
        "Letters came late, and the weather turned.",
        "We read books and listened to 음악 all day.",
        "일기를 쓰다 잠이 들었다.",
        "Walks are good for the knees.",
        "She likes recipes without onions.",
        "The glass was on the ferry.",
        "Salt, pepper and distant thunder.",
        "한강을 따라 걷는 산책은 길다.",
        "`Gumbo with Noor` was the file's name.",
        "[Goulash](https://example.org/goulash) is elsewhere.",
        "Algebra was linear once, I was told.",
        "김치는 할머니 댁에서 가져왔다.",
    )
    return random.choice(forms)


def _shape(random: Random, lines: list[str]) -> str:
    if random.random() < 0.25:
        return "\n".join(line if line.startswith("- ") else f"- {line}" for line in lines) + "\n"
    size = random.randint(2, 5)
    parts = [" ".join(lines[at : at + size]) for at in range(0, len(lines), size)]
    front = "---\nmood: fine\n---\n" if random.random() < 0.2 else ""
    return front + "\n\n".join(parts) + "\n"
