"""Owns the repair of text that isn't valid Unicode and so could not be stored."""

from __future__ import annotations


def storable(text: str) -> str:
    """The text with lone surrogates, which are no valid Unicode, replaced one for one by U+FFFD; offsets stay valid."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join("\ufffd" if "\ud800" <= character <= "\udfff" else character for character in text)
    return text
