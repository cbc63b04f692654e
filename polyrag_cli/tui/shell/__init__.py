"""What surrounds the tabs: start and end, header and footer, palette, help, settings, the session, modal screens."""
