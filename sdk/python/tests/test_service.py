"""Tests with a running service, which the LETTERBOX_* variables name; tests/sdk/python_test.ts starts one."""

from __future__ import annotations

import asyncio
import os
import tempfile
import threading
import time
import unittest
import urllib.request
import uuid
from datetime import datetime, timedelta, timezone
from typing import Any

from letterbox import AsyncLetterbox, Letterbox, LetterboxError

URL = os.environ.get("LETTERBOX_URL", "")
KEY = os.environ.get("LETTERBOX_API_KEY", "")


def deliver(address: str, subject: str, body: str) -> None:
    """Delivers a mail as a provider would."""
    message = f"From: Ada <ada@example.net>\r\nTo: {address}\r\nSubject: {subject}\r\n\r\n{body}\r\n"
    headers = {
        "Authorization": f"Bearer {os.environ['LETTERBOX_INBOUND_TOKEN']}",
        "Content-Type": "message/rfc822",
        "X-Envelope-To": address,
        "X-Envelope-From": "ada@example.net",
    }
    request = urllib.request.Request(f"{URL}/inbound/raw", message.encode(), headers)
    with urllib.request.urlopen(request) as answer:
        answer.read()


def just_before() -> datetime:
    return datetime.now(timezone.utc) - timedelta(seconds=1)


