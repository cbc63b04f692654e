"""Every setting, declared once: one frozen dataclass for each table of polyrag.toml.

What works with such values below the engine is handed an instance; where the values come from is another matter.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from polyrag_cli.config.declare import Decides, Declaration, declarations, setting, share, weight
from polyrag_cli.registry import names
from polyrag_cli.types import RouteKind

ROUTES = "routes"
NO_WRITER = "none"


def _strategies() -> tuple[str, ...]:
    return ("auto", *names("strategy"))


@dataclass(frozen=True, slots=True)
class PathSettings:
    """[paths]"""

    data: Path = setting(
        Path(".polyrag"),
        "Where the corpus is kept, relative to this file. `--data DIR` overrides it.",
        decides="operation",
        path=True,
    )


@dataclass(frozen=True, slots=True)
class EmbedderSettings:
    """[embedder]"""

    name: str = setting(
        "use-m3",
        "use-m3: multilingual, on the CPU, no download. hashing: spelling only, for tests. none: no vectors at all.",
        choices=lambda: names("embedder"),
        kind="embedder",
    )
    threads: int = setting(
        1,
        "Threads of one embedding pass. More than one rarely helps: a pass is short.",
        low=1,
        high=256,
        decides="operation",
    )


@dataclass(frozen=True, slots=True)
class StoreSettings:
    """[stores]"""

    catalog: str = setting(
        "sqlite",
        "Keeps documents and passages; every other store takes part in its commits.",
        choices=lambda: names("catalog"),
        kind="catalog",
    )
    relational: str = setting(
        "duckdb",
        "Answers SQL over the rows of ingested tables.",
        choices=lambda: names("relational"),
        kind="relational",
    )
    vector: str = setting(
        "faiss",
        "Finds the sentences whose vectors are nearest to the question's.",
        choices=lambda: names("vector"),
        kind="vector",
    )
    lexical: str = setting("fts5", "Finds passages by their words.", choices=lambda: names("lexical"), kind="lexical")
    graph: str = setting("sqlite", "Links passages by the names in them.", choices=lambda: names("graph"), kind="graph")


@dataclass(frozen=True, slots=True)
class ChunkingSettings:
    """[chunking]; sizes in characters: no chunk but a table exceeds max_chars."""

    max_chars: int = setting(
        1200,
        "A section of at most this many characters stays one chunk; longer ones are split by structure and meaning.",
        low=200,
        high=20_000,
    )
    min_chars: int = setting(
        200, "No piece split by meaning is shorter than this many characters.", low=20, high=10_000
    )
    max_document_chars: int = setting(
        2_000_000,
        "What stands behind this many characters of one document is not indexed, with a warning.",
        low=1_000,
        high=1_000_000_000,
    )


@dataclass(frozen=True, slots=True)
class RoutingSettings:
    """[routing]; weights are added to cosines, so all are on the scale of one."""

    evidence_min: float = setting(0.23, "Evidence below this in every store: nothing answers.", low=0, high=2)
    evidence_candidates: int = setting(8, "Passages that each index hands to a decision.", low=1, high=100)
    table_weight: float = setting(
        1.0, "What the evidence of tables weighs beside the cosine of the anchors.", low=0, high=10
    )
    text_weight: float = setting(
        1.0, "What the evidence of passages weighs beside the cosine of the anchors.", low=0, high=10
    )
    aggregate_bonus: float = share(
        0.1, 'Added where a table speaks and a word asks for a figure ("total", "how many").'
    )
    table_min: float = share(
        0.35,
        "With less evidence of tables, and more of text than text_min, a table route's anchors count in proportion.",
    )
    text_min: float = share(0.15, "Evidence of text up to which table_min is not asked.")
    lone_value_factor: float = share(
        0.5, "A single value met in the question is weak evidence: its share is multiplied by this."
    )
    coverage_weight: float = share(
        0.5, "Of a passage's evidence: the share of the question's words that it holds, by their rarity."
    )
    bm25_weight: float = share(0.25, "Of a passage's evidence: BM25 over its maximum.")
    cosine_weight: float = share(0.25, "Of a passage's evidence: its cosine with the question.")
    heading_weight: float = share(0.1, "Added to a passage's evidence when its heading shares the question's words.")
    entity_weight: float = share(0.1, "Added to a passage's evidence when it holds a name from the question.")
    unknown_name_penalty: float = share(
        0.15,
        "Taken off the text evidence, before evidence_min is asked, when the question names what no store holds.",
    )
    boundary_margin: float = share(0.05, "A clause whose final margin is below this is asked of both stores.")
    tabularity_min: float = share(
        0.6, "A chunk that looks this much like a table (0-1) belongs to a relational route.", decides="homes"
    )
    centroid_weight: float = setting(
        1.0, "Of a chunk's home: what the mean anchor weighs beside the nearest one.", low=0, high=10, decides="homes"
    )
    named_weight: float = setting(
        0.5,
        "Of a chunk's home: what the share of sentences with a name weighs, for graph routes.",
        low=0,
        high=10,
        decides="homes",
    )
    named_center: float = share(
        0.65,
        "The share of sentences with a name that speaks neither for a graph route nor against it.",
        decides="homes",
    )
    document_weight: float = share(0.5, "How much its whole document counts for a chunk's home (0-1).", decides="homes")
    chunk_margin: float = share(0.03, "A chunk whose margin is below this has two homes.", decides="homes")


@dataclass(frozen=True, slots=True)
class Route:
    """[routes.<name>]

    question_anchors: questions that belong to the route; chunk_anchors: statements that do. Both in any language.
    """

    name: str
    store: str = setting("", "The store that answers it.", choices=lambda: tuple(RouteKind), decides="homes")
    strategy: str = setting(
        "",
        'How the store is searched; "auto" chooses by rules, for text. Absent: the usual one of the store.',
        choices=_strategies,
        kind="strategy",
    )
    tau_high: float = setting(
        0.5, "The cosine from which the anchors alone decide, when the margin is delta_margin or more.", low=-1, high=1
    )
    tau_low: float = setting(
        0.2, "The cosine below which a question that no store speaks for is free text.", low=-1, high=1
    )
    delta_margin: float = setting(
        0.25, "The lead over the next route with which the anchors alone decide.", low=0, high=2
    )
    question_anchors: tuple[str, ...] = ()
    chunk_anchors: tuple[str, ...] = ()
    enabled: bool = setting(True, "false switches a route off.", decides="homes")

    @property
    def kind(self) -> RouteKind:
        """What the route answers from. Raises ValueError for a store that is none of the kinds."""
        return RouteKind(self.store)


@dataclass(frozen=True, slots=True)
class RetrievalSettings:
    """[retrieval]; the parameters of fusion, diversity and the graph walk, by their names in the field."""

    dense_weight: float = share(0.5, "Of hybrid search: nearest sentences by cosine; each head is min-max scaled.")
    lexical_weight: float = share(0.2, "Of hybrid search: BM25.")
    soft_weight: float = share(
        0.3, "Of hybrid search: the question's words or words like them, by the cosine of single words."
    )
    home_bonus: float = share(0.1, "Added to passages whose home is the clause's route.")
    candidates: int = setting(50, "How many passages each head hands to fusion.", low=1, high=1000)
    rrf_k: int = setting(
        60, "The constant of Reciprocal Rank Fusion: the greater, the less a high rank counts.", low=1, high=10_000
    )
    mmr_lambda: float = share(0.7, "Of Maximal Marginal Relevance: 1 asks for relevance alone, 0 for variety alone.")
    damping: float = setting(0.7, "Of the Personalized PageRank that finishes a graph walk.", low=0, high=0.99)


@dataclass(frozen=True, slots=True)
class AnswerSettings:
    """[answer]"""

    top_k: int = setting(5, "Passages an answer may draw on, for each clause.", low=1, high=100)
    max_words: int = setting(60, "Longest quote of an extractive answer, in words.", low=5, high=1000)
    min_probability: float = share(0.5, "Least probability that a quote answers the question; below it: nothing found.")
    min_confidence: float = share(
        0.45, "Least confidence of the best reading of a question on a table; below it: no figure."
    )
    max_rows: int = setting(1000, "Most rows that a SQL statement returns.", low=1, high=1_000_000)


@dataclass(frozen=True, slots=True)
class AnswerProbabilitySettings:
    """[answer_probability]; see answering.probability. words_…: where nothing is embedded.

    Fitted to 486 questions about twelve folders, a quarter of which nothing there answers.
    """

    bias: float = weight(-0.09, "What is added to the sum of the others.")
    coverage: float = weight(2.09, "Of the share of the question, by rarity, that the best stretch holds.")
    cosine: float = weight(5.73, "Of the greatest cosine of a sentence with the question.")
    unknown: float = weight(-0.79, "Of the share of the question that no passage holds, times the size.")
    size: float = weight(-0.21, "Of the natural logarithm of the number of passages.")
    words_bias: float = weight(1.42, "The same without an embedder, as all that follow.")
    words_coverage: float = weight(2.5, "Of the share that the best stretch holds.")
    words_unknown: float = weight(-0.91, "Of the share that no passage holds, times the size.")
    words_size: float = weight(-0.13, "Of the natural logarithm of the number of passages.")


@dataclass(frozen=True, slots=True)
class TableConfidenceSettings:
    """[table_confidence]; see nl2sql.scoring. Fitted on questions of single tables."""

    bias: float = weight(-4.05, "What is added to the sum of the others.")
    prior: float = weight(2.2, "Of what the words that ask say for the operator.")
    coverage: float = weight(2.0, "Of the share of the words' weight that is explained.")
    margin: float = weight(0.8, "Of the lead over the next different answer.")
    weakest: float = weight(1.4, "Of the quality of the weakest link.")
    links: float = weight(-0.55, "Of each restriction.")
    unrestricted: float = weight(-1.45, "Where nothing restricts the rows.")
    several: float = weight(-2.4, "Where one answer is expected and several came.")
    rows: float = weight(-0.5, "Of the logarithm of the number of rows.")
    zero: float = weight(-1.4, "Where none was counted and a link is unsure.")
    operations: float = weight(-0.6, "Of the weight of words of operations that stay unexplained.")


@dataclass(frozen=True, slots=True)
class SqlWriterSettings:
    """[sql_writer]"""

    name: str = setting(
        NO_WRITER,
        "none: no second writer. replay: statements from a recording.",
        choices=lambda: (NO_WRITER, *names("sql_writer")),
        kind="sql_writer",
    )
    recordings: tuple[Path, ...] = setting((), 'Files that replay reads: lines of {"question", "sql"}.', path=True)


@dataclass(frozen=True, slots=True)
class CacheSettings:
    """[cache]; see answering.cache."""

    enabled: bool = setting(True, "Whether a question asked before is answered from the cache.")
    min_cosine: float = share(
        0.5, "Least cosine of two questions that share an answer; numbers, names, dates, negation … must be equal too."
    )
    max_unmatched: float = share(0.26, "Heaviest content word that may stay unmatched on either side (0-1).")
    max_entries: int = setting(
        2000, "Answers that are kept; those longest unused go first.", low=1, high=1_000_000, decides="operation"
    )
    max_age_days: int = setting(
        30, "Days after which an answer is no longer served; 0 for no end.", low=0, high=36_500, decides="operation"
    )


@dataclass(frozen=True, slots=True)
class GateSettings:
    """[gate]; bounds of `polyrag eval --gate`, each for every set of a run, max_lost for all together."""

    sets: tuple[Path, ...] = setting(
        (),
        "Files of labelled questions: what eval, tune and route --impact take without --set, and ingest after changes.",
        decides="operation",
        path=True,
    )
    max_lost: int = setting(0, "Questions that may turn wrong, of all sets together.", low=0, high=1_000_000)
    router_min: float = share(0.0, "Least share of questions that go where they belong.")
    recall_at_1_min: float = share(0.0, "Least share of right passages in the first place.")
    recall_at_5_min: float = share(0.0, "Least share of right passages among five.")
    recall_at_10_min: float = share(0.0, "Least share of right passages among ten.")
    mrr_min: float = share(0.0, "Least mean reciprocal rank of the first right passage.")
    ndcg_at_10_min: float = share(0.0, "Least normalized discounted cumulative gain of ten passages.")
    facts_min: float = share(0.0, "Least share of the facts asked for that answers hold.")
    precision_min: float = share(0.0, "Least share of given answers that are right.")
    coverage_min: float = share(0.0, "Least share of answerable questions that get an answer.")
    declined_min: float = share(0.0, "Least share of unanswerable questions that are declined.")
    empty_rate_max: float = share(1.0, "Greatest share of answerable questions without an answer.")
    false_hit_rate_max: float = share(1.0, "Greatest share of cached answers given to another question.")
    max_slowdown: float = setting(
        0.0,
        "Most that the median latency may grow to, times the baseline's, its noise allowed for; 0: only reported.",
        low=0,
        high=1000,
    )


@dataclass(frozen=True, slots=True)
class TracingSettings:
    """[tracing]"""

    enabled: bool = setting(True, "Whether what a question did is kept, span by span.")
    keep: int = setting(500, "Newest traces that are kept.", low=1, high=1_000_000)
    content: bool = setting(False, "Whether spans may carry the text of questions and documents.")


class Section(NamedTuple):
    """A table of polyrag.toml: its settings, what they are about, and what they decide where they don't say."""

    settings: type
    meaning: str
    decides: Decides = "answers"


