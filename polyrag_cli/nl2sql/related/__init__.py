"""Owns questions over tables that hang together: parts of the question combine over the ways between the tables."""
