"""Owns what the words of a question ask for: the kind of answer, and the nouns that say of what."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from polyrag_cli.nl2sql.question import Mark, Question

_ASKING = ("which", "list", "count", "how_much", "who", "when", "where", "object", "sum", "average", "median")
# What may stand between what asks and its noun.
_PASSED = frozenset(
    {"sum", "average", "median", "max", "min", "distinct", "list", "which", "filler", "count", "growth", "difference",
     "share", "ordinal"}
)  # fmt: skip
_FOCUS = 4
_PARTING = ",;:?!"
_OPPOSITES = {
    "more": ("less", "below"), "less": ("more", "above"), "above": ("below", "less"), "below": ("above", "more"),
    "before": ("after",), "after": ("before",), "max": ("min", "below"), "min": ("max", "above"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ask:
    """What a question asks for.

    focus: the positions of the words that say of what, at most 4. yes_no: whether a yes or a no answers it.
    opposites: the two marks of which it asks for one ("above or below"), () without.
    """

    question: Question
    focus: tuple[int, ...]
    yes_no: bool
    opposites: tuple[Mark, ...] = ()

    def has(self, *operations: str) -> bool:
        """Whether any of these operations is marked."""
        return bool(self.question.find(*operations))

    @property
    def counts(self) -> bool:
        """Whether it asks how many there are."""
        return self.has("count")

    @property
    def counts_first(self) -> bool:
        """Whether how many there are is what is asked, and not what ranks ("who has the largest number of …")."""
        return _counted_first(self.question)

    @property
    def of_things(self) -> bool:
        """Whether it asks which thing has something, and not what that is ("which had the least points")."""
        asking = self.question.find("which", "who")
        if not asking or self.counts_first:
            return False
        grammar, behind = self.question.lexicon.grammar, asking[0].last + 1
        word = self.question.tokens[behind].folded if behind < len(self.question.tokens) else ""
        return asking[0].operation == "who" or (word in grammar.yes_no_verbs and word not in grammar.singular_verbs)

    @property
    def asks_time(self) -> bool:
        """Whether a year or a month is asked for ("in which year …")."""
        tokens = self.question.tokens
        behind = {m.last + 1 for m in self.question.find("which")}
        return any(tokens[i].date_part in ("year", "month") for i in behind if i < len(tokens))

    @property
    def plural(self) -> bool:
        """Whether its first noun is a plural, or a list is asked for."""
        rows = self.question.lexicon.tables.rows
        behind = [m.last + 1 for m in self.question.find("which", "list") if m.last + 1 < len(self.question.tokens)]
        if any(self.question.tokens[i].folded in rows and is_plural(self.question, i) for i in behind):
            # "Which items are …"
            return True
        if not self.focus:
            return self.has("list")
        return is_plural(self.question, self.focus[0])


def asked(question: Question) -> Ask:
    """Return what a question asks for."""
    opposites = opposite_marks(question)
    return Ask(question, _focus(question), asks_yes_or_no(question) and not opposites, opposites)


def is_plural(question: Question, i: int) -> bool:
    """Whether a noun is a plural by its ending."""
    noun = question.tokens[i].folded
    return noun.endswith("s") or question.lexicon.singular(noun) != noun


def _counted_first(question: Question) -> bool:
    count = question.find("count")
    asking = question.find("which", "who", "when", "where")
    if not count or not asking:
        return bool(count)
    # "In which city did the number of …" asks for a city.
    named = any(asking[0].last < i < count[0].first for i in question.content())
    return -2 <= count[0].first - asking[0].last <= 3 and not named


def opposite_marks(question: Question) -> tuple[Mark, ...]:
    """Return two marks of comparing that say the opposite of each other and are joined by "or"; () without."""
    comparing = question.find(*_OPPOSITES)
    for first, second in pairwise(comparing):
        slashed = second.first - first.last == 1 and _slashed(question, second.first)
        if slashed and second.operation in _OPPOSITES[first.operation]:
            return first, second
    for either in question.find("or", "or_more", "or_less"):
        before = next((m for m in comparing if either.first - m.last == 1), None)
        if before is None:
            continue
        if either.operation != "or":
            if either.operation.removeprefix("or_") in _OPPOSITES[before.operation]:
                return before, either
            continue
        behind = next((m for m in comparing if m.first - either.last == 1), None)
        if behind is not None and behind.operation in _OPPOSITES[before.operation]:
            return before, behind
    return ()


def _slashed(question: Question, i: int) -> bool:
    """Whether a slash parts a word from the word before it ("more/less")."""
    return question.text[question.tokens[i - 1].word.end : question.tokens[i].word.start].strip() == "/"


def _focus(question: Question) -> tuple[int, ...]:
    marks = question.find(*_ASKING)
    count = question.find("count") if _counted_first(question) else []
    asking = count[0] if count else marks[0] if marks else None
    # "Who was elected" asks for no noun.
    nameless = asking is not None and asking.operation in ("who", "when", "where")
    start = asking.last + 1 if asking is not None else 0
    passed = {
        i
        for mark in question.marks
        if mark.operation.partition(":")[0] in _PASSED
        for i in range(mark.first, mark.last + 1)
    }
    stopping = {i for mark in question.marks for i in range(mark.first, mark.last + 1)} - passed
    found: list[int] = []
    for i in range(start, len(question.tokens)):
        token = question.tokens[i]
        place = token.folded in question.lexicon.ordinals and not token.folded.isdigit()
        if not found and place:
            continue
        if not found and (i in passed or (token.empty and not token.notions)):
            continue
        verb = (bool(found) or nameless) and in_verb_place(question, i)
        if (
            i in stopping
            or i in passed
            or verb
            or (token.empty and not token.notions)
            or (found and parted(question, i))
        ):
            break
        found.append(i)
        if len(found) == _FOCUS:
            break
    return tuple(found)


def parted(question: Question, i: int) -> bool:
    """Tell a word that a comma, a colon or the like parts from the word before it."""
    if i == 0:
        return False
    between = question.text[question.tokens[i - 1].word.end : question.tokens[i].word.start]
    return any(sign in _PARTING for sign in between)


_OPEN = (
    "which",
    "list",
    "who",
    "when",
    "where",
    "how_much",
    "object",
    "sum",
    "average",
    "count",
    "or",
    "share",
    "median",
    "difference",
    "growth",
    "versus",
)


_FIGURES = {"sum", "average", "median"}
_BOUNDS = ("above", "below")


def asks_yes_or_no(question: Question) -> bool:
    """Tell a question that a yes or a no answers: a verb opens it, or nothing in it asks for anything else."""
    if not question.tokens:
        return False
    grammar = question.lexicon.grammar
    verb = question.tokens[0].folded in grammar.yes_no_verbs
    asking: list[Mark] = question.find(*_OPEN)
    if verb:
        return not question.find("or", "which", "who", "when", "where", "how_much")
    states = grammar.statements_ask and question.text.rstrip().endswith("?")
    said = any(token.folded in grammar.yes_no_verbs for token in question.tokens) and question.find("than", *_BOUNDS)
    if states and said and {mark.operation for mark in asking} <= _FIGURES:
        # "Ana tem total de vendas maior do que Rui?"
        return True
    if asking or any(mark.operation.startswith("ask:") for mark in question.marks):
        return False
    return states


def in_verb_place(question: Question, i: int) -> bool:
    """Tell a word that says how things took part in what a row records ("played", "was founded")."""
    token = question.tokens[i]
    if token.capital and i > 0:
        return False
    grammar = question.lexicon.grammar
    if token.folded in question.lexicon.tables.taking_part:
        return True
    return len(token.folded) > 3 and token.folded.endswith(tuple(sorted(grammar.verb_endings)))
