"""Owns the one definition of each property of text: folding, words, stems, numbers, dates, language, sentence borders.

Must never import numpy, a store, a provider or configuration.
"""
