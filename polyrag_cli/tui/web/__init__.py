"""The dashboard in a browser: the server, who may open it, and the process behind each page."""
