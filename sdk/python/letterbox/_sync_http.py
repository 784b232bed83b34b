"""Blocking HTTP, by http.client: what _async_http.py does without a thread."""

from __future__ import annotations

import http.client
import ssl
from contextlib import contextmanager
from time import sleep as sleep
from typing import Generator, Iterator

from ._requests import ANSWER_SECONDS, SILENCE_SECONDS, Request, Target
from .errors import error_of

#: The errors of a broken connection.
FAILURES = (OSError, http.client.HTTPException)


def answered(target: Target, request: Request, context: ssl.SSLContext | None) -> tuple[int, bytes]:
    """Status and body of the answer."""
    with _send(target, request, context, ANSWER_SECONDS) as response:
        return response.status, response.read()


def lines(target: Target, request: Request, context: ssl.SSLContext | None) -> Generator[bytes, None, None]:
    """The lines of an answer as they come."""
    with _send(target, request, context, SILENCE_SECONDS) as response:
        while line := response.readline():
            yield line


@contextmanager
def _send(
    target: Target, request: Request, context: ssl.SSLContext | None, timeout: float
) -> Iterator[http.client.HTTPResponse]:
    """The successful answer of one request; raises LetterboxError for another."""
    connection = (
        http.client.HTTPSConnection(target.host, target.port, timeout=timeout, context=context)
        if target.is_secure
        else http.client.HTTPConnection(target.host, target.port, timeout=timeout)
    )
    try:
        path = target.prefix + request.path
        connection.request(request.method, path, body=request.body, headers=target.headers(request))
        response = connection.getresponse()
        if not 200 <= response.status < 300:
            headers = {name.lower(): value for name, value in response.getheaders()}
            raise error_of(response.status, headers, response.read())
        yield response
    finally:
        connection.close()
