"""Word borders, offsets and content words."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyrag_cli.text import words as module
from polyrag_cli.text.utterance import read
from polyrag_cli.text.words import content_words, is_stopword, words


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("O KR-07 e app_v2, ISO 9001.", ["O", "KR-07", "e", "app_v2", "ISO", "9001"]),
        ("custou 1.234,56, não 1,234.56!", ["custou", "1.234,56", "não", "1,234.56"]),
        ("pós-venda - copo d'água", ["pós-venda", "copo", "d'", "água"]),
        ("the company's plan isn't", ["the", "company's", "plan", "isn't"]),
        ("R$ 5, US$5k", ["5", "5k"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("日本語 です", ["日", "本", "語", "で", "す"]),
        ("a\u0301gua", ["a\u0301gua"]),
        ("em 12/03: 10h", ["em", "12", "03", "10h"]),
        ("?!… --", []),
    ],
)
def test_tokens(text: str, tokens: list[str]) -> None:
    assert [word.text for word in words(text)] == tokens


def _both(text: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Where words are found in a text, if all of it is familiar, and if anything may be in it."""
    found, of_any = ([m.span() for m in module._tokens(familiar).finditer(text)] for familiar in (True, False))
    return found, of_any


def test_no_familiar_character_is_read_otherwise_than_among_any_others() -> None:
    familiar = [c for c in map(chr, range(0x110000)) if module._FAMILIAR.fullmatch(c)]
    assert {*"aß€…’", "\u200d"} < set(familiar) and not {*"\u0301\u093fด漢"} & set(familiar)
    for c in familiar:
        found, of_any = _both(f"a{c}b {c}c d{c} 1{c}2")
        assert found == of_any, hex(ord(c))


@given(st.text(st.sampled_from("aZé1_ -'’.,$R\u00ad\u200d\u2010…€")))
def test_familiar_texts_are_read_as_any_others(text: str) -> None:
    found, of_any = _both(text)
    assert found == of_any


@given(st.text(st.characters(codec=None)))
def test_offsets_point_at_the_token(text: str) -> None:
    end = 0
    for word in words(text):
        assert text[word.start : word.end] == word.text
        assert word.start >= end
        end = word.end


@given(st.text("aé1_-., '日あก"))
def test_every_letter_and_digit_is_in_a_word(text: str) -> None:
    covered = {i for word in words(text) for i in range(word.start, word.end)}
    assert all(i in covered for i, c in enumerate(text) if c.isalnum())


@pytest.mark.parametrize(
    ("question", "content"),
    [
        ("Mostre quais foram as vendas da região Sul", "vendas região Sul"),
        ("Tell me how many orders there were in March", "orders March"),
        ("Can you please show me the trade shows in May?", "trade shows May"),
        ("I want to know the name of the president", "president"),
        ("Give me a list of the rules", "rules"),
        ("Is there a list of the rules?", "list rules"),
        ("What must I bring to the course?", "bring course"),
        ("Which state won?", "state won"),
        ("Quem preciso informar?", "informar"),
        ("Zeige mir die Preise", "Preise"),
        ("Show me", ""),
    ],
)
def test_a_word_that_only_asks_is_no_content_of_a_question(question: str, content: str) -> None:
    assert [word.text for word in read(question).content] == content.split()


def test_what_a_question_asks_with_is_content_of_a_passage() -> None:
    assert [word.folded for word in content_words("Bring socks and a list of your boats.", "en")] == [
        "bring",
        "socks",
        "list",
        "boats",
    ]


def test_an_acronym_among_ordinary_words_is_content() -> None:
    assert [w.text for w in content_words("Who leads the IT team in the US?")] == ["leads", "IT", "team", "US"]
    assert [w.text for w in content_words("VENDAS DO SUL")] == ["VENDAS", "SUL"]


def test_stopwords_by_language() -> None:
    assert is_stopword("the", "en") and not is_stopword("the", "pt")
    assert is_stopword("dos", "pt") and not is_stopword("dos", "en")
    assert is_stopword("the") and is_stopword("dos") and is_stopword("the", "und")


def test_the_folder_does_not_load_numpy() -> None:
    modules = ("dates", "language", "numbers", "sentences", "stem", "words")
    imports = "; ".join(f"import polyrag_cli.text.{name}" for name in modules)
    code = f"import sys; {imports}; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    "text", ["Ax, b-c " * 3, "ª²µ×÷ªb ação_ño ŵy", "a\u0301b\u0302c d'água " * 2, "x" * 5000 + " y"]
)
def test_common_letters_are_no_word_border_of_their_own(text: str) -> None:
    for word in words(text):
        assert text[word.start : word.end] == word.text
    assert [w.text for w in words("ªbç ²x a×b ŵñŷ a\u0301bc")] == ["ªbç", "²x", "a", "b", "ŵñŷ", "a\u0301bc"]


def test_what_is_remembered_can_not_be_changed_by_its_reader() -> None:
    words("One and two").clear()
    assert [word.text for word in words("One and two")] == ["One", "and", "two"]
