"""Mutation check: whether a test fails when a predicate of the source is replaced by a constant."""
