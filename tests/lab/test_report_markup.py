"""What is in a report stays what it is, whatever it is called."""

import json
from html.parser import HTMLParser

import pytest

from honours.lab.charts import chart_of
from honours.lab.corpus import Corpus
from honours.lab.report import render
from honours.lab.result import Answer, Frame


class _Scripts(HTMLParser):
    """The data in a page, as a browser reads it."""

    def __init__(self) -> None:
        super().__init__()
        self.data: list[str] = []
        self._kind = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._kind = dict(attrs).get("type") or "" if tag == "script" else ""

    def handle_data(self, data: str) -> None:
        if self._kind == "application/json":
            self.data.append(data)

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002
        self._kind = ""


@pytest.mark.parametrize("title", ["<!--<script>", "</script><script>alert(1)</script>", "]]>"])
def test_a_title_does_not_remove_a_chart(title: str) -> None:
    rows = [{"value": f"{title}{n}", "total": n} for n in range(3)]
    frame = Frame.of(f"{title}: By value", rows)
    page = render(Answer(title, [title], [frame], {"seed": title}))
    scripts = _Scripts()
    scripts.feed(page)
    for text in scripts.data:
        assert "<" not in text
        json.loads(text)
    assert page.count("<script") == page.count("</script>")


def test_a_chart_speaks_the_readers_language(corpus: Corpus) -> None:
    frame = corpus.fit("acbl-sof-2020", bootstraps=2).frame("Win per day")
    french = json.dumps(chart_of(frame, "fr"), ensure_ascii=False)
    assert "gain par jour" in french
    assert "source de 2020" in french
    assert "synthétique" in french
    for english in ("win per day", "2020 source", "synthetic"):
        assert english not in french
        assert english in json.dumps(chart_of(frame))
