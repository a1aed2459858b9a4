"""Log records of Perdure hold no credential, whoever handles them."""

from __future__ import annotations

import importlib
import logging
import pkgutil
from collections.abc import Iterator

import pytest

import perdure
from perdure.logs import logger_named

SECRET = "hunter2!x"


class Kept(logging.Handler):
    """A host application's handler: keeps what it would write."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@pytest.fixture
def root() -> Iterator[Kept]:
    kept = Kept()
    logging.getLogger().addHandler(kept)
    yield kept
    logging.getLogger().removeHandler(kept)


@pytest.mark.parametrize("name", ["perdure", "perdure.models.extractor", "perdure.not.yet.there"])
def test_a_credential_in_a_message_or_its_arguments_is_redacted(root: Kept, name: str) -> None:
    log = logger_named(name)
    log.warning("the server said: password: %s for %d users", SECRET, 3)
    log.warning("card %(card)s", {"card": "4111 1111 1111 1111"})
    log.warning("nothing secret in %s", "부산")
    assert root.lines == [
        "the server said: password: [password] for 3 users",
        "card [card number]",
        "nothing secret in 부산",
    ]


def test_a_traceback_is_redacted_and_one_without_a_credential_stays_whole(root: Kept) -> None:
    log = logger_named("perdure.traceback")
    for text in (f"cannot connect to postgresql://bob:{SECRET}@db/x", "no such table"):
        try:
            raise RuntimeError(text)
        except RuntimeError:
            log.exception("failed")
    secret, plain = root.lines
    assert SECRET not in secret
    assert "postgresql://bob:[password]@db/x" in secret
    assert "Traceback" in secret and "Traceback" in plain


def test_every_logger_of_perdure_redacts() -> None:
    for module in pkgutil.walk_packages(perdure.__path__, "perdure."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    expected = logger_named("perdure").filters[0]
    loggers = {
        name: log
        for name, log in logging.root.manager.loggerDict.items()
        if name.split(".")[0] == "perdure" and isinstance(log, logging.Logger)
    }
    assert "perdure.models.extractor" in loggers
    assert [name for name, log in loggers.items() if expected not in log.filters] == []
