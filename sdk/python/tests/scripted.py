"""A service on loopback that gives scripted answers, and one way to run a test with both clients."""

from __future__ import annotations

import asyncio
import json
import threading
import unittest
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable
from urllib.parse import urlsplit

from letterbox import AsyncLetterbox, Letterbox, LetterboxError


@dataclass
class Answer:
    body: Any = field(default_factory=lambda: {"success": True, "data": {"email_id": "e1"}})
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


OK = Answer()
#: Closes the connection without an answer.
BROKEN = None


def failure(status: int, code: str, details: Any = None, retry_after: float | None = 0) -> Answer:
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    return Answer({"success": False, "error": {"code": code, "message": "No.", "details": details}}, status, headers)


@dataclass
class Seen:
    method: str
    path: str
    query: str
    headers: Any
    body: bytes


class Script:
    """The server; answers are taken in turn."""

    def __init__(self, answers: list[Answer | None]) -> None:
        script = self
        self.answers = list(answers)
        self.seen: list[Seen] = []

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                url = urlsplit(self.path)
                script.seen.append(Seen(self.command, url.path, url.query, self.headers, body))
                answer = script.answers.pop(0) if script.answers else failure(500, "NO_MORE", retry_after=None)
                self.close_connection = True
                if answer is BROKEN:
                    return
                raw = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                # Streams have no length.
                if "Content-Type" not in answer.headers:
                    self.send_header("Transfer-Encoding", "chunked")
                    raw = b"%x\r\n%b\r\n0\r\n\r\n" % (len(raw), raw) if raw else b"0\r\n\r\n"
                self.end_headers()
                self.wfile.write(raw)

            do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = answer

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.base_url = f"http://127.0.0.1:{self._server.server_port}/"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class BothClients:
    """Tests of a subclass run with the client of `call` and `items`."""

    is_async = False

    def script(self, *answers: Answer | None, max_retries: int = 3) -> Script:
        script = Script(list(answers))
        self.addCleanup(script.close)  # type: ignore[attr-defined]
        self.client: Any = self.client_of(script.base_url, max_retries=max_retries)
        return script

    def client_of(self, base_url: str, api_key: str = "lbx_secret", **options: Any) -> Any:
        return (AsyncLetterbox if self.is_async else Letterbox)(base_url, api_key, **options)

    def call(self, run: Callable[[Any], Any]) -> Any:
        if not self.is_async:
            return run(self.client)

        async def awaited() -> Any:
            return await run(self.client)

        return asyncio.run(asyncio.wait_for(awaited(), 30))

    def items(self, run: Callable[[Any], Any], most: int | None = None) -> list[Any]:
        found: list[Any] = []
        if not self.is_async:
            for each in run(self.client):
                found.append(each)
                if len(found) == most:
                    break
            return found

        async def collected() -> None:
            async for each in run(self.client):
                found.append(each)
                if len(found) == most:
                    break

        asyncio.run(asyncio.wait_for(collected(), 30))
        return found

    def error(self, run: Callable[[Any], Any], call: Any = None) -> LetterboxError:
        assert isinstance(self, unittest.TestCase)
        with self.assertRaises(LetterboxError) as caught:
            (call or self.call)(run)
        return caught.exception
