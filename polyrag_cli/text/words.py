"""Owns word borders and which words carry content."""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from polyrag_cli.languages import UNDETERMINED, all_languages, language
from polyrag_cli.languages.schema import Language
from polyrag_cli.text.fold import fold_word

# A polite lead ("could you please show me") has no more words than this.
_LONGEST_LEAD = 8

# A sentence is asked for its words by one caller after another; longer texts are asked once.
_REMEMBERED_CHARACTERS = 4096


class Word(NamedTuple):
    """One word token; `text` is exactly the source's characters from `start` to `end` (code points, end exclusive)."""

    text: str
    folded: str
    start: int
    end: int

    @property
    def capital(self) -> bool:
        """Whether its first letter is upper case."""
        first = self.text[0]
        return first.isupper() if first.isalpha() else next((c.isupper() for c in self.text if c.isalpha()), False)

    @property
    def acronym(self) -> bool:
        """Whether it is several letters, all upper case."""
        return len(self.text) > 1 and self.text.isupper()

    @property
    def stems(self) -> tuple[str, ...]:
        """Its distinct stems under every language."""
        # Stems are made of words.
        from polyrag_cli.text.stem import all_stems

        return all_stems(self.folded)


def _combining_marks() -> str:
    # `\w` leaves out the vowel signs of Indic scripts and the accents of decomposed Latin: they belong to their word.
    blocks = (range(0x300, 0x1E00), range(0x20D0, 0x2100), range(0x302A, 0x309B), range(0xA66F, 0xAC00))
    codes = [c for block in (*blocks, range(0xFE20, 0xFE30)) for c in block if unicodedata.category(chr(c))[0] == "M"]
    ranges: list[list[int]] = []
    for code in codes:
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return "".join(f"{chr(low)}-{chr(high)}" for low, high in ranges)


# Scripts written without spaces: Thai, Lao, Myanmar, Khmer, kana, Han.
_UNSPACED = (
    "\u0e00-\u0e30\u0e32-\u0e33\u0e40-\u0e46\u0e50-\u0e59\u0e80-\u0eb0\u0eb2-\u0eb3\u0ebd-\u0ec6\u1000-\u102a"
    "\u1050-\u1055\u1780-\u17b3\u3041-\u3096\u30a1-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
)
# What most texts are made of is tried first: the class of all letters costs ten times as much a character.
_COMMON = "0-9A-Za-zÀ-ÖØ-öø-ÿ"
# Outside these characters there are combining marks and scripts without spaces; within, three that join.
_FAMILIAR = re.compile("[\0-\u02ff\u1e00-\u20cf\u2100-\u2fff]*")
_JOINING = "\u200c\u200d\u00ad"


@cache
def _tokens(familiar: bool) -> re.Pattern[str]:
    """Finds words: in any text, or in one of familiar characters, for which it is put together in no time."""
    marks, letter, unspaced = _JOINING, r"[^\W_]", ""
    if not familiar:
        marks = _combining_marks() + _JOINING
        letter, unspaced = rf"[^\W_{_UNSPACED}]", rf"|[{_UNSPACED}][{marks}]*"
    core = rf"(?:(?:[{_COMMON}]+|{letter})[{marks}]*)+"
    return re.compile(
        # The letters of a currency sign are no word.
        r"(?P<sign>(?<!\w)(?:US|HK|NZ|R|A|C)\$)"
        rf"{unspaced}"
        # An elided article or pronoun ("d'água") is a word of its own.
        rf"|(?<![\w'’])(?:[DdLlJjNnSsCcMmTt]|[Qq]u)['’](?=[^\W\d_]{{2}})"
        rf"|{core}(?:(?:[-_\u2010\u2011]+|(?<=[^\W\d_])['’](?=[^\W\d_])|(?<=\d)[.,](?=\d)){core})*"
    )


def words(text: str) -> list[Word]:
    """Return the word tokens of `text` in order, with code-point offsets into it.

    Identifiers (`KR-07`, `app_v2`), hyphenated words and figures with separators (`1.234,56`) are one token; scripts
    written without spaces give one token per character.
    """
    return list(_remembered_words(text) if len(text) <= _REMEMBERED_CHARACTERS else _words(text))


