"""Owns the tables of a language file, one class each; a key's docstring says what its words are used for."""
