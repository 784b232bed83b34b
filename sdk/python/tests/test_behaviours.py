"""Each test has the name of a row of sdk/behaviours.md, with `_` for `-`."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import os
import tempfile
import threading
import time
import traceback
import unittest
from datetime import datetime, timedelta, timezone
from typing import Any
from urllib.parse import parse_qs

from letterbox import AsyncLetterbox, LetterboxError, verify_webhook
from letterbox._requests import pause_after, prepare

from .scripted import BROKEN, OK, Answer, BothClients, failure

BUSY = failure(503, "SERVICE_UNAVAILABLE")


class Behaviours(BothClients):
    def test_retry_passing(self: Any) -> None:
        for first in (BUSY, failure(429, "RATE_LIMIT_EXCEEDED"), failure(500, "INTERNAL_ERROR")):
            script = self.script(first, OK)
            self.assertEqual(self.call(lambda c: c.emails.get("e1")), {"email_id": "e1"})
            self.assertEqual(len(script.seen), 2)

    def test_retry_broken(self: Any) -> None:
        script = self.script(BROKEN, OK)
        begun = time.monotonic()
        self.assertEqual(self.call(lambda c: c.emails.get("e1")), {"email_id": "e1"})
        self.assertEqual(len(script.seen), 2)
        self.assertGreaterEqual(time.monotonic() - begun, 0.49)

    def test_retry_html(self: Any) -> None:
        html = Answer(b"<h1>Bad gateway</h1>", 503, {"Retry-After": "0"})
        script = self.script(html, html, OK)
        self.assertEqual(self.call(lambda c: c.emails.get("e1")), {"email_id": "e1"})
        self.assertEqual(len(script.seen), 3)
        self.script(html, max_retries=0)
        error = self.error(lambda c: c.emails.get("e1"))
        self.assertEqual((error.code, error.status, error.retry_after), ("UNEXPECTED_ANSWER", 503, 0))

    def test_retry_gateway(self: Any) -> None:
        for status in (502, 504):
            html = Answer(b"<h1>Bad gateway</h1>", status, {"Retry-After": "0"})
            script = self.script(html, html, OK)
            self.assertEqual(self.call(lambda c: c.emails.get("e1")), {"email_id": "e1"})
            self.assertEqual(len(script.seen), 3)
            script = self.script(html, OK)
            error = self.error(lambda c: c.emails.update("e1", is_read=True))
            self.assertEqual((error.code, error.status), ("UNEXPECTED_ANSWER", status))
            self.assertEqual(len(script.seen), 1)

    def test_retry_after(self: Any) -> None:
        self.script(failure(429, "RATE_LIMIT_EXCEEDED", retry_after=1), OK)
        begun = time.monotonic()
        self.call(lambda c: c.emails.get("e1"))
        self.assertGreaterEqual(time.monotonic() - begun, 0.99)

    def test_retry_limit(self: Any) -> None:
        script = self.script(BUSY, BUSY, BUSY, BUSY, OK)
        self.assertEqual(self.error(lambda c: c.emails.get("e1")).code, "SERVICE_UNAVAILABLE")
        self.assertEqual(len(script.seen), 4)
        script = self.script(BUSY, OK, max_retries=0)
        self.assertEqual(self.error(lambda c: c.emails.get("e1")).status, 503)
        self.assertEqual(len(script.seen), 1)
        request = prepare("GET /health", (), {})
        pauses = [pause_after(LetterboxError("X", "", 503), request, tries, 20) for tries in range(21)]
        self.assertIsNone(pauses.pop())
        self.assertTrue(all(each is not None and each <= 48 for each in pauses), pauses)

    def test_retry_not_waited(self: Any) -> None:
        day = self.script(failure(429, "RATE_LIMIT_EXCEEDED", retry_after=61), OK)
        self.assertEqual(self.error(lambda c: c.emails.get("e1")).retry_after, 61)
        details = {"limit": 12, "window": "thread", "retry_after": 0}
        thread = self.script(failure(429, "RATE_LIMIT_EXCEEDED", details), OK)
        error = self.error(lambda c: c.emails.reply("e1", body_text="Hello"))
        self.assertEqual(error.details, details)
        self.assertEqual(len(day.seen) + len(thread.seen), 2)

    def test_retry_others(self: Any) -> None:
        for status, code in ((400, "VALIDATION_ERROR"), (404, "NOT_FOUND"), (502, "X")):
            script = self.script(failure(status, code), OK)
            self.assertEqual(self.error(lambda c: c.emails.get("e1")).code, code)
            self.assertEqual(len(script.seen), 1)

    def test_changes_once(self: Any) -> None:
        for first in (BROKEN, failure(500, "INTERNAL_ERROR")):
            script = self.script(first, OK)
            self.error(lambda c: c.emails.update("e1", is_read=True))
            self.assertEqual(len(script.seen), 1)
        for first in (BUSY, failure(429, "RATE_LIMIT_EXCEEDED")):
            script = self.script(first, OK)
            self.call(lambda c: c.emails.update("e1", is_read=True))
            self.assertEqual(len(script.seen), 2)

    def test_idempotency_made(self: Any) -> None:
        script = self.script(BROKEN, failure(500, "INTERNAL_ERROR"), OK, OK, OK, OK)
        message = {"mailbox_id": "m1", "to": "ada@example.net", "body_text": "Hello"}
        self.call(lambda c: c.emails.send(**message))
        self.call(lambda c: c.emails.send(**message, idempotency_key=None))
        self.assertEqual(json.loads(script.seen[3].body), message)
        self.call(lambda c: c.emails.reply("e1", body_text="Hello"))
        self.call(lambda c: c.emails.forward("e1", to="ada@example.net"))
        keys = [each.headers["Idempotency-Key"] for each in script.seen]
        self.assertEqual(keys[:3], [keys[0]] * 3)
        self.assertEqual(len({key for key in keys if key}), 4)

    def test_idempotency_given(self: Any) -> None:
        script = self.script(BUSY, OK)
        self.call(lambda c: c.emails.reply("e1", body_text="Hello", idempotency_key="order-7"))
        self.assertEqual([each.headers["Idempotency-Key"] for each in script.seen], ["order-7"] * 2)
        # What a header can't have is in the body alone.
        for key in ("заказ-7", " order 7 ", "a\r\nX-Other: 1"):
            script = self.script(BUSY, OK)
            self.call(lambda c: c.emails.reply("e1", body_text="Hello", idempotency_key=key))
            seen = [(each.headers["Idempotency-Key"], json.loads(each.body)["idempotency_key"]) for each in script.seen]
            self.assertEqual(seen, [(None, key)] * 2)

    def test_wait_again(self: Any) -> None:
        script = self.script(BUSY, BROKEN, OK, BUSY, OK, BUSY, OK)
        begun = datetime.now(timezone.utc)
        self.call(lambda c: c.emails.wait(mailbox_id="m1"))
        self.call(lambda c: c.emails.wait(mailbox_id="m1", since="2026-11-23"))
        self.call(lambda c: c.emails.wait(mailbox_id="m1", after="e1"))
        first, second, third, *others = [each.query for each in script.seen]
        self.assertEqual(first, "mailbox_id=m1")
        since = datetime.fromisoformat(parse_qs(second)["since"][0])
        self.assertTrue(begun <= since < begun + timedelta(seconds=0.4), "the first try, not the second")
        self.assertEqual(third, second)
        self.assertEqual(others, ["mailbox_id=m1&since=2026-11-23"] * 2 + ["mailbox_id=m1&after=e1"] * 2)

    def test_pages(self: Any) -> None:
        def page(ids: list[str], cursor: str | None) -> Answer:
            rows = [{"email_id": each} for each in ids]
            return Answer({"success": True, "data": rows, "meta": {"next_cursor": cursor}})

        script = self.script(page(["a", "b"], "1"), page([], "2"), page(["c"], None), page(["d"], "1"))
        rows = self.items(lambda c: c.emails.list(mailbox_id="m1", limit=2))
        self.assertEqual([each["email_id"] for each in rows], ["a", "b", "c"])
        queries = [each.query for each in script.seen]
        self.assertEqual(queries, [f"mailbox_id=m1&limit=2{more}" for more in ("", "&cursor=1", "&cursor=2")])
        # A page is asked for when it is reached.
        self.items(lambda c: c.emails.list(), most=1)
        self.assertEqual(len(script.seen), 4)

    def test_pages_of_changes(self: Any) -> None:
        def page(change_id: str, has_more: bool) -> Answer:
            meta = {"has_more": has_more, "next_cursor": change_id}
            return Answer({"success": True, "data": [{"change_id": change_id}], "meta": meta})

        script = self.script(page("1", True), page("2", False))
        pages = self.client.changes.list(after="0")
        ids = [each["change_id"] for each in self.items(lambda _: pages)]
        self.assertEqual((ids, pages.cursor), (["1", "2"], "2"))
        self.assertEqual([each.query for each in script.seen], ["after=0", "after=1"])

    def test_rows(self: Any) -> None:
        answer = Answer({"mailboxes": [{"mailbox_id": "m1"}]})
        self.script(answer, answer)
        self.assertEqual(self.items(lambda c: c.mailboxes.list()), [{"mailbox_id": "m1"}])
        self.assertEqual(self.call(lambda c: c.mailboxes.list())[0], {"mailbox_id": "m1"})

    def test_content(self: Any) -> None:
        self.script(
            Answer({"success": True, "mailbox": {"mailbox_id": "m1"}}, 201),
            Answer({"results": [], "total": 0}),
            Answer({"success": True, "valid": True, "email_address": "a@agents.test"}),
        )
        self.assertEqual(self.call(lambda c: c.mailboxes.create(generate=True)), {"mailbox_id": "m1"})
        self.assertEqual(self.call(lambda c: c.search(query="order")), {"results": [], "total": 0})
        valid = {"valid": True, "email_address": "a@agents.test"}
        self.assertEqual(self.call(lambda c: c.mailboxes.check(local_part="a", domain="agents.test")), valid)
        # Something else is at that URL.
        for body in (b"<h1>Hello</h1>", b"[]", b"null", b'"ok"'):
            self.script(Answer(body))
            error = self.error(lambda c: c.emails.get("e1"))
            self.assertEqual((error.code, error.status), ("UNEXPECTED_ANSWER", 200), body)

    def test_unknown_fields(self: Any) -> None:
        self.script(Answer({"success": True, "new": 1, "data": {"email_id": "e1", "new": 2}}))
        self.assertEqual(self.call(lambda c: c.emails.get("e1")), {"email_id": "e1", "new": 2})

    def test_error(self: Any) -> None:
        details = {"limit": "Too big"}
        self.script(failure(400, "VALIDATION_ERROR", details, retry_after=None))
        error = self.error(lambda c: c.emails.get("e1"))
        self.assertEqual((error.code, error.status, error.message), ("VALIDATION_ERROR", 400, "No."))
        self.assertEqual((error.details, error.retry_after), (details, None))

    def test_error_without_key(self: Any) -> None:
        self.script(BROKEN, failure(401, "UNAUTHORIZED"), max_retries=0)
        for _ in range(2):
            error = self.error(lambda c: c.emails.get("e1"))
            shown = "".join(traceback.format_exception(error)) + repr(vars(error))
            self.assertNotIn("lbx_secret", shown)
        self.assertNotIn("lbx_secret", repr(self.client))
        with self.assertRaises(LetterboxError) as caught:
            self.client_of("https://mail.example.com", "lbx_\r\nsecret")
        self.assertNotIn("secret", str(caught.exception))

    def test_bytes(self: Any) -> None:
        script = self.script(Answer(b"From: ada"), Answer(b"%PDF" * 50_000))
        self.assertEqual(self.call(lambda c: c.emails.raw("e1")), b"From: ada")
        self.assertEqual(self.call(lambda c: c.emails.attachment("e1", "att_1")), b"%PDF" * 50_000)
        self.assertEqual(script.seen[1].path, "/v1/api/emails/e1/attachments/att_1")

    def test_attachment_text(self: Any) -> None:
        data = {"attachment_id": "att_1", "text": "Hello", "truncated": True, "next_offset": 5}
        script = self.script(Answer({"success": True, "data": data}))
        text = self.call(lambda c: c.emails.attachment_text("e1", "att_1", max_chars=2_000))
        self.assertEqual((text, script.seen[0].query), (data, "format=text&max_chars=2000"))

    def test_ids(self: Any) -> None:
        script = self.script(OK)
        self.call(lambda c: c.suppressions.delete("a/b?c@example.net"))
        self.assertEqual(script.seen[0].path, "/v1/api/suppressions/a%2Fb%3Fc%40example.net")
        for each in ("", ".", "..", None):
            self.assertEqual(self.error(lambda c: c.emails.delete(each)).code, "INVALID_ARGUMENT")

    def test_attachments(self: Any) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "b.txt")
            with open(path, "w") as file:
                file.write("path")
            script = self.script(OK)
            files = [path, {"filename": "c.bin", "content": b"\xff\0"}, {"filename": "d.txt", "content": "ZA=="}]
            self.call(lambda c: c.emails.send(mailbox_id="m1", to="ada@example.net", attachments=files))
        sent = json.loads(script.seen[0].body)["attachments"]
        self.assertEqual([each["filename"] for each in sent], ["b.txt", "c.bin", "d.txt"])
        self.assertEqual([base64.b64decode(each["content"]) for each in sent], [b"path", b"\xff\0", b"d"])

    def test_names(self: Any) -> None:
        script = self.script(Answer({"success": True, "data": [], "meta": {"next_cursor": None}}))
        self.items(lambda c: c.emails.list(from_="ada", is_read=False, to=None))
        self.assertEqual(script.seen[0].query, "from=ada&is_read=false")

    def test_events_resume(self: Any) -> None:
        def stream(text: str) -> Answer:
            return Answer(text.encode(), headers={"Content-Type": "text/event-stream"})

        def event(change: str) -> str:
            return f'id: {change}\r\nevent: email.sent\r\ndata: {{"change_id":"{change}"}}\r\n\r\n'

        script = self.script(
            stream(f':\nid: 0\n\n{event("1")}:\n\n{event("2")}id: 3\ndata: {{"cut'), BROKEN, stream(event("3"))
        )
        rows = self.items(lambda c: c.events(after="now"), most=3)
        self.assertEqual([each["change_id"] for each in rows], ["1", "2", "3"])
        self.assertEqual([each.headers["Last-Event-ID"] for each in script.seen], ["now", "2", "2"])

    def test_export(self: Any) -> None:
        def line(email_id: str, raw: bytes | None) -> str:
            encoded = None if raw is None else base64.b64encode(raw).decode()
            return json.dumps({"email": {"email_id": email_id}, "raw_base64": encoded}) + "\n"

        def answer(*lines: str) -> Answer:
            return Answer("".join(lines).encode(), headers={"Content-Type": "application/x-ndjson"})

        script = self.script(
            answer(line("1", b"From: ada"), line("2", b"\xff\x00"), line("3", b"cut")[:30]),
            BROKEN,
            answer(line("1", b"From: ada"), line("2", b"\xff\x00"), line("3", None)),
            answer(line("3", None), '{"next_cursor":"c1"}\n'),
            answer(line("4", b""), '{"next_cursor":null}\n'),
        )
        mails = self.items(lambda c: c.mailboxes.export("m1", limit=3, after="c0"))
        self.assertEqual(
            [(each["email"]["email_id"], each["raw"]) for each in mails],
            [("1", b"From: ada"), ("2", b"\xff\x00"), ("3", None), ("4", b"")],
        )
        self.assertEqual(
            [f"{each.path}?{each.query}" for each in script.seen],
            [f"/v1/api/mailboxes/m1/export?limit=3&after={after}" for after in ("c0", "c0", "c0", "c0", "c1")],
        )

    def test_export_refused(self: Any) -> None:
        self.script(failure(404, "NOT_FOUND"))
        self.assertEqual(self.error(lambda c: c.mailboxes.export("m1"), self.items).code, "NOT_FOUND")

    def test_events_refused(self: Any) -> None:
        self.script(failure(410, "CURSOR_EXPIRED"))
        self.assertEqual(self.error(lambda c: c.events(after="old"), self.items).code, "CURSOR_EXPIRED")

    def test_webhooks(self: Any) -> None:
        path = os.path.join(os.path.dirname(__file__), "..", "..", "webhook_vectors.json")
        with open(path, encoding="utf-8") as file:
            given = json.load(file)
        vectors = [{**given["usual"], **each} for each in given["vectors"]]
        self.assertGreaterEqual(len(vectors), 20)
        for vector in vectors:
            received = vector.get("received", vector["body"])
            for body in (received, received.encode()):
                with self.subTest(vector["what"]):
                    if vector["valid"]:
                        event = verify_webhook(headers_of(vector), body, vector["secret"])
                        self.assertEqual(event, json.loads(vector["body"]))
                    else:
                        with self.assertRaises(LetterboxError) as caught:
                            verify_webhook(headers_of(vector), body, vector["secret"])
                        self.assertEqual(caught.exception.code, "INVALID_SIGNATURE")
        # No string is a body of bytes that are not UTF-8, and no vector is as deep.
        for raw in ('{"event":"Größe"}'.encode("latin-1"), b"[" * 200_000):
            timestamp = str(int(time.time()))
            digest = hmac.new(b"my own secret", f"msg_1.{timestamp}.".encode() + raw, hashlib.sha256).digest()
            headers = {
                "webhook-id": "msg_1",
                "webhook-timestamp": timestamp,
                "webhook-signature": f"v1,{base64.b64encode(digest).decode()}",
            }
            with self.assertRaises(LetterboxError) as caught:
                verify_webhook(headers, raw, "my own secret")
            self.assertEqual(caught.exception.code, "INVALID_SIGNATURE")
            self.assertIsInstance(caught.exception.__cause__, (ValueError, RecursionError))
        for parsed in ({"event": "email.received"}, None):
            with self.assertRaises(LetterboxError) as caught:
                verify_webhook(headers, parsed, "my own secret")  # type: ignore[arg-type]
            self.assertEqual(caught.exception.code, "INVALID_SIGNATURE")
            self.assertIn("must be as it came, not parsed", caught.exception.message)


def headers_of(vector: Any) -> dict[str, str]:
    """The headers of the service, with the changes that the vector names."""
    timestamp = str(int(time.time()) - vector["age"])
    signed = f"msg_1.{timestamp}.{vector['body']}".encode()
    signatures = []
    for secret in vector["signed_with"]:
        key = base64.b64decode(secret[6:]) if secret.startswith("whsec_") else secret.encode()
        digest = hmac.new(key, signed, hashlib.sha256).digest()
        signatures.append(f"{vector.get('version', 'v1')},{base64.b64encode(digest).decode()}")
    headers = {
        "x-service-signature": "sha256=" + hmac.new(vector["secret"].encode(), b"", "sha256").hexdigest(),
        "webhook-id": "msg_1",
        "webhook-timestamp": timestamp,
        "webhook-signature": " ".join(signatures),
        **vector.get("set", {}),
    }
    named = {name: value for name, value in headers.items() if value is not None}
    return {name.title(): value for name, value in named.items()} if vector.get("title_case") else named


class TestSync(Behaviours, unittest.TestCase):
    pass


class TestAsync(Behaviours, unittest.TestCase):
    is_async = True

    def test_cancel(self) -> None:
        threads = threading.active_count()

        async def cancelled() -> None:
            async def silent(reader: Any, writer: Any) -> None:
                await reader.read()
                writer.close()

            server = await asyncio.start_server(silent, "127.0.0.1", 0)
            port = server.sockets[0].getsockname()[1]
            client = AsyncLetterbox(f"http://127.0.0.1:{port}", "lbx_secret")
            calls = [asyncio.ensure_future(client.emails.wait(mailbox_id="m1")) for _ in range(20)]
            await asyncio.sleep(0.1)
            self.assertEqual(threading.active_count(), threads, "a waiting call holds no thread")
            for call in calls:
                call.cancel()
            done = await asyncio.wait_for(asyncio.gather(*calls, return_exceptions=True), 10)
            self.assertTrue(all(isinstance(each, asyncio.CancelledError) for each in done))
            server.close()

        asyncio.run(cancelled())

    def test_cancel_pause(self) -> None:
        script = self.script(failure(503, "SERVICE_UNAVAILABLE", retry_after=50))

        async def cancelled() -> None:
            call = asyncio.ensure_future(self.client.emails.raw("e1"))
            while not script.seen:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.05)
            call.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await call

        asyncio.run(asyncio.wait_for(cancelled(), 10))


if __name__ == "__main__":
    unittest.main()
