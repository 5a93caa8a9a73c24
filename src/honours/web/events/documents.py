"""Documents of an event that take a while to draw: made by a process of its own, from the report
and the name of the rulebook."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field

from honours.pipeline import Report, awarded
from honours.reports.pdf import make_pdf
from honours.reports.site import build_site
from honours.rulebooks import load

SITE = "site"


@dataclass(frozen=True, slots=True)
class Awarding:
    """By which rulebook, of which folders, a document says what is awarded; by none, if empty."""

    rulebook: str = ""
    given: Mapping[str, str] = field(default_factory=dict)
    folders: tuple[str, ...] = ()


def document(report: Report, kind: str, awarding: Awarding) -> bytes:
    """A PDF of this kind, or a site as a ZIP file."""
    if awarding.rulebook:
        book = load(awarding.rulebook, awarding.folders)
        report = awarded(report, book, awarding.given)
    return _zipped(build_site(report)) if kind == SITE else make_pdf(report, kind)


def _zipped(files: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()
