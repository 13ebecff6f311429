"""What the address of a database may look like, and what is said about one that cannot be read."""

import pytest

import strata
from strata import locate_store
from strata.base.errors import InvalidArgument
from strata.sql import is_address, parse_address

WORD = "geheim"


@pytest.mark.parametrize(
    "text",
    [
        "postgresql://strata@db.example.com/strata",
        "postgresql://strata:s3cr3t%23b%2Fc%3Fd%40e@[::1]:5432/strata?workspace=%ED%8C%80",
        "postgresql://strata@db1:5432,db2:5433,[fe80::1]/strata",
        "postgresql:///strata?host=%2Frun%2Fpostgresql&user=ann@example.com",
        "postgres://db/strata?sslmode=require",
        "postgresql://strata@db/%40home",
    ],
)
def test_addresses_of_libpq_are_taken(text: str) -> None:
    assert is_address(text)
    parse_address(text)


@pytest.mark.parametrize(
    "text",
    [
        f"postgresql://strata:{WORD}#1@db/strata",
        f"postgresql://strata:1/{WORD}@db/strata",
        f"postgresql://strata:1?{WORD}@db/strata",
        f"postgresql://strata:{WORD}/1@db/strata",
        f"postgresql://strata:{WORD}@db:port/strata",
        f"postgresql://strata:{WORD}@[::1/strata",
        f"postgresql://strata:{WORD}@db/strata#part",
        f"postgresql://strata:{WORD}%@db/strata",
    ],
)
def test_an_address_that_cannot_be_read_is_refused_and_not_shown(text: str) -> None:
    with pytest.raises(InvalidArgument, match="cannot be read") as refused:
        strata.open(text)
    assert "%23" in str(refused.value)
    assert WORD not in str(refused.value)


def test_a_parameter_that_the_driver_does_not_know_is_named() -> None:
    with pytest.raises(InvalidArgument, match=r'cannot be read.*"wrokspace"'):
        strata.open("postgresql://strata@127.0.0.1:1/strata?wrokspace=team")


@pytest.mark.parametrize(
    "text", ["mysql://host/db", "file:///a.strata", "Postgresql://strata@db/strata", "s3://bucket"]
)
def test_the_address_of_something_else_is_not_taken_for_a_path(text: str) -> None:
    with pytest.raises(InvalidArgument, match=r"begins with .*://"):
        locate_store(text)
    with pytest.raises(InvalidArgument, match=r"begins with .*://"):
        strata.open(text)


@pytest.mark.parametrize("path", ["C:/stores/a.strata", "a:b", "./mysql:/x", "postgresql:x"])
def test_a_path_with_a_colon_is_a_path(path: str) -> None:
    assert str(locate_store(path).path) == path.removeprefix("./")
