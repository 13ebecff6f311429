"""Turn the licence-clean pairs into token arrays for training.

python prepare.py --train FOLDER --vocabulary FILE --out FOLDER

Writes train.npz (token arrays), texts_use.json (texts whose multilingual vectors serve as targets)
and digests.json (sha256 of every input). Tiers of text by licence:
  1  the text itself is under a permissive licence, CC BY or our own
  2  the data set is MIT or Apache, its sentences are quoted from Wikipedia
  3  CC BY-SA text, or scripts of third parties
Only tier 1 belongs into weights that are shipped.
"""

import argparse, collections, hashlib, json, lzma, math, random, re
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

CAP = 250  # tokens kept of an item
TIER = {
    "eladsegal/strategyqa": (1, 0.8),
    "Yale-LILY/QMSum": (1, 1.5),
    "HIT-SCIR/Molweni": (1, 0.6),
    "haitian-sun/ConditionalQA": (1, 0.8),
    "jkkummerfeld/irc-disentanglement": (1, 0.8),
    "songys/Chatbot_data (ko)": (1, 0.12),
    "templates": (1, 0.6),
    "emorynlp/selqa": (2, 1.5),
    "uwnlp/qamr": (2, 0.7),
    "emorynlp/FriendsQA dev": (3, 3.0),
    "RevanthRameshkumar/CRD3": (3, 1.2),
    "SQuAD dev pages (sentences)": (3, 1.0),
    "SQuAD dev pages (paragraphs)": (3, 0.5),
    "google-research-datasets/Disfl-QA": (3, 0.3),
    "xinyadu/nqg (SQuAD sentences)": (3, 0.7),
    "google-research-datasets/dstc8-schema-guided-dialogue (templates)": (3, 0.4),
}
SHARE_ALIKE = {"mdn", "KorSTS+STSb train", "NTREX-128", "Park news dev+test"}
STOP = set(
    "a an the is are was were be been do does did what when where who which how why of in on at to for from with and or not has have had it its this that these those i you he she they we his her their my your our will would could should can may might about as by if then than so but into out up no yes all any each one two also such only more most other some there here".split()
)