SECTIONS: dict[str, Section] = {
    "paths": Section(PathSettings, "Files and folders.", "operation"),
    "embedder": Section(EmbedderSettings, "What turns texts into vectors; after a change: polyrag ingest --reembed."),
    "stores": Section(StoreSettings, "The backend of each store."),
    "chunking": Section(ChunkingSettings, "How documents are cut into chunks.", "chunks"),
    "routing": Section(RoutingSettings, "How a question finds its store, and a chunk its home.", "routes"),
    ROUTES: Section(Route, "The routes: each a store, a way to search it, thresholds, and anchors.", "routes"),
    "retrieval": Section(RetrievalSettings, "How passages are found, ranked and fused."),
    "answer": Section(AnswerSettings, "How much an answer draws on and says."),
    "answer_probability": Section(
        AnswerProbabilitySettings,
        "Weights of the probability that a quote answers (polyrag manual routing); polyrag tune answers finds them.",
    ),
    "table_confidence": Section(
        TableConfidenceSettings,
        "Weights of the confidence in a reading of a table (polyrag manual tables); polyrag tune tables finds them.",
    ),
    "sql_writer": Section(
        SqlWriterSettings, "A second writer of SQL, whose result is compared with the answer's; it never decides."
    ),
    "cache": Section(CacheSettings, "Answers to earlier questions, given again to the same question in other words."),
    "gate": Section(GateSettings, "What polyrag eval --gate lets pass.", "operation"),
    "tracing": Section(TracingSettings, "What is kept of each question for trace, replay and dashboard.", "operation"),
}
"""The tables of polyrag.toml in its order; [routes] holds a table for each route."""

DECLARED: dict[str, dict[str, Declaration]] = {
    name: declarations(section.settings, section.decides) for name, section in SECTIONS.items()
}
"""Table → setting → declaration; those of `routes` are what each [routes.<name>] may hold beside its anchors."""

_ANCHORS: dict[str, Declaration] = {
    "question": Declaration([], "Questions that belong to the route, in one language.", decides="routes"),
    "chunk": Declaration([], "Statements that belong to the route, in one language.", decides="homes"),
}
ANCHOR_KINDS = tuple(_ANCHORS)


def declaration(key: str) -> Declaration:
    """What is declared of a dotted key that may stand in a configuration."""
    path = key.split(".")
    if path[0] != ROUTES:
        return DECLARED[path[0]][path[1]]
    return _ANCHORS[path[3]] if path[2] == "anchors" else DECLARED[ROUTES][path[2]]
