"""Owns which notions are people, places, times or money, and of which a sum means something.

A notion has an English name; the words that mean it stand in the language files.
"""

from __future__ import annotations


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


PEOPLE = _names(
    """
    name seller customer employee player author person supplier teacher doctor technician driver artist owner student
    patient director candidate guest volunteer
    """
)
# Notions that answer "who" but are no other name of one another.
UNLINKED = frozenset({"person"})
# Notions that never answer "who".
THINGS = frozenset({"product", "category", "material", "status", "type", "format", "color", "price", "service"})
PLACES = frozenset(["place", "city", "state", "country", "region", "station", "room"])
MONEY = _names(
    """
    revenue price fee charged cost amount profit salary bonus commission discount tax budget debt donation rent
    freight
    """
)

# Adding these up means something; adding up prices, ages or rates doesn't.
ADDITIVE = _names(
    """
    amount energy revenue quantity cost profit production stock salary population points goals tax budget hours payment
    failure delivery order weight ticket session enrolled seat minute affected win defeat draw vote visitor donation
    bag night harvest consumption bonus commission freight charged absence capacity
    """
)
NOT_ADDITIVE = _names(
    """
    price fee age height depth width temperature grade year month date code discount size speed voltage start end birth
    """
)