def _words(text: str) -> tuple[Word, ...]:
    # A tuple is made in a third of a frozen dataclass's time, and this is what ingesting makes most of.
    new = tuple.__new__
    tokens = _tokens(_FAMILIAR.fullmatch(text) is not None)
    return tuple(
        [
            new(Word, (raw := match[0], fold_word(raw), match.start(), match.end()))
            for match in tokens.finditer(text)
            if match.lastgroup is None
        ]
    )


_remembered_words = lru_cache(maxsize=128)(_words)


def unspaced(word: str) -> bool:
    """Tell whether a word token is a character of a script that is written without spaces."""
    return _unspaced().match(word) is not None


@cache
def _unspaced() -> re.Pattern[str]:
    return re.compile(f"[{_UNSPACED}]")


def is_stopword(folded: str, code: str | None = None) -> bool:
    """Tell whether a folded word is a function word of a language, or of any when it isn't known."""
    return folded in language(code or UNDETERMINED).function_words.words


@cache
def empty_words(code: str | None = None) -> frozenset[str]:
    """The function words, interrogatives and requests of a language, folded.

    Where it isn't known, those of every language, without what is a word of content in another ("hat", "die").
    """
    known = language(code or UNDETERMINED)
    said = known.function_words
    empty = said.words | said.interrogatives | said.requests
    if known.code != UNDETERMINED:
        return empty
    return empty.difference(*(each.detection.common - empty_words(each.code) for each in all_languages()))


def content_words(text: str, code: str | None = None) -> list[Word]:
    """Return the words of `text` that are no function word or interrogative of its language, in order.

    A function word written in capitals among ordinary words (`US`, `IT`) is an acronym, and kept.
    """
    return content_of(words(text), code)


def content_of(tokens: Sequence[Word], code: str | None = None) -> list[Word]:
    """Return the same of words that have been found already, neighbours in their text."""
    empty = _empty_everywhere(code)
    return [word for i, word in enumerate(tokens) if word.folded not in empty or _is_acronym(tokens, i)]


@cache
def _empty_everywhere(code: str | None) -> frozenset[str]:
    """The empty words of a language but those that are so only where they open a question."""
    known = language(code or UNDETERMINED).function_words
    return empty_words(code) - (known.requests - known.words - known.interrogatives)


def asked_content_of(tokens: Sequence[Word], code: str | None = None) -> list[Word]:
    """Return the words of content of a question's words: those that open it and only ask for an answer are none.

    "List the fees" asks for fees, "is there a list of the fees" for a list; "can you show me the trade shows" for
    trade shows.
    """
    return content_of(tokens[_requesting(tokens, code) :], code)


def _requesting(tokens: Sequence[Word], code: str | None) -> int:
    """How many of a question's first words only ask for an answer."""
    known = language(code or UNDETERMINED)
    count = 0
    while count < len(tokens):
        lead = known.slots.polite_leads.match(" ".join(word.folded for word in tokens[count : count + _LONGEST_LEAD]))
        said = len(lead[0].split()) if lead else int(tokens[count].folded in known.function_words.requests)
        if not said:
            return count + _list_of(tokens[count:], known) if count else 0
        count += said
    return count


def _list_of(tokens: Sequence[Word], known: Language) -> int:
    """How many words "a list of" and the like are, behind what asks for it."""
    said, count = known.function_words, 0
    while count < len(tokens) and tokens[count].folded in said.articles:
        count += 1
    named = [word.folded for word in tokens[count : count + 2]]
    return count + 2 if len(named) == 2 and named[0] in said.requests and named[1] in said.of else 0


def _is_acronym(tokens: Sequence[Word], i: int) -> bool:
    if not tokens[i].acronym:
        return False
    neighbours = [*tokens[max(0, i - 1) : i], *tokens[i + 1 : i + 2]]
    return bool(neighbours) and not any(word.acronym for word in neighbours)
