"""Settings: the only reader of the environment and of what a store remembers.

What a call says wins over the environment, the environment over the store, and the store
over the default.
"""

import os
from typing import Literal

import msgspec

from strata.base.checks import check_text
from strata.base.clock import parse_time
from strata.base.errors import InvalidArgument
from strata.base.values import Json, decode
from strata.models import Endpoint
from strata.store import Store, check_name, row_digest, unreadable


class Setting(msgspec.Struct, frozen=True):
    """One setting: what it is for, where it may come from, and its default."""

    name: str
    about: str
    default: Json
    variable: str
    check: Literal["name", "timezone", "actor", "url"]


_ALL = (
    Setting("actor", "Who is named on commits made here.", None, "STRATA_ACTOR", "actor"),
    Setting("branch", "The branch that commands work on.", "default", "STRATA_BRANCH", "name"),
    Setting(
        "model_endpoint", "Where a language model answers, for `search --expand` and `--rerank`.",
        None, "STRATA_MODEL_ENDPOINT", "url",
    ),
    Setting("model_name", "Which model to ask there.", None, "STRATA_MODEL_NAME", "name"),
    Setting("space", "The space that commands work in.", "default", "STRATA_SPACE", "name"),
    Setting(
        "timezone", 'The zone of times such as "yesterday"; the system\'s when unset.',
        None, "STRATA_TIMEZONE", "timezone",
    ),
)  # fmt: skip
SETTINGS: dict[str, Setting] = {setting.name: setting for setting in _ALL}


class Settings:
    """What a store remembers for its users. Reached as `db.settings`."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def get(self, name: str) -> Json:
        """Return a setting: from the environment, the store, or its default.

        >>> db.settings.get("branch")
        'default'
        """
        setting = require_setting(name)
        if setting.variable in os.environ:
            return os.environ[setting.variable]
        row = self._store.connection().row(self._store.queries.setting, (name,))
        try:
            return decode(row[0]) if row is not None else setting.default
        except (msgspec.DecodeError, TypeError) as error:
            raise unreadable(f"the setting {name}") from error

    def set(self, name: str, value: Json) -> None:
        """Let the store remember a setting.

        >>> db.settings.set("timezone", "Asia/Seoul")
        >>> db.settings.get("timezone")
        'Asia/Seoul'
        """
        _check(require_setting(name), value)
        text = msgspec.json.encode(value).decode()
        with self._store.writing() as connection:
            values = (name, text, row_digest(name, text))
            connection.run(self._store.queries.upsert_setting, values)

    def unset(self, name: str) -> bool:
        """Forget a setting; tell whether the store had it.

        >>> db.settings.unset("actor")
        False
        """
        require_setting(name)
        with self._store.writing() as connection:
            return connection.row(self._store.queries.delete_setting, (name,)) is not None

    def list(self) -> dict[str, Json]:
        """Return every setting with the value that counts now.

        >>> sorted(db.settings.list())
        ['actor', 'branch', 'model_endpoint', 'model_name', 'space', 'timezone']
        """
        return {name: self.get(name) for name in SETTINGS}


def api_key() -> str | None:
    """Return the key for model endpoints. It is read from the environment and never stored."""
    return os.environ.get("STRATA_API_KEY") or None


def require_setting(name: str) -> Setting:
    """Return a setting, or raise InvalidArgument with the nearest name."""
    if check_text(name, name="name") in SETTINGS:
        return SETTINGS[name]
    from difflib import get_close_matches  # noqa: PLC0415  (needed for this error only)

    close = get_close_matches(name, SETTINGS, n=1)
    hint = f"Did you mean {close[0]!r}?" if close else f"There are {', '.join(SETTINGS)}."
    raise InvalidArgument(f"There is no setting {name!r}.", hint=hint, parameter="name")


def _check(setting: Setting, value: Json) -> None:
    if not isinstance(value, str) or not value:
        raise InvalidArgument(
            f"The setting {setting.name} takes text, not {value!r}.", parameter=setting.name
        )
    if setting.check == "timezone":
        parse_time("now", now=0, timezone=value)
    elif setting.check == "url":
        Endpoint(value)  # refuses what is no address of one
    else:
        check_name(value, what=setting.name)
