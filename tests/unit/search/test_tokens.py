"""Terms: what is found by which words, in many scripts."""

import sys
from collections.abc import Callable
from time import process_time
from types import FrameType
from typing import Any

import pytest

from strata.search import tokens
from strata.search.tokens import analyse, composed, is_stop, question, surface


def meets(text: str, asked: str) -> bool:
    """Tell whether a question finds a text by every one of its terms."""
    return set(question(asked).terms) <= set(analyse(text).terms)


# ---------------------------------------------------------------- words and identifiers


def test_english_words_are_stemmed_and_case_does_not_count() -> None:
    assert analyse("The Caches were INVALIDATED").terms == ["the", "cach", "were", "invalid"]


def test_stop_words_are_indexed_but_do_not_count_as_length() -> None:
    found = analyse("What is the retry policy of the server?")
    assert found.terms.count("the") == 2
    assert found.length == 3


@pytest.mark.parametrize(
    ("identifier", "terms"),
    [
        ("max_retry_count", ["max", "retri", "count", "maxretrycount"]),
        ("getUserById", ["get", "user", "by", "id", "getuserbyid"]),
        ("HTTPServer", ["http", "server", "httpserver"]),
        ("index.py", ["index", "py", "indexpi"]),
        ("sqlite3_prepare", ["sqlite3", "prepar", "sqlite3prepare"]),
        ("auth-strategy", ["auth", "strategi", "authstrategi"]),
        ("__init__", ["init"]),
        ("--no-cache", ["no", "cach", "nocach"]),
        ("utf8Decoder", ["utf8", "decod", "utf8decoder"]),
        ("SHA256", ["sha256"]),
        ("operator.isCallable", ["oper", "is", "callabl", "iscal", "operatoriscal"]),
        (
            "self.max_retry_count",
            ["self", "max", "retri", "count", "maxretrycount", "selfmaxretrycount"],
        ),
        ("os.path.join", ["os", "path", "join", "ospathjoin"]),
        ("my_module.py", ["my", "modul", "mymodul", "py", "mymodulepi"]),
        ("URLs", ["url"]),
        ("userIDs", ["user", "id", "userid"]),
    ],
)
def test_identifiers_are_split_and_kept_whole(identifier: str, terms: list[str]) -> None:
    assert analyse(identifier).terms == terms


@pytest.mark.parametrize(
    "forms",
    [
        "getUserById get_user_by_id GetUserByID get-user-by-id getuserbyid",
        "GitHub github gitHub",
        "e-mail email E-Mail emails",
        "SQLite sqlite",
        "PostgreSQL postgresql",
        "front-end frontend FrontEnd",
    ],
)
def test_spellings_of_one_name_meet(forms: str) -> None:
    wholes = {analyse(form).terms[-1] for form in forms.split()}
    assert len(wholes) == 1


@pytest.mark.parametrize("part", ["retry", "retries", "count", "max", "MAX_RETRY_COUNT"])
def test_an_identifier_is_found_by_its_parts(part: str) -> None:
    assert meets("set max_retry_count to 5", part)


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("operator.isCallable", "isCallable"),
        ("self.max_retry_count += 1", "max_retry_count"),
        ("strata.search.text_index", "textIndex"),
        ("src/strata/search/text_index.py", "text_index"),
        ("설정.최대_retryCount", "retryCount"),
        ("user.getName.toLowerCase()", "getName"),
    ],
)
def test_an_identifier_behind_a_dot_is_found_as_itself(name: str, part: str) -> None:
    whole = question(part).terms[-1]
    assert whole in analyse(name).terms
    assert meets(f"see {name} there", part)


def test_a_name_with_many_dots_has_no_more_wholes_than_parts() -> None:
    name = ".".join(f"part{letter}_name" for letter in "abcdefgh")
    assert len(analyse(name).terms) == 8 * 3 + 1


