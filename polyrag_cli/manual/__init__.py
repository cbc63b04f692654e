"""Owns the manual: its chapters are the Markdown files in this folder, called by their names."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from importlib.resources import files

from polyrag_cli.errors import UsageError

# In the order in which a newcomer reads them.
TOPICS = (
    "commands",
    "configuration",
    "documents",
    "routing",
    "tables",
    "sql",
    "charts",
    "evaluation",
    "dashboard",
    "python",
    "languages",
    "architecture",
    "contributing",
    "troubleshooting",
)


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter: its topic, its title, what it is about in one sentence, and its whole text as Markdown."""

    topic: str
    title: str
    summary: str
    text: str


def chapter(topic: str) -> Chapter:
    """The chapter on a topic. Raises UsageError, naming the nearest topic, when there is none."""
    name = topic.strip().lower()
    if name not in TOPICS:
        close = get_close_matches(name, TOPICS, 1, 0.0)[0]
        raise UsageError(f"the manual has no chapter {topic!r}.", f"Nearest: {close} (of {', '.join(TOPICS)}).")
    text = (files(__name__) / f"{name}.md").read_text(encoding="utf-8")
    heading, _, rest = text.partition("\n")
    summary = " ".join(rest.strip().partition("\n\n")[0].split())
    return Chapter(name, heading.lstrip("# "), summary, text)


def chapters() -> tuple[Chapter, ...]:
    """All chapters, in reading order."""
    return tuple(chapter(topic) for topic in TOPICS)
