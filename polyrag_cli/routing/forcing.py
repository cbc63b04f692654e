"""Owns what becomes of a decision when its caller insists on a route or a strategy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from polyrag_cli.routing.base import AUTO
from polyrag_cli.routing.ruling import final_margin
from polyrag_cli.types import RouteDecision


def force(
    decision: RouteDecision, route: str | None, strategy: str | None, configured: Mapping[str, str]
) -> RouteDecision:
    """The decision with that route or strategy in every clause; stage 0 says so. The scores stay, to be looked at, and
    the final margin is that of the route now taken.

    configured: each route's strategy.
    """
    if route is None and strategy is None:
        return decision
    what = " and ".join(f"{kind} {name}" for kind, name in (("route", route), ("strategy", strategy)) if name)
    clauses = []
    for clause in decision.clauses:
        chosen = route or clause.route
        own = configured.get(chosen, clause.strategy)
        how = strategy or ("hybrid" if own == AUTO else own)
        forced = replace(clause, route=chosen, also=(), stage=0, strategy=how, reason=f"{what} forced", answerable=True)
        clauses.append(replace(forced, final_margin=final_margin(forced)))
    return replace(decision, clauses=tuple(clauses), forced_route=route, forced_strategy=strategy)
