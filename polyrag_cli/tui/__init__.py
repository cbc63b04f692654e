"""The dashboard: a Textual application over one engine. The only package that knows textual; imports no command."""

import os

# Frames a second at most, read when textual is imported. A frame that is due waits for the next beat: at the usual 60
# up to 17 ms. There is no animation here that would draw more often for it.
os.environ.setdefault("TEXTUAL_FPS", "120")