def test_a_path_an_address_and_a_link_are_found_by_their_parts() -> None:
    assert meets("see src/strata/search/tokens.py", "tokens.py")
    assert meets("see src/strata/search/tokens.py", "strata search")
    assert meets("write to kim.jisoo@example.com", "jisoo example.com")
    assert meets("https://docs.example.com/a-guide?page=2#top", "docs guide page 2")
    assert meets(r"C:\Users\kim\notes.txt", "users notes.txt")


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Ann's", ["ann"]),
        ("Ann’s", ["ann"]),
        ("don't", ["not"]),
        ("WON’T", ["not"]),
        ("we'll", ["we"]),
        ("O'Brien", ["o", "brien", "obrien"]),
        ("'quoted'", ["quot"]),
    ],
)
def test_apostrophes_join_names_and_part_what_english_hangs_on(text: str, terms: list[str]) -> None:
    assert analyse(text).terms == terms


# ---------------------------------------------------------------- numbers


def test_a_version_is_found_by_its_beginnings_only() -> None:
    assert analyse("v1.2.7").terms == analyse("1.2.7").terms == ["1", "1.2", "1.2.7"]
    assert meets("upgraded to 1.2.7 today", "v1.2")
    assert not meets("upgraded to 12.7 today", "1.2.7")


def test_a_day_is_found_by_its_month_and_in_both_spellings() -> None:
    assert meets("2026-03-19 배포", "2026-03")
    assert meets("2026-03-19T10:30:00Z started", "2026.03.19")


@pytest.mark.parametrize("code", ["E4017", "3f9a2bc4", "3F9A2BC4", "0x7fff", "2026"])
def test_codes_and_hashes_stay_whole(code: str) -> None:
    assert analyse(code).terms == [code.lower()]


def test_a_uuid_is_found_whole() -> None:
    uuid = "12345678-1234-4abc-9def-123456789abc"
    assert uuid.replace("-", "") in analyse(uuid).terms
    assert meets(f"id {uuid}", uuid)


# ---------------------------------------------------------------- scripts


def test_a_korean_noun_is_found_whatever_particle_it_carries() -> None:
    for form in ("데이터베이스를", "데이터베이스가", "데이터베이스에서는"):
        assert meets(f"어제 {form} 옮겼다", "데이터베이스")
    assert analyse("데이터를").terms == ["데이", "이터", "터를"]


def test_a_korean_noun_of_one_syllable_is_found_in_front_of_its_particle() -> None:
    assert meets("새 앱을 배포했다", "앱")
    assert set(question("책이").terms) & set(analyse("책을 샀다").terms) == {"책"}


def test_latin_words_and_korean_particles_part() -> None:
    assert analyse("PostgreSQL로").terms[-2:] == ["postgresql", "로"]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("東京都", ["東京", "京都"]),
        ("食べる", ["食べ", "べる"]),
        ("水", ["水"]),
        ("数据库，事务", ["数据", "据库", "事务"]),
        ("ｶﾞｷﾞ", ["ガギ"]),
        ("ﾃﾞｰﾀ", ["デー", "ータ"]),
        ("สวัสดี", ["สวั", "วัส", "สดี"]),
        ("ကောင်း", ["ကောင်း"]),
        ("한글", ["한글"]),
    ],
)
def test_scripts_without_blanks_become_bigrams_of_whole_letters(
    text: str, terms: list[str]
) -> None:
    assert analyse(text).terms == terms


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("Привет, МИР", ["привет", "мир"]),
        ("чай", ["чай"]),
        ("مُحَمَّد", ["محمد"]),
        ("العربيـــة", ["العربية"]),
        ("שָׁלוֹם", ["שלום"]),
        ("Ελλάδα", ["ελλάδα"]),
        ("می‌خواهم", ["میخواهم"]),
        ("Հայաստան", ["հայաստան"]),
    ],
)
def test_words_of_other_scripts_stay_whole(text: str, terms: list[str]) -> None:
    assert analyse(text).terms == terms


@pytest.mark.parametrize(
    ("accented", "plain"),
    [
        ("café", "cafe"),
        ("Łódź", "lodz"),
        ("Straße", "strasse"),
        ("İstanbul", "istanbul"),
        ("đường", "duong"),
        ("Ærøskøbing", "aeroskobing"),
        ("ＦＵＬＬ", "full"),
        ("ﬁle", "file"),
    ],
)
def test_latin_letters_meet_without_their_accents(accented: str, plain: str) -> None:
    assert analyse(accented).terms == analyse(plain).terms


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("👍🏽👍", ["👍", "👍"]),
        ("👨‍👩‍👧", ["👨", "👩", "👧"]),
        ("❤️ok", ["❤", "ok"]),
        ("🇰🇷🇫🇷", ["🇰🇷", "🇫🇷"]),
    ],
)
def test_each_emoji_is_a_term_whatever_its_tone(text: str, terms: list[str]) -> None:
    assert analyse(text).terms == terms


