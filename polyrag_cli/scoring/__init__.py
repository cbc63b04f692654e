"""Owns the pure arithmetic of retrieval and routing."""
