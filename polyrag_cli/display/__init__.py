"""What people read, as plain text: one definition for the command line, the dashboard and reports."""