@unittest.skipUnless(URL and KEY, "LETTERBOX_URL and LETTERBOX_API_KEY name no service")
class TestService(unittest.TestCase):
    def test_a_sign_up_with_a_code(self) -> None:
        letterbox = Letterbox(URL, KEY)
        mailbox = letterbox.mailboxes.create(generate=True)
        mail = threading.Timer(0.2, deliver, (mailbox["email_address"], "Your code", "Your code is 482 913."))
        mail.start()
        since = just_before().isoformat()
        answer: Any = letterbox.emails.wait(
            mailbox_id=mailbox["mailbox_id"], since=since, require="code", timeout_seconds=60
        )
        self.assertEqual(answer["verification"]["best_code"], "482913")

    def test_a_conversation(self) -> None:
        letterbox = Letterbox(URL, KEY)
        mailbox = letterbox.mailboxes.create(generate=True)
        tagged = mailbox["email_address"].replace("@", "+order-7@")
        deliver(tagged, "Engine", "When does it come?")
        emails = letterbox.emails.list(mailbox_id=mailbox["mailbox_id"], envelope_to=tagged.upper())
        email_id = next(iter(emails))["email_id"]
        email: Any = letterbox.emails.get(email_id, headers=True)
        self.assertEqual(email["envelope_to"], [tagged])
        self.assertIn({"name": "Subject", "value": "Engine"}, email["headers"])
        letterbox.drafts.create(reply_to_email_id=email_id, body_text="Tomorrow.")
        listed = next(iter(letterbox.threads.list(mailbox_id=mailbox["mailbox_id"], waiting_for="us")))
        thread = letterbox.threads.get(listed["thread_id"])
        self.assertEqual(thread["waiting_for"], "us")
        self.assertEqual([each["draft_id"] for each in thread["drafts"]], listed["draft_ids"])

    def test_an_import(self) -> None:
        letterbox = Letterbox(URL, KEY)
        mailbox_id = letterbox.mailboxes.create(generate=True)["mailbox_id"]
        raw = f"From: a@b.example\r\nSubject: {uuid.uuid4()}\r\n\r\nHi\r\n".encode()
        at = datetime(2019, 5, 6, 7, 8, 9, tzinfo=timezone.utc)
        first = letterbox.mailboxes.import_(mailbox_id, raw, received_at=at, labels=["Old"], is_read=True)
        with tempfile.NamedTemporaryFile(suffix=".eml") as file:
            file.write(raw)
            file.flush()
            again = asyncio.run(AsyncLetterbox(URL, KEY).mailboxes.import_(mailbox_id, file.name))
        self.assertEqual([first["disposition"], again["disposition"]], ["accepted", "duplicate"])
        email = letterbox.emails.get(first["email_id"])
        self.assertEqual(email["received_at"], "2019-05-06T07:08:09.000Z")
        self.assertEqual([email["labels"], email["is_read"]], [["imported", "old"], True])

    def test_uploads_and_links(self) -> None:
        letterbox = Letterbox(URL, KEY)
        mailbox = letterbox.mailboxes.create(generate=True)
        content = os.urandom(70_000)
        with tempfile.NamedTemporaryFile(suffix=".pdf") as file:
            file.write(content)
            file.flush()
            by_path = letterbox.upload_file(file.name)

        async def by_bytes() -> Any:
            return await AsyncLetterbox(URL, KEY).upload_file(content, filename="b.csv")

        uploads = [by_path, asyncio.run(by_bytes())]
        self.assertEqual([each["size"] for each in uploads], [70_000, 70_000])
        sent: Any = letterbox.emails.send(
            mailbox_id=mailbox["mailbox_id"],
            to=mailbox["email_address"],
            body_text="See the files.",
            attachments=[{"upload_id": each["upload_id"]} for each in uploads],
        )
        files = letterbox.emails.get(sent["email_id"])["attachments"]
        self.assertEqual([each["content_type"] for each in files], ["application/pdf", "text/csv"])
        link = letterbox.emails.attachment_link(sent["email_id"], files[0]["attachment_id"])
        with urllib.request.urlopen(link["download_url"]) as answer:
            self.assertEqual(answer.read(), content)

    def test_lists_bytes_changes_and_errors(self) -> None:
        letterbox = Letterbox(URL, KEY)
        mailbox = letterbox.mailboxes.create(generate=True)
        mailbox_id, address = mailbox["mailbox_id"], mailbox["email_address"]
        for n in range(5):
            deliver(address, f"Mail {n}", "Hello")
        emails = list(letterbox.emails.list(mailbox_id=mailbox_id, limit=2, order="asc"))
        self.assertEqual([each["subject"] for each in emails], [f"Mail {n}" for n in range(5)])
        first = emails[0]["email_id"]
        self.assertIn(b"Subject: Mail 0", letterbox.emails.raw(first))
        self.assertEqual(letterbox.emails.update(first, add_labels=["Done"])["labels"], ["done"])
        message: Any = {"mailbox_id": mailbox_id, "to": address, "body_text": "Hi", "idempotency_key": mailbox_id}
        sent = letterbox.emails.send(**message)
        self.assertEqual(letterbox.emails.send(**message)["email_id"], sent["email_id"])
        claims = letterbox.claims.create(mailbox_id, limit=2)
        self.assertEqual([letterbox.claims.ack(each["claim_id"])["status"] for each in claims], ["acked"] * 2)
        changes = letterbox.changes.list(mailbox_id=mailbox_id, limit=3)
        self.assertEqual(next(changes)["event"], "mailbox.created")
        with self.assertRaises(LetterboxError) as caught:
            letterbox.emails.get("none")
        self.assertEqual((caught.exception.code, caught.exception.status), ("NOT_FOUND", 404))
        with self.assertRaises(LetterboxError) as caught:
            list(letterbox.emails.list(limit=1_000))
        self.assertIn("limit", caught.exception.details)

    def test_events_as_they_happen(self) -> None:
        letterbox = Letterbox(URL, KEY)
        mailbox = letterbox.mailboxes.create(generate=True)
        # The stream may open after the mail has come.
        changes = letterbox.changes.list(after="now")
        list(changes)
        mail = threading.Timer(0.3, deliver, (mailbox["email_address"], "Live", "Hello"))
        mail.start()
        for change in letterbox.events(after=changes.cursor):
            if change["mailbox_id"] == mailbox["mailbox_id"] and change["event"] == "email.received":
                break
        assert change["email_id"]
        self.assertEqual(letterbox.emails.get(change["email_id"])["subject"], "Live")

    def test_async(self) -> None:
        async def run() -> None:
            letterbox = AsyncLetterbox(URL, KEY)
            mailbox = await letterbox.mailboxes.create(generate=True)
            mailbox_id, address = mailbox["mailbox_id"], mailbox["email_address"]
            self.assertIn(mailbox_id, [each["mailbox_id"] async for each in letterbox.mailboxes.list()])
            begun, since = time.monotonic(), just_before().isoformat()
            waits = [
                asyncio.ensure_future(letterbox.emails.wait(mailbox_id=mailbox_id, since=since, timeout_seconds=60))
                for _ in range(5)
            ]
            await asyncio.sleep(0.2)
            await asyncio.to_thread(deliver, address, "To all", "Hello")
            answers: list[Any] = await asyncio.gather(*waits)
            self.assertEqual({each["email"]["subject"] for each in answers}, {"To all"})
            self.assertLess(time.monotonic() - begun, 50)
            emails = [each async for each in letterbox.emails.list(mailbox_id=mailbox_id)]
            self.assertIn(b"Subject: To all", await letterbox.emails.raw(emails[0]["email_id"]))
            changes = letterbox.changes.list(after="now")
            self.assertEqual([each async for each in changes], [])
            stream = letterbox.events(after=changes.cursor)
            following = asyncio.ensure_future(stream.__anext__())
            await letterbox.emails.update(emails[0]["email_id"], is_read=True)
            change: Any = await following
            while change["event"] == "email.processed":  # On a busy machine mail is processed later.
                change = await stream.__anext__()
            self.assertEqual((change["event"], change["email_id"]), ("email.updated", emails[0]["email_id"]))

        asyncio.run(asyncio.wait_for(run(), 100))


if __name__ == "__main__":
    unittest.main()
