"""The dashboard: a Textual application over one engine. The only package that knows textual; imports no command."""
