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
    assert "  text_weight=1.0\ntable_min = 0.4\n\n[routes.graph]" in made
    assert made.endswith("\n[retrieval]\nhome_bonus = 0.0\n")
    assert tomllib.loads(made)["routing"]["evidence_min"] == 0.23


def test_dotted_keys_line_ends_and_a_missing_last_one_stay() -> None:
    text = "routing.text_min = 0.1\r\n[retrieval]\r\nsoft_weight = 0.3"
    assert edited(text, {"routing.text_min": 0.2}) == text.replace("0.1", "0.2")
    assert edited(text, {"retrieval.home_bonus": 0.2}) == text + "\r\nhome_bonus = 0.2\r\n"


def test_what_looks_like_a_key_inside_a_text_stays() -> None:
    text = 'notes = """\n[routing]\ntext_min = 0.5\n"""\n[routing]\ntext_min = 0.1\n'
    assert edited(text, {"routing.text_min": 0.2}) == text.replace("0.1", "0.2")


def test_inline_tables_and_tables_out_of_order_are_changed_where_they_are() -> None:
    inline = "routing = {text_min = 0.1, table_min = 0.3} # ours\n"
    assert edited(inline, {"routing.text_min": 0.2}) == inline.replace("0.1", "0.2")
    nested = "routes = {a = {tau_low = 0.1}}\n"
    made = edited(nested, {"routes.b.tau_low": 0.2})
    assert len(made.splitlines()) == 1
    assert tomllib.loads(made) == {"routes": {"a": {"tau_low": 0.1}, "b": {"tau_low": 0.2}}}
    mixed = "[routes.a]\ntau_low = 0.1\n\n[cache]\nenabled = true\n\n[routes.b]\ntau_low = 0.3 # b\n"
    changed = {"routes.b.tau_low": 0.4, "routes.a.tau_low": 0.2}
    assert edited(mixed, changed) == mixed.replace("0.3", "0.4").replace("0.1", "0.2")


def test_a_route_that_the_file_lacks_gets_a_table_of_its_own() -> None:
    made = edited("[answer]\ntop_k = 3\n", {"routes.graph.tau_low": 0.1, "routes.graph.tau_high": 0.6})
    assert made == "[answer]\ntop_k = 3\n\n[routes.graph]\ntau_low = 0.1\ntau_high = 0.6\n"
    assert edited("", {"routing.text_min": 0.2}) == "[routing]\ntext_min = 0.2\n"
    beside = edited("[routes.a]\ntau_low = 0.1\n\n[cache]\n", {"routes.b.tau_low": 0.2})
    assert tomllib.loads(beside) == {"routes": {"a": {"tau_low": 0.1}, "b": {"tau_low": 0.2}}, "cache": {}}


@pytest.mark.parametrize(
    "text",
    [
        "routes.a.tau_low = 0.2\n\nrouting = {}\n",
        "[routes]\na.tau_low = 0.1\n\n[routing]\n\n[routes.a.anchors]\nquestion.en = ['?']\n",
        "[routes.a.anchors]\nquestion.en = ['?']\n[cache]\n[routes]\na.tau_low = 0.1\n",
    ],
)
def test_a_layout_at_odds_is_changed_rightly_or_refused(text: str) -> None:
    wanted = tomllib.loads(text)
    wanted["routes"]["b"] = {"tau_low": 0.3}
    try:
        made = edited(text, {"routes.b.tau_low": 0.3})
    except StoreError as refused:
        assert "by hand: routes.b.tau_low = 0.3" in str(refused)
    else:
        assert tomllib.loads(made) == wanted


@pytest.mark.parametrize("text", ["routing = 3\n", "routing = [1]\n", "[routing\n"])
def test_what_can_not_be_changed_is_said_with_what_to_write(text: str) -> None:
    with pytest.raises(StoreError, match=r"by hand: routing\.text_min = 0\.2") as caught:
        edited(text, {"routing.text_min": 0.2})
    assert "\n" not in str(caught.value)


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
