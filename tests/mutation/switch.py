"""What an instrumented file asks at each predicate; copied beside the instrumented package, so it stands alone."""

reached: set[int] = set()
"""Numbers of the predicates that were asked for since it was cleared."""
_active: list[tuple[int, bool]] = []


def activate(number: int, value: bool) -> None:
    """From now on this predicate is the constant."""
    _active[:] = [(number, value)]


def original(number: int) -> bool:
    """Whether the predicate is evaluated as it stands in the source."""
    reached.add(number)
    return not _active or _active[0][0] != number


def constant() -> bool:
    """What stands in the active predicate's place."""
    return _active[0][1]
