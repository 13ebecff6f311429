"""put, get, list, delete, history, purge."""

from pathlib import Path

import pytest

from tests.surface.conftest import Run


def test_what_was_put_can_be_got(ok: Run) -> None:
    assert ok("put", "인사", "안녕하세요").out == "put 인사, version 1\n"
    assert ok("get", "인사").out == "안녕하세요\n"


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("하나", "하나"),
        ("42", 42),
        ("01012345678", "01012345678"),
        ("true", True),
        ("null", None),
        ('{"이름": "하나"}', {"이름": "하나"}),
        ("[1, 2.5]", [1, 2.5]),
        ('"quoted"', "quoted"),
        ("{not json}", "{not json}"),
        ("", ""),
    ],
)
def test_a_value_is_json_if_it_reads_as_json_and_text_if_not(
    ok: Run, typed: str, stored: object
) -> None:
    ok("put", "k", typed)
    assert ok("get", "k", "--json").json["value"] == stored


def test_text_can_be_forced_and_json_required(ok: Run, run: Run) -> None:
    ok("put", "k", "42", "--text")
    assert ok("get", "k", "--json").json["value"] == "42"
    refused = run("put", "k", "{broken", "--raw-json")
    assert refused.code == 2
    assert "not JSON" in refused.err
    assert ok("get", "k").out == "42\n"
    assert run("put", "k", "1", "--text", "--raw-json").code == 2


def test_a_value_can_come_from_standard_input_or_a_file(ok: Run, project: Path) -> None:
    ok("put", "piped", "-", input="여러\n줄\n")
    assert ok("get", "piped", "--json").json["value"] == "여러\n줄\n"
    (project / "값.json").write_text('{"가": 1}', encoding="utf-8")
    ok("put", "filed", "--file", "값.json")
    assert ok("get", "filed", "--json").json["value"] == {"가": 1}


def test_a_value_that_is_not_unicode_is_refused(run: Run, project: Path) -> None:
    (project / "picture").write_bytes(b"\xff\xd8\xff")
    refused = run("put", "k", "--file", "picture")
    assert (refused.code, refused.out) == (2, "")
    assert "not UTF-8" in refused.err


def test_exactly_one_source_of_a_value_is_needed(run: Run, project: Path) -> None:
    (project / "f").write_text("x")
    assert run("put", "k").code == 2
    assert run("put", "k", "v", "--file", "f").code == 2


def test_get_prints_text_raw_and_json_pretty(ok: Run) -> None:
    ok("put", "text", "--text", "두\n줄\n")
    ok("put", "object", '{"a":[1]}')
    assert ok("get", "text").out == "두\n줄\n"
    assert ok("get", "object").out == '{\n  "a": [\n    1\n  ]\n}\n'
    ok("put", "short", "끝")
    assert ok("get", "short", "-n").out == "끝"


def test_escape_codes_in_a_value_survive_a_pipe(ok: Run) -> None:
    ok("put", "k", "--text", "\x1b[31mred\x1b[0m")
    assert ok("get", "k").out == "\x1b[31mred\x1b[0m\n"


def test_an_absent_key_gives_nothing_and_exit_code_one(ok: Run, run: Run) -> None:
    ok("put", "k", "v")
    absent = run("get", "없는 키")
    assert (absent.code, absent.out) == (1, "")
    assert "'없는 키'" in absent.err
    as_json = run("get", "없는 키", "--json")
    assert (as_json.code, as_json.out, as_json.error["code"]) == (1, "", "not_found")


def test_a_key_that_came_later_is_absent_in_the_past(ok: Run, run: Run) -> None:
    ok("put", "first", "1")
    ok("put", "둘째", "2")
    absent = run("get", "둘째", "--at", 1)
    assert absent.code == 1
    assert "as of version 1" in absent.err


def test_a_part_of_a_value_can_be_read_set_and_removed(ok: Run, run: Run) -> None:
    ok("put", "user", '{"name": "하나", "langs": ["ko"]}', "--tag", "people")
    ok("put", "user", "en", "--path", "$.langs[1]")
    assert ok("get", "user", "--path", "langs").json == ["ko", "en"]
    assert ok("get", "user", "--path", "name").out == "하나\n"
    assert run("get", "user", "--path", "age").code == 1
    ok("delete", "user", "--path", "name")
    found = ok("get", "user", "--json").json
    assert (found["value"], found["kind"], found["tags"]) == (
        {"langs": ["ko", "en"]},
        "kv",
        ["people"],
    )


