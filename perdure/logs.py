"""Loggers whose records hold no credential: an error of a driver or a server may quote what a user said."""

from __future__ import annotations

import logging

from perdure.credentials import redacted


class _WithoutCredentials(logging.Filter):
    """Redacts the message as it will be shown, and the traceback. It lets every record pass."""

    _traceback = logging.Formatter()

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        if (clean := redacted(message)) != message:
            record.msg, record.args = clean, None
        if record.exc_info:
            told = self._traceback.formatException(record.exc_info)
            if (shown := redacted(told)) != told:
                record.exc_info, record.exc_text = None, shown
        return True


_FILTER = _WithoutCredentials()


def logger_named(name: str) -> logging.Logger:
    """The logger of this name. Every module of Perdure gets its own here: a parent's filter sees no child's records."""
    log = logging.getLogger(name)
    log.addFilter(_FILTER)  # once: a logger does not take the same filter twice
    return log
