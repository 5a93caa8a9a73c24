"""A curve that was fitted, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honours.model.message import Message, mark, plural

if TYPE_CHECKING:
    from honours.lab.fit import Fit


def curve_in_words(fit: Fit) -> Message:
    """The curve in words, and how much it explains."""
    template = (
        mark(
            "{sample}: a player's points are expected to be {constant:.2f} {sign} "
            "{coefficient:.4f} · rating^{exponent:.3f}; ratings explain {share:.0f}% of the "
            "variance (R² {r_squared}, {players} in {events})"
        )
        if fit.held.is_rating
        else mark(
            "{sample}: a player's points are expected to be {constant:.2f} {sign} "
            "{coefficient:.4f} · MP^{exponent:.3f}; holdings explain {share:.0f}% of the "
            "variance (R² {r_squared}, {players} in {events}), compared with "
            "0.1393 · MP^0.4 and R² 0.21 in the 2020 source"
        )
    )
    players = (
        plural("{count:,} player", "{count:,} players", count=fit.players)
        if fit.held.is_rating
        else plural("{count:,} player-day", "{count:,} player-days", count=fit.players)
    )
    return Message(
        template,
        sample=_sample(fit),
        constant=fit.constant,
        sign="−" if fit.coefficient < 0 else "+",
        coefficient=abs(fit.coefficient),
        exponent=fit.exponent,
        share=100 * fit.r_squared,
        r_squared=_r_squared(fit),
        players=players,
        events=plural("{count:,} event", "{count:,} events", count=fit.events),
    )


def _r_squared(fit: Fit) -> Message:
    if fit.r_interval is None:
        return Message("{value:.3f}", value=fit.r_squared)
    ends = {"low": fit.r_interval.low, "high": fit.r_interval.high}
    return Message("{value:.3f}, from {low:.3f} to {high:.3f}", value=fit.r_squared, **ends)


def _sample(fit: Fit) -> str:
    if not fit.floor:
        return fit.title
    return Message(
        "{sample}, holdings counted as {floor:g} at least",
        sample=fit.title,
        floor=fit.floor,
    )
