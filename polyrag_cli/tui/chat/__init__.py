"""The chat tab: the conversation, the box that questions are written in, and one turn's decision beside it."""
