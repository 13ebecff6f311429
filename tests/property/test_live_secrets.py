"""A live edit is refused exactly where the whole text holds a secret that it did not hold before.

Only what is near an edit is looked at first, so the texts here are longer than that.
"""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import strata
from strata.base.errors import SecretRefused
from strata.documents import Arrival, Author, Replica, Splice
from strata.secrets import find_secrets
from tests.property.test_secrets import CHOICES

# Longer than what is looked at around an edit.
FILLING = "plain words of a long text, with nothing in it. 강은 바다로 흐른다\n" * 90
SECRETS = st.integers(0, len(CHOICES) - 1).map(lambda number: CHOICES[number])
PIECES = st.sampled_from(
    ["password", " = ", ": ", '"', "\n", "tr0ub4dor!", "key", " ", "글", FILLING]
)
TEXTS = st.lists(SECRETS | PIECES, min_size=1, max_size=5).map("".join)


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Iterator[strata.Workspace]:
    path = tmp_path_factory.mktemp("live") / "s.db"
    with strata.open(path, durability="standard", auto_embed=False) as opened:
        yield opened


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS, st.lists(st.tuples(st.floats(0, 1), st.floats(0, 0.1), TEXTS), max_size=3))
def test_a_live_edit_is_refused_where_the_whole_text_has_a_new_secret(
    db: strata.Workspace, before: str, edits: list[tuple[float, float, str]]
) -> None:
    made = db.allowing_secrets().documents.create("글", before).document
    log = db.documents.live()
    page = Replica([log.difference(made).update])
    before = page.text
    for place, part, text in edits:
        start = int(place * len(page.text))
        end = min(len(page.text), start + int(part * len(page.text)))
        page.splice([Splice(start, end, text)])
    assume(page.text != before)
    # As one update, so that it is refused or kept as a whole.
    whole = page.since(Replica([log.difference(made).update]).vector())
    (outcome,) = log.append([Arrival(made, whole, Author("user_ann"))])
    is_refused = isinstance(outcome.error, SecretRefused)
    assert is_refused == bool(secrets(page.text) - secrets(before))
    assert db.documents.text(made) == (before if is_refused else page.text)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(PIECES, min_size=1, max_size=5).map("".join),
    st.lists(st.tuples(st.floats(0, 1), st.floats(0, 0.01), TEXTS), min_size=2, max_size=4),
)
def test_of_what_several_users_type_in_one_commit_no_secret_is_kept(
    db: strata.Workspace, before: str, edits: list[tuple[float, float, str]]
) -> None:
    made = db.allowing_secrets().documents.create("글", before).document
    log = db.documents.live()
    state = log.difference(made).update
    arrivals: list[Arrival] = []
    for number, (place, part, text) in enumerate(edits):
        page = Replica([state])
        start = int(place * len(before))
        end = min(len(before), start + int(part * len(before)))
        # Letters that arrive one after the other, as they are typed.
        first, rest = text[: len(text) // 2], text[len(text) // 2 :]
        behind = start + len(first)
        updates = [
            page.splice([Splice(start, end, first)]),
            page.splice([Splice(behind, behind, rest)]),
        ]
        author = Author(f"user_{number}")
        arrivals += [Arrival(made, update, author) for update in updates if update]
    assume(arrivals)
    whole = Replica([state])
    for arrival in arrivals:
        whole.apply(arrival.update)
    outcomes = log.append(arrivals)
    kept = db.documents.text(made)
    assert not secrets(kept) - secrets(before)
    if not secrets(whole.text) - secrets(before):
        assert [one.error for one in outcomes] == [None] * len(arrivals)
        assert kept == whole.text


def secrets(text: str) -> set[str]:
    return {text[one.start : one.end] for one in find_secrets(text)}
