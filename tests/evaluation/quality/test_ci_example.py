"""The workflow that the manual offers for CI does what it says, on a checkout of the demo."""

import re
import shlex
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

from polyrag_cli.datasets import load_set
from tests.command_line import environment, process
from tests.readme import MANUAL, files_of

PAGE = MANUAL / "evaluation.md"
_BLOCK = re.compile(r"```yaml\n(.*?)```", re.DOTALL)


@pytest.fixture(scope="module")
def workflow() -> dict[str, Any]:
    loaded = [yaml.safe_load(block) for block in _BLOCK.findall(PAGE.read_text(encoding="utf-8"))]
    (found,) = [block for block in loaded if isinstance(block, dict) and block.get("name") == "polyrag-eval"]
    return dict(found)


def sampled(file: Path) -> None:
    """Leaves every sixth question of a set, and what stands before the first."""
    head, *questions = re.split(r"(?m)^(?=- question:)", file.read_text(encoding="utf-8"))
    file.write_text(head + "".join(questions[::6]), encoding="utf-8")


@pytest.mark.long
@pytest.mark.parametrize("whole", [False, True], ids=["sample", "all"])
def test_the_example_runs_and_passes(workflow: dict[str, Any], tmp_path: Path, whole: bool) -> None:
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    (command,) = [step["run"] for step in steps if "polyrag eval" in step.get("run", "")]
    words = shlex.split(command)
    assert words[:2] == ["polyrag", "eval"]
    folder = files_of(PAGE, tmp_path)
    golden = folder / "eval" / "golden.yaml"
    if not whole:
        sampled(golden)
    done = process(*words[1:], cwd=folder, env=environment())
    assert done.code == 0, done
    assert done.out.rstrip().endswith("gate passed")
    junit, markdown = (tmp_path / words[words.index(option) + 1] for option in ("--junit", "--markdown"))
    root = ElementTree.parse(junit).getroot()
    # The gate itself is a test as well.
    questions = len(load_set(golden))
    assert whole or 10 < questions < 20
    assert (root.get("tests"), root.get("failures")) == (str(questions + 1), "0")
    assert "**Gate passed** against eval/baseline.json" in markdown.read_text(encoding="utf-8")
    later = " ".join(step.get("run", "") + str(step.get("with", "")) for step in steps)
    assert later.count(markdown.name) >= 2 and later.count(junit.name) >= 2
    assert not (tmp_path / ".polyrag").exists()
