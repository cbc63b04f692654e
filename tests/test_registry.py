"""Names resolve to classes; unknown ones are refused with the known ones."""

import pytest

from polyrag_cli.errors import ConfigError
from polyrag_cli.registry import LOADER_SUFFIXES, names, resolve

KINDS = ("embedder", "relational", "vector", "lexical", "graph", "loader", "strategy")


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in KINDS for name in names(kind)])
def test_every_entry_resolves_to_a_class(kind: str, name: str) -> None:
    assert isinstance(resolve(kind, name), type)


def test_every_suffix_names_a_loader() -> None:
    assert set(LOADER_SUFFIXES.values()) <= set(names("loader"))


def test_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(ConfigError, match=r"'bogus' is no embedder.*use-m3"):
        resolve("embedder", "bogus")
