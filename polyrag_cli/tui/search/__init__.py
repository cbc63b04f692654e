"""The search tab: what each search head finds for a query, without an answer."""
