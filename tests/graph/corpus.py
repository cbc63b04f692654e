"""A small corpus of two languages in which chains of two and three passages answer questions."""

from collections.abc import Iterable

from polyrag_cli.graph.arrays import GraphArrays
from polyrag_cli.graph.build import arrays_of
from polyrag_cli.graph.columns import Columns, PassageRows
from polyrag_cli.graph.mentions import PassageGraph
from polyrag_cli.stores.records import DocumentRecord, StoredChunk
from polyrag_cli.types import Chunk, ChunkRoute

_TEXTS = [
    (
        "Mill Brindle",
        "en",
        "Mill Brindle grinds rye for the coast. It stands beside the river Oster. Tove Aldgate owns it.",
    ),
    (
        "Tove Aldgate",
        "en",
        "Tove Aldgate is a miller and engineer. She was born in Quarnby in 1951. She studied chemistry.",
    ),
    ("Quarnby", "en", "Quarnby is a village of 412 people. Its chapel was built by Piers Lund in 1802."),
    ("Piers Lund", "en", "Piers Lund was a mason. He died in Vestrey after a fall."),
    ("Mill Harrow", "en", "Mill Harrow grinds wheat. It stands beside the lake Sund. Ines Corvo owns it."),
    (
        "Moinho Pedral",
        "pt",
        "O Moinho Pedral mói centeio para o litoral. Fica junto ao rio Vouzar. Rita Sobral dirige o moinho.",
    ),
    ("Rita Sobral", "pt", "Rita Sobral é engenheira. Nasceu em Açafrais em 1960. Estudou química em Tábua Nova."),
    ("Açafrais", "pt", "Açafrais é uma aldeia de 318 pessoas. A sua capela foi construída por Duarte Moniz."),
    ("Regra K-7: limites", "pt", "A Regra K-7 depende do sistema Orvalho. O limite é de 40 sacas por dia."),
    ("Orvalho", "pt", "O Orvalho guarda as pesagens. A equipe Balança Azul mantém o Orvalho."),
    ("Rye", "en", "Rye is a grass grown for grain. It grows in cold soils."),
    ("Weather", "en", "Rain fell for nine days. The rivers rose and the roads closed."),
]


def chunks() -> list[Chunk]:
    """One chunk a text; ids are in the order of the texts."""
    return [
        Chunk(f"{i:016x}", f"{i:02d}.md", 0, 0, len(text), text, title=title, language=language)
        for i, (title, language, text) in enumerate(_TEXTS)
    ]


def number(title: str) -> int:
    """The passage number of a title."""
    return [entry[0] for entry in _TEXTS].index(title)


def stored(chunk: Chunk) -> tuple[DocumentRecord, list[StoredChunk]]:
    """A chunk as the one of its document, as the catalog keeps both."""
    record = DocumentRecord(chunk.document, chunk.document, chunk.title, chunk.language, chunk.lead + chunk.text)
    return record, [StoredChunk(chunk, ChunkRoute("graph", (), (("graph", 0.5),), 0.5, "nearest"))]


def build_arrays(passages: Iterable[PassageGraph], generation: int) -> GraphArrays:
    """The arrays over passages that no store holds."""
    ordered = sorted(passages, key=lambda passage: passage.chunk.chunk_id)
    return arrays_of(Columns.of(map(PassageRows.of, ordered)), generation)
