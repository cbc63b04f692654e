"""Owns questions to SQL without a model: links, plans, their ranking, SQL and the guard."""
