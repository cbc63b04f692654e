"""Owns the pure arithmetic of retrieval and routing.

Must never do I/O, read configuration, or import anything else of the package.
"""
