"""Owns what stage 3 decides from: what the stores really hold of a clause."""
