"""Profiles: names that are safe in an address, somebody's own, and never another's."""

import pytest

import strata
from strata import Workspace
from strata.base import limits
from strata.publishing import slug_of
from strata.publishing.names import check_profile_name, numbered


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("Ship in May!", "ship-in-may"),
        ("배포 계획 (2026)", "배포-계획-2026"),
        ("Ｆｕｌｌ　ｗｉｄｔｈ", "full-width"),
        ("日本語のページ", "日本語のページ"),
        ("Straße & Café", "strasse-café"),
        ("../../etc/passwd", "etc-passwd"),
        ("a\u202eb\u200bc\ufeffd", "a-b-c-d"),
        ("x\u3164y\u034fz", "xyz"),
        ("हिन्दी", "हिन्दी"),
        ("--- - ---", ""),
        ("\u0301\u0302", ""),
        ("<script>", "script"),
        ("한글", "한글"),
    ],
)
def test_a_slug_keeps_letters_and_nothing_that_deceives(text: str, slug: str) -> None:
    assert slug_of(text) == slug
    assert slug_of(slug) == slug


def test_a_slug_is_short_and_so_is_a_numbered_one() -> None:
    long = slug_of("가나 " * 200)
    assert len(long) <= limits.SLUG_CHARACTERS_MAX
    assert len(numbered(long, 12)) <= limits.SLUG_CHARACTERS_MAX
    assert numbered(long, 12).endswith("-12")


@pytest.mark.parametrize("name", ["", "a", "--", "раypal", "αdmin", "한글и", "\u202e"])
def test_names_that_could_be_taken_for_others_are_refused(name: str) -> None:
    with pytest.raises(strata.InvalidArgument, match="cannot be the name of a profile"):
        check_profile_name(name)


@pytest.mark.parametrize("name", ["ann", "김소연", "소연-kim", "さくら桜", "анна", "ann_lee"])
def test_names_of_every_script_are_taken(name: str) -> None:
    assert check_profile_name(name)


def test_a_profile_is_made_with_the_user(db: Workspace) -> None:
    ann = db.users.add("ann.lee@example.com", "Ann Lee")
    found = db.publishing.public.profile("ann-lee")
    assert found is not None
    assert (found.user, found.title, found.about) == (ann.id, "Ann Lee", "")


def test_two_people_of_one_name_have_two_addresses(db: Workspace) -> None:
    names = [
        db.as_user(db.users.add(f"{at}@example.com", "소연").id).publishing.profile().name
        for at in "abc"
    ]
    assert names == ["소연", "소연-2", "소연-3"]


def test_a_name_of_signs_alone_gives_way_to_the_email(db: Workspace) -> None:
    ann = db.users.add("ann@example.com", "!!!")
    assert db.as_user(ann.id).publishing.profile().name == "ann"


def test_an_old_name_goes_on_leading_there_and_is_nobody_elses(db: Workspace) -> None:
    ann = db.as_user(db.users.add("ann@example.com", "Ann").id)
    ann.publishing.set_profile(name="소연")
    assert ann.publishing.public.present_name("ann") == "소연"
    with pytest.raises(strata.AlreadyExists, match="already, or was one"):
        db.publishing.set_profile(name="Ann")
    assert ann.publishing.set_profile(name="ann").name == "ann"


def test_a_profile_cannot_collect_names_without_end(db: Workspace) -> None:
    for number in range(limits.PROFILE_NAMES_MAX - 1):
        db.publishing.set_profile(name=f"name{number}")
    with pytest.raises(strata.LimitExceeded, match="10 names"):
        db.publishing.set_profile(name="one-more")
    assert db.publishing.set_profile(name="name0").name == "name0"


def test_only_what_is_told_of_a_profile_changes(db: Workspace) -> None:
    db.publishing.set_profile(title="Soyeon", about="Bread.")
    assert db.publishing.set_profile(about="").title == "Soyeon"
    assert db.publishing.profile().about == ""
    with pytest.raises(strata.LimitExceeded):
        db.publishing.set_profile(about="x" * 5_000)


def test_a_secret_is_not_put_on_a_profile(db: Workspace) -> None:
    with pytest.raises(strata.SecretRefused):
        db.publishing.set_profile(about="postgres://app:" + "tr0ub4dor" + "@db/app")
