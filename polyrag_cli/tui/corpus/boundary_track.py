"""How near a chunk lies to the boundary between two routes, drawn and in words."""

from __future__ import annotations

from polyrag_cli.types import ChunkRoute

# What the drawing reaches to on each side, in boundary widths, where the margin needs no more.
_REACH = 4.0


def boundary_track(route: ChunkRoute, chunk_margin: float, width: int = 33) -> str:
    """The chunk as a point between its two best routes: the boundary in the middle, around it the band in which a
    chunk is in both; empty when no second route was compared.

    chunk_margin: half the band's width. width: cells of the line between the two names; odd.
    """
    if len(route.scores) < 2:
        return ""
    half = width // 2
    reach = max(_REACH * chunk_margin, 1.1 * route.margin, 1e-6)
    band = min(half - 1, max(1, round(chunk_margin / reach * half))) if chunk_margin > 0 else 0
    line = ["─"] * width
    if band:
        line[half - band : half + band + 1] = ["┤", *"┄" * (2 * band - 1), "├"]
    line[half] = "┼"
    at = half + min(half, round(route.margin / reach * half))
    # The point must not stand on the band's border: it is inside or outside.
    if band and at == half + band:
        at += -1 if route.margin < chunk_margin and band > 1 else 1
    line[min(at, width - 1)] = "●"
    return f"{route.scores[1][0]} {''.join(line)} {route.scores[0][0]}"


def boundary_words(route: ChunkRoute, chunk_margin: float) -> str:
    """How far the chunk is from the boundary, and what that means for it."""
    if len(route.scores) < 2:
        return route.reason or "no second route to compare with"
    other = route.scores[1][0]
    places = 3 if f"{route.margin:.3f}" != f"{chunk_margin:.3f}" else 6
    distance = f"{route.margin:.{places}f} from the boundary to {other}"
    if route.margin < chunk_margin:
        return f"{distance}, less than {chunk_margin:g}: in both"
    return f"{distance}, {chunk_margin:g} or more: in {route.home} alone"


def home_words(route: ChunkRoute) -> str:
    """The chunk's home, and where else it is."""
    also = f", also in {', '.join(route.also)}" if route.also else ""
    return f"home {route.home or '–'}{also}"
