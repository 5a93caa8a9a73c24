"""Every page in French: nothing on it is English but what says so, or waits for its translation."""

import re
import time
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import httpx
import pytest

from honours.demo import FILES, file
from honours.rulebooks import ids
from honours.scoring.profiles import profile_names
from honours.web.events.pages import TYPED_EXAMPLE
from honours.web.settings import Settings
from scripts import catalogue as catalogues
from tests.web.server import example_event, serving

SPOKEN = ("aria-label", "placeholder", "title", "alt", "data-ask")
SILENT = ("script", "style", "code", "pre", "textarea", "svg", "title")
EMPTY = ("br", "img", "input", "meta", "link", "hr")
OURS = ("A. Secretary", "late", "tuesday", "typed-in.txt", "small-year", "open pairs", "3000")
NAMES = (
    "Honours",
    "OpenAPI",
    "English",
    "Scottish Bridge Union",
    "seed",
    "size_exponent=1/2",
    "limit=750",
    "4S, 3NTx, pass, 4SN=",
)
AUDIT = {"a": "vbl-2017"}
SIMULATE = {
    "a": "acbl-sof-2020",
    "holding": "600",
    "events": "open pairs: entrants=40 holding=3000 sessions=2",
}


class _Texts(HTMLParser):
    """The texts of a page that are not marked as of another language than the page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._open: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        hidden = tag in SILENT or attributes.get("lang") == "en" or any(h for _, h in self._open)
        if not hidden:
            self.found += [text for key in SPOKEN if (text := attributes.get(key))]
        if tag not in EMPTY:
            self._open.append((tag, hidden))

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        text = " ".join(data.split())
        if text and not any(hidden for _, hidden in self._open):
            self.found.append(text)


def texts(page: str) -> list[str]:
    parser = _Texts()
    parser.feed(page)
    return parser.found


# --- what is the same in both languages by right --------------------------------------------------


@cache
def _same_in_both() -> tuple[set[str], re.Pattern[str]]:
    """What the catalogue says in the same words, *club*, *date*, and with values *Place 3*; and
    what nobody has translated yet: a language may be unfinished."""
    whole = catalogues.read(catalogues.FOLDER / "fr")
    french = {m.id: m.string for m in whole if m.id and m.string and not m.fuzzy}
    texts = [m.id for m in catalogues.template() if m.id and french.get(m.id, m.id) == m.id]
    same = [one for text in texts for one in ((text,) if isinstance(text, str) else text)]
    parted = [re.split(r"%\(\w+\)[sd]|\{\w+[^}]*\}", text) for text in same]
    templates = (".+".join(map(re.escape, parts)) for parts in parted if len(parts) > 1)
    return {parts[0] for parts in parted if len(parts) == 1}, re.compile("|".join(templates))


@cache
def _data() -> str:
    """Names of people, files and things: what the examples hold and what the test says."""
    held = [file(name).read_text(encoding="utf-8") for name in FILES]
    return "\n".join([*held, *FILES, *ids(), *profile_names(), *OURS, *NAMES, TYPED_EXAMPLE])


@cache
def _is_english(text: str) -> bool:
    bare = re.sub(r"^\d+: |, \d{4}-\d\d-\d\dT[\d:]+$", "", text)
    if not re.search(r"[a-z]{3}", bare) or re.fullmatch(r"[0-9a-f]{16,}", bare):
        return False
    words, templates = _same_in_both()
    if bare in words or templates.fullmatch(bare):
        return False
    parts = re.split(r", | & ", bare)
    return bare not in _data() and not all(part in _data() for part in parts)


# --- a server with something of everything -------------------------------------------------------


def _ready(client: httpx.Client, path: str) -> str:
    """A page that waits for something, once it need not wait any longer."""
    for _ in range(2000):
        if "<progress" not in client.get(path).text:
            return path
        time.sleep(0.5)
    raise AssertionError(f"{path} was never ready")


def _ruled(client: httpx.Client) -> str:
    """An event whose standings were made final and then amended."""
    event, form = example_event(client), {"kind": "penalty", "amount": "2", "by": "A. Secretary"}
    for count, what in enumerate(("rulings", "final", "rulings")):
        more = {"pair": str(count + 1), "why": "late", "count": str(count)}
        assert client.post(f"{event}/{what}", data=form | more).status_code == 303
    return event


def _prepared(client: httpx.Client) -> list[str]:
    by = {"by": "A. Secretary"}
    client.post("/ledger")
    client.post("/ledger/members/example", data=by)
    event = example_event(client)
    for day in ("2020-03-03", "2020-03-10"):
        query = "?rulebook=sbu-clubs-2016&as_usual=yes&g.winners=1"
        client.post(f"{event}/draft{query}", data={**by, "day": day, "new": "yes"})
    client.post("/ledger/drafts/1/release", data=by)
    client.post("/ledger/verify")
    waited = [_ready(client, "/ledger")]  # a server does a few long things at once, and no more
    ruled = _ruled(client)
    typed = client.post("/events/typed", data={"text": TYPED_EXAMPLE}).headers["location"]
    season = client.post("/ledger/seasons/example").headers["location"]
    waited.append(_ready(client, season))
    for kind, form in (("audit", AUDIT), ("simulate", SIMULATE)):
        waited.append(_ready(client, client.post(f"/lab/{kind}", data=form).headers["location"]))
    return [ruled, f"{ruled}/rulings", typed, *waited]


def _pattern(path: str) -> str:
    """What kind of page an address leads to: of a kind one is looked at."""
    bare = re.sub(r"[?#](?!kind=).*|&.*", "", path)
    bare = re.sub(r"/calculators/([a-z0-9-]+)\?.*", r"/calculators/\1", bare)
    return re.sub(r"[0-9a-f]{12}|/\d+", "/1", bare)


def _walk(client: httpx.Client, first: list[str]) -> Iterator[tuple[str, str]]:
    waiting = ["/", "/nowhere", *first]
    seen = {_pattern(path) for path in waiting}
    while waiting:
        path = waiting.pop(0)
        answer = client.get(path, headers={"accept-language": "fr"})
        if not answer.headers.get("content-type", "").startswith("text/html"):
            continue
        page = answer.text
        yield path, page
        for link in re.findall(r'href="(/[^"]*)"', page):
            address = link.replace("&amp;", "&")
            if "/static/" not in address and _pattern(address) not in seen:
                seen.add(_pattern(address))
                waiting.append(address)


@pytest.mark.slow
def test_no_page_is_half_in_english(tmp_path: Path) -> None:
    left: dict[str, str] = {}
    pages = 0
    with (
        serving(Settings(data=tmp_path)) as address,
        httpx.Client(base_url=address, timeout=120) as client,
    ):
        for path, page in _walk(client, _prepared(client)):
            pages += 1
            english = set(texts(client.get(path, headers={"accept-language": "en"}).text))
            same = [text for text in texts(page) if text in english and _is_english(text)]
            left |= dict.fromkeys(same, path)
    assert left == {}
    assert pages > 40


# --- sentences from below ------------------------------------------------------------------------
