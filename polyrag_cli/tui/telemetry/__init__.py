"""The telemetry tab: stored traces with their decisions, spans and times."""
