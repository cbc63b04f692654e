"""Tables of delimited text with columns of all kinds, made from a seed."""

from __future__ import annotations

import csv
import datetime
import io
import random
from collections.abc import Callable

Maker = Callable[[random.Random, int], str]

_WORDS = [
    "red",
    "green",
    "blue",
    "north",
    "south",
    "fast",
    "slow",
    "plain",
    "steel",
    "oak",
    "café",
    "naïve",
    "Über",
    "São",
]
_MARKS = ("", "", "", "n/a", "-", "NA", "?", "x", "none", "..")


def _day(r: random.Random) -> datetime.date:
    return datetime.date(2015, 1, 1) + datetime.timedelta(r.randint(0, 3000))


def _words(r: random.Random, count: int) -> str:
    return " ".join(r.choices(_WORDS, k=count))


COLUMNS: dict[str, Maker] = {
    "id": lambda r, i: str(i + 1),
    "code": lambda r, i: f"{r.randint(0, 9999):05d}",
    "count": lambda r, i: str(r.randint(-5, 400)),
    "year": lambda r, i: str(r.randint(1990, 2024)),
    "wide": lambda r, i: str(r.randint(10**16, 10**18)),
    "cents": lambda r, i: f"{r.randint(-500, 90000) / 100:.2f}",
    "decimals": lambda r, i: f"{r.random() * 100:.{r.randint(0, 5)}f}",
    "thirds": lambda r, i: f"{r.randint(1, 900)}.{r.randint(0, 999):03d}",
    "thousands": lambda r, i: f"{r.randint(0, 9_999_999):,}",
    "comma": lambda r, i: f"{r.randint(0, 99999) / 100:.2f}".replace(".", ","),
    "money": lambda r, i: f"R$ {r.randint(0, 99)}.{r.randint(0, 999):03d},{r.randint(0, 99):02d}",
    "percent": lambda r, i: f"{r.randint(0, 1000) / 10}%",
    "bracketed": lambda r, i: f"({r.randint(1, 900)})" if r.random() < 0.3 else str(r.randint(1, 900)),
    "weights": lambda r, i: f"{r.randint(1, 900)} {r.choice(['kg', 'g'])}",
    "iso": lambda r, i: _day(r).isoformat(),
    "stamp": lambda r, i: f"{_day(r).isoformat()} {r.randint(0, 23):02d}:{r.randint(0, 59):02d}:{r.randint(0, 59):02d}",
    "zulu": lambda r, i: f"{_day(r).isoformat()}T{r.randint(0, 23):02d}:{r.randint(0, 59):02d}Z",
    "midnight": lambda r, i: f"{_day(r).isoformat()} 00:00:00",
    "leap": lambda r, i: f"{r.randint(2015, 2024)}-02-{r.randint(26, 29):02d}",
    "slashed": lambda r, i: _day(r).strftime("%d/%m/%Y"),
    "american": lambda r, i: _day(r).strftime("%m/%d/%y"),
    "named": lambda r, i: _day(r).strftime("%d %B %Y"),
    "flag": lambda r, i: r.choice(["yes", "no"]),
    "sim": lambda r, i: r.choice(["Sim", "Não"]),
    "month": lambda r, i: r.choice(["January", "February", "March", "May"]),
    "place": lambda r, i: r.choice(["Oslo", "Rome", "São Paulo", "New York"]),
    "words": lambda r, i: _words(r, r.randint(1, 4)),
    "named id": lambda r, i: f"{r.choice(_WORDS)} {r.randint(1, 5000)}",
    "address": lambda r, i: f"{r.randint(1, 999)} {r.choice(_WORDS)} street",
    "list": lambda r, i: "; ".join(r.sample(_WORDS, r.randint(1, 3))),
    "quoted": lambda r, i: f'{r.choice(_WORDS)} "{r.choice(_WORDS)}", {r.randint(1, 9)}',
    "lines": lambda r, i: f"{r.choice(_WORDS)}\n{r.choice(_WORDS)}",
    "spaced": lambda r, i: r.choice(
        ["  two  gaps ", "one", "tail ", "\u00a0hard\u00a0space", "thin\u2009space", "a b"]
    ),
    "figures and spaces": lambda r, i: f" {r.randint(1, 99)} ",
    "long": lambda r, i: _words(r, 40) if r.random() < 0.2 else _words(r, 2),
    "mixed": lambda r, i: str(r.randint(1, 900)) if r.random() < 0.9 else r.choice(_WORDS),
    "half": lambda r, i: str(r.randint(1, 900)) if r.random() < 0.6 else _words(r, 2),
    "empty": lambda r, i: "",
}


def table(r: random.Random, names: list[str], rows: int) -> list[list[str]]:
    """Records of columns of some kinds; a few cells hold a mark for nothing."""
    gaps = [r.choice([0.0, 0.0, 0.02, 0.2]) for _ in names]
    return [
        [r.choice(_MARKS) if r.random() < gap else COLUMNS[name](r, i) for name, gap in zip(names, gaps, strict=True)]
        for i in range(rows)
    ]


def written(r: random.Random, names: list[str], rows: int) -> bytes:
    """A file of such a table, with a header or without, and what may stand around and between records."""
    delimiter = r.choice([",", ",", ";", "\t", "|"])
    data = table(r, names, rows)
    header = [name.title() for name in names]
    lines: list[list[str]] = []
    if r.random() < 0.2:
        lines.append([r.choice(["Report of the year", "# made by a program"])])
    if r.random() < 0.9:
        lines.append(header)
        for _ in range(r.choice([0, 0, 0, 1, 3])):
            data.insert(r.randint(5, len(data)), header)
    if r.random() < 0.3:
        data.append(_total(data, names))
    if r.random() < 0.2:
        data.append(["Source: the office", *[""] * (len(names) - 1)])
    out = io.StringIO(newline="")
    end = r.choice(["\n", "\n", "\r\n"])
    csv.writer(
        out, delimiter=delimiter, lineterminator=end, quoting=r.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
    ).writerows([*lines, *data])
    text = out.getvalue() + end * r.choice([0, 0, 2])
    kind = r.choice(["utf-8", "utf-8", "utf-8", "utf-8-sig", "cp1252", "utf-16"])
    if kind == "utf-8" and r.random() < 0.1:
        return _with_controls(text).encode()
    return text.encode(kind, "replace")


def _with_controls(text: str) -> str:
    """A text where some words, from its beginning to its end, hold characters that no text keeps.

    Of such characters a file holds less than one in a hundred, or it is none of text.
    """
    parts = text.split("red")
    every = 1 + 400 * len(parts) // len(text)
    ends = ["r\x00ed\x1f" if place % every == 0 else "red" for place in range(len(parts) - 1)]
    return "".join(part + end for part, end in zip(parts, [*ends, ""], strict=True))


def _total(data: list[list[str]], names: list[str]) -> list[str]:
    """A row that sums up columns of whole numbers; it is called a total, or not."""
    row = []
    for place, name in enumerate(names):
        cells = [line[place] for line in data]
        row.append(
            str(sum(int(cell) for cell in cells if cell.lstrip("-").isdigit())) if name in ("count", "id") else ""
        )
    return ["Total", *row[1:]] if names[0] not in ("count", "id") else row
