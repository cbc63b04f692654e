"""What can be set, what is set, and where it was set.

`declare` says how a setting is declared, `sections` declares every one, `tree` merges what files, environment and flags
say, `settings` makes typed values of it, `template` writes polyrag.toml and `reference` the manual's table.
"""

from polyrag_cli.config.settings import FILE_NAME, Settings, changed_settings, digest, user_cache

__all__ = ["FILE_NAME", "Settings", "changed_settings", "digest", "user_cache"]
