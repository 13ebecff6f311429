"""Every code of an error has the status that its kind has."""

import pytest

from strata.base import errors
from strata.mcp.upload_requests import status_of, status_of_code


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("not_found", 404),
        ("not_allowed", 403),
        ("access_denied", 403),
        ("conflict", 409),
        ("version_conflict", 409),
        ("update_gap", 409),
        ("already_exists", 409),
        ("invalid_input", 400),
        ("invalid_time", 400),
        ("limit_exceeded", 413),
        ("unavailable", 503),
        ("locked", 503),
        ("secret_refused", 422),
        ("internal", 500),
        ("damaged_store", 500),
        ("nothing of the kind", 500),
    ],
)
def test_a_code_has_the_status_of_its_kind(code: str, status: int) -> None:
    assert status_of_code(code) == status


def kinds(kind: type[errors.StrataError]) -> list[type[errors.StrataError]]:
    below = [one for one in kind.__subclasses__() if one.__module__ == errors.__name__]
    return [kind, *(inner for one in below for inner in kinds(one))]


@pytest.mark.parametrize("kind", kinds(errors.StrataError), ids=lambda kind: kind.__name__)
def test_an_error_and_its_code_have_one_status(kind: type[errors.StrataError]) -> None:
    assert status_of(kind("x")) == status_of_code(kind.code)
