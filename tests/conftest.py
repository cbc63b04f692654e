"""What all tests share: two corpora, the decoded model, the command line run in this process, how much is drawn."""

from __future__ import annotations

import gc
import io
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from polyrag_cli.engine import Engine
from polyrag_cli.providers.use_m3_weights import load_model
from tests.command_line import HASHING, ROOT, Finished
from tests.prepared import copied, made_once, put_model

# How long an example takes says how busy the machine is, and nothing of what is tested.
settings.register_profile("full", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=1000)
# Always the same few, so that an ordinary run fails for what was changed alone.
settings.register_profile("sampled", settings.get_profile("full"), max_examples=40, derandomize=True)


def pytest_configure(config: pytest.Config) -> None:
    """Full counts of generated examples where long tests run too; interruptions reach whatever tests start."""
    # A shell gives what it starts in the background no ear for them, and that is handed on.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    settings.load_profile("sampled" if config.option.markexpr == "not long" else "full")


def pytest_collection_finish() -> None:
    """Thousands of tests that stay to the end are nothing to look for garbage among, and there is room for some."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


FILES = {
    "travessias.csv": (
        "linha;mes;passageiros;receita\n"
        "Amieira;janeiro;120;1.310,50\nAmieira;fevereiro;95;980,00\n"
        "Barca Velha;janeiro;210;2.415,25\nBarca Velha;fevereiro;188;2.102,75\n"
        "Foz;janeiro;75;640,00\nFoz;fevereiro;81;702,50\n"
    ),
    "regras.md": (
        "# Regras de bordo\n\n"
        "## Regra B1\n\nA Regra B1 exige que o Mestre de Cais autorize cada saída com vento forte.\n"
        "Sem essa autorização a balsa fica atracada.\n\n"
        "## Regra B2\n\nA Regra B2 depende da Regra B1.\n"
        "Ela proíbe o transporte de combustível junto com passageiros.\n"
    ),
    "historia.md": (
        "# A nossa história\n\n"
        "## O começo\n\nTudo começou com uma canoa emprestada e dois irmãos teimosos.\n"
        "Nos primeiros anos a travessia era paga em farinha.\n\n"
        "## A enchente\n\nA enchente levou o trapiche de madeira.\n"
        "Os vizinhos o reconstruíram em onze dias.\n"
    ),
    "notices.jsonl": (
        '{"id": "n1", "title": "Winter timetable", "text": "The last ferry leaves Foz at nine in winter."}\n'
        '{"id": 2, "title": "Lost things", "text": "Umbrellas left on board are kept for thirty days."}\n'
    ),
    "notes.txt": (
        "The bell in the harbour office came from a ship that sank near Amieira.\n"
        "It is rung when fog closes the river.\n"
    ),
}
"""A ferry company: a table with decimal commas, rules, stories, a file of documents, a text."""


@pytest.fixture(scope="session")
def small_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the small corpus; not to be changed."""
    folder = tmp_path_factory.mktemp("small") / "ferries"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def small_data(small_folder: Path) -> Path:
    """A data directory with the small corpus, embedded by spelling; questions may be asked, nothing may be ingested."""
    data = small_folder.parent / "data"
    with Engine.open(data_dir=data, overrides={"embedder.name": "hashing"}) as engine:
        engine.ingest([small_folder])
    return data


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that holds the model decoded, of all test processes; not to be changed."""
    return made_once(tmp_path_factory.getbasetemp(), "model", load_model)


@pytest.fixture(scope="session")
def demo_data(model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with demo/ under the defaults; questions may be asked, nothing may be ingested."""

    def make(folder: Path) -> None:
        with Engine.open(data_dir=put_model(model, folder / "data"), config=ROOT / "polyrag.toml") as engine:
            report = engine.ingest([ROOT / "demo"])
        assert {file.status for file in report.files} == {"added"}

    # Ingested once; what is asked of it in one test process is nothing to the others.
    made = made_once(tmp_path_factory.getbasetemp(), "demo", make) / "data"
    return copied(made, tmp_path_factory.mktemp("demo") / "data")


@pytest.fixture
def own_data(small_data: Path, tmp_path: Path) -> Path:
    """A copy of the small corpus that a test may change."""
    return copied(small_data, tmp_path / "own")


@pytest.fixture
def engine(small_data: Path) -> Iterator[Engine]:
    """The small corpus, opened."""
    with Engine.open(data_dir=small_data, overrides={"embedder.name": "hashing"}) as opened:
        yield opened


@pytest.fixture
def own_engine(own_data: Path) -> Iterator[Engine]:
    """A copy of the small corpus that a test may change, opened."""
    with Engine.open(data_dir=own_data, overrides={"embedder.name": "hashing"}) as opened:
        yield opened


@pytest.fixture(scope="session")
def demo(demo_data: Path) -> Iterator[Engine]:
    """The demo corpus under the defaults, opened."""
    with Engine.open(data_dir=demo_data, config=ROOT / "polyrag.toml") as opened:
        yield opened


@pytest.fixture
def polyrag(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Finished]:
    """Runs a command line in this process, in an empty folder and with the hashing embedder."""
    from polyrag_cli.cli import run

    folder = tmp_path / "cwd"
    folder.mkdir()
    monkeypatch.chdir(folder)
    for name, value in HASHING.items():
        monkeypatch.setenv(name, value)
    # A slow machine would say how far it is; what a command says of itself is what is tested.
    monkeypatch.setattr("polyrag_cli.commands.progress.PLAIN_EVERY_S", float("inf"))

    def call(*arguments: str | Path, stdin: bytes = b"") -> Finished:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        return Finished(code, *capsys.readouterr())

    return call
