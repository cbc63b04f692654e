"""The entry point of the command `polyrag`: runs the command line; Ctrl-C at its start or end leaves no traceback."""

# The built-in part of `signal`: importing the rest takes longer than all that can be interrupted before it.
import _signal as signal  # type: ignore[import-not-found]
import sys


def main() -> None:
    """Runs the command line of this process and exits with its code.

    While modules are imported, and after the command has ended, an interruption ends the process by the signal alone:
    an exception there would show as a traceback. What isn't the interpreter's own handling (`nohup`) stays.
    """
    own = signal.getsignal(signal.SIGINT) is signal.default_int_handler and _handle(signal.SIG_DFL)
    from polyrag_cli import cli

    try:
        if own:
            _handle(signal.default_int_handler)
        cli.main()
    except KeyboardInterrupt:
        # Just before the command line would have caught it, or just after.
        sys.exit(cli.INTERRUPTED)
    finally:
        if own:
            _handle(signal.SIG_DFL)


def _handle(handler: object) -> bool:
    """Whether SIGINT could be given a handler: only the main thread may do it."""
    try:
        signal.signal(signal.SIGINT, handler)
    except ValueError:
        return False
    return True


if __name__ == "__main__":
    main()
