"""Sentences that say what something is."""

import pytest

from polyrag_cli.answering.defining import defined
from polyrag_cli.text.stem import all_stems


@pytest.mark.parametrize(
    ("sentence", "language", "term"),
    [
        ("The fediverse (“federated universe”) is the name for all such sites.", "en", "fediverse"),
        ("JWT means JSON Web Tokens.", "en", "jwt"),
        ("- STONITH stands for a last resort.", "en", "stonith"),
        ("We keep Architecture Decision Records (ADR) in git.", "en", "adr"),
        ("Um laudo é um documento.", "pt", "laudo"),
        ("ADR (registro de decisão) fica no git.", "pt", "adr"),
        ("Un albarán es una nota.", "es", "albaran"),
        ("Ein Laufzettel bezeichnet den Weg.", "de", "laufzettel"),
    ],
)
def test_a_sentence_says_what_a_word_means(sentence: str, language: str, term: str) -> None:
    assert set(all_stems(term)) <= defined(sentence, language)


@pytest.mark.parametrize(
    ("sentence", "language"),
    [
        # No article behind the verb; a verb that says nothing of a meaning; a long way to the verb; no acronym.
        ("Haze is forbidden.", "en"),
        ("The dog chased a cat (fast) home.", "en"),
        ("In the long and quiet winter of that year haze is a problem.", "en"),
        ("A sala (grande) fecha.", "pt"),
    ],
)
def test_other_sentences_say_the_meaning_of_nothing(sentence: str, language: str) -> None:
    assert defined(sentence, language) == frozenset()