def test_invisible_characters_do_not_part_a_word() -> None:
    assert analyse("data\u00adbase \ufeffzero\u2060width").terms == ["databas", "zerowidth"]


def test_half_surrogates_and_nul_are_gaps() -> None:
    assert analyse("a1\ud800b2\0c3\udfff").terms == ["a1", "b2", "c3"]
    assert analyse("\0").terms == analyse("").terms == analyse("…!?").terms == []


def test_a_text_is_foreign_when_most_of_its_letters_are_not_latin() -> None:
    assert analyse("SQLite 데이터베이스를 옮겼다").is_foreign
    assert analyse("Привет").is_foreign
    assert not analyse("naïve café owners in 서울").is_foreign
    assert not analyse("2026 🙂").is_foreign


# ---------------------------------------------------------------- questions


def test_a_question_leaves_stop_words_out_and_repeats_nothing() -> None:
    asked = question("What is the policy of the retry policy?")
    assert asked.terms == ("polici", "retri")
    assert not asked.has_stop_words_only


def test_a_question_of_stop_words_alone_keeps_them() -> None:
    asked = question("who is it")
    assert asked.terms == ("who", "is", "it")
    assert asked.has_stop_words_only
    assert not question("?!").has_stop_words_only


@pytest.mark.parametrize(
    ("text", "terms", "prefixes"),
    [
        ('"a" AND b NOT c*', ("b", "c"), ("c",)),
        ("OR", ("or",), ()),
        ("NEAR(x y, 5)", ("near", "x", "y", "5"), ()),
        ("col:term", ("col", "term"), ()),
        ("(a OR", ("a", "or"), ()),
        (
            "retr* 데이터* getUs*",
            ("retr", "데이", "이터", "get", "getus"),
            ("retr", "데이터", "getus"),
        ),
        ("2*3 **", ("2", "3"), ()),
        ("* x", ("x",), ()),
    ],
)
def test_only_a_star_behind_a_word_is_more_than_text(
    text: str, terms: tuple[str, ...], prefixes: tuple[str, ...]
) -> None:
    asked = question(text)
    assert (asked.terms, asked.prefixes) == (terms, prefixes)


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("deploy polic", "polic"),
        ("deploy policy ", ""),
        ("deploy policy?", ""),
        ("Café", "cafe"),
        ("get_us", "getus"),
        ("어제 데이터", "데이터"),
        ("東京", ""),
        ("ok 👍", ""),
        ("", ""),
    ],
)
def test_the_last_word_may_be_unfinished_only_at_the_very_end(text: str, last: str) -> None:
    assert question(text).last == last


def test_letters_are_counted_by_script() -> None:
    asked = question("SQLite café 데이터 Привет 12")
    assert (asked.latin, asked.cjk, asked.other) == (10, 3, 6)
    assert question("plain text").latin == 9


def test_as_many_prefixes_as_are_sensible_are_taken() -> None:
    assert len(question(" ".join(f"w{n}x*" for n in range(100))).prefixes) == 16


# ---------------------------------------------------------------- surface


def test_surface_words_are_whole_distinct_and_worth_completing() -> None:
    text = (
        "The Retries of getUserById in 2026: 데이터베이스를 東京都 café ok 3f9a2bc4, retries हिन्दी"
    )
    assert surface(text) == [
        *("retries", "get", "user", "getuserbyid", "데이터베이스를", "cafe", "हिन्दी"),
    ]


def test_parts_of_dotted_names_are_surface_words_and_numbered_names_are_not() -> None:
    assert surface("operator.isCallable") == [
        *("operator", "callable", "iscallable", "operatoriscallable"),
    ]
    assert surface("plan-17 item_4 4.25 2026-03-19") == ["plan", "item"]


def test_a_surface_word_leads_back_to_the_terms_of_its_text() -> None:
    text = "getUserById retries PostgreSQL로 데이터베이스를 naïveBayes"
    terms = set(analyse(text).terms)
    assert all(terms.issuperset(analyse(word).terms) for word in surface(text))


