"""PolyRAG: a federated RAG engine that routes with arithmetic and shows it."""

# What type checkers take for true. Nothing is imported here: an interruption would show as a traceback until the
# process's own handling of it is set.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from polyrag_cli.config import Settings
    from polyrag_cli.engine import Engine

__version__ = "0.1.0"
__all__ = ["Engine", "Settings", "__version__"]


def __getattr__(name: str) -> "Any":
    # Resolved on first use: importing the package must not load numpy.
    if name == "Engine":
        from polyrag_cli.engine import Engine

        return Engine
    if name == "Settings":
        from polyrag_cli.config import Settings

        return Settings
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
