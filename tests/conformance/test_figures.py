"""Every figure the sources print is gone through, and what we say of it is what comes out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

import pytest
from click.testing import CliRunner

from honours.cli import cli
from honours.conformance import further_rulebooks
from honours.conformance.data import Claim, load_source, source_ids
from honours.conformance.own_values import names_in
from honours.conformance.report import counts, further_section, section
from honours.conformance.runner import chosen_claims, column_differences, run
from honours.model.verdict import CONSISTENT, PARAMETER, REPRODUCED, VERDICTS
from tests.support import ROOT, cases

PAGE = (ROOT / "docs/evidence/conformance.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("source", source_ids())
def test_every_verdict_is_the_one_we_state(source: str) -> None:
    """All about one source in one test, so that its figures are worked out once."""
    verdicts = list(run(chosen_claims(source)))
    assert [v for v in verdicts if not v.as_stated] == []
    assert [
        v.where
        for v in verdicts
        if v.verdict not in (REPRODUCED, CONSISTENT, PARAMETER) and not v.reason
    ] == []
    row = counts(verdicts)[source]
    assert row["total"] == len(load_source(source).claims) == sum(row[v] for v in VERDICTS)
    counted = f"| {source} | {' | '.join(map(str, row.values()))} |"
    for part in (counted, section(source, verdicts)):
        assert part in PAGE, (
            "out of date: honours conform --markdown > docs/evidence/conformance.md"
        )


@pytest.mark.slow
@pytest.mark.parametrize("source", [s for s in source_ids() if s != "ebu"])
def test_every_award_behind_a_figure_comes_out_the_same_in_columns(source: str) -> None:
    many, differing = column_differences(chosen_claims(source))
    assert differing == []
    assert many


@pytest.mark.slow
def test_the_evidence_of_further_rulebooks_comes_out_the_same_in_columns() -> None:
    many, differing = further_rulebooks.column_differences()
    assert differing == []
    assert many > 450


def test_the_page_has_every_source_and_no_other() -> None:
    of_sources = PAGE.partition("## Rulebooks that no source prints")[0]
    headed = re.findall(r"^## .* \(`(.*)`\)$", of_sources, re.MULTILINE)
    assert headed == list(source_ids())
    rows = re.findall(r"^\| (\S+) \|.* (\d+) \|$", of_sources, re.MULTILINE)
    totals = {name: int(total) for name, total in rows}
    assert totals.pop("all") == sum(totals.values())
    assert totals.keys() == set(source_ids())


def test_rulebooks_that_no_source_prints_are_counted_apart() -> None:
    verdicts = list(further_rulebooks.further())
    assert [v for v in verdicts if not v.as_stated] == []
    counted = counts(verdicts)
    assert list(counted) == [*further_rulebooks.further_ids(), "all"]
    assert len(further_rulebooks.further_ids()) == 11
    assert counted["ebu-clubs"]["published"] > 1500 + 119  # the pairs of ten whole events
    assert counted["acbl-clubs-2017"]["published"] > 949 + 17 + 4 - 216
    assert counted["acbl-clubs-2017"]["fitted"] >= 216 + 4  # tables that were added are inferred
    assert counted["ifpa-wppr"]["published"] > 550
    assert all(v.reason for v in verdicts if v.verdict == "contradicted")
    assert further_section(verdicts) in PAGE, "out of date: see the page's first lines"


def test_without_an_id_they_are_gone_through_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("honours.cli.conform.chosen_claims", lambda _wanted: [])
    assert "ifpa-wppr" in CliRunner().invoke(cli, ["conform"]).stdout


@pytest.mark.parametrize("source", source_ids())
def test_ours_is_always_worked_out(source: str) -> None:
    """A figure whose expression asks no rulebook and no scorer would compare itself to itself."""
    assert [c.where for c in load_source(source).claims if not c.needs and not _asks(c)] == []


def _asks(claim: Claim) -> bool:
    return any(isinstance(claim.let[name], Mapping) for name in names_in(claim.ours))


@cases
def test_changing_a_parameter_flips_what_depends_on_it(
    rulebook: str, parameter: str, value: str, where: str
) -> None:
    claims = [claim for claim in chosen_claims() if claim.where == where]
    (before,), (after,) = run(claims), run(claims, {rulebook: {parameter: value}})
    assert before.as_stated
    assert not after.as_stated
    assert after.ours != before.ours


def test_a_changed_parameter_leaves_the_rest_alone() -> None:
    claims = [claim for claim in chosen_claims("aga") if claim.where.startswith("Limits")]
    changed = run(claims, {"aga-category": {"rating_exponent": "2"}})
    assert [v.verdict for v in changed] == [v.verdict for v in run(claims)]


@pytest.mark.parametrize("source", source_ids())
def test_every_item_is_told_apart_by_where_and_what_it_is(source: str) -> None:
    counts = Counter((c.where, c.printed) for c in load_source(source).claims)
    assert [item for item, times in counts.items() if times > 1] == []
