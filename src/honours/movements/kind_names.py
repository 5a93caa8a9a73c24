"""What kinds of movements are called, without making any."""

OF_PAIRS = (
    "mitchell",
    "skip-mitchell",
    "share-and-relay-mitchell",
    "web-mitchell",
    "hesitation-mitchell",
    "appendix-mitchell",
    "rover-mitchell",
    "bowman",
    "blackpool",
    "howell",
    "three-quarter-howell",
)
OF_PLAYERS = ("individual", "rainbow")
OF_TEAMS = ("american-whist", "multiple-teams", "round-robin")
KINDS = (*OF_PAIRS, *OF_PLAYERS, *OF_TEAMS)
