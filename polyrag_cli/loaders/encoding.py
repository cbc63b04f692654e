"""Bytes to clean text: encoding detection, removal of what no text holds, newlines."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from dataclasses import dataclass
from mmap import mmap
from pathlib import Path

from polyrag_cli.errors import LoadError, reason

SAMPLE = 1 << 18
"""Enough to judge an encoding; detection cost must not grow with the file."""

Data = bytes | mmap
"""A file's bytes, in memory or not."""

BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_MAGIC = (
    (b"PK\x03\x04", "a zip archive or an office file"),
    (b"%PDF-", "a PDF"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"\x7fELF", "a program"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\xd0\xcf\x11\xe0", "an old office file"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"PAR1", "a Parquet file"),
)
_CONTROLS = bytes(set(range(32)) - {0, 9, 10, 11, 12, 13, 27}) + b"\x7f"
# Bytes that words of Western European text hold when it is written in cp1252.
_WESTERN_WORD = set("ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜŒßàáâãäåæçèéêëìíîïñòóôõöøùúûüÿœýÝšžŠŽðÐþÞ")
_WESTERN_MARK = set("€‚„…‘’“”•–—™\xa0¡£§©ª«®°±²³´µ·¹º»¼½¾¿ƒ×")
_REMOVED = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_NOT_CP1252 = (b"\x81", b"\x8d", b"\x8f", b"\x90", b"\x9d")
_HIGH = re.compile(rb"[\x80-\xff]")
_NEWLINES = re.compile("\r\n|\r|\x0b|\x0c|\x85")


@dataclass(frozen=True, slots=True)
class DecodedText:
    """Text with the name of its encoding; `warnings` says what was removed or replaced."""

    text: str
    encoding: str
    warnings: tuple[str, ...] = ()


def read_bytes(path: Path) -> bytes:
    """A file's bytes.

    Raises LoadError when it can't be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise LoadError(f"{path.name}: can't be read ({reason(error)}).") from error


def read_text(path: Path) -> DecodedText:
    """A text file, decoded and cleaned.

    Raises LoadError when it can't be read or isn't text.
    """
    decoded = decode(read_bytes(path), path.name)
    text, warnings = cleaned(decoded.text)
    return DecodedText(text, decoded.encoding, decoded.warnings + warnings)


def decode(data: bytes, name: str) -> DecodedText:
    """Bytes as text, control characters still in place.

    name: file name for the message. A byte order mark wins; then UTF-16 by its zero bytes, UTF-8, a guess for the rest.
    Raises LoadError for binary content.
    """
    for bom, encoding in BOMS:
        if data.startswith(bom):
            return _replacing(data[len(bom) :], encoding)
    wide = wide_encoding(data)
    if wide:
        return _replacing(data, wide)
    refuse_binary(data, name)
    try:
        return DecodedText(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        pass
    lenient = data.decode("utf-8", "surrogatepass") if _has_only_surrogates(data) else data.decode("utf-8", "replace")
    bad = lenient.count("\ufffd")
    if sum(1 for character in lenient[:SAMPLE] if character > "\x7f") > 10 * bad:
        return DecodedText(lenient, "utf-8", replacement_warning(bad, "UTF-8"))
    return _replacing(data, legacy_encoding(data))


def cleaned(text: str) -> tuple[str, tuple[str, ...]]:
    """The text without control characters and lone surrogates, newlines as \\n, and what to warn of."""
    text, warnings = printable(text)
    return normalized(text), warnings


def normalized(text: str) -> str:
    """The text with every kind of newline as \\n."""
    return _NEWLINES.sub("\n", text)


def printable(text: str) -> tuple[str, tuple[str, ...]]:
    """The text without control characters and lone surrogates, newlines as they are, and what to warn of."""
    text, removed = without_controls(text.removeprefix("\ufeff"))
    return text, removal_warnings(removed)


def without_controls(text: str) -> tuple[str, Counter[str]]:
    """The text without control characters and lone surrogates, and how many of each kind it had."""
    if _SURROGATE.search(text):
        # Pairs that were encoded one by one become the character that they stand for.
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    found = _REMOVED.findall(text)
    kinds = Counter("NUL" if c == "\x00" else "surrogate" if c >= "\ud800" else "control" for c in found)
    return _REMOVED.sub("", text) if found else text, kinds


def removal_warnings(removed: Counter[str]) -> tuple[str, ...]:
    """What to warn of. removed: as `without_controls` counts them."""
    counts = ((removed[kind], kind) for kind in ("NUL", "surrogate", "control"))
    return tuple(f"{count} {kind} character{'s'[: count > 1]} removed." for count, kind in counts if count)


def _replacing(data: bytes, encoding: str) -> DecodedText:
    text = data.decode(encoding, "surrogatepass" if encoding.startswith("utf-16") and len(data) % 2 == 0 else "replace")
    bad = text.count("\ufffd")
    return DecodedText(text, encoding, replacement_warning(bad, encoding))


def replacement_warning(bad: int, encoding: str) -> tuple[str, ...]:
    """What to warn of. bad: how many places couldn't be read."""
    return (f"{bad} place{'s'[: bad > 1]} that can't be read as {encoding} replaced.",) if bad else ()


def wide_encoding(data: Data) -> str:
    """UTF-16 without a byte order mark: Latin text leaves every other byte zero."""
    sample = data[: SAMPLE - SAMPLE % 2]
    if len(sample) < 4 or len(data) % 2:
        return ""
    half = len(sample) // 2
    even, odd = sample[0::2].count(0) / half, sample[1::2].count(0) / half
    if odd > 0.4 and even < 0.05 and _reads_as_text(sample, "utf-16-le"):
        return "utf-16-le"
    if even > 0.4 and odd < 0.05 and _reads_as_text(sample, "utf-16-be"):
        return "utf-16-be"
    return ""


def _reads_as_text(sample: bytes, encoding: str) -> bool:
    text = sample.decode(encoding, "replace")
    printable = sum(1 for character in text if character.isprintable() or character in "\t\r\n")
    return printable >= 0.97 * len(text)


def refuse_binary(data: bytes, name: str) -> None:
    """Raises LoadError for content that begins like no text. name: file name for the message."""
    for magic, kind in _MAGIC:
        if data.startswith(magic):
            raise LoadError(f"{name}: binary file ({kind}), not text.", "Give it the suffix of its format.")
    sample = data[:SAMPLE]
    controls = len(sample) - len(sample.translate(None, _CONTROLS))
    if controls > 0.01 * len(sample) + 2 or sample.count(0) > 0.1 * len(sample) + 2:
        raise LoadError(f"{name}: binary file, not text.")


def _has_only_surrogates(data: bytes) -> bool:
    try:
        data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return False
    return True


def legacy_encoding(data: Data) -> str:
    """The likeliest encoding of bytes that are no UTF-8; Western text is cp1252 without asking further."""
    found = _HIGH.search(data)
    start = max(0, found.start() - 1024) if found else 0
    sample = data[start : start + SAMPLE]
    western = sample.decode("cp1252", "replace")
    high = [character for character in western if character > "\x7f" and character != "\ufffd"]
    undefined = western.count("\ufffd")
    letters = sum(1 for character in western if character.isalpha())
    words = sum(1 for character in high if character in _WESTERN_WORD)
    marks = sum(1 for character in high if character in _WESTERN_MARK)
    # Scripts that are written in two bytes a character leave long runs of them.
    crowded = sum(map(len, re.findall(r"[^\x00-\x7f]{3,}", western)))
    inside = len(re.findall(r"(?<=[a-zA-Z])[¹³¢¡¼½¾£\xa0‚„‡†ƒ](?=[a-z])", western))
    likely = words + marks >= 0.97 * len(high) and inside <= 0.1 * len(high) and undefined <= 0.1 * len(high)
    if likely and words <= 0.3 * letters and crowded <= 0.2 * len(high):
        return _cp1252_or_latin1(data)
    from charset_normalizer import from_bytes

    guess = from_bytes(sample).best()
    encoding = guess.encoding if guess is not None else "cp1252"
    return _cp1252_or_latin1(data) if encoding in ("ascii", "cp1252", "latin_1") else encoding


def _cp1252_or_latin1(data: Data) -> str:
    # Five bytes mean nothing in cp1252; latin-1 maps every byte.
    return "latin-1" if any(data.find(byte) >= 0 for byte in _NOT_CP1252) else "cp1252"
