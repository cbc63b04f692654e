"""Pictures of each view at three sizes. `python -m tests.tui.snapshots` draws them anew."""
