"""Set-up shared by all tests: how hypothesis searches, and a folder for notes about stores."""

import atexit
import functools
import gc
import os
import shutil
import signal
import tempfile

import httpcore2
import pytest
from hypothesis import HealthCheck, settings

from strata.base import ids
from tests import databases, only_sqlite

# Deadlines and "too slow" depend on the machine, not on the code; pytest-timeout stops a hang.
_CALM = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

# `ci` tries the same examples every time, so that a red run is about the change in front of you.
_SAME = settings(parent=_CALM, derandomize=True, database=None, print_blob=True)
settings.register_profile("ci", parent=_SAME, max_examples=30)

# `quick` tries a third of them, for `./dev test quick` and `./dev test near`.
settings.register_profile("quick", parent=_SAME, max_examples=10)

# `dev` looks for many new examples in `./dev property`, and remembers the ones that failed.
settings.register_profile("dev", parent=_CALM, max_examples=500)

settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

# A store that a test makes is noted as trusted in the user's folder: not in that of the user who
# runs the tests.
_NOTES = tempfile.mkdtemp(prefix="strata-tests-")
os.environ["XDG_DATA_HOME"] = _NOTES
# What a hook adds is tested on busy machines too; those tests that need it to give up say when.
os.environ["STRATA_HOOK_SECONDS"] = "30"
atexit.register(shutil.rmtree, _NOTES, ignore_errors=True)
# A shell starts what it runs in the background with Ctrl-C ignored, and programs that tests start
# would ignore it too.
signal.signal(signal.SIGINT, signal.default_int_handler)


# Every client that a test makes would read the certificates of the system, for 30 ms of CPU time.
pytest.MonkeyPatch().setattr(
    httpcore2, "default_ssl_context", functools.cache(httpcore2.default_ssl_context)
)

if databases.IS_POSTGRES:
    databases.run_on_postgres()

# Collecting makes a million objects that stay until the end. The garbage collector looks through
# them neither while they are made nor with every full collection afterwards.
gc.disable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out on PostgreSQL what is about SQLite."""
    if not databases.IS_POSTGRES:
        return
    for item in items:
        if why := only_sqlite.reason_for(item.nodeid, only_sqlite.ONLY_SQLITE):
            item.add_marker(pytest.mark.skip(reason=why))
        if why := only_sqlite.reason_for(item.nodeid, only_sqlite.OPEN):
            item.add_marker(pytest.mark.xfail(reason=why, strict=False))


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


@pytest.fixture
def postgres_address() -> str:
    """The address of a workspace in PostgreSQL that does not exist yet."""
    return f"{databases.server_address()}&workspace={ids.token()}"