def test_is_stop_knows_common_words_only() -> None:
    assert is_stop("the")
    assert is_stop("what")
    assert not is_stop("database")
    assert not is_stop("won")


# ---------------------------------------------------------------- bounds

HOSTILE: dict[str, str] = {
    "underscored": "a_",
    "dots": ".",
    "underscores": "_",
    "camel": "aB",
    "title": "Ab",
    "capitals": "A",
    "han": "漢",
    "marks": "\u0301\u0316",
    "thai marks": "\u0e01\u0301\u0316",
    "voicing": "\uff9e\u0301",
    "numbers": "1.",
    "versions": "v1.1-",
    "apostrophes": "a'",
    "stars": "a*",
    "hyphens": "a-",
    "accents": "aé",
    "emoji": "👨\u200d",
    "surrogates": "\ud800",
    "blanks": " ",
}


def lines_run(work: Callable[[str], object], text: str) -> int:
    """Count the lines of the tokenizer that are run for a text."""
    count = 0

    def trace(frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal count
        if frame.f_code.co_filename != tokens.__file__:
            return None
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work(text)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("name", HOSTILE)
def test_twice_the_text_is_at_most_twice_the_work(name: str) -> None:
    once = "x" + HOSTILE[name] * 2_000
    twice = "x" + HOSTILE[name] * 4_000
    for work in (analyse, question, surface):
        work(once)  # Characters and patterns are learned here.
        assert lines_run(work, twice) <= 2 * lines_run(work, once) + 50
    assert len(analyse(twice).terms) <= 2 * len(analyse(once).terms) + 2


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hundred_kilobytes_of_anything_take_no_time_by_the_square(name: str) -> None:
    unit = HOSTILE[name]
    text = "x" + unit * (100_000 // len(unit))
    started = process_time()
    for work in (analyse, question, surface):
        work(text)
    # Measured: a tenth of a second. By the square of the length it would be minutes.
    assert process_time() - started < 3


@pytest.fixture
def memo(monkeypatch: pytest.MonkeyPatch) -> tokens.Memo[tuple[str, ...]]:
    fresh = tokens.Memo(tokens.terms_of, 1_000)
    monkeypatch.setattr(tokens, "_MEMO", fresh)
    return fresh


def syllables(count: int) -> list[str]:
    """Make words of two syllables, whose only term is the word itself."""
    return [chr(0xAC00 + number % 500) + chr(0xB000 + number // 500) for number in range(count)]


def test_the_memo_stays_bounded(memo: tokens.Memo[tuple[str, ...]]) -> None:
    assert analyse(" ".join(syllables(4_000))).terms == syllables(4_000)
    assert 0 < len(memo) <= 500
    assert 0 < len(memo._older) <= 500
    analyse("x" * 1_000 + " " + "漢字" * 20)
    assert max(map(len, memo)) <= 32


def test_words_in_use_outlive_those_that_come_once(memo: tokens.Memo[tuple[str, ...]]) -> None:
    worked_out: list[str] = []
    memo._work = lambda chunk: worked_out.append(chunk) or tokens.terms_of(chunk)
    for word in syllables(3_000):
        assert analyse(f"{word} retries").terms == [word, "retri"]
    assert worked_out.count("retries") == 1
    assert len(worked_out) == 3_001


@pytest.mark.parametrize(
    "text",
    [
        "Ünïcode “quotes” – 서울에서, ёлка… 5×3 €4 Ann’s naïve-Bayes",
        "東京・大阪「です」。 ŀ ŉ ſ ĳ 가\u11a8 が\u3099",
    ],
)
def test_everyday_texts_are_cut_like_any_other(text: str) -> None:
    for part in (text, *text.split()):
        assert tokens.cut(part)[1] == tokens._chunks(*tokens._prepared(part))


def test_no_more_characters_are_remembered_than_one_language_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shapes = tokens._Shapes()
    monkeypatch.setattr(tokens, "_SHAPES", shapes)
    han = "".join(map(chr, range(0x20000, 0x20000 + 20_000)))
    assert len(analyse(han).terms) == 19_999
    assert len(shapes) == 16_384


def test_composed_text_keeps_what_is_one_already() -> None:
    assert composed("한글 café") == "한글 café"
    assert composed("cafe\u0301") == "café"
    assert len(composed("a" + "\u0301\u0316" * 50_000)) < 50
