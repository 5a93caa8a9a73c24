"""Brings the catalogues of the pages' texts up to date: `python -m scripts.catalogue`.

New texts are added untranslated and those no page shows any more are dropped; a test fails until a
person has translated the new ones.
"""

from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

WEB = Path(__file__).resolve().parent.parent / "src" / "honours" / "web"
METHODS = [("**.py", "python"), ("pages/templates/**.html", "jinja2")]
KEYWORDS = {"mark": None, "_": None, "gettext": None, "ngettext": (1, 2)}

Text = str | tuple[str, ...]


def texts() -> Iterator[tuple[str, Text]]:
    """Every text to translate, with the file it is in."""
    options = {"pages/templates/**.html": {"silent": "false", "trimmed": "true"}}
    for file, _, text, _, _ in extract_from_dir(str(WEB), METHODS, options, KEYWORDS):
        yield file, text


def catalogues() -> list[Path]:
    """The catalogue of every language."""
    return sorted((WEB / "i18n").glob("*.po"))


def template() -> Catalog:
    """Every text, untranslated, in the order of its letters."""
    found: dict[Text, set[str]] = {}
    for file, text in texts():
        found.setdefault(text, set()).add(file)
    catalog = Catalog(project="Honours", charset="utf-8")
    for text, files in sorted(found.items(), key=lambda item: str(item[0])):
        catalog.add(text, locations=[(file, 0) for file in sorted(files)])
    return catalog


def main() -> None:
    """Bring every catalogue up to date."""
    for path in catalogues():
        with path.open("rb") as file:
            catalog = read_po(file, locale=path.stem)
        catalog.update(template(), no_fuzzy_matching=True, update_creation_date=False)
        catalog.obsolete.clear()
        catalog.header_comment = f"# The texts of the pages: {path.stem}."
        catalog.last_translator = catalog.language_team = "Honours contributors"
        catalog.msgid_bugs_address = catalog.version = ""
        with path.open("wb") as file:
            write_po(file, catalog, width=100, no_location=True, omit_header=False)
        print(f"{path.name}: {len(untranslated(catalog))} to translate")


def untranslated(catalog: Catalog) -> list[Message]:
    """The texts that still have no translation, or one that nobody has looked at."""
    return [m for m in catalog if m.id and (m.fuzzy or not _is_whole(m.string))]


def _is_whole(found: object) -> bool:
    return all(found) if isinstance(found, tuple | list) else bool(found)


if __name__ == "__main__":
    main()
