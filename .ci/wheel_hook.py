"""Puts the compiled languages into the wheel: a hook that hatchling calls while it builds one."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledLanguages(BuildHookInterface):  # type: ignore[type-arg]
    """Compiles the language files of the package that is being built."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Adds the compiled form to the files of the wheel; an editable one has the checkout's."""
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        from polyrag_cli.languages.compiled import COMPILED, compile_folder

        file = Path(tempfile.mkdtemp()) / COMPILED
        file.write_bytes(compile_folder(Path(self.root) / "polyrag_cli" / "languages"))
        build_data["force_include"][str(file)] = f"polyrag_cli/languages/{COMPILED}"
