"""The parts that both clients share: requests, retries, and the content of answers."""

from __future__ import annotations

import base64
import json
import mimetypes
import os
import random
import re
import uuid
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Mapping
from urllib.parse import quote, urlencode, urlsplit

from .errors import LetterboxError

_LONGEST_PAUSE_SECONDS = 60
#: A call waits for 60 s at most; a stream has a comment every 15 s.
ANSWER_SECONDS = 120
SILENCE_SECONDS = 45


@dataclass
class Request:
    method: str
    #: From /v1/api on.
    path: str
    headers: dict[str, str]
    body: bytes | bytearray | None
    #: It may be sent again after a lost answer, because sending it twice does no harm.
    repeatable: bool
    #: What further tries send, if it is another request.
    again: Request | None = None


class Target:
    """The address of the service, and the header with the key."""

    def __init__(self, base_url: str, api_key: str) -> None:
        parts = urlsplit((base_url or "").rstrip("/"))
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise LetterboxError("INVALID_ARGUMENT", "base_url must begin with http:// or https://")
        # A line end would begin another header.
        if not re.fullmatch(r"[\x21-\x7e]+", api_key or ""):
            raise LetterboxError("INVALID_ARGUMENT", "api_key is missing or has spaces or line ends")
        self.is_secure = parts.scheme == "https"
        self.host: str = parts.hostname
        self.port: int = parts.port or (443 if self.is_secure else 80)
        self.host_header = parts.netloc.rpartition("@")[2]
        self.prefix = parts.path
        self._authorization = f"Bearer {api_key}"

    def headers(self, request: Request) -> dict[str, str]:
        has_length = request.body is not None or request.method in ("POST", "PUT", "PATCH")
        length = {"Content-Length": str(len(request.body or b""))} if has_length else {}
        return {
            "Host": self.host_header,
            "Authorization": self._authorization,
            "Connection": "close",
            **length,
            **request.headers,
        }


def prepare(route: str, ids: tuple[str, ...], fields: Mapping[str, Any]) -> Request:
    """
    The request of a route such as `GET /emails/{id}`, perhaps with its kind: `send` (it sends
    mail, so it has an idempotency key), `read` (a POST that changes nothing), `query` (a POST
    with its fields in the URL) or `wait` (without a time it begins when it is called).
    """
    method, template, kind = (*route.split(" "), "")[:3]
    # `from` and `as` are keywords of Python: arguments are named `from_` and `as_`.
    values = {name.removesuffix("_"): _plain(value) for name, value in fields.items()}
    if values.get("idempotency_key", "") is None:
        # A caller without a key; a null would be refused.
        del values["idempotency_key"]
    headers: dict[str, str] = {}
    body = None
    path = "/v1/api" + _path(template, ids)
    if method == "GET" or kind == "query":
        query = {name: _text(value) for name, value in values.items() if value is not None}
        path += f"?{urlencode(query)}" if query else ""
    elif method != "DELETE" or values:
        if isinstance(values.get("attachments"), (list, tuple)):
            values["attachments"] = [_attachment(each) for each in values["attachments"]]
        headers["Content-Type"] = "application/json"
        body = json.dumps(values).encode()
    if kind == "send":
        key = values.get("idempotency_key", str(uuid.uuid4()))
        # The body has the caller's key too, so that one with other characters than a header can have also counts.
        if isinstance(key, str) and re.fullmatch(r"[\x21-\x7e]+", key):
            headers["Idempotency-Key"] = key
    again = None
    if kind == "wait" and not values.get("since") and not values.get("after"):
        # A further try would wait from its own arrival on, and miss what came since the first.
        again = prepare(route, ids, {**fields, "since": datetime.now(timezone.utc)})
    return Request(method, path, headers, body, method == "GET" or kind in ("send", "read"), again)


def upload_request(upload_url: str, content: bytes | bytearray) -> Request:
    """The PUT of a file's bytes. The service may know itself by another address than this client."""
    path = upload_url[upload_url.index("/v1/api/uploads/") :]
    return Request("PUT", path, {}, content, False)


def import_request(
    route: str,
    mailbox_id: str,
    file: str | os.PathLike[str] | bytes | bytearray,
    state: Mapping[str, Any],
) -> Request:
    """The POST of a message of an archive, a path or its bytes, with what its source says of it."""
    given: Any = file_of(file)
    content = given["content"] if isinstance(given, dict) else given
    headers = {"Content-Type": "message/rfc822"}
    for name, value in state.items():
        if value is not None:
            text = ",".join(value) if name == "labels" else _text(_plain(value))
            # `is_read` is X-Import-Read.
            headers[f"X-Import-{name.removeprefix('is_').replace('_', '-')}"] = text
    # The same bytes again are a duplicate.
    return Request("POST", prepare(route, (mailbox_id,), {}).path, headers, content, True)


