"""The text of a season, as forms change it: an event more or less, or a whole new one."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence

from honours.errors import InputError
from honours.web.http.forms import whole_in

_FILES = re.compile(r"files\s*=\s*\[")
_EVENTS_OF = re.compile(r"(?m)^events\s*=\s*\{\s*")


def _of_competition(text: str, number: int) -> tuple[list[str], int]:
    """The parts of a season's text, and which is that of a competition."""
    parts = re.split(r"(?m)^(?=\[\[competition\]\])", text)
    heads = len(parts) - len(re.findall(r"(?m)^\[\[competition\]\]", text))
    place = heads + number
    if place >= len(parts):
        raise InputError("there is no competition {number}", number=number + 1)
    return parts, place


def with_event(text: str, number: int, name: str) -> str:
    """A season's text in which one more event counts for its competition of this number."""
    parts, place = _of_competition(text, number)
    part, listed = parts[place], json.dumps(name, ensure_ascii=False)
    if _FILES.search(part):
        part = _FILES.sub(lambda match: f"{match[0]}{listed}, ", part, count=1)
    elif _EVENTS_OF.search(part):
        part = _EVENTS_OF.sub(lambda match: f"{match[0]}files = [{listed}], ", part, count=1)
    else:
        part = f"{part.rstrip()}\nevents = {{ files = [{listed}] }}\n"
    return "".join([*parts[:place], part, *parts[place + 1 :]])


def without_event(text: str, number: int, names: Collection[str]) -> str:
    """A season's text in which an event, listed under one of these names, counts no more for its
    competition of this number."""
    parts, place = _of_competition(text, number)
    left = parts[place]
    for name in names:
        listed = re.escape(json.dumps(name, ensure_ascii=False))
        left = re.sub(rf"{listed}\s*,\s*|,?\s*{listed}", "", left, count=1)
    changed = "".join([*parts[:place], left, *parts[place + 1 :]])
    if left == parts[place]:
        raise InputError("that event is not among those ticked for this competition")
    return changed


def season_text(form: Mapping[str, str], files: Sequence[str]) -> str:
    """A season file with one competition, from what a form says."""
    lines = [
        *(f"{key} = {quoted(form[key])}" for key in ("club", "rulebook") if form.get(key)),
        *([f"year = {form['year']}"] if form.get("year") else []),
        *("", "[[competition]]"),
        *(f"{key} = {quoted(form[key])}" for key in ("title", "kind") if form.get(key)),
    ]
    if form.get("type", "table") != "table":
        lines.append(f"type = {quoted(form['type'])}")
    if form.get("championship"):
        lines.append(f"championship = {quoted(form['championship'])}")
    ledger = [f"ledger = {quoted(form['ledger'])}"] if form.get("ledger") else []
    listed = (
        [f"files = {json.dumps(list(files), ensure_ascii=False)}"] if files or not ledger else []
    )
    lines.append(f"events = {{ {', '.join([*listed, *ledger])} }}")
    lines += [f"{key} = {whole_in(form, key, 6)}" for key in ("best", "played") if form.get(key)]
    if form.get("score"):
        lines.append(f"score = {quoted(form['score'])}")
    if form.get("type") == "final":
        lines.append(f"final = {{ {', '.join(_final(form))} }}")
    return "\n".join(lines) + "\n"


def _final(form: Mapping[str, str]) -> list[str]:
    lines = [f"file = {quoted(form.get('final', ''))}", f"boards = {whole_in(form, 'boards', 6)}"]
    return lines + ([f"places = {whole_in(form, 'places', 6)}"] if form.get("places") else [])


def quoted(text: str) -> str:
    """A text as TOML has it."""
    return json.dumps(text, ensure_ascii=False)
