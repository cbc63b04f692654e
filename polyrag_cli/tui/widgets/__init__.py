"""What tabs and shell draw with: lists, text that fits its width, decisions, spans, modal screens."""
