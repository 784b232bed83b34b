"""Why a call failed."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Mapping


class LetterboxError(Exception):
    """A failure of the service or of the connection. It never contains the API key."""

    def __init__(
        self,
        code: str,
        message: str,
        status: int = 0,
        details: dict[str, Any] | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(f"{code}: {message}")
        #: For programs, such as NOT_FOUND; CONNECTION_FAILED if there was no answer.
        self.code = code
        self.message = message
        #: The HTTP status; 0 if there was no answer.
        self.status = status
        #: Details from the service: for a VALIDATION_ERROR the fields and their problems.
        self.details = details if details is not None else {}
        #: Seconds after which another try is useful; None if the service names none.
        self.retry_after = retry_after


def error_of(status: int, headers: Mapping[str, str], body: bytes) -> LetterboxError:
    """The error of an answer that is not 2xx. `headers` has names in lower case. The body may come from a proxy."""
    try:
        error = json.loads(body)["error"]
        code, message = str(error["code"]), str(error.get("message", ""))
        details = error.get("details")
    except (ValueError, KeyError, TypeError, AttributeError):
        code = "UNEXPECTED_ANSWER"
        message = f"The service answered {status} without an error code."
        details = None
    if not isinstance(details, dict):
        details = {}
    retry_after = _seconds(headers.get("retry-after"))
    if retry_after is None:
        retry_after = _seconds(details.get("retry_after"))
    return LetterboxError(code, message, status, details, retry_after)


def _seconds(value: Any) -> float | None:
    """Seconds of a Retry-After: a number or an HTTP date (RFC 9110, 10.2.3)."""
    if value is None:
        return None
    try:
        seconds = float(value)
    except (TypeError, ValueError):
        try:
            date = parsedate_to_datetime(str(value))
        except (TypeError, ValueError):
            return None
        if date.tzinfo is None:
            date = date.replace(tzinfo=timezone.utc)
        return max(0.0, (date - datetime.now(timezone.utc)).total_seconds())
    return seconds if 0 <= seconds < float("inf") else None
