"""Database files: their tables as they are, with keys and foreign keys."""
