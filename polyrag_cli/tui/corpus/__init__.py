"""The corpus tab: files and what became of them, chunks, tables, the graph, adding and removing."""
