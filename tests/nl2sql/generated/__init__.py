"""Generated tables and questions of them, with answers worked out in plain Python: one grammar for each operator."""
