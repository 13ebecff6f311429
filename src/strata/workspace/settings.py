"""Settings: what the environment says, and what a store remembers.

What a call says wins over the environment, the environment over the store, and the store
over the default. What reaches outside, or lets secrets in, is taken only from a store that this
user trusts.
"""

import os
from pathlib import Path
from typing import Literal

import msgspec

from strata import models
from strata.base import limits
from strata.base.checks import check_text
from strata.base.clock import parse_time
from strata.base.errors import InvalidArgument
from strata.base.values import Json, decode
from strata.decisions import RULES
from strata.secrets import MODES
from strata.store import (
    Store,
    check_name,
    delete_setting,
    read_setting,
    setting_rows,
    unreadable,
    write_setting,
)
from strata.workspace.trust_notes import is_trusted, require_trust


class Setting(msgspec.Struct, frozen=True):
    """One setting: what it is for, where it may come from, and its default."""

    name: str
    about: str
    default: Json
    variable: str
    check: Literal["name", "timezone", "actor", "url", "milliseconds", "choice", "bucket"]
    choices: tuple[str, ...] = ()
    # Whether the store's word counts only where this user trusts the store.
    needs_trust: bool = False


_ALL = (
    Setting("actor", "Who is named on commits made here.", None, "STRATA_ACTOR", "actor"),
    Setting(
        "branch",
        "The branch that commands, tools and hooks work on; `git` follows the branch of the git"
        " checkout.",
        "default",
        "STRATA_BRANCH",
        "name",
    ),
    Setting(
        "dynamic_tools",
        "Whether the list of tools follows the conversation, where it may.",
        "force_static",
        "STRATA_DYNAMIC_TOOLS",
        "choice",
        ("auto", "force_static", "force_dynamic"),
    ),
    Setting(
        "judging",
        "Whether a search reads the first hits of conversations once more, each together with the"
        " question, before it orders them: `on`, a tenth of a second, or `off`.",
        "on",
        "STRATA_JUDGING",
        "choice",
        ("on", "off"),
    ),
    Setting(
        "linking",
        "How memories are linked by meaning: `signal` links unusually similar ones, `seed` those"
        " with a cosine of 0.75 or more, `off` none.",
        "signal",
        "STRATA_LINKING",
        "choice",
        RULES,
    ),
    Setting(
        "model_endpoint",
        "Where a language model answers, for `search --expand` and `--rerank`.",
        None,
        "STRATA_MODEL_ENDPOINT",
        "url",
        needs_trust=True,
    ),
    Setting(
        "model_name",
        "Which model to ask there.",
        None,
        "STRATA_MODEL_NAME",
        "name",
        needs_trust=True,
    ),
    Setting(
        "model_timeout_ms",
        "How long to wait for its answer, in milliseconds; 60000 when unset.",
        None,
        "STRATA_MODEL_TIMEOUT_MS",
        "milliseconds",
    ),
    Setting(
        "public_url",
        "Where clients find `strata serve`, if not at the address it listens on.",
        None,
        "STRATA_PUBLIC_URL",
        "url",
        needs_trust=True,
    ),
    Setting(
        "secrets",
        "What is done with a key, a token or a password in what is written.",
        "refuse",
        "STRATA_SECRETS",
        "choice",
        MODES,
        needs_trust=True,
    ),
    Setting("space", "The space that commands work in.", "default", "STRATA_SPACE", "name"),
    Setting(
        "storage",
        "Where images and uploads lie: s3://BUCKET/PREFIX; in the store when unset.",
        None,
        "STRATA_STORAGE",
        "bucket",
        needs_trust=True,
    ),
    Setting(
        "storage_endpoint",
        "Where that storage answers, if it is not Amazon's.",
        None,
        "STRATA_STORAGE_ENDPOINT",
        "url",
        needs_trust=True,
    ),
    Setting(
        "storage_region",
        "The region of that storage; AWS_REGION when unset.",
        None,
        "STRATA_STORAGE_REGION",
        "name",
        needs_trust=True,
    ),
    Setting(
        "timezone",
        'The zone of times such as "yesterday"; the system\'s when unset.',
        None,
        "STRATA_TIMEZONE",
        "timezone",
    ),
)
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
        # Asked by every call of a tool, and nearly always known.
        setting = SETTINGS.get(name) or require_setting(name)
        if setting.variable in os.environ:
            return os.environ[setting.variable]
        text = read_setting(self._store, name)
        if text is None or (setting.needs_trust and not is_trusted(self._store)):
            return setting.default
        return _decoded(name, text)

    def branch(self, folder: Path | None = None, *, given: str | None = None) -> str:
        """Return the branch that a session works on: as given, else as the setting says.

        Where that is "git", it is the branch for the git branch of the folder, by default of the
        working folder. One that does not exist yet shows its parent, and its first write makes it.

        >>> db.settings.branch()
        'default'
        """
        wanted = str(self.get("branch")) if given is None else given
        if not self.follows_git(wanted):
            return wanted
        from strata.workspace.git_branch import followed_branch  # noqa: PLC0415  (seldom needed)

        return followed_branch(self._store, folder)

    def follows_git(self, branch: str | None = None) -> bool:
        """Tell whether sessions work on the branch of the git checkout.

        A store that has a branch called "git" means that one.

        >>> db.settings.follows_git()
        False
        """
        wanted = self.get("branch") if branch is None else branch
        if wanted != "git":
            return False
        return self._store.catalog.find("git", self._store.connection()) is None

    def set(self, name: str, value: Json) -> None:
        """Let the store remember a setting.

        >>> db.settings.set("timezone", "Asia/Seoul")
        >>> db.settings.get("timezone")
        'Asia/Seoul'
        """
        setting = require_setting(name)
        _check(setting, value)
        if setting.needs_trust:
            require_trust(self._store, f"The setting {name} would not count")
        text = msgspec.json.encode(value).decode()
        screen = self._store.screen
        if screen is not None:
            screen.screen_note(text, f"setting {name}", is_name=True)
        write_setting(self._store, name, text)
        if screen is not None:
            screen.forget()

    def unset(self, name: str) -> bool:
        """Forget a setting; tell whether the store had it.

        >>> db.settings.unset("actor")
        False
        """
        require_setting(name)
        was_set = delete_setting(self._store, name)
        if self._store.screen is not None:
            self._store.screen.forget()
        return was_set

    def list(self) -> dict[str, Json]:
        """Return every setting with the value that counts now.

        >>> db.settings.list()["dynamic_tools"]
        'force_static'
        """
        return {name: self.get(name) for name in SETTINGS}

    def reaching(self) -> dict[str, Json]:
        """Return what the store says that counts only where the store is trusted.

        >>> db.settings.reaching()
        {}
        """
        needed = {name for name, setting in SETTINGS.items() if setting.needs_trust}
        rows = setting_rows(self._store)
        return {name: _decoded(name, text) for name, text, _digest in rows if name in needed}


