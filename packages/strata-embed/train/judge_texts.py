"""Turn conversations and questions into arrays of pieces, for judge.py.

python judge_texts.py --talks talks.txt.xz --train TEXTS --strata CHECKOUT --out FOLDER

TEXTS is the folder with qa.jsonl.xz, templates.json.xz and headings.jsonl.xz; only text of tier 1
is taken. Near misses in our own conversations are what Strata finds, in stores of eight.
"""

import argparse, collections, hashlib, itertools, json, lzma, random, sys, tempfile
from pathlib import Path

import numpy as np
from talks import talks
from tier_one import SOURCES

CAP = 250  # pieces kept of a text
QUESTION = 48  # pieces kept of a question, half of them at its end
HELD = 3  # conversations of each author that are never trained on
TOGETHER = 8  # conversations in one store
FOUND = 40  # hits that are taken as near misses
MONTHS = (
    "January February March April May June July August September October November December".split()
)


class Arrays:
    """Texts as pieces, each once; what lies in which group, in order; and questions about it."""

    def __init__(self, words):
        self.words, self.known, self.flat, self.length = words, {}, [], []
        self.doc, self.prev, self.group = [], [], []  # a text, the text before it, its group
        self.q, self.qgroup, self.qweak, self.qsource = [], [], [], []
        self.pos, self.neg, self.prior = [], [], []  # right texts; hits; what hits scored
        self.gsource, self.gseq, self.sources = [], [], []

    def text(self, text, ends=0):
        if text not in self.known:
            self.known[text] = len(self.length)
            ids = self.words.ids(text[:6000])
            cut = ids[: ends // 2] + ids[-(ends // 2) :] if ends and len(ids) > ends else ids[:CAP]
            self.flat.append(np.array(cut, np.uint16))
            self.length.append(len(cut))
        return self.known[text]

    def add(self, source, docs, questions, is_sequence):
        """Add a group; `None` among its texts is a border between sessions."""
        if source not in self.sources:
            self.sources.append(source)
        group, base, last = len(self.gsource), len(self.doc), -1
        self.gsource.append(self.sources.index(source))
        self.gseq.append(int(is_sequence))
        for one in docs:
            text = -1 if one is None else self.text(one)
            self.doc.append(text)
            self.prev.append(last if is_sequence and one is not None else -1)
            self.group.append(group)
            last = text
        for question, right, weak, found in questions:
            if len(right) >= len(docs):
                continue
            self.q.append(self.text(question, ends=QUESTION))
            self.qgroup.append(group)
            self.qweak.append(weak)
            self.qsource.append(self.gsource[-1])
            self.pos.append([base + at for at in right])
            self.neg.append([base + at for at, _ in found])
            self.prior.append([score for _, score in found])

    def save(self, path, **more):
        pos_at, pos = ragged(self.pos, np.int32)
        neg_at, neg = ragged(self.neg, np.int32)
        _, prior = ragged(self.prior, np.float16)
        np.savez_compressed(
            path,
            flat=np.concatenate(self.flat),
            len=np.array(self.length, np.uint8),
            doc=np.array(self.doc, np.int32),
            prev=np.array(self.prev, np.int32),
            group=np.array(self.group, np.int32),
            gsource=np.array(self.gsource, np.int16),
            gseq=np.array(self.gseq, np.int8),
            q=np.array(self.q, np.int32),
            qgroup=np.array(self.qgroup, np.int32),
            qweak=np.array(self.qweak, np.int8),
            qsource=np.array(self.qsource, np.int16),
            pos_at=pos_at,
            pos=pos,
            neg_at=neg_at,
            neg=neg,
            prior=prior,
            sources=np.array(self.sources),
            **more,
        )


def ragged(rows, kind):
    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
    return starts, np.array([one for row in rows for one in row], kind)


def add_own(arrays, path):
    """Add the conversations of each author, the first ones apart."""
    for author, found in itertools.groupby(talks(path), key=lambda one: one.name.split("/")[0]):
        every = list(found)
        parts = [every[:HELD]]
        parts += [every[at : at + TOGETHER] for at in range(HELD, len(every), TOGETHER)]
        for part in filter(None, parts):
            source = f"own/{author}/held" if part is parts[0] else f"own/{author}"
            arrays.add(source, *one_store(part), is_sequence=True)
        print(author, len(every), len(arrays.q), flush=True)


def one_store(part):
    """Store some conversations, ask their questions; return texts and questions with hits."""
    import strata

    texts, sessions, days, asked = [], [], [], []
    for number, talk in enumerate(part):
        begins = []
        for count, (when, messages) in enumerate(talk.sessions):
            begins.append(len(texts))
            texts += [f"{who}: {what}" for who, what in messages]
            sessions += [f"{number}-{count}"] * len(messages)
            days += [when[:10]] * len(messages)
        for need, question in talk.questions:
            places = (talk.marks[mark] for mark in need if mark in talk.marks)
            asked.append((question, [begins[session] + at for session, at in places]))
    with (
        tempfile.TemporaryDirectory() as folder,
        strata.open(Path(folder) / "s.db", durability="cache") as db,
    ):
        db.settings.set("judging", "off")
        for at, (text, session, day) in enumerate(zip(texts, sessions, days)):
            db.kv.put(f"t{at:05d}", f"[{day}] {text}", tags=[f"session:{session}"])
        db.embeddings.wait()
        hits = [
            {int(hit.key[1:]): hit.score for hit in db.search(question, FOUND, strict=False)}
            for question, _ in asked
        ]
    docs, place = [], {}
    for at, text in enumerate(texts):
        if at and sessions[at] != sessions[at - 1]:
            docs.append(None)
        place[at] = len(docs)
        docs.append(text)
    questions = []
    for (question, right), scores in zip(asked, hits):
        low = min(scores.values(), default=0.0)
        found = [(place[at], scores.get(at, low)) for at in right]
        found += [(place[at], score) for at, score in scores.items() if at not in right]
        if right:
            questions.append((question, [place[at] for at in right], 0, found))
    return docs, questions


def add_others(arrays, folder):
    for line in lzma.open(folder / "qa.jsonl.xz", "rt", encoding="utf-8"):
        row = json.loads(line)
        if row["source"] in SOURCES:
            asked = [(*one, []) for one in row["qs"]]
            arrays.add(row["source"], row["docs"], asked, row["seq"])
    own = json.load(lzma.open(folder / "templates.json.xz", "rt", encoding="utf-8"))
    for row in own["groups"]:
        arrays.add("templates", row["docs"], [(*one, []) for one in row["qs"]], row["seq"])
    heads = map(json.loads, lzma.open(folder / "headings.jsonl.xz", "rt", encoding="utf-8"))
    for number, part in enumerate(batched(heads, 60)):
        part = [one for one in part if "mdn" not in one[3]]
        is_english, asks_korean = number % 4 not in (0, 2), number % 4 in (0, 1)
        if part:
            docs = [one[2][0][int(is_english)] for one in part]
            asked = [(one[0 if asks_korean else 1], [at], 0, []) for at, one in enumerate(part)]
            arrays.add("headings", docs, asked, 0)


def batched(rows, size):
    rows = iter(rows)
    while part := list(itertools.islice(rows, size)):
        yield part


def dates(arrays):
    """Four ways to write many days, each a text; the trainer draws one way for a list."""
    days = [
        (year, month, day)
        for year in range(2019, 2026)
        for month in range(1, 13)
        for day in (3, 9, 14, 21, 28)
    ]

    def long(y, m, d):
        half, minute = random.choice(("am", "pm")), random.randint(0, 59)
        return f"[{random.randint(1, 12)}:{minute:02d} {half} on {d} {MONTHS[m - 1]}, {y}]"

    ways = [
        lambda y, m, d: f"[{y}-{m:02d}-{d:02d}]",
        lambda y, m, d: (
            f"[{y}-{m:02d}-{d:02d} {random.randint(7, 22)}:{random.randint(0, 59):02d}]"
        ),
        long,
        lambda y, m, d: f"({d} {MONTHS[m - 1][:3]} {y})",
    ]
    return np.array([[arrays.text(way(*day)) for day in days] for way in ways])


def main():
    parser = argparse.ArgumentParser()
    for name in ("talks", "train", "strata", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    options = parser.parse_args()
    sys.path[:0] = [str(options.strata / "src"), str(options.strata / "packages/strata-embed/src")]
    from strata.models.files import Files
    from strata.models.wordpiece import WordPiece

    random.seed(7)
    arrays = Arrays(WordPiece.read(Files("minilm").folder / "vocabulary.txt"))
    add_own(arrays, options.talks)
    add_others(arrays, options.train)
    print(len(arrays.length), "texts", len(arrays.doc), "in", len(arrays.gsource), "groups")
    print(collections.Counter(arrays.sources[one] for one in arrays.qsource))
    options.out.mkdir(exist_ok=True)
    path = options.out / "judge.npz"
    arrays.save(path, dates=dates(arrays))
    print(hashlib.sha256(path.read_bytes()).hexdigest())


if __name__ == "__main__":
    main()
