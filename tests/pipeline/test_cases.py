"""Small events of every kind and of every body: awarded, asked about or refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import honours
from tests.pipeline.thirty import Case, cases


@pytest.mark.parametrize("case", list(cases()), ids=lambda case: case.name)
def test_each_is_awarded_asked_about_or_refused(case: Case, tmp_path: Path) -> None:
    path = tmp_path / f"{case.name}{case.suffix}"
    path.write_text(case.text, encoding="utf-8")
    report = honours.score(honours.read(path), **case.options)
    if case.asks:
        with pytest.raises(honours.Asked) as asked:
            honours.award(report, case.rulebook, case.given, as_usual=True)
        assert [*asked.value.names] == [case.asks]
        return
    awards = honours.award(report, case.rulebook, case.given, as_usual=True).awards
    assert awards is not None
    refused = [str(one.refusal.reason) for one in awards.lists if one.refusal]
    assert any(case.refuses in one for one in refused) if case.refuses else not refused
    assert any(map(awards.amount, awards.combined)) or case.refuses
