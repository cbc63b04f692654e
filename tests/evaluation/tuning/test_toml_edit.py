"""In-place changes of a configuration: the changed numbers, and nothing else."""

import stat
import tomllib
from pathlib import Path

import pytest

from polyrag_cli.config import Settings
from polyrag_cli.config.template import polyrag_toml
from polyrag_cli.errors import ConfigError, StoreError
from polyrag_cli.evaluation.tuning.toml_edit import diff, edited, read_text, replace_file

TEXT = """# ours
[routing]
evidence_min = 0.23   # measured
  text_weight=1.0

[routes.graph]  # walk
tau_low = 0.2
"""


def test_only_the_numbers_change() -> None:
    made = edited(TEXT, {"routing.evidence_min": 0.3, "routing.text_weight": 1.25, "routes.graph.tau_low": 0.1})
    assert made == TEXT.replace("0.23 ", "0.3 ").replace("=1.0", "=1.25").replace("tau_low = 0.2", "tau_low = 0.1")


def test_a_key_that_is_missing_joins_its_table_or_brings_one() -> None:
    made = edited(TEXT, {"routing.table_min": 0.4, "retrieval.home_bonus": 0.0})
    assert "[routing]\ntable_min = 0.4\nevidence_min = 0.23   # measured\n" in made
    assert made.endswith("\n[retrieval]\nhome_bonus = 0.0\n")
    assert tomllib.loads(made)["routing"]["evidence_min"] == 0.23


def test_dotted_keys_line_ends_and_a_missing_last_one_stay() -> None:
    text = "routing.text_min = 0.1\r\n[retrieval]\r\nsoft_weight = 0.3"
    assert edited(text, {"routing.text_min": 0.2}) == text.replace("0.1", "0.2")
    assert (
        edited(text, {"retrieval.home_bonus": 0.2})
        == text.replace("[retrieval]\r\n", "[retrieval]\r\nhome_bonus = 0.2\r\n") + "\r\n"
    )


def test_what_looks_like_a_key_inside_a_text_is_refused_rather_than_broken() -> None:
    text = 'notes = """\n[routing]\ntext_min = 0.5\n"""\n[routing]\ntext_min = 0.1\n'
    with pytest.raises(StoreError, match=r"by hand: routing\.text_min = 0\.2"):
        edited(text, {"routing.text_min": 0.2})


def test_an_inline_table_is_refused() -> None:
    with pytest.raises(StoreError, match="line by line"):
        edited("routing = {text_min = 0.1}\n", {"routing.text_min": 0.2})


def test_the_packaged_file_takes_every_change() -> None:
    before = polyrag_toml()
    after = edited(before, {"routes.graph.tau_high": 0.6, "retrieval.dense_weight": 0.8})
    changed = [line for line in diff(before, after, "polyrag.toml") if line[:1] in "+-"][2:]
    assert changed == ["-tau_high = 0.5", "+tau_high = 0.6", "-dense_weight = 0.5", "+dense_weight = 0.8"]
    assert tomllib.loads(after)["routes"]["relational"]["tau_high"] == 0.5


def test_a_file_is_replaced_whole_with_its_rights(tmp_path: Path) -> None:
    file = tmp_path / "polyrag.toml"
    file.write_bytes(b"[routing]\r\ntext_min = 0.1\r\n")
    file.chmod(0o640)
    replace_file(file, edited(read_text(file), {"routing.text_min": 0.2}), tmp_path)
    assert file.read_bytes() == b"[routing]\r\ntext_min = 0.2\r\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert Settings.load(config=file, environ={}).routing.text_min == 0.2
    assert [path.name for path in tmp_path.iterdir()] == ["polyrag.toml"]


def test_what_does_not_load_is_not_put_in_place(tmp_path: Path) -> None:
    file = tmp_path / "polyrag.toml"
    file.write_text(TEXT)
    with pytest.raises(ConfigError, match="impossible"):
        replace_file(file, edited(TEXT, {"routing.evidence_min": 7.0}), tmp_path)
    assert file.read_text() == TEXT
    assert [path.name for path in tmp_path.iterdir()] == ["polyrag.toml"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.toml").write_text(TEXT)
    link = tmp_path / "polyrag.toml"
    link.symlink_to("real.toml")
    replace_file(link, edited(TEXT, {"routing.evidence_min": 0.3}), tmp_path)
    assert link.is_symlink()
    assert "evidence_min = 0.3 " in (tmp_path / "real.toml").read_text()


def test_a_byte_order_mark_stays() -> None:
    text = "\ufeff[routing]\ntable_weight = 1.0\n"
    assert edited(text, {"routing.table_weight": 1.25}) == text.replace("1.0", "1.25")
