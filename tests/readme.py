"""The console blocks of the README and the manual: runs their commands, compares or rewrites their output, and draws
the pictures.

`python -m tests.readme` (or `make readme`) rewrites; tests/test_readme.py compares. A block holds `$ polyrag …`
lines, each followed by its output. The blocks of a page run in order in one temporary folder that holds a copy of demo/
and eval/, so later blocks see what earlier ones did; a chapter of the manual begins with demo/ ingested, which is done
once for all of them. A toml block whose first line is a comment with a file's name is that file.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from polyrag_cli.config.reference import reference
from polyrag_cli.manual import TOPICS
from tests.prepared import copied, put_model

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
MANUAL = ROOT / "polyrag_cli" / "manual"
PAGES = (README, *(MANUAL / f"{topic}.md" for topic in TOPICS))
PICTURE = ROOT / "eval" / "ask.svg"
PICTURE_COMMAND = 'polyrag ask --explain --no-cache "Qual foi a receita bruta total do Teatro Girassol?"'
WIDTH = 96
SETTINGS = MANUAL / "configuration.md"
SETTINGS_HEADING = "## Every setting\n\n"
_BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
_FILE = re.compile(r"```toml\n# (\w+\.toml)\n(.*?)```", re.DOTALL)
# What differs from run to run and says nothing: times, trace ids, process ids, the temporary folder.
_VOLATILE = (
    (re.compile(r"^ ?latency_.*$", re.MULTILINE), "latency N"),
    (re.compile(r"\d+(?:\.\d+)? ?(?:ms|s)\b"), "N ms"),
    (re.compile(r"(?:embed|score|evidence) \d+\.\d+"), "part N"),
    (re.compile(r"\b[0-9a-f]{8}\b(?=  |$)", re.MULTILINE), "TRACE"),
    (re.compile(r"trace [0-9a-f]{8}"), "trace TRACE"),
    (re.compile(r"▇+"), "▇"),
    (re.compile(r"[ ]{2,}"), " "),
    (re.compile(r"─+"), "─"),
    (re.compile(r"\d+\.\d\d(?=\s|$)"), "0.00"),
)


@dataclass(frozen=True)
class Command:
    """One command of a block with the output that the README shows."""

    line: str
    shown: str


def blocks(text: str) -> list[list[Command]]:
    """The commands of every console block, in order."""
    found = []
    for match in _BLOCK.finditer(text):
        parts = re.split(r"^\$ ", match[1], flags=re.MULTILINE)[1:]
        found.append([Command(p.partition("\n")[0], p.partition("\n")[2]) for p in parts])
    return found


def normalized(output: str) -> str:
    """An output without what differs from run to run."""
    for pattern, stand_in in _VOLATILE:
        output = pattern.sub(stand_in, output)
    return "\n".join(line.strip() for line in output.strip().splitlines())


def run(line: str, folder: Path, colour: bool = False) -> str:
    """What a command prints, stdout and stderr together, as in a terminal of 96 columns."""
    environment = {
        **{k: v for k, v in os.environ.items() if not k.startswith("POLYRAG_")},
        "PATH": f"{Path(sys.executable).parent}:{os.environ.get('PATH', '')}",
        "COLUMNS": str(WIDTH),
        "PYTHONPATH": str(ROOT),
        "PYTHONWARNINGS": "ignore",
    }
    if colour:
        environment.update(FORCE_COLOR="1", COLORTERM="truecolor", TERM="xterm-256color")
    line = re.sub(r"^polyrag\b", f'"{sys.executable}" -m polyrag_cli', line)
    done = subprocess.run(
        line,
        shell=True,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    # A slow machine reports how far it is; a fast one has nothing to report.
    output = re.sub(r"^\S+: [\d,]+ of [\d,]+ (?:files|questions|decisions)\b.*\n", "", done.stdout, flags=re.MULTILINE)
    return output.replace(str(folder), ".").rstrip()


def files_of(page: Path, folder: Path) -> Path:
    """A folder with the demo corpus, its question sets and the page's own files, and nothing else."""
    for name in ("demo", "eval"):
        shutil.copytree(ROOT / name, folder / name)
    for name, text in _FILE.findall(page.read_text(encoding="utf-8")):
        (folder / name).write_text(text, encoding="utf-8")
    return folder


class Workplace:
    """A folder in which pages are run one after another: what one leaves in it is gone for the next.

    A page of the manual finds demo/ ingested, which is done once: the folder's path is part of what is kept.
    """

    def __init__(self, temporary: Path, model: Path | None = None) -> None:
        """temporary: an empty folder; model: where the model lies decoded, which else the first command does."""
        self._folder, self._kept, self._model = temporary / "work", temporary / "kept", model

    def cleared(self, page: Path) -> Path:
        """The folder as a page finds it."""
        shutil.rmtree(self._folder, ignore_errors=True)
        files_of(page, self._folder)
        data = self._folder / ".polyrag"
        if page != README and self._kept.exists():
            copied(self._kept, data)
            return self._folder
        if self._model is not None:
            put_model(self._model, data)
        if page != README:
            run("polyrag ingest demo", self._folder)
            copied(data, self._kept)
        return self._folder


def rewrite() -> None:
    """Puts what is declared of the settings and the real output into every page, and draws the picture."""
    text = SETTINGS.read_text(encoding="utf-8").partition(SETTINGS_HEADING)[0]
    SETTINGS.write_text(f"{text}{SETTINGS_HEADING}{reference().strip()}\n", encoding="utf-8")
    with tempfile.TemporaryDirectory() as temporary:
        work = Workplace(Path(temporary))
        for page in PAGES:
            rewrite_page(page, work.cleared(page))
        shown = run(PICTURE_COMMAND, work.cleared(PAGES[-1]), colour=True)
    PICTURE.write_text(picture(shown), encoding="utf-8")


def rewrite_page(page: Path, folder: Path) -> None:
    """Puts the real output into one page."""

    def block(match: re.Match[str]) -> str:
        commands = blocks(match[0])[0]
        shown = [f"$ {c.line}\n{run(c.line, folder)}" for c in commands]
        return "```console\n" + "\n".join(shown).rstrip() + "\n```"

    page.write_text(_BLOCK.sub(block, page.read_text(encoding="utf-8")), encoding="utf-8")


def picture(ansi: str) -> str:
    """A terminal's content as SVG."""
    from rich.console import Console
    from rich.text import Text

    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, legacy_windows=False)
    console.print(Text(f"$ {PICTURE_COMMAND}", style="bold"))
    console.print(Text.from_ansi(ansi))
    return console.export_svg(title="polyrag", unique_id="polyrag")


if __name__ == "__main__":
    rewrite()
    # What draws them needs the dashboard, this file doesn't.
    from tests.pictures import rewrite as rewrite_pictures

    rewrite_pictures()
