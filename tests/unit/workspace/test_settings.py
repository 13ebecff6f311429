"""Settings: the call, the environment, the store, the default, in this order."""

from typing import Any

import pytest

import strata
from strata import InvalidArgument, Workspace
from strata.workspace import SETTINGS


def test_what_nobody_set_has_its_default(db: Workspace) -> None:
    assert db.settings.list() == {name: setting.default for name, setting in SETTINGS.items()}


def test_the_store_remembers_and_forgets(db: Workspace) -> None:
    db.settings.set("actor", "소연")
    db.settings.set("actor", "박")
    assert db.settings.get("actor") == "박"
    assert db.settings.unset("actor")
    assert not db.settings.unset("actor")
    assert db.settings.get("actor") is None


def test_the_environment_wins_over_the_store(
    db: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    db.settings.set("branch", "stored")
    monkeypatch.setenv("STRATA_BRANCH", "from outside")
    assert db.settings.get("branch") == "from outside"
    assert db.settings.list()["branch"] == "from outside"
    monkeypatch.delenv("STRATA_BRANCH")
    assert db.settings.get("branch") == "stored"


def test_every_setting_has_its_own_variable_and_a_sentence() -> None:
    variables = [setting.variable for setting in SETTINGS.values()]
    assert len(set(variables)) == len(variables)
    assert all(variable.startswith("STRATA_") for variable in variables)
    assert all(setting.about.endswith(".") for setting in SETTINGS.values())


def test_the_zone_of_the_store_reads_its_words(db: Workspace) -> None:
    db.kv.put("k", 1)
    moments: set[str] = set()
    for zone in ("Asia/Seoul", "Pacific/Auckland", "UTC"):
        db.settings.set("timezone", zone)
        db.resolve("yesterday 12:00")
        moments.add(str(db.settings.get("timezone")))
    assert len(moments) == 3


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("timezone", "Mars/Olympus"),
        ("timezone", ""),
        ("branch", " padded "),
        ("space", 3),
        ("actor", None),
        ("actor", ["a"]),
    ],
)
def test_a_value_that_does_not_fit_is_refused(db: Workspace, name: str, value: Any) -> None:
    with pytest.raises(InvalidArgument):
        db.settings.set(name, value)
    assert db.settings.get(name) == SETTINGS[name].default


def test_an_unknown_setting_names_the_nearest(db: Workspace) -> None:
    for call in (db.settings.get, db.settings.unset, lambda name: db.settings.set(name, "x")):
        with pytest.raises(InvalidArgument) as caught:
            call("timezon")
        assert "timezone" in str(caught.value.hint)


def test_settings_are_kept_in_the_file(tmp_path: Any) -> None:
    with strata.open(tmp_path / "s.db", durability="standard") as db:
        db.settings.set("timezone", "Asia/Seoul")
    with strata.open(tmp_path / "s.db", read_only=True) as db:
        assert db.settings.get("timezone") == "Asia/Seoul"
