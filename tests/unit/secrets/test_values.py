"""Secrets in JSON values: the path to each, and values without them."""

from typing import Any

import pytest

from strata.secrets import SecretInValue, find_in, mask, masks_in
from tests.unit.secrets.samples import SAMPLES, Sample, letters, token

TOKEN = token("github", "ghp" + "_", 36).secret
PASSWORD = "tr0ub" + "4dor&3"
DSN = f"postgres://app:{PASSWORD}@db/app"


def test_the_path_leads_to_the_secret() -> None:
    value: Any = {"db": {"url": DSN}, "팀": [{"x": 1}, {"토큰": TOKEN}], "a b": {'"': TOKEN}}
    assert find_in(value) == [
        SecretInValue("url_password", "$.db.url"),
        SecretInValue("github_token", "$.팀[1].토큰"),
        SecretInValue("github_token", '$["a b"]["\\""]'),
    ]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.kind)
def test_every_kind_is_found_deep_inside_a_value(sample: Sample) -> None:
    assert find_in({"a": [0, {"b": sample.text}]}) == [SecretInValue(sample.kind, "$.a[1].b")]


def test_a_name_says_that_its_value_is_a_password() -> None:
    assert find_in({"user": "app", "password": PASSWORD}) == [
        SecretInValue("assigned_secret", "$.password")
    ]
    assert find_in({"user": PASSWORD, "password": "see the vault"}) == []
    assert find_in(PASSWORD, name="db/password") == [SecretInValue("assigned_secret", "$")]
    assert find_in(PASSWORD, name="db/title") == []


def test_members_that_mean_something_together_are_understood() -> None:
    key: Any = {"kty": "OKP", "crv": "Ed25519", "x": letters("x", 43), "d": letters("d", 43)}
    assert find_in({"keys": [key]}) == [SecretInValue("jwk_private_key", "$.keys[0].d")]
    public: Any = {name: part for name, part in key.items() if name != "d"}
    assert find_in({"keys": [public], "d": letters("d", 43)}) == []


def test_a_secret_in_a_name_is_found_and_not_shown_in_a_path() -> None:
    found = find_in({"tokens": {TOKEN: {"owner": TOKEN}}})
    assert found == [
        SecretInValue("github_token", "$.tokens"),
        SecretInValue("github_token", '$.tokens["[masked: github_token]"].owner'),
    ]


def test_masking_keeps_everything_but_the_secrets() -> None:
    members = ["소연", TOKEN, None, True, 1.5]
    value: Any = {"db": {"url": DSN, "port": 5432}, "팀": members, TOKEN: 1}
    masked, found = mask(value)
    assert masked == {
        "db": {"url": "postgres://app:[masked: url_password]@db/app", "port": 5432},
        "팀": ["소연", "[masked: github_token]", None, True, 1.5],
        "[masked: github_token]": 1,
    }
    assert found == [
        SecretInValue("url_password", "$.db.url"),
        SecretInValue("github_token", "$.팀[1]"),
        SecretInValue("github_token", "$"),
    ]
    assert value["팀"][1] == TOKEN, "the value that was given is not touched"


def test_two_secret_names_do_not_become_one() -> None:
    other = token("other", "ghp" + "_", 36).secret
    masked, _found = mask({TOKEN: 1, other: 2})
    assert isinstance(masked, dict)
    assert list(masked.values()) == [1, 2]


def test_what_is_known_is_left_as_it_is() -> None:
    other = token("other", "ghp" + "_", 36).secret
    masked, found = mask({"old": TOKEN, "new": other}, known={TOKEN})
    assert masked == {"old": TOKEN, "new": "[masked: github_token]"}
    assert found == [SecretInValue("github_token", "$.new")]


def test_a_value_without_secrets_is_given_back_equal() -> None:
    value: Any = {"region": "서울", "replicas": 3, "list": [1, [2, {"x": None}]]}
    assert mask(value) == (value, [])


def test_marks_can_be_found_again() -> None:
    masked, found = mask({"a": TOKEN, "b": ["x", DSN], "c": "[masked: nothing_known]"})
    assert masks_in(masked) == found
    assert masks_in("plain") == []