def tokenizer(vocabulary: Path) -> Tokenizer:
    """Words without accents; Hangul in whole syllables."""
    pieces = vocabulary.read_text(encoding="utf-8").split("\n")[:-1]
    cutter = Tokenizer(
        models.WordPiece(
            {p: i for i, p in enumerate(pieces)}, unk_token="[UNK]", max_input_chars_per_word=100
        )
    )
    clean = normalizers.BertNormalizer(
        clean_text=True, handle_chinese_chars=True, strip_accents=True, lowercase=True
    )
    cutter.normalizer = normalizers.Sequence([clean, normalizers.NFC()])
    cutter.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return cutter


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("--train", "--vocabulary", "--out"):
        parser.add_argument(name, type=Path, required=True)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    folder = options.train
    cutter = tokenizer(options.vocabulary)

    items, text_id = [], {}  # item: (text, group)
    groups = []  # (first item, end, is sequence, tier, source number)
    sources = []
    queries = []  # (text, group, positives, weak, weight, tier)

    def source(name: str) -> int:
        if name not in sources:
            sources.append(name)
        return sources.index(name)

    def group(name: str, docs, questions, is_sequence, tier, weight) -> None:
        first = len(items)
        items.extend((d, len(groups)) for d in docs)
        groups.append((first, len(items), int(is_sequence), tier, source(name)))
        for text, positives, weak in questions:
            if weak and len(positives) >= len(docs):
                continue
            queries.append(
                (text, len(groups) - 1, [first + p for p in positives], weak, weight, tier)
            )

    check = []  # FriendsQA test, kept for checking
    for line in lzma.open(folder / "qa.jsonl.xz", "rt", encoding="utf8"):
        row = json.loads(line)
        if row["source"].endswith("tst"):
            check.append(row)
            continue
        tier, weight = TIER[row["source"]]
        group(row["source"], row["docs"], row["qs"], row["seq"], tier, weight)
    own = json.load(lzma.open(folder / "templates.json.xz", "rt", encoding="utf8"))
    for one in own["groups"]:
        tier, weight = TIER["templates"]
        group("templates", one["docs"], one["qs"], one["seq"], tier, weight * one.get("w", 1.0))

    pairs = [json.loads(l) for l in lzma.open(folder / "parallel.jsonl.xz", "rt", encoding="utf8")]
    clean = [p for p in pairs if p[2] not in SHARE_ALIKE]
    wide = [p for p in pairs if p[2] in SHARE_ALIKE]
    # Technical text: the same paragraphs in both languages, in the order of their documents.
    english = len(items)
    items.extend((e, len(groups)) for _, e, _ in clean)
    groups.append((english, len(items), 1, 1, source("technical en")))
    korean = len(items)
    items.extend((k, len(groups)) for k, _, _ in clean)
    groups.append((korean, len(items), 1, 1, source("technical ko")))
    # Other pairs: everyday sentences of our own, and CC BY-SA ones for the comparison.
    others = [(k, e, 1) for k, e in own["par"]] + [(k, e, 3) for k, e, _ in wide]
    first = len(items)
    items.extend((k, len(groups)) for k, _, _ in others)
    groups.append((first, len(items), 0, 1, source("pairs ko")))
    items.extend((e, len(groups)) for _, e, _ in others)
    groups.append((first + len(others), len(items), 0, 1, source("pairs en")))

    # Questions on technical text: kind, place of the paragraph, text in English and in Korean.
    # 0: a heading or question, its text begins at the next paragraph; 1: words of the paragraph;
    # 2: the paragraph itself, to be found in the other language.
    df = collections.Counter(
        w for _, e, _ in clean for w in set(re.findall(r"[A-Za-z_][\w.]{2,}", e.lower()))
    )
    dfk = collections.Counter(
        w
        for k, _, _ in clean
        for w in set(re.findall(r"[가-힣]{2,}|[A-Za-z_][\w.]{2,}", k.lower()))
    )
    technical = []
    for i, (k, e, s) in enumerate(clean[:-1]):
        follows = clean[i + 1][2] == s and len(clean[i + 1][1]) > 50
        is_heading = len(e) < 60 and not e.rstrip().endswith((".", ":", "!", ",", ";"))
        is_question = e.rstrip().endswith("?") and len(e) < 160
        if follows and (is_question or is_heading) and len(e) > 6:
            technical.append((0, i, re.sub(r"\{ ?#.*?\}", "", e), re.sub(r"\{ ?#.*?\}", "", k)))
        elif len(e) > 70:
            words = [
                w
                for w in dict.fromkeys(re.findall(r"[A-Za-z_][\w.]{2,}", e))
                if w.lower() not in STOP
            ]
            kwords = list(dict.fromkeys(re.findall(r"[가-힣]{2,}|[A-Za-z_][\w.]{2,}", k)))
            if i % 2 and len(words) >= 4 and len(kwords) >= 4:
                n = rng.choice((2, 3, 3, 4, 5))
                best = sorted(
                    words, key=lambda w: math.log(df[w.lower()] + 1) + rng.random() * 2.5
                )[:n]
                kbest = sorted(
                    kwords, key=lambda w: math.log(dfk[w.lower()] + 1) + rng.random() * 2.5
                )[:n]
                rng.shuffle(best)
                rng.shuffle(kbest)
                lead = rng.choice(("", "", "", "how to ", "what is ", "where is ", "python "))
                technical.append((1, i, lead + " ".join(best), " ".join(kbest)))
            elif len(e) < 320:
                technical.append((2, i, e, k))
    print(
        "groups",
        len(groups),
        "items",
        len(items),
        "queries",
        len(queries),
        "technical",
        collections.Counter(t[0] for t in technical),
    )

    def cut(texts, cap):
        out = []
        for at in range(0, len(texts), 20000):
            out += [
                np.array(x.ids[:cap], np.uint16)
                for x in cutter.encode_batch(
                    [t[:2000] for t in texts[at : at + 20000]], add_special_tokens=False
                )
            ]
        return np.concatenate(out), np.array(
            [len(x) for x in out], np.uint8 if cap < 256 else np.uint16
        )

    arrays = {}
    arrays["flat"], arrays["len"] = cut([t for t, _ in items], CAP)
    arrays["same"] = np.array([text_id.setdefault(t, len(text_id)) for t, _ in items], np.int32)
    arrays["groups"] = np.array(groups, np.int32)
    arrays["q.flat"], arrays["q.len"] = cut([q[0] for q in queries], 120)
    arrays["q.group"] = np.array([q[1] for q in queries], np.int32)
    arrays["q.pos"] = np.array([p for q in queries for p in q[2]], np.int32)
    arrays["q.count"] = np.array([len(q[2]) for q in queries], np.int16)
    arrays["q.weak"] = np.array([q[3] for q in queries], np.int8)
    arrays["q.weight"] = np.array([q[4] for q in queries], np.float32)
    arrays["q.tier"] = np.array([q[5] for q in queries], np.int8)
    arrays["t.kind"] = np.array([t[0] for t in technical], np.int8)
    arrays["t.at"] = np.array([t[1] for t in technical], np.int32)
    arrays["te.flat"], arrays["te.len"] = cut([t[2] for t in technical], 100)
    arrays["tk.flat"], arrays["tk.len"] = cut([t[3] for t in technical], 100)
    arrays["places"] = np.array([english, korean, len(clean), first, len(others)], np.int32)
    arrays["pair.tier"] = np.array([o[2] for o in others], np.int8)
    arrays["pair.source"] = np.array([hash_source(p[2]) for p in clean], np.uint16)
    marks = dates()
    arrays["d.flat"], arrays["d.len"] = cut(marks, 40)
    # Texts for the multilingual targets, tier 1 only; places of the items they are.
    good = [
        i
        for i, (t, g) in enumerate(items)
        if groups[g][3] == 1 and 8 <= len(t) <= 260 and i < english
    ]
    is_korean = lambda t: sum("가" <= c <= "힣" for c in t) > 0.3 * len(t)
    ko = [i for i in good if is_korean(items[i][0])]
    en = [i for i in good if not is_korean(items[i][0]) and len(items[i][0]) > 30]

    def unique(numbers):
        return list({items[n][0]: n for n in numbers}.values())

    ko, en = unique(ko), unique(en)
    rng.shuffle(ko)
    rng.shuffle(en)
    tech = [i for i in range(len(clean)) if 15 <= len(clean[i][1]) <= 260]
    rng.shuffle(tech)
    tech = tech[:14000]
    own_pairs = [i for i in range(len(own["par"])) if len(own["par"][i][1]) > 20][:3000]
    use = unique(
        ko[:14000]
        + [korean + i for i in tech]
        + [first + i for i in own_pairs]
        + en[:9000]
        + [english + i for i in tech[:7000]]
    )
    qs = [i for i, q in enumerate(queries) if q[5] == 1 and 8 <= len(q[0]) < 200]
    qk = [i for i in qs if is_korean(queries[i][0])]
    qe = [i for i in qs if not is_korean(queries[i][0])]
    rng.shuffle(qk)
    rng.shuffle(qe)
    use_q = qk[:10000] + qe[:5000]
    arrays["use.item"] = np.array(use, np.int32)
    arrays["use.query"] = np.array(use_q, np.int32)
    json.dump(
        [items[i][0] for i in use] + [queries[i][0] for i in use_q],
        open(options.out / "texts_use.json", "w"),
        ensure_ascii=False,
    )
    options.out.mkdir(exist_ok=True)
    np.savez(options.out / "train.npz", **arrays)
    json.dump(check, open(options.out / "friends_test.json", "w"))
    digests = {
        f.name: hashlib.sha256(f.read_bytes()).hexdigest()
        for f in [*sorted(folder.glob("*.xz")), options.vocabulary]
    }
    digests["train.npz"] = hashlib.sha256((options.out / "train.npz").read_bytes()).hexdigest()
    json.dump(
        {"files": digests, "sources": sources, "seed": options.seed},
        open(options.out / "digests.json", "w"),
        indent=1,
    )
    print({k: (v.shape, v.nbytes) for k, v in arrays.items()}, "tokens", len(arrays["flat"]))
    print("use", len(use), len(use_q), "korean items", len(ko), "english", len(en))


def hash_source(name: str) -> int:
    return int(hashlib.sha256(name.encode()).hexdigest()[:4], 16)


def dates() -> list[str]:
    long = [
        f"[{h}:{m:02d} {ap} on {d} {mo}, {y}] "
        for h in (1, 4, 7, 10)
        for m in (5, 37, 52)
        for ap in ("am", "pm")
        for d in (3, 14, 27)
        for mo in ("January", "May", "August", "November")
        for y in (2021, 2023, 2024)
    ]
    return long + [
        f"[20{y}-{m:02d}-{d:02d}] " for y in (24, 25, 26) for m in range(1, 13) for d in (4, 17, 28)
    ]


if __name__ == "__main__":
    main()