def pause_after(error: LetterboxError, request: Request, tries: int, max_retries: int) -> float | None:
    """Seconds until the next try; None if there is none."""
    # A proxy that does not reach the service, as while it is restarted.
    is_gateway = error.code == "UNEXPECTED_ANSWER" and error.status in (502, 504)
    passes = error.status in (429, 503) or (
        request.repeatable and (error.status == 500 or is_gateway or error.code == "CONNECTION_FAILED")
    )
    pause = error.retry_after
    if pause is None:
        # At most 48 s, so that any number of tries is possible.
        pause = 0.5 * 2 ** min(tries, 6) * (1 + random.random() / 2)
    waited_for = pause <= _LONGEST_PAUSE_SECONDS and error.details.get("window") != "thread"
    return pause if passes and waited_for and tries < max_retries else None


def connection_failed(cause: BaseException) -> LetterboxError:
    error = LetterboxError("CONNECTION_FAILED", "The service could not be reached.")
    error.__cause__ = cause
    return error


def answer_of(status: int, body: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(body)
    except ValueError:
        answer = None
    if isinstance(answer, dict):
        return answer
    message = f"The service answered {status} without JSON: is base_url right?"
    raise LetterboxError("UNEXPECTED_ANSWER", message, status)


def content_of(answer: dict[str, Any]) -> Any:
    """The content of an answer, without its envelope."""
    for name in ("data", "mailbox", "mailboxes"):
        if name in answer:
            return answer[name]
    return {name: value for name, value in answer.items() if name != "success"}


class EventBlocks:
    """Reads the lines of an event stream (HTML Living Standard, 9.2.6)."""

    def __init__(self) -> None:
        self._id: str | None = None
        self._data: list[str] = []

    def line(self, raw: bytes) -> tuple[str | None, str | None] | None:
        """The id and the data of a block at its end, each None if it has none; None inside a block."""
        text = raw.decode("utf-8", "replace").rstrip("\r\n")
        if text == "":
            block = (self._id, "\n".join(self._data) if self._data else None)
            self._id, self._data = None, []
            return block
        field, _, value = text.partition(":")
        value = value.removeprefix(" ")
        if field == "id":
            self._id = value
        elif field == "data":
            self._data.append(value)
        return None


def event_request(last: str | None) -> Request:
    headers = {"Accept": "text/event-stream"}
    if last:
        headers["Last-Event-ID"] = last
    return Request("GET", "/v1/api/events", headers, None, True)


def _path(template: str, ids: tuple[str, ...]) -> str:
    pieces = template.split("{id}")
    path = pieces[0]
    for each, rest in zip(ids, pieces[1:], strict=True):
        # Such a path would lead to another route.
        if not isinstance(each, str) or each in ("", ".", ".."):
            raise LetterboxError("INVALID_ARGUMENT", f"{template}: an id is missing")
        path += quote(each, safe="") + rest
    return path


def _plain(value: Any) -> Any:
    return value.astimezone(timezone.utc).isoformat() if isinstance(value, datetime) else value


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def file_of(given: Any) -> Any:
    """The name, type and bytes of the file of a path; anything else as it is."""
    if not isinstance(given, (str, os.PathLike)):
        return given
    path = os.fspath(given)
    with open(path, "rb") as file:
        content = file.read()
    kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
    return {"filename": os.path.basename(path), "content_type": kind, "content": content}


def upload_of(
    file: str | os.PathLike[str] | bytes | bytearray, filename: str | None, content_type: str | None
) -> tuple[dict[str, Any], bytes | bytearray]:
    """The fields of the upload of a file, a path or its bytes, and the bytes."""
    given: Any = file_of(file)
    about = given if isinstance(given, dict) else {"content": given}
    content = about.pop("content")
    own = {"filename": filename, "content_type": content_type}
    about.update({name: value for name, value in own.items() if value is not None})
    return about, content


def _attachment(given: Any) -> Any:
    """The API's form of an attachment: of a path, or of a dict whose content is bytes."""
    given = file_of(given)
    if isinstance(given, dict) and isinstance(given.get("content"), (bytes, bytearray)):
        given = {**given, "content": base64.b64encode(given["content"]).decode()}
    return given