def _decoded(name: str, text: str) -> Json:
    try:
        return decode(text)
    except (msgspec.DecodeError, TypeError) as error:
        raise unreadable(f"the setting {name}") from error


# Keys that a caller gave, by the endpoint they are for. Never written anywhere.
_keys: dict[str, str] = {}


def keep_api_key(endpoint: str, key: str) -> None:
    """Remember an endpoint's key as long as this process lives, and no longer."""
    _keys[endpoint.rstrip("/")] = key


def api_key(endpoint: str) -> str | None:
    """Return the key for an endpoint that the user named: one given for it, or the environment's.

    Named means: by the environment, by a store that is trusted, or by this very call of the user.
    For all others there is `key_for`. None of the keys is ever stored.
    """
    return _keys.get(endpoint.rstrip("/")) or os.environ.get("STRATA_API_KEY") or None


def key_for(settings: Settings, endpoint: str, variable: str | None = None) -> str | None:
    """Return the key for an endpoint: of the variable that is named for it, or one given for it.

    The key in STRATA_API_KEY is for the endpoint of the settings, and goes to no other one.
    """
    if variable is not None:
        return os.environ.get(variable) or None
    if is_named(settings, endpoint):
        return api_key(endpoint)
    return _keys.get(endpoint.rstrip("/"))


def is_named(settings: Settings, endpoint: str) -> bool:
    """Tell whether an endpoint is the one of the settings."""
    known = settings.get("model_endpoint")
    return isinstance(known, str) and known.rstrip("/") == endpoint.rstrip("/")


def model_endpoint(settings: Settings) -> "tuple[models.Endpoint, str] | None":
    """Return where a language model answers and which one, if the settings name both."""
    url, model = settings.get("model_endpoint"), settings.get("model_name")
    if not isinstance(url, str) or not isinstance(model, str):
        return None
    limit = settings.get("model_timeout_ms")
    timeout_s = int(str(limit)) / 1000 if _is_count(limit) else limits.ENDPOINT_TIMEOUT_S
    return models.Endpoint(url, api_key=api_key(url), timeout_s=timeout_s), model


def _is_count(value: Json) -> bool:
    return str(value).isdecimal() and int(str(value)) > 0


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
        models.Endpoint(value)  # refuses what is no address of one
    elif setting.check == "bucket":
        _check_bucket(value)
    elif setting.check == "choice":
        if value not in setting.choices:
            raise InvalidArgument(
                f"The setting {setting.name} cannot be {value!r}.",
                hint=f"Use {', '.join(setting.choices)}.",
                parameter=setting.name,
            )
    elif setting.check == "milliseconds":
        if not _is_count(value):
            raise InvalidArgument(
                f"The setting {setting.name} takes a number of milliseconds, not {value!r}.",
                parameter=setting.name,
            )
    else:
        check_name(value, what=setting.name)


def _check_bucket(value: str) -> None:
    from strata.documents import bucket_of  # noqa: PLC0415  (only this setting needs them)

    bucket_of(value)


def zone_of(settings: Settings) -> str | None:
    """Return the time zone that a store's settings name, or None for the system's."""
    zone = settings.get("timezone")
    return zone if isinstance(zone, str) else None
