"""One table with its title, as text and as data: what travellers and scorecards are made of."""

from __future__ import annotations

from dataclasses import dataclass

from honours.reports.tables import text_table


@dataclass(frozen=True, slots=True)
class Sheet:
    """One table with its title; ``foot`` is what stands below it."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    foot: str = ""

    def text(self) -> str:
        body = text_table(self.header, self.rows)
        return "\n".join(part for part in (self.title, body, self.foot) if part)

    def data(self) -> dict[str, object]:
        rows = [dict(zip(self.header, row, strict=True)) for row in self.rows]
        return {"title": self.title, "rows": rows, "foot": self.foot}
