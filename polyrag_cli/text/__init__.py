"""Owns the one definition of each property of text: folding, words, stems, numbers, dates, language, sentence
borders.
"""
