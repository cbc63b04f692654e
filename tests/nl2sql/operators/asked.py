"""Small tables of games, races and towers, and what a question of one of them is answered."""

from __future__ import annotations

from functools import cache

from polyrag_cli.nl2sql.deciding import Candidate, decide
from polyrag_cli.nl2sql.index import TableEntry, table_entry
from polyrag_cli.nl2sql.question import take_apart
from polyrag_cli.nl2sql.similarity import Similar
from polyrag_cli.tables import typed_tables
from polyrag_cli.text.utterance import read
from polyrag_cli.types import Cell
from tests.nl2sql.tables import MemoryStore, raw

GAMES = """
Date,Opponent,Site,Result,Attendance
2019-03-02,Alba,Harbour Park,W 21–10,1200
2019-03-09,Brenta,Mill Lane,L 7–14,800
2019-03-16,Corvo,Harbour Park,W 28–3,1500
2019-03-23,Dorne,Harbour Park,W 14–13,900
2019-03-30,Alba,Mill Lane,L 0–35,2000
2019-04-06,Elmet,Harbour Park,W 17–16,1100
""".strip()

MEDALS = """
Place,Nation,Gold,Silver,Bronze,Total
1st,Norland,9,4,2,15
2nd,Sudland,5,0,6,11
3rd,Osterland,0,8,1,9
4th,Westland,0,3,0,3
5th,Midland,1,0,1,2
""".strip()

RACES = """
Season,Driver,Team,Time,Height
2001–02,Ada Moss,Falcon,1:31:40,5'11"
2002–03,Bruno Reyes,Falcon,1:29:05,6'2"
2003–04,Clara Dunn,Heron,1:35:10,5'4"
2004–05,Ada Moss,Heron,58:59,5'11"
2005–06,Elena Stone,Heron,1:30:00,5'9"
""".strip()

TOWERS = """
Tower,City,Height,Opened
Alder Spire,Leeds,212 m,1994
Birch House,Porto,180 m,2001
Cedar Point,Leeds,305 m,2010
Dogwood Hall,Lyon,240 m,1988
Elm Court,Porto,95 m,2015
""".strip()

TABLES = {"games": GAMES, "medals": MEDALS, "races": RACES, "towers": TOWERS}


@cache
def _store(name: str) -> tuple[MemoryStore, TableEntry]:
    store = MemoryStore(typed_tables([raw(name, TABLES[name], ",")], f"{name}.csv"))
    return store, table_entry(store.schemas(None)[0])


def entry(name: str) -> TableEntry:
    """The entry of a table."""
    return _store(name)[1]


def best(name: str, question: str, language: str = "en", similar: Similar | None = None) -> Candidate:
    """The best candidate for a question of a table."""
    store, table = _store(name)
    decision = decide(take_apart(read(question, language)), [table], similar, lambda sql, _: store.execute(None, sql))
    assert decision.candidates, question
    return decision.candidates[0]


def answered(name: str, question: str, language: str = "en", similar: Similar | None = None) -> list[Cell]:
    """The first column of what a question of a table is answered."""
    return [row[0] for row in best(name, question, language, similar).rows.rows]
