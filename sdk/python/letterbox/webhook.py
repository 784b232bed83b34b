"""Signatures of webhooks (Standard Webhooks 1.0)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from typing import TYPE_CHECKING, Mapping

from .errors import LetterboxError

if TYPE_CHECKING:
    from .models import WebhookEvent

_TOLERANCE_SECONDS = 300


def verify_webhook(headers: Mapping[str, str], body: str | bytes, secret: str) -> WebhookEvent:
    """
    Checks the signature of a webhook and returns its event. `body` is the unparsed body. Raises
    LetterboxError INVALID_SIGNATURE if no signature was made with this secret, the timestamp is more
    than five minutes off, or the body is not JSON.
    """
    given = {str(name).lower(): value for name, value in headers.items() if value is not None}
    timestamp = given.get("webhook-timestamp", "")
    if not re.fullmatch(r"[0-9]{1,15}", timestamp) or abs(time.time() - int(timestamp)) > _TOLERANCE_SECONDS:
        raise _invalid("is too old, or has no time")
    if not secret:
        raise _invalid("can't be checked without a secret")
    if not isinstance(body, (str, bytes, bytearray, memoryview)):
        raise _invalid("can't be checked: the body must be as it came, not parsed")
    raw = body.encode() if isinstance(body, str) else bytes(body)
    signed = f"{given.get('webhook-id', '')}.{timestamp}.".encode() + raw
    expected = base64.b64encode(hmac.new(_key(secret), signed, hashlib.sha256).digest())
    for each in given.get("webhook-signature", "").split():
        version, _, signature = each.rstrip(",").partition(",")
        if version == "v1" and hmac.compare_digest(signature.encode(), expected):
            return _event(raw)
    raise _invalid("is not of this secret")


def _event(raw: bytes) -> WebhookEvent:
    try:
        return json.loads(raw)  # type: ignore[no-any-return]
    except (ValueError, RecursionError) as error:
        raise _invalid("is right, but its body is not JSON") from error


def _invalid(what: str) -> LetterboxError:
    return LetterboxError("INVALID_SIGNATURE", f"The webhook's signature {what}.")


def _key(secret: str) -> bytes:
    """What follows `whsec_`, decoded; a secret that is not base64 is the key itself."""
    text = secret.removeprefix("whsec_")
    if len(text) % 4 == 0 and re.fullmatch(r"[A-Za-z0-9+/]+={0,2}", text):
        try:
            return base64.b64decode(text, validate=True)
        except binascii.Error:
            pass
    return secret.encode()
