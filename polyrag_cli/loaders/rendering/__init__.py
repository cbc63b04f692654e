"""Markup rendered to the text that a person reads."""
