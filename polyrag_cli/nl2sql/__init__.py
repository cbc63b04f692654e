"""Owns questions to SQL without a model: links, plans, their ranking, SQL and the guard.

Must never import a store's backend, a provider, configuration or the engine.
"""
