"""The merged configuration: what is laid over what, and the routes of the package."""

from polyrag_cli.config.tree import Tree, defaults, leaves


def test_two_trees_share_no_list() -> None:
    one, other = Tree(), Tree()
    one.values["gate"]["sets"].append("eval/a.yaml")
    assert other.values["gate"]["sets"] == defaults()["gate"]["sets"] == []


def test_leaves_are_dotted_and_an_empty_table_is_one() -> None:
    assert list(leaves({"a": {"b": {"c": 1}, "d": {}}, "e": []})) == [("a.b.c", 1), ("a.d", {}), ("e", [])]


def test_a_value_that_is_not_given_is_not_checked_and_one_that_is_tells_its_origin() -> None:
    tree = Tree()
    assert set(tree.origins.values()) == {"default"} and set(tree.origins) == {key for key, _ in leaves(tree.values)}
    tree.merge({"answer": {"top_k": 9}}, "polyrag.toml: /x/polyrag.toml", "/x/polyrag.toml")
    tree.check()
    assert tree.values["answer"]["top_k"] == 9 and tree.origins["answer.top_k"] == "polyrag.toml: /x/polyrag.toml"


def test_the_routes_of_the_package_have_anchors_in_two_languages_none_twice() -> None:
    for name, route in defaults()["routes"].items():
        anchors = route["anchors"]["question"]
        assert {"pt", "en"} <= set(anchors), name
        every = [text for texts in anchors.values() for text in texts]
        assert len(every) == len(set(every)) >= 20, name