def test_the_first_value_of_a_store_may_come_through_a_pipe(ok: Run) -> None:
    ok("put", "첫째", "-", input="안녕\n")
    assert ok("get", "첫째").out == "안녕\n"


def test_a_part_of_a_new_plain_value_makes_an_object(ok: Run) -> None:
    ok("put", "설정", "어둡게", "--kind", "kv", "--path", "ui.theme")
    assert ok("get", "설정").json == {"ui": {"theme": "어둡게"}}


def test_a_new_key_with_a_path_becomes_a_document(ok: Run) -> None:
    ok("put", "설정", "dark", "--path", "ui.theme")
    found = ok("get", "설정", "--json").json
    assert (found["kind"], found["value"]) == ("json", {"ui": {"theme": "dark"}})
    ok("put", "설정", '{"ui": 1}')
    assert ok("get", "설정", "--json").json["kind"] == "json"
    assert ok("delete", "설정").out == "deleted 설정\n"


def test_a_state_cell_is_set_by_compare_and_set(ok: Run, run: Run) -> None:
    ok("put", "leader", "하나", "--kind", "state", "--if-counter", 0)
    lost = run("put", "leader", "둘", "--kind", "state", "--if-counter", 0)
    assert lost.code == 1
    assert "counts 1, not 0" in lost.err
    assert ok("put", "leader", "둘", "--if-counter", 1, "--json").json["counter"] == 2
    assert ok("get", "leader").out == "둘\n"
    assert run("put", "leader", "x", "--path", "a").code == 2
    assert run("put", "leader", "x", "--if-version", 1).code == 2


def test_if_version_lets_only_the_expected_write_through(ok: Run, run: Run) -> None:
    ok("put", "k", "1", "--if-version", 0)
    assert run("put", "k", "2", "--if-version", 0, "--json").error["code"] == "version_conflict"
    assert ok("put", "k", "2", "--if-version", 1, "--json").json["version"] == 2


def test_a_message_goes_to_the_log_and_the_version_is_still_told(ok: Run) -> None:
    assert ok("put", "k", "v", "-m", "까닭").out == "put k, version 1\n"
    assert ok("log", "--json").json["commits"][0]["message"] == "까닭"


def test_list_shows_keys_of_every_kind_in_order(ok: Run) -> None:
    ok("put", "나", "1", "--tag", "숫자")
    ok("put", "가", "1", "--kind", "state")
    ok("put", "다", "1", "--kind", "json")
    assert ok("list", "--keys").out == "가\n나\n다\n"
    items = ok("list", "--json").json["items"]
    assert [(item["key"], item["kind"]) for item in items] == [
        ("가", "state"),
        ("나", "kv"),
        ("다", "json"),
    ]
    assert ok("list", "--tag", "숫자", "--keys").out == "나\n"
    assert ok("list", "--kind", "json", "--keys").out == "다\n"


def test_list_tells_when_there_is_more(ok: Run) -> None:
    for number in range(4):
        ok("put", f"k{number}", number)
    page = ok("list", "-n", 2)
    assert "k1" in page.out
    assert "k2" not in page.out
    assert "--after 'k1'" in page.err
    assert ok("list", "--after", "k1", "--keys").out == "k2\nk3\n"
    assert ok("list", "-n", 2, "--json").json["more"] is True
    everything = ok("list", "--all", "-n", 1, "--keys")
    assert (everything.out, everything.err) == ("k0\nk1\nk2\nk3\n", "")


def test_delete_takes_several_keys_in_one_commit(ok: Run, run: Run) -> None:
    ok("put", "a", "1")
    ok("put", "b", "1", "--kind", "json")
    assert ok("delete", "a", "b", "없다").out == "deleted a\ndeleted b\n없다 holds nothing\n"
    assert ok("log", "--json").json["commits"][0]["changes"] == 2
    nothing = run("delete", "a")
    assert (nothing.code, nothing.out) == (1, "a holds nothing\n")
    assert [found["state"] for found in ok("history", "a", "--json").json["versions"]] == [
        "deleted",
        "live",
    ]


def test_history_shows_what_a_key_held_newest_first(ok: Run, run: Run) -> None:
    ok("put", "k", "하나")
    ok("put", "k", "둘")
    lines = ok("history", "k").out.splitlines()
    assert lines[0].split() == ["VERSION", "WRITTEN", "VALUE"]
    assert [line.split()[-1] for line in lines[1:]] == ["둘", "하나"]
    assert run("history", "never").code == 1


