"""Owns questions to SQL without a model: links, readings, their scores, SQL and the guard."""
