"""Workbooks of office programs: their sheets as cell texts, one file for each format."""
