"""Client of Letterbox, a mail service for software agents."""

from .async_client import AsyncLetterbox
from .client import Letterbox
from .errors import LetterboxError
from .webhook import verify_webhook

__all__ = ["AsyncLetterbox", "Letterbox", "LetterboxError", "verify_webhook"]
