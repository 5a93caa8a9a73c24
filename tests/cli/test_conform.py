"""`honours conform` on the command line."""

import json

from click.testing import CliRunner, Result

from honours.cli import cli


def conform(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["conform", *arguments])


def test_it_counts_by_source_and_gives_reasons() -> None:
    result = conform("ebu")
    assert result.exit_code == 0
    assert result.output.split("\n")[0].split() == [
        "reproduced",
        "consistent",
        "fitted",
        "parameter",
        "contradicted",
        "not",
        "checkable",
        "total",
    ]
    assert "obtained on the board" in result.output
    assert "Example, normal top" not in result.output


def test_all_lists_the_reproduced_too() -> None:
    assert "Example, normal top" in conform("ebu", "--all").output


def test_json_is_a_list_of_objects() -> None:
    items = json.loads(conform("ebu", "--json").output)
    top = next(i for i in items if i["where"] == "Example, normal top")
    assert top == {
        "source": "ebu",
        "where": "Example, normal top",
        "printed": "18",
        "ours": "18",
        "verdict": "reproduced",
        "reason": "",
        "inputs": "groups=[7, 3], expected=10",
        "fitted": [],
    }


def test_a_verdict_is_asked_for() -> None:
    items = json.loads(conform("aga", "--json", "--verdict", "not checkable").output)
    assert {i["verdict"] for i in items} == {"not checkable"}


def test_an_input_that_is_not_printed_is_told_and_the_figure_is_fitted() -> None:
    items = json.loads(conform("acbl-2020", "--json", "--verdict", "fitted").output)
    first = next(i for i in items if i["where"] == "Quebec A, proposed, place 1")
    assert first["inputs"] == "sessions=2, entrants=51, strength_factor=19.084"
    assert [fact.split(" ")[0] for fact in first["fitted"]] == [
        "strength_factor=19.084",
        "entrants=51",
    ]


def test_a_number_that_is_only_quoted_is_a_parameter() -> None:
    items = json.loads(conform("aga", "--json").output)
    least = next(i for i in items if i["where"] == "Limits, least average")
    assert least["verdict"] == "parameter"


def test_a_figure_checked_under_a_variant_too_is_one_item() -> None:
    items = json.loads(conform("sbu", "--json").output)
    [product] = [i for i in items if i["printed"] == "11th place: 8.3 × 2 = 16.6"]
    assert product["verdict"] == "contradicted"
    assert product["reason"].endswith("with step_unit=0.1 it gives the printed figure")


def test_a_rulebook_selects_what_it_answers() -> None:
    items = json.loads(conform("aga-category", "--json").output)
    assert {i["source"] for i in items} == {"aga"}


def test_a_changed_parameter_shows_and_fails() -> None:
    result = conform("ebu", "--set", "ebu:per_score_beaten=1")
    assert result.exit_code == 1
    assert "stated as reproduced" in result.output


def test_an_unknown_id_lists_those_there_are() -> None:
    result = conform("agba")
    assert result.exit_code == 2
    assert "aga" in result.output


def test_a_change_without_its_parts_is_an_error() -> None:
    for change in ("offset=3", "aga-category:offset", "aga-category:ofset=3", "nobody:x=1"):
        assert conform("aga", "--set", change).exit_code == 2


def test_the_page_is_printed() -> None:
    assert conform("aga", "--markdown").output.startswith("# Conformance\n")


def test_a_rulebook_without_a_source_is_gone_through_by_its_evidence() -> None:
    result = conform("vbl-2017")
    assert result.exit_code == 0
    assert result.output.splitlines()[1].split()[:3] == ["published", "fitted", "worked"]
    changed = conform("vbl-2017", "--set", "vbl-2017:participation=0.02")
    assert changed.exit_code == 1
    items = json.loads(conform("further", "--json").output)
    assert {"abf-sessions", "ebu-clubs", "egf-2021"} <= {item["source"] for item in items}
