"""python -m polyrag_cli."""

from polyrag_cli.cli import main

main()