def test_purge_erases_every_version_and_says_so(ok: Run, run: Run, project: Path) -> None:
    ok("put", "비밀", "hunter2-열쇠")
    ok("put", "비밀", "gone")
    assert run("purge", "비밀").code == 2
    assert ok("get", "비밀").out == "gone\n"
    assert ok("purge", "비밀", "--yes").out == "erased 2 versions of 비밀\n"
    assert run("get", "비밀").code == 1
    assert "(erased)" in ok("history", "비밀").out
    assert "hunter2-열쇠".encode() not in (project / ".strata" / "store.db").read_bytes()
    assert ok("verify").out == "ok: 2 commits, 2 versions (2 erased, 0 trimmed)\n"


@pytest.mark.parametrize(
    "words",
    [
        ("put", "", "v"),
        ("put", "가" * 2000, "v"),
        ("put", "k", "v", "--tag", ""),
        ("put", "k", "v", "--if-version", "7"),
        ("put", "k", "v", "--kind", "json", "--path", "a[3]"),
        ("put", "k", "v", "--kind", "state", "--if-counter", "3"),
        ("put", "k", "v", "--branch", "nowhere"),
        ("put", "k", "v", "-m", "길" * 100_000),
        ("event", "append", ""),
        ("vector", "create", "c", "0"),
        ("space", "create", " "),
        ("fork", "-x"),
        ("branch", "default"),
        ("config", "timezone", "Nowhere/At_all"),
        ("retention", "set"),
    ],
)
def test_a_first_write_that_fails_makes_no_store(
    run: Run, project: Path, words: tuple[str, ...]
) -> None:
    assert run(*words).code != 0
    assert not (project / ".strata").exists()


def test_a_first_write_that_succeeds_is_one_commit(ok: Run) -> None:
    ok("put", "k", "v", "-m", "처음")
    assert len(ok("log", "--oneline").out.splitlines()) == 1


def test_put_names_at_most_two_keys_that_say_nearly_the_same(ok: Run) -> None:
    ok("put", "배포/요일", "금요일마다 프랑크푸르트 서버에 배포한다")
    ok("put", "ops/a", "We deploy to Frankfurt on Fridays")
    ok("put", "ops/b", "On Fridays we deploy to Frankfurt")
    ok("put", "ops/c", "Fridays: we deploy to Frankfurt")
    last = ok("put", "ops/d", "To Frankfurt we deploy on Fridays", "-m", "again")
    assert last.out == "put ops/d, version 5\n"
    assert last.err.count(" says nearly the same (100%): ") == 2
    assert "--replaces" in last.err
    korean = ok("put", "배포/언제", "프랑크푸르트 서버에 금요일마다 배포한다", "--json").json
    assert [one["key"] for one in korean["similar"]] == ["배포/요일"]
    assert korean["similar"][0]["value"] == "금요일마다 프랑크푸르트 서버에 배포한다"
    assert korean["similar"][0]["likeness"] == 1.0


def test_of_a_long_text_that_says_nearly_the_same_the_beginning_is_shown(ok: Run) -> None:
    words = " ".join(f"word{number}" for number in range(5_000))
    ok("put", "first", words)
    told = ok("put", "second", words).err
    assert "first says nearly the same (100%): word0 word1" in told
    assert len(told) < 400
    ok("call", "strata_store", "--propose", "--actor", "c", "--key", "third", "--value", words)
    like = [line for line in ok("review").out.splitlines() if "like " in line]
    assert like
    assert all(len(line) < 200 for line in like)


@pytest.mark.parametrize(
    "words",
    [
        ("We deploy to Frankfurt on Mondays and test in Seoul",),
        ("On Fridays we deploy to Frankfurt", "--space", "elsewhere"),
        ("On Fridays we deploy to Frankfurt", "--kind", "state"),
        ("On Fridays we deploy to Frankfurt", "--replaces", "ops/a"),
        ("On Fridays we deploy to Frankfurt 2", "--tag", "numbered"),
        ('{"rule": "On Fridays we deploy to Frankfurt"}',),
    ],
)
def test_put_names_nothing_that_says_something_else(ok: Run, words: tuple[str, ...]) -> None:
    ok("put", "ops/a", "We deploy to Frankfurt on Fridays")
    put = ok("put", "ops/b", *words)
    assert (put.out, put.err) == ("put ops/b, version 2\n", "")
    assert ok("put", "ops/c", "1", "--json").json["similar"] == []
